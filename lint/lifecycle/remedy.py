"""Rewrites that take a fault away, proved on the stock states.

None is given that changes a verdict other than the one complained of, or that
brings a fault that was not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lint.cel import Compiled, compile_expression, explain_error
from lint.cel.tree import Call, Node
from lint.lifecycle.checkup import diagnose
from lint.lifecycle.diagnosis import Diagnosis, Remedy, Rewrite
from lint.lifecycle.subject import Subject
from lint.lifecycle.table import Row, table
from lint.lifecycle.vacuity import vacuities, vacuity
from lint.model import Span

_SAME_GENERATION = "dep.metadata.generation == dep.status.observedGeneration"


def remedy(subject: Subject, found: Diagnosis) -> Remedy | None:
    """The first remedy that can be proved, None if there is none."""
    for candidate in _candidates(subject, found):
        changed = _changed(subject, candidate)
        if changed and _is_better(subject, changed, found) and _proved(subject, changed, candidate):
            return candidate
    return None


def _candidates(subject: Subject, found: Diagnosis) -> Iterator[Remedy]:
    """What might help, the smallest change first."""
    if found.fault == "vacuous" or found.how == "vacuous":
        title = "Write `exists` for `filter` and `all`."
        if found.detail and found.span:
            yield Remedy(title, (Rewrite(found.role, found.span, found.detail),))
        every = tuple(_existing(subject))
        if every:
            yield Remedy(title, every)
    elif found.fault == "stale" and found.how == "gate":
        rewrites = _guarded(subject, found.role, _SAME_GENERATION)
        yield Remedy("Compare the generations as well.", rewrites, safe=False)
    elif found.fault in ("blocked", "unguarded") and found.row:
        test = _test(subject.programs[found.role], found.row)
        if test:
            yield Remedy(f"Ask for `{test}` first.", _guarded(subject, found.role, test))


def _existing(subject: Subject) -> Iterator[Rewrite]:
    for role, program in subject.programs.items():
        for each in vacuities(program):
            if each.instead:
                yield Rewrite(role, each.span, each.instead)


def _test(program: Compiled, row: Row) -> str:
    """What is true where the error of a state does not come."""
    variables = row.state.variables
    explanation = explain_error(program.trace(variables), variables)
    return explanation.test if explanation else ""


def _guarded(subject: Subject, role: str, test: str) -> tuple[Rewrite, ...]:
    """The expression behind a condition."""
    root = subject.programs[role].tree
    if root is None:
        return ()
    opening, closing = ("(", ")") if _is_weak(root) else ("", "")
    end = Span(root.span.end, root.span.end)
    tail = (Rewrite(role, end, closing),) if closing else ()
    return (Rewrite(role, Span(root.span.start, root.span.start), f"{test} && {opening}"), *tail)


def _is_weak(root: Node) -> bool:
    return isinstance(root, Call) and root.function in ("_||_", "_?_:_")


def _changed(subject: Subject, candidate: Remedy) -> Subject | None:
    """The subject with the rewrites made; None where the controller would refuse one."""
    programs = dict(subject.programs)
    for each in sorted(candidate.rewrites, key=lambda each: each.span, reverse=True):
        before = programs[each.role]
        text = before.text[: each.span.start] + each.text + before.text[each.span.end :]
        programs[each.role] = compile_expression(text, before.dialect)
    fine = all(each.tree and each.analysed and not each.refusals for each in programs.values())
    return replace(subject, programs=programs) if fine else None


def _is_better(subject: Subject, changed: Subject, found: Diagnosis) -> bool:
    """Whether the fault has gone and none has come."""
    before, after = (
        {(each.fault, each.role) for each in diagnose(it)} for it in (subject, changed)
    )
    return after <= before - {(found.fault, found.role)}


def _proved(subject: Subject, changed: Subject, candidate: Remedy) -> bool:
    """Whether every state has the verdict it had, but where that was the complaint.

    A remedy that is not safe wants other verdicts; it has to leave a way to each.
    """
    if not candidate.safe:
        return all(table(changed).proof({role: True}).row for role in changed.programs)
    rewritten = {each.role for each in candidate.rewrites}
    for row in table(subject).rows:
        variables = row.state.variables
        verdict = changed.verdict(variables, changed.outcomes(variables))
        if verdict != row.verdict and not _was_wrong(subject, row, rewritten):
            return False
    return True


def _was_wrong(subject: Subject, row: Row, rewritten: set[str]) -> bool:
    """Whether the verdict rested on an error, or on an `all` that had nothing to look at."""
    return row.verdict == "Unknown" or any(
        vacuity(subject.programs[role], row.state.variables) is not None for role in rewritten
    )
