"""Code actions for the findings and checks in a range."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.engine.fix import fix_of
from celvet.lint.locate.changes import CannotChangeError
from celvet.lint.locate.edits import FileEdit
from celvet.lint.lsp.features.placed_evaluators import placed_evaluators
from celvet.lint.lsp.state.analysis import PlacedAnalysis
from celvet.lint.lsp.state.positions import EditorText
from celvet.lint.model import Finding, Severity, Span, Where
from celvet.lint.rules import on_suppressions
from celvet.record import record

_REASON = "reason"
"""A placeholder for the reason, which the user has to write."""


@record
class QuickFix:
    """Edits of the file for a finding; `safe` ones keep every right verdict."""

    title: str
    finding: Finding
    edits: tuple[FileEdit, ...]
    safe: bool = False


def quick_fixes(
    text: EditorText, part: PlacedAnalysis, span: Span, minimum: Severity
) -> Iterator[QuickFix]:
    """The fixes of the findings that touch a range, then comments that suppress them."""
    findings = [
        finding
        for finding in part.analysis.result.findings
        if (finding.severity or Severity.INFO) >= minimum
        and _touch(part.extent(finding.where), span)
    ]
    for finding in findings:
        yield from _fixes(part, finding)
    for finding in findings:
        if finding.rule in on_suppressions():
            continue
        title = f"Suppress {finding.rule} here, with a reason"
        edit = _suppression(text, part, finding)
        yield QuickFix(title, finding, (edit,))


def _fixes(part: PlacedAnalysis, finding: Finding) -> Iterator[QuickFix]:
    fix = fix_of(finding, part.analysis.result.checked)
    if fix is None:
        return
    try:
        file_edits = part.edits(fix)
    except CannotChangeError:
        return
    yield QuickFix(fix.title, finding, file_edits, fix.safe)


def testable_titles(part: PlacedAnalysis, span: Span) -> Iterator[str]:
    """The titles of the checks that a range touches and that a health test can be written for."""
    for placed_evaluator in placed_evaluators(part):
        if placed_evaluator.evaluator.expressions and _touch(placed_evaluator.extent, span):
            yield placed_evaluator.evaluator.title


def _touch(span: Span, other_span: Span) -> bool:
    return span.start <= other_span.end and other_span.start <= span.end


def _suppression(text: EditorText, part: PlacedAnalysis, finding: Finding) -> FileEdit:
    """A comment above the line on which the value with the finding begins.

    A comment cannot be inside a block scalar, so for a finding inside an expression it goes
    above the expression's key.
    """
    start = text.line_start(_entry_start(part, finding.where))
    line = text.text[start:]
    indent = line[: len(line) - len(line.lstrip(" "))]
    newline = "\r\n" if "\r\n" in text.text else "\n"
    comment = f"{indent}# celvet: ignore[{finding.rule}] {_REASON}{newline}"
    return FileEdit(Span(start, start), comment)


def _entry_start(part: PlacedAnalysis, where: Where) -> int:
    """Where the entry around the innermost readable place begins."""
    if where.source is not None:
        return part.extent(where).start
    document = part.analysis.manifest.document(where.document)
    key = document.key_at(where.path) if document else None
    if key is not None:
        return part.start + key.start
    return part.extent(Where(where.document, where.path)).start
