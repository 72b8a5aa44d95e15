"""Rewrites that remove a fault, proved on the stock states and more.

A rewrite is dropped if it changes any verdict but the wrong one, or if it adds
a fault.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from itertools import islice, permutations
from typing import TypeAlias, assert_never
from weakref import WeakKeyDictionary

from celvet.lint.cel import compile_expression, explain_error
from celvet.lint.cel.syntax.tree import Call, Macro, Node, always_evaluated, parents, walk
from celvet.lint.checks.advice import plain
from celvet.lint.model import Confidence, Path, Span, Value
from celvet.lint.predict.check_model import CheckModel
from celvet.lint.predict.faults.diagnose import diagnose
from celvet.lint.predict.faults.diagnosis import (
    Blocked,
    Diagnosis,
    Hidden,
    Negation,
    NeverTrue,
    NothingMatches,
    OpenGate,
    Premature,
    Replacement,
    Rewrite,
    Stale,
    Unguarded,
    Vacuous,
)
from celvet.lint.predict.faults.life import chosen_verdicts, health_facts, is_right, life_rows
from celvet.lint.predict.faults.vacuous import all_vacuities, find_vacuity
from celvet.lint.predict.reads.terms import definite
from celvet.lint.predict.states.building import get
from celvet.lint.predict.truth_table import Row, Table, table
from celvet.lint.values import drop
from celvet.record import record, replace

_AND, _OR = "_&&_", "_||_"
_Condition: TypeAlias = dict[str, Value]
_PROOFS = 8
"""How many objects are built on which an expression is true."""

_PATHS = 8
"""How many fields are left out, one at a time."""

_PAIRS = 200
"""How many states of each sort have two conditions."""


def rewrite(model: CheckModel, found: Diagnosis) -> Rewrite | None:
    """The first rewrite that can be proved, None if there is none."""
    proofs = _PROVED.setdefault(table(model), [])
    for diagnosis, proof in proofs:
        if diagnosis is found:
            return proof
    proofs.append((found, _rewrite(model, found)))
    return proofs[-1][1]


_PROVED: MutableMapping[Table, list[tuple[Diagnosis, Rewrite | None]]] = WeakKeyDictionary()
"""Proved fixes of the diagnoses of cached tables."""


def _rewrite(model: CheckModel, found: Diagnosis) -> Rewrite | None:
    for candidate in _recommended(model, found):
        if _mended(model, found, candidate):
            return candidate
    for candidate in _candidates(model, found):
        changed = _mended(model, found, candidate)
        if changed and _proved(model, changed, candidate):
            return candidate
    return None


def _mended(model: CheckModel, found: Diagnosis, candidate: Rewrite) -> CheckModel | None:
    """The model after a rewrite; None if the fault remains, or a new one appears."""
    changed = _changed(model, candidate)
    if changed is None or not _right_along_life(model, changed):  # takes less than the rest
        return None
    return changed if _is_better(model, changed, found, candidate) else None


def _recommended(model: CheckModel, found: Diagnosis) -> Iterator[Rewrite]:
    """The recommended expression alone, then all of them; unsafe if the fault may be intended."""
    facts = health_facts(table(model))
    if facts is None or not facts.entry:
        return
    texts = [each.text for each in model.programs.values()]
    entry = facts.closest_entry(
        texts, chosen_verdicts(table(model), found.role, is_stale=isinstance(found, Stale))
    )
    for roles in ((found.role,), tuple(model.programs)):
        replacements = tuple(_replacements(model, entry, roles))
        gone = [each.role for each in replacements if not each.text]
        title = f"Remove `{gone[0]}`." if len(gone) == len(replacements) == 1 else ""
        title = title or f"Use the expression recommended for `{facts.kind}`."
        yield Rewrite(title, replacements, safe=found.confidence is Confidence.HIGH)


def _replacements(
    model: CheckModel, entry: Mapping[str, str], roles: Iterable[str]
) -> Iterator[Replacement]:
    for role in roles:
        text = plain(entry.get(role, ""))
        yield Replacement(role, Span(0, len(model.programs[role].text)), text)


def _candidates(model: CheckModel, found: Diagnosis) -> Iterator[Rewrite]:
    """Rewrites to try, the smallest change first."""
    match found:
        case Vacuous(span=span) | Premature(proof=NothingMatches(span=span)):
            every = tuple(_existing(model))
            if alone := tuple(each for each in every if _concerns(each, found.role, span)):
                yield _demanding(alone)
            if every:
                yield _demanding(every)
        case Stale(proof=OpenGate(test=test)):
            replacements = _guarded(model, found.role, test)
            yield Rewrite("Compare the generations as well.", replacements, safe=False)
        case Blocked() | Unguarded():
            yield from _asking(model, found.role, found.row)
        case Premature() | NeverTrue() | Hidden() | Negation() | Stale():
            return  # only the recommended entry may help
        case _:
            assert_never(found)


def _demanding(replacements: tuple[Replacement, ...]) -> Rewrite:
    """The rewrite of an expression that is true when nothing matches."""
    plain = not any(".exists(" in each.text for each in replacements)
    title = "Write `exists` for `filter` and `all`." if plain else "Require a match with `exists`."
    return Rewrite(title, replacements)


def _existing(model: CheckModel) -> Iterator[Replacement]:
    for role, program in model.programs.items():
        for each in all_vacuities(program):
            yield from (Replacement(role, span, text) for span, text in each.edits)


def _concerns(each: Replacement, role: str, span: Span) -> bool:
    """Whether a rewrite is within the faulty part of the expression of a role."""
    within = span.start <= each.span.start and each.span.end <= span.end
    return within and each.role == role


def _asking(model: CheckModel, role: str, row: Row) -> Iterator[Rewrite]:
    """A guard against the error on a state; none if no operand certainly fails without it."""
    program, variables = model.programs[role], row.state.variables
    trace = program.trace(variables)
    explanation = explain_error(trace, variables)
    if program.tree is None or explanation is None or not explanation.test:
        return
    test, read = (
        explanation.test,
        program.text[slice(*_missing(trace.deciding_steps()[-1].node).span)],
    )
    inserted = _guards(program.text, program.tree, read, test)
    replacements = tuple(Replacement(role, span, text) for span, text in inserted)
    if replacements:
        yield Rewrite(f"Ask for `{test}` first.", replacements)


def _missing(node: Node) -> Node:
    """The node that has no value, or not one that a macro can loop over."""
    return node.target if isinstance(node, Macro) and node.target else node


def _guarded(model: CheckModel, role: str, test: str) -> tuple[Replacement, ...]:
    """The replacements that put a guard before the whole expression."""
    root = model.programs[role].tree
    if root is None:
        return ()
    opening, closing = ("(", ")") if _is_weak(root) else ("", "")
    end = Span(root.span.end, root.span.end)
    tail = (Replacement(role, end, closing),) if closing else ()
    return (
        Replacement(role, Span(root.span.start, root.span.start), f"{test} && {opening}"),
        *tail,
    )


def _is_weak(root: Node) -> bool:
    return isinstance(root, Call) and root.function in ("_||_", "_?_:_")


def _changed(model: CheckModel, candidate: Rewrite) -> CheckModel | None:
    """The model with the rewrites made; None if the controller would refuse one."""
    programs = dict(model.programs)
    for each in sorted(candidate.replacements, key=lambda each: each.span, reverse=True):
        before = programs[each.role]
        if not each.text and each.span == (0, len(before.text)):
            del programs[each.role]
            continue
        text = before.text[: each.span.start] + each.text + before.text[each.span.end :]
        programs[each.role] = compile_expression(text, before.dialect)
    fine = all(each.tree and each.analysed and not each.refusals for each in programs.values())
    return replace(model, programs=programs) if fine else None


def _is_better(
    model: CheckModel, changed: CheckModel, found: Diagnosis, candidate: Rewrite
) -> bool:
    """Whether the fault is gone and none is new.

    An unchanged expression may still trust outdated conditions, and so may any of a known kind,
    unless only its conditions have the generation.
    """
    before, after = ({(type(each), each.role) for each in diagnose(it)} for it in (model, changed))
    trusting = set(changed.programs)
    facts = health_facts(table(model))
    if isinstance(found, Stale):
        trusting.clear()  # the next one would be reported instead
    elif facts is None or facts.generation_in == ("conditions",):
        trusting -= {each.role for each in candidate.replacements}
    fault = (type(found), found.role)
    others = after - {(Stale, role) for role in trusting}
    return fault not in after and others <= before


def _proved(model: CheckModel, changed: CheckModel, candidate: Rewrite) -> bool:
    """Whether every state keeps its verdict, apart from the wrong ones.

    An unsafe rewrite changes verdicts on purpose; each must stay possible.
    """
    if not candidate.safe:
        return all(table(changed).proof({role: True}).row for role in changed.programs)
    rewritten = {each.role for each in candidate.replacements}
    return all(
        _same(model, changed, variables) or _was_wrong(model, variables, rewritten)
        for variables in _proof_states(table(model), rewritten)
    )


def _same(model: CheckModel, changed: CheckModel, variables: Value) -> bool:
    before, after = (it.verdict(variables, it.outcomes(variables)) for it in (model, changed))
    return before == after


def _was_wrong(model: CheckModel, variables: Value, rewritten: set[str]) -> bool:
    """Whether the verdict came from an error, or from an `all` over nothing."""
    verdict = model.verdict(variables, model.outcomes(variables))
    return verdict == "Unknown" or any(
        find_vacuity(model.programs[role], variables) is not None for role in rewritten
    )


def _right_along_life(before: CheckModel, after: CheckModel) -> bool:
    """Whether no state of the kind's life gets a wrong verdict that it did not have."""
    rows = zip(life_rows(table(before)), life_rows(table(after)), strict=True)
    return all(
        state.until or now.verdict == was.verdict or is_right(now.verdict, state.verdict)
        for (state, was), (_, now) in rows
    )


def _guards(text: str, root: Node, read: str, test: str) -> Iterator[tuple[Span, str]]:
    """The insertions that test `test` wherever `read`, which fails without it, is evaluated.

    The guard goes before the smallest operand that fails: `A || B` is true if `A` is, even if `B`
    is an error, and a guard before the whole would change that. It may only come before a part that
    is never true if the guard is false.
    """
    above = parents(root)
    for node in _Operands(text, read).of(root):
        start, end = node.span
        parent = above.get(node)
        outer = _calls(parent, _OR) and not _bracketed(text, node.span)
        inner = _calls(node, _OR, "_?_:_")
        closing = ")" * (outer + inner)
        yield Span(start, start), f"{'(' * outer}{test} && {'(' * inner}"
        if closing:
            yield Span(end, end), closing


@record
class _Operands:
    """Finds the operands of `&&` and `||` that `read` keeps from having a value."""

    text: str
    read: str

    def of(self, node: Node) -> list[Node]:
        """The operands to guard; for those of one `&&`, only the first."""
        if not _calls(node, _AND, _OR):
            return [node] if self._errs(node) else []
        erring = [child for child in node.children if self._errs(child)]
        if _calls(node, _OR) and len(erring) == len(node.children):
            return [node]
        chosen = erring[:1] if _calls(node, _AND) and erring else node.children
        return [found for child in chosen for found in self.of(child)]

    def _errs(self, node: Node) -> bool:
        """Whether this is certainly not true if `read` is an error."""
        if _calls(node, _AND):
            return any(map(self._errs, node.children))
        if _calls(node, _OR):
            return all(map(self._errs, node.children))
        return any(
            self.text[slice(*each.span)] == self.read and always_evaluated(node, each)
            for each in walk(node)
        )


def _calls(node: Node | None, *functions: str) -> bool:
    return isinstance(node, Call) and node.function in functions


def _bracketed(text: str, span: Span) -> bool:
    return text[: span.start].endswith("(") and text[span.end :].startswith(")")


def _proof_states(table: Table, roles: Iterable[str]) -> Iterator[Value]:
    """The variables of all states on which a rewrite of these roles must keep its verdict."""
    plain = [row.state.variables for row in (*table.rows, *_proofs(table))]
    yield from plain
    for path in _paths(table, roles):
        without = (drop(each, path) for each in plain)
        yield from (after for after, each in zip(without, plain, strict=True) if after is not each)
    yield from _pairs(table)


def _proofs(table: Table) -> Iterator[Row]:
    """Objects on which each expression is true, in several ways."""
    for role in table.model.programs:
        yield from islice(table.proofs({role: True}), _PROOFS)


def _paths(table: Table, roles: Iterable[str]) -> Iterator[Path]:
    """The fields that the roles read, except in elements of lists."""
    paths = (path for role in roles for path in table.read_by(role).fields)
    plain = (path for path in dict.fromkeys(paths) if None not in path)
    return islice((definite(path) for path in plain if table.builder.arrives(path)), _PATHS)


def _pairs(table: Table) -> Iterator[Value]:
    """States with two conditions that disagree, of named types and of types like those."""
    elements = [*permutations(_elements(table), 2)]
    differing = [pair for pair in elements if pair[0]["status"] != pair[1]["status"]]
    alike = (like for pair in differing for like in _alike(*pair))
    named = (pair for pair in differing if pair[0]["type"] != pair[1]["type"])
    for pair in (*islice(alike, _PAIRS), *islice(named, _PAIRS)):
        yield table.builder.with_conditions(pair, table.builder.neutral)


def _alike(one: _Condition, other: _Condition) -> Iterator[tuple[_Condition, _Condition]]:
    """Pairs of conditions in which a type begins or ends with the other one."""
    if one["type"] == other["type"]:
        longer, later = f"{one['type']}Other", f"Other{one['type']}"
        yield one, {**other, "type": longer}
        yield one, {**other, "type": later}
        yield {**one, "type": longer}, {**other, "type": later}


def _elements(table: Table) -> list[_Condition]:
    """The single conditions of the stock states."""
    place = definite(table.builder.lists[0]) if table.builder.lists else ()
    states = (row.state for row in table.rows if place and row.state.stage == "condition")
    lists = (get(state.variables, place) for state in states)
    return [each[0] for each in lists if isinstance(each, list) and each]
