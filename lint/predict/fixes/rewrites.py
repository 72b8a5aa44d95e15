"""Rewrites that take a fault away, proved on the stock states and more.

None is given that changes a verdict other than the one complained of, or that
brings a fault that was not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from celvet.lint.cel import compile_expression, explain_error
from celvet.lint.cel.syntax.tree import Call, Macro, Node
from celvet.lint.model import Span, Value
from celvet.lint.predict.faults.diagnose import diagnose
from celvet.lint.predict.faults.diagnosis import Diagnosis, Remedy, Rewrite
from celvet.lint.predict.faults.vacuous import vacuities, vacuity
from celvet.lint.predict.fixes.guards import guards
from celvet.lint.predict.fixes.proof_states import evidence
from celvet.lint.predict.model import CheckModel
from celvet.lint.predict.truth_table import Row, table


def remedy(model: CheckModel, found: Diagnosis) -> Remedy | None:
    """The first remedy that can be proved, None if there is none."""
    for candidate in _candidates(model, found):
        changed = _changed(model, candidate)
        better = changed and _is_better(model, changed, found, candidate)
        if changed and better and _proved(model, changed, candidate):
            return candidate
    return None


def _candidates(model: CheckModel, found: Diagnosis) -> Iterator[Remedy]:
    """What might help, the smallest change first."""
    if found.fault == "vacuous" or found.how == "vacuous":
        every = tuple(_existing(model))
        if alone := tuple(each for each in every if _concerns(each, found)):
            yield _demanding(alone)
        if every:
            yield _demanding(every)
    elif found.fault == "stale" and found.how == "gate":
        rewrites = _guarded(model, found.role, found.detail)
        yield Remedy("Compare the generations as well.", rewrites, safe=False)
    elif found.fault in ("blocked", "unguarded") and found.row:
        yield from _asking(model, found.role, found.row)


def _demanding(rewrites: tuple[Rewrite, ...]) -> Remedy:
    """The remedy against what is true of nothing."""
    plain = not any(".exists(" in each.text for each in rewrites)
    title = "Write `exists` for `filter` and `all`." if plain else "Ask for a match with `exists`."
    return Remedy(title, rewrites)


def _existing(model: CheckModel) -> Iterator[Rewrite]:
    for role, program in model.programs.items():
        for each in vacuities(program):
            yield from (Rewrite(role, span, text) for span, text in each.edits)


def _concerns(each: Rewrite, found: Diagnosis) -> bool:
    """Whether a rewrite is within what is at fault."""
    span = found.span
    within = span is not None and span.start <= each.span.start and each.span.end <= span.end
    return within and each.role == found.role


def _asking(model: CheckModel, role: str, row: Row) -> Iterator[Remedy]:
    """A guard for what errs on a state; none where no operand is sure to err without it."""
    program, variables = model.programs[role], row.state.variables
    trace = program.trace(variables)
    explanation = explain_error(trace, variables)
    if program.tree is None or explanation is None or not explanation.test:
        return
    test, read = explanation.test, program.text[slice(*_missing(trace.deciding()[-1].node).span)]
    inserted = guards(program.text, program.tree, read, test)
    rewrites = tuple(Rewrite(role, span, text) for span, text in inserted)
    if rewrites:
        yield Remedy(f"Ask for `{test}` first.", rewrites)


def _missing(node: Node) -> Node:
    """What has no value, or not the one that a macro over it needs."""
    return node.target if isinstance(node, Macro) and node.target else node


def _guarded(model: CheckModel, role: str, test: str) -> tuple[Rewrite, ...]:
    """The whole expression behind a condition."""
    root = model.programs[role].tree
    if root is None:
        return ()
    opening, closing = ("(", ")") if _is_weak(root) else ("", "")
    end = Span(root.span.end, root.span.end)
    tail = (Rewrite(role, end, closing),) if closing else ()
    return (Rewrite(role, Span(root.span.start, root.span.start), f"{test} && {opening}"), *tail)


def _is_weak(root: Node) -> bool:
    return isinstance(root, Call) and root.function in ("_||_", "_?_:_")


def _changed(model: CheckModel, candidate: Remedy) -> CheckModel | None:
    """The model with the rewrites made; None where the controller would refuse one."""
    programs = dict(model.programs)
    for each in sorted(candidate.rewrites, key=lambda each: each.span, reverse=True):
        before = programs[each.role]
        text = before.text[: each.span.start] + each.text + before.text[each.span.end :]
        programs[each.role] = compile_expression(text, before.dialect)
    fine = all(each.tree and each.analysed and not each.refusals for each in programs.values())
    return replace(model, programs=programs) if fine else None


def _is_better(model: CheckModel, changed: CheckModel, found: Diagnosis, candidate: Remedy) -> bool:
    """Whether the fault has gone and none has come.

    An expression that is as it was trusts old conditions as it did, be it seen only now.
    """
    before, after = ({(each.fault, each.role) for each in diagnose(it)} for it in (model, changed))
    kept = changed.programs.keys() - {each.role for each in candidate.rewrites}
    return after - {("stale", role) for role in kept} <= before - {(found.fault, found.role)}


def _proved(model: CheckModel, changed: CheckModel, candidate: Remedy) -> bool:
    """Whether every state has the verdict it had, but where that was the complaint.

    A remedy that is not safe wants other verdicts; it has to leave a way to each.
    """
    if not candidate.safe:
        return all(table(changed).proof({role: True}).row for role in changed.programs)
    rewritten = {each.role for each in candidate.rewrites}
    return all(
        _same(model, changed, variables) or _was_wrong(model, variables, rewritten)
        for variables in evidence(table(model), rewritten)
    )


def _same(model: CheckModel, changed: CheckModel, variables: Value) -> bool:
    before, after = (it.verdict(variables, it.outcomes(variables)) for it in (model, changed))
    return before == after


def _was_wrong(model: CheckModel, variables: Value, rewritten: set[str]) -> bool:
    """Whether the verdict rested on an error, or on an `all` that had nothing to look at."""
    verdict = model.verdict(variables, model.outcomes(variables))
    return verdict == "Unknown" or any(
        vacuity(model.programs[role], variables) is not None for role in rewritten
    )
