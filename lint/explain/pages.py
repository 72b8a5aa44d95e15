"""The pages of a file, one for each check: the life of its kind, stock states, and findings.

The life is that of the catalogue, with the states that the controller itself names. The stock
states are made from what the expressions read; for JSONPath, the package of the controller has
examples.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count

from celvet.lint.cel import Compiled, Outcome
from celvet.lint.checks import AnyExpression, Check, CheckedObject
from celvet.lint.controllers import evaluators
from celvet.lint.engine import FileResult
from celvet.lint.jsonpath import PathResult
from celvet.lint.locate import Locator
from celvet.lint.model import Counterexample, Finding, GroupKind, Value, field_path
from celvet.lint.predict import CheckModel, Row, State, Table, diagnose, life_rows, models, table
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.lint.verdicts.verdict import IGNORED
from celvet.record import field as made
from celvet.record import record, replace
from celvet.schemas import KindFacts
from celvet.schemas.facts import LifeState

VERDICT = "verdict"
_VERDICTS = ("Current", "Failed", "Ready")
_EARLY = {"bare", "none", "other"}
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of the examples, which do not depend on it."""

WAITING = {"InProgress", "Unknown"}
"""Verdicts at which the controller keeps waiting."""


@record
class Line:
    """One state: the object, the result of each expression, and the verdict.

    `cells` are texts by role, the verdict last. `marks` has, for each cell, the numbers of the
    notes that it proves.
    """

    state: str
    description: str
    object: Value
    cells: Mapping[str, str]
    marks: Mapping[str, Sequence[int]]


@record
class Page:
    """One check: `texts` are its expressions by role, `notes` the findings about it.

    `life` are the states that the controller of the kind names, `read` is that controller; both are
    empty for a kind without an entry in the catalogue. `lines` are all other states. `timing` says
    when the controller checks. A refused check has no states. `place` is the file and the line,
    `fixed` has the expressions that `celvet lint --fix` would change.
    """

    title: str
    field: str
    subject: str
    texts: Mapping[str, str]
    lines: Sequence[Line]
    notes: Sequence[Finding]
    life: Sequence[Line] = ()
    read: str = ""
    timing: str = ""
    place: str = ""
    fixed: Mapping[str, str] = made(default_factory=dict)

    @property
    def heading(self) -> str:
        """The object, the field of the check, and the kind under check."""
        return f"{', '.join(filter(None, (self.title, self.field)))}: {self.subject}"

    @property
    def tables(self) -> Iterator[tuple[str, Sequence[Line]]]:
        """The tables of states, each with its heading."""
        if self.life:
            yield f"in its life ({self.read})", self.life
        if self.lines:
            yield "an object", self.lines


def pages(result: FileResult) -> Iterator[Page]:
    """The pages of the checks in a file that can be predicted or have findings.

    The checks of rendered ResourceSets come last; equal checks of several input sets share the
    page of the first.
    """
    yield from _pages(result)
    seen = set()
    for page in (page for rendered in result.rendered for page in pages(rendered)):
        key = (page.field, page.subject, *page.texts.items())
        if key not in seen:
            seen.add(key)
            yield replace(page, place=f"{result.name}, rendered")


def _pages(result: FileResult) -> Iterator[Page]:
    """The pages of the checks in a file, without those of rendered ResourceSets."""
    locator = Locator(result.manifest) if result.manifest else None
    for checked in result.checked:
        predicted = {check.path: model for check, model in models(checked)}
        for check in checked.checks:
            notes, model = _notes(checked, check, result.findings), predicted.get(check.path)
            if locator is None:
                continue
            if model:
                page = _predicted(checked, check, model, notes)
            else:
                page = _without_model(checked, check, notes)
            if not (page.lines or page.life or page.notes):
                continue
            line = locator.place(checked.place(check.path)).line
            yield replace(page, place=f"{result.name}:{line}")


def file_pages(result: FileResult) -> Iterator[Page]:
    """A page for the findings about the file itself, such as broken YAML."""
    about = tuple(each for each in result.findings if not each.object.kind)
    if about and result.manifest:
        line = Locator(result.manifest).place(about[0].where).line
        yield Page(result.name, "", "the file", {}, (), about, place=f"{result.name}:{line}")


def beside(found: Sequence[Page], after: Iterable[Page]) -> list[Page]:
    """The pages, with the expressions that differ in the same check `after` fixes."""
    better = {(page.title, page.field): page.texts for page in after}
    return [
        replace(
            page,
            fixed={
                role: text
                for role, text in better.get((page.title, page.field), {}).items()
                if page.texts.get(role) != text
            },
        )
        for page in found
    ]


def _without_model(checked: CheckedObject, check: Check, notes: tuple[Finding, ...]) -> Page:
    """The page of a check that is refused, or of one with JSONPath."""
    expressions = _by_role(check)
    return Page(
        title=checked.object.title,
        field=field_path(check.path),
        subject=_named(GroupKind.of(*check.objects)),
        texts={role: each.program.text for role, each in expressions.items()},
        lines=[*_examples(checked, check, expressions)],
        notes=notes,
    )


def _by_role(check: Check) -> dict[str, AnyExpression]:
    """The expressions by role; further ones of the same role are numbered."""
    found: dict[str, AnyExpression] = {}
    for each in check.expressions:
        number = next(n for n in count(1) if _numbered(each.role, n) not in found)
        found[_numbered(each.role, number)] = each
    return found


def _examples(
    checked: CheckedObject, check: Check, expressions: Mapping[str, AnyExpression]
) -> Iterator[Line]:
    """What a check with paths gives on the examples of its controller's package."""
    if not check.paths or any(each.program.refusal for each in check.paths):
        return
    own = {each.path for each in check.paths}
    deciding = [it for it in evaluators(checked) if own & {each.path for each in it.expressions}]
    for shown in deciding[-1].examples(checked.value) if deciding else ():
        cluster = ClusterState(objects=shown.objects, now=_NOW, settings=shown.settings)
        cells = {
            role: _read(it.program.read(cluster.object))
            for role, it in expressions.items()
            if not isinstance(it.program, Compiled)
        }
        cells[VERDICT] = deciding[-1].evaluate(cluster).status
        name = shown.name.removeprefix("an object ")
        yield Line(shown.name, name, cluster.object, cells, {})


def _read(result: PathResult) -> str:
    if result.state == "value":
        return json.dumps(result.value, ensure_ascii=False)
    return "error" if result.state == "error" else "nothing"


def _numbered(role: str, number: int) -> str:
    return role if number == 1 else f"{role} {number}"


def _predicted(
    checked: CheckedObject, check: Check, model: CheckModel, notes: tuple[Finding, ...]
) -> Page:
    lived = life_rows(table(model))
    rows = [*_rows(model, notes, [row for _, row in lived])]
    proofs = _proofs([*(row for _, row in lived), *rows], notes)
    facts = model.facts
    lines = [_line(row, notes, proofs) for row in rows]
    in_life = [_lived(state, _line(row, notes, proofs), facts) for state, row in lived]
    unused = not model.gate and not checked.looks_at(check)
    return Page(
        title=checked.object.title,
        field=field_path(check.path),
        subject=_named(model.group_kind),
        texts={role: each.text for role, each in model.programs.items()},
        lines=[*map(_ignored, lines)] if unused else lines,
        notes=notes,
        life=[*map(_ignored, in_life)] if unused else in_life,
        read=f"{facts.project} {facts.release}" if facts else "",
        timing="" if model.gate or unused else checked.timing.sentence,
    )


def _named(kind: GroupKind) -> str:
    """The group and kind, described if the entry does not name the kind."""
    if kind.kind:
        return str(kind)
    return f"an unnamed kind of {kind.group}" if kind.group else "an unnamed kind"


def _notes(
    checked: CheckedObject, check: Check, findings: Sequence[Finding]
) -> tuple[Finding, ...]:
    """The findings whose place is in the check."""
    inside = checked.place(check.path)
    depth = len(inside.path)
    return tuple(
        each
        for each in findings
        if each.where.document == inside.document and each.where.path[:depth] == inside.path
    )


def _rows(model: CheckModel, notes: Sequence[Finding], lived: Sequence[Row]) -> Iterator[Row]:
    """The stock states, then one for each verdict that they lack, then those of findings.

    Of the last, those that are `lived` already are left out.
    """
    found = table(model)
    rows = [*found.rows, *found.witnesses()]
    yield from rows
    stock = {row.state.name for row in (*rows, *lived)}
    for note in notes:
        shown = note.counterexample
        if shown and shown.state not in stock:
            stock.add(shown.state)
            yield _proof(shown, found)


def _proof(shown: Counterexample, found: Table) -> Row:
    """The row that a finding shows; built again if no diagnosis has it."""
    known = (each.row for each in diagnose(found.model) if each.row)
    same = (row for row in known if row.counterexample == shown)
    return next(same, None) or found.row(_state(shown, found))


def _state(shown: Counterexample, found: Table) -> State:
    """The state of an object, with the other variables of the stock states."""
    variables = shown.object
    if found.model.root:
        beside = found.rows[0].state.variables if found.rows else {}
        variables = {**beside, found.model.root[0]: shown.object}
    return State(shown.state, shown.description, "proof", shown.object, variables)


def _proofs(rows: Sequence[Row], notes: Sequence[Finding]) -> list[Row | None]:
    """The row of each finding that shows an object."""
    named = {row.state.name: row for row in rows}
    shown = [note.counterexample for note in notes]
    return [named[each.state] if each else None for each in shown]


def _lived(state: LifeState, line: Line, facts: KindFacts | None) -> Line:
    """A state of the life: the name and stage, and the verdict that the recommended entry gives.

    That verdict is left out if the controller keeps waiting at both, or if a variant of the
    recommended entry differs in the same way.
    """
    variants = facts.variants.values() if facts else ()
    verdict, right = line.cells[VERDICT], state.verdict
    meant = {right, *(each.differs.get(state.name, right) for each in variants)}
    if verdict not in meant and not {verdict, right} <= WAITING:
        verdict = f"{verdict}, not {right}"
    name = f"`{state.name}` ({state.stage})"
    return replace(line, description=name, cells={**line.cells, VERDICT: verdict})


def _line(row: Row, notes: Sequence[Finding], proofs: Sequence[Row | None]) -> Line:
    cells = {role: _shown(outcome) for role, outcome in row.outcomes.items()}
    marks: dict[str, list[int]] = {}
    for number, (note, proof) in enumerate(zip(notes, proofs, strict=True), start=1):
        if proof and _alike(row, proof):
            role = str(note.where.path[-1]) if note.where.path else ""
            marks.setdefault(role if role in cells else VERDICT, []).append(number)
    state = row.state
    cells[VERDICT] = row.verdict
    return Line(state.name, state.description, state.object, cells, marks)


def _ignored(line: Line) -> Line:
    """The row of an entry that the controller never uses, without a verdict."""
    return replace(line, cells={**line.cells, VERDICT: IGNORED})


def _alike(row: Row, proof: Row) -> bool:
    """Whether a row is the proof, or has the same verdict for the same reason."""
    if row is proof:
        return True
    if row.verdict != proof.verdict or proof.verdict not in _VERDICTS:
        return False
    # a value that means trouble may rightly fail, although no expression names it
    unnamed = {"stage", "success" if proof.verdict == "Failed" else "trouble"}
    stages = {row.state.stage, proof.state.stage}
    return stages <= _EARLY or stages <= unnamed


def _shown(outcome: Outcome) -> str:
    if outcome.error:
        return "error" if outcome.analysed else "not analysed"
    return str(outcome.value).lower()
