"""The pages of a file: one for each check, and one for the findings about the file itself.

A check with JSONPath has no model that predicts it; the package of its controller has examples.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count

from celvet.lint.cel import Compiled
from celvet.lint.checks import AnyExpression, Check, CheckedObject
from celvet.lint.controllers import evaluators
from celvet.lint.engine import FileResult, Settings, lint_text
from celvet.lint.engine.fix import fix
from celvet.lint.explain.model_page import page_of_model
from celvet.lint.explain.page import VERDICT, Line, Page, kind_title
from celvet.lint.jsonpath import PathResult
from celvet.lint.locate import Locator
from celvet.lint.model import Finding, GroupKind, field_path
from celvet.lint.predict import models
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.record import replace

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
"""The time of the examples, which do not depend on it."""


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
    if result.manifest is None:
        return
    locator = Locator(result.manifest)
    for checked_object in result.checked:
        models_by_path = {check.path: model for check, model in models(checked_object)}
        for check in checked_object.checks:
            notes = _notes(checked_object, check, result.findings)
            if model := models_by_path.get(check.path):
                page = page_of_model(checked_object, check, model, notes)
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
        subject=kind_title(GroupKind.of(*check.objects)),
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
