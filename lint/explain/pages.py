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
from celvet.lint.engine import FileResult, Settings, lint_text
from celvet.lint.engine.fix import fix
from celvet.lint.jsonpath import PathResult
from celvet.lint.locate import Locator
from celvet.lint.model import Counterexample, Finding, GroupKind, Value, field_path
from celvet.lint.predict import CheckModel, Row, State, Table, diagnose, life_rows, models, table
from celvet.lint.predict.faults.diagnosis import NeverTrue, Stuck
from celvet.lint.rule_ids import HIDDEN_DATA
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.lint.verdicts.verdict import IGNORED
from celvet.record import field as default_of
from celvet.record import record, replace
from celvet.schemas import KindFacts
from celvet.schemas.facts import LifeState

VERDICT = "verdict"
_VERDICTS = ("Current", "Failed", "Ready")
_EARLY = {"bare", "none", "other"}
_NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of the examples, which do not depend on it."""

WAITING = {"InProgress", "NotReady", "Unknown"}
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

    `life` are the states that the controller of the kind names, `controller` names it; both are
    empty for a kind without an entry in the catalogue. `lines` are all other states. `timing` says
    when the controller checks. A refused check has no states. `place` is the file and the line,
    `fixed_texts` has the expressions that `celvet lint --fix` would change. `facts` are those about
    the kind, `waiter` names another waiter whose judgements are in a column of their own.
    """

    title: str
    field: str
    subject: str
    texts: Mapping[str, str]
    lines: Sequence[Line]
    notes: Sequence[Finding]
    life: Sequence[Line] = ()
    controller: str = ""
    timing: str = ""
    place: str = ""
    fixed_texts: Mapping[str, str] = default_of(default_factory=dict)
    facts: KindFacts | None = None
    waiter: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the cells of each line."""
        return (*self.texts, VERDICT, *((self.waiter,) if self.waiter else ()))

    @property
    def heading(self) -> str:
        """The object, the field of the check, and the kind under check."""
        return f"{', '.join(filter(None, (self.title, self.field)))}: {self.subject}"

    @property
    def tables(self) -> Iterator[tuple[str, Sequence[Line]]]:
        """The tables of states, each with its heading."""
        if self.life:
            yield f"in its life ({self.controller})", self.life
        if self.lines:
            yield "an object", self.lines


def explained(data: bytes, name: str, settings: Settings) -> tuple[list[Page], FileResult]:
    """The pages of a file, those of the file itself first, with the expressions of `--fix`."""
    result = lint_text(data, name, settings)
    original_pages = [*file_pages(result), *pages(result)]
    if not any(note.fix and note.fix.safe for page in original_pages for note in page.notes):
        return original_pages, result
    fixed_pages = pages(fix(data, name, settings, unsafe=False).result)
    return with_fixes(original_pages, fixed_pages), result


def pages(result: FileResult) -> Iterator[Page]:
    """The pages of the checks in a file that can be predicted or have findings.

    The checks of rendered ResourceSets come last; equal checks of several input sets share the
    page of the first.
    """
    yield from _pages(result)
    keys = set()
    for page in (page for rendered_result in result.rendered for page in pages(rendered_result)):
        key = (page.field, page.subject, *page.texts.items())
        if key not in keys:
            keys.add(key)
            yield replace(page, place=f"{result.name}, rendered")


def _pages(result: FileResult) -> Iterator[Page]:
    """The pages of the checks in a file, without those of rendered ResourceSets."""
    locator = Locator(result.manifest) if result.manifest else None
    for checked_object in result.checked:
        models_by_path = {check.path: model for check, model in models(checked_object)}
        for check in checked_object.checks:
            if locator is None:
                continue
            notes = _notes(checked_object, check, result.findings)
            if model := models_by_path.get(check.path):
                page = _page_of_model(checked_object, check, model, notes)
            else:
                page = _page_without_model(checked_object, check, notes)
            if not (page.lines or page.life or page.notes):
                continue
            line = locator.place(checked_object.place(check.path)).line
            yield replace(page, place=f"{result.name}:{line}")


def file_pages(result: FileResult) -> Iterator[Page]:
    """A page for the findings about the file itself, such as broken YAML."""
    findings = tuple(finding for finding in result.findings if not finding.object.kind)
    if findings and result.manifest:
        line = Locator(result.manifest).place(findings[0].where).line
        yield Page(result.name, "", "the file", {}, (), findings, place=f"{result.name}:{line}")


def with_fixes(original_pages: Sequence[Page], fixed_pages: Iterable[Page]) -> list[Page]:
    """The pages, with the expressions that differ in the same check of the fixed file."""
    texts_by_check = {(page.title, page.field): page.texts for page in fixed_pages}
    return [
        replace(
            page,
            fixed_texts={
                role: text
                for role, text in texts_by_check.get((page.title, page.field), {}).items()
                if page.texts.get(role) != text
            },
        )
        for page in original_pages
    ]


def _page_without_model(
    checked_object: CheckedObject, check: Check, notes: tuple[Finding, ...]
) -> Page:
    """The page of a check that is refused, or of one with JSONPath."""
    expressions = _by_role(check)
    return Page(
        title=checked_object.object.title,
        field=field_path(check.path),
        subject=_kind_title(GroupKind.of(*check.objects)),
        texts={role: expression.program.text for role, expression in expressions.items()},
        lines=[*_examples(checked_object, check, expressions)],
        notes=notes,
    )


def _by_role(check: Check) -> dict[str, AnyExpression]:
    """The expressions by role; further ones of the same role are numbered."""
    expressions: dict[str, AnyExpression] = {}
    for expression in check.expressions:
        number = next(n for n in count(1) if _numbered_role(expression.role, n) not in expressions)
        expressions[_numbered_role(expression.role, number)] = expression
    return expressions


def _examples(
    checked_object: CheckedObject, check: Check, expressions: Mapping[str, AnyExpression]
) -> Iterator[Line]:
    """What a check with paths gives on the examples of its controller's package."""
    if not check.paths or any(path.program.refusal for path in check.paths):
        return
    paths = {path.path for path in check.paths}
    # Several evaluators may share an object; those of this check read its paths.
    deciders = [
        evaluator
        for evaluator in evaluators(checked_object)
        if paths & {expression.path for expression in evaluator.expressions}
    ]
    for example in deciders[-1].examples(checked_object.value) if deciders else ():
        cluster = ClusterState(objects=example.objects, now=_NOW, settings=example.settings)
        cells = {
            role: _path_text(expression.program.read(cluster.object))
            for role, expression in expressions.items()
            if not isinstance(expression.program, Compiled)
        }
        cells[VERDICT] = deciders[-1].evaluate(cluster).status
        name = example.name.removeprefix("an object ")
        yield Line(example.name, name, cluster.object, cells, {})


def _path_text(result: PathResult) -> str:
    if result.state == "value":
        return json.dumps(result.value, ensure_ascii=False)
    return "error" if result.state == "error" else "nothing"


def _numbered_role(role: str, number: int) -> str:
    return role if number == 1 else f"{role} {number}"


def _page_of_model(
    checked_object: CheckedObject, check: Check, model: CheckModel, notes: tuple[Finding, ...]
) -> Page:
    """The page of a check that can be predicted."""
    states = life_rows(table(model))
    rows = [*_rows(model, notes, [row for _, row in states])]
    proofs = _proofs([*(row for _, row in states), *rows], notes)
    facts = model.facts
    lines = [_line(row, notes, proofs) for row in rows]
    life_lines = [_life_line(state, _line(row, notes, proofs), facts) for state, row in states]
    # Without a wait for the kind, the controller never evaluates the entry.
    is_unused = not model.gate and not checked_object.looks_at(check)
    return Page(
        title=checked_object.object.title,
        field=field_path(check.path),
        subject=_kind_title(model.group_kind),
        texts={role: program.text for role, program in model.programs.items()},
        lines=[*map(_without_verdict, lines)] if is_unused else lines,
        notes=notes,
        life=[*map(_without_verdict, life_lines)] if is_unused else life_lines,
        controller=f"{facts.project} {facts.release}" if facts else "",
        facts=facts,
        timing="" if model.gate or is_unused else checked_object.timing.sentence,
    )


def _kind_title(kind: GroupKind) -> str:
    """The group and kind, described if the entry does not name the kind."""
    if kind.kind:
        return str(kind)
    return f"an unnamed kind of {kind.group}" if kind.group else "an unnamed kind"


def _notes(
    checked_object: CheckedObject, check: Check, findings: Sequence[Finding]
) -> tuple[Finding, ...]:
    """The findings whose place is in the check."""
    place = checked_object.place(check.path)
    depth = len(place.path)
    return tuple(
        finding
        for finding in findings
        if finding.where.document == place.document and finding.where.path[:depth] == place.path
    )


def _rows(model: CheckModel, notes: Sequence[Finding], life_rows: Sequence[Row]) -> Iterator[Row]:
    """The stock states, then one for each verdict that they lack, then those of findings.

    Of the last, those among `life_rows` already are left out. So are objects on which an expression
    is true that a finding calls never true: no controller writes them, or shows them to it.
    """
    truth = table(model)
    idle_roles = {
        fault.role
        for fault in diagnose(model)
        if isinstance(fault, NeverTrue) and not isinstance(fault.proof, Stuck)
    } | {str(note.where.path[-1]) for note in notes if note.rule == HIDDEN_DATA}
    rows = [
        row
        for row in (*truth.rows, *truth.witnesses())
        if not any(row.true(role) for role in idle_roles)
    ]
    yield from rows
    stock = {row.state.name for row in (*rows, *life_rows)}
    for note in notes:
        counterexample = note.counterexample
        if counterexample and counterexample.state not in stock:
            stock.add(counterexample.state)
            yield _proof(counterexample, truth)


def _proof(counterexample: Counterexample, truth: Table) -> Row:
    """The row that a finding shows; built again if no diagnosis has it."""
    proofs = (diagnosis.row for diagnosis in diagnose(truth.model) if diagnosis.row)
    matches = (row for row in proofs if row.counterexample == counterexample)
    return next(matches, None) or truth.row(_state(counterexample, truth))


def _state(counterexample: Counterexample, truth: Table) -> State:
    """The state of an object, with the other variables of the stock states."""
    variables = counterexample.object
    if truth.model.root:
        stock_variables = truth.rows[0].state.variables if truth.rows else {}
        variables = {**stock_variables, truth.model.root[0]: counterexample.object}
    return State(
        counterexample.state, counterexample.description, "proof", counterexample.object, variables
    )


def _proofs(rows: Sequence[Row], notes: Sequence[Finding]) -> list[Row | None]:
    """The row of each finding that shows an object."""
    rows_by_state = {row.state.name: row for row in rows}
    counterexamples = [note.counterexample for note in notes]
    return [
        rows_by_state[counterexample.state] if counterexample else None
        for counterexample in counterexamples
    ]


def _life_line(state: LifeState, line: Line, facts: KindFacts | None) -> Line:
    """A state of the life: the name and stage, and the verdict that the recommended entry gives.

    That verdict is left out if the controller keeps waiting at both, or if a variant of the
    recommended entry differs in the same way.
    """
    variants = facts.variants.values() if facts else ()
    verdict, expected_verdict = line.cells[VERDICT], state.verdict
    expected_verdicts = {
        expected_verdict,
        *(variant.differs.get(state.name, expected_verdict) for variant in variants),
    }
    if verdict not in expected_verdicts and not {verdict, expected_verdict} <= WAITING:
        verdict = f"{verdict}, not {expected_verdict}"
    name = f"`{state.name}` ({state.stage})"
    return replace(line, description=name, cells={**line.cells, VERDICT: verdict})


def _line(row: Row, notes: Sequence[Finding], proofs: Sequence[Row | None]) -> Line:
    cells = {role: _outcome_text(outcome) for role, outcome in row.outcomes.items()}
    marks: dict[str, list[int]] = {}
    for number, (note, proof) in enumerate(zip(notes, proofs, strict=True), start=1):
        if proof and _alike(row, proof):
            role = str(note.where.path[-1]) if note.where.path else ""
            marks.setdefault(role if role in cells else VERDICT, []).append(number)
    state = row.state
    cells[VERDICT] = row.verdict
    return Line(state.name, state.description, state.object, cells, marks)


def _without_verdict(line: Line) -> Line:
    """The row of an entry that the controller never uses, without a verdict."""
    return replace(line, cells={**line.cells, VERDICT: IGNORED})


def _alike(row: Row, proof: Row) -> bool:
    """Whether a row is the proof, or has the same verdict for the same reason."""
    if row is proof:
        return True
    if row.verdict != proof.verdict or proof.verdict not in _VERDICTS:
        return False
    # A value that means trouble may rightly fail, although no expression names it
    unnamed_stages = {"stage", "success" if proof.verdict == "Failed" else "trouble"}
    stages = {row.state.stage, proof.state.stage}
    return stages <= _EARLY or stages <= unnamed_stages


def _outcome_text(outcome: Outcome) -> str:
    if outcome.error:
        return "error" if outcome.analysed else "not analysed"
    return str(outcome.value).lower()
