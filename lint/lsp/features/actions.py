"""What can be done about the findings and entries of a range."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from celvet.lint.locate.changes import CannotChangeError, edits
from celvet.lint.locate.edits import Edit
from celvet.lint.lsp.features.entries import entries
from celvet.lint.lsp.features.suppression import about_suppressions, suppression
from celvet.lint.lsp.state.analysis import Placed
from celvet.lint.lsp.state.positions import Text
from celvet.lint.model import Finding, Severity, Span


@dataclass(frozen=True, slots=True)
class Correction:
    """Edits of the file about a finding; the `safe` ones change nothing that worked."""

    title: str
    finding: Finding
    edits: tuple[Edit, ...]
    safe: bool = False
    suppresses: bool = False


def corrections(text: Text, placed: Placed, span: Span, minimum: Severity) -> Iterator[Correction]:
    """The fixes of the findings that touch a range, then what suppresses them."""
    found = [
        finding
        for finding in placed.part.result.findings
        if (finding.severity or Severity.INFO) >= minimum
        and _touch(placed.extent(finding.where), span)
    ]
    for finding in found:
        yield from _fixes(placed, finding)
    for finding in found:
        if finding.rule in about_suppressions():
            continue
        title = f"Suppress {finding.rule} here, with a reason"
        edit = suppression(text, placed, finding)
        yield Correction(title, finding, (edit,), suppresses=True)


def _fixes(placed: Placed, finding: Finding) -> Iterator[Correction]:
    fix = finding.fix
    if fix is None:
        return
    try:
        found = edits(fix, placed.part.manifest, placed.part.locator)
    except CannotChangeError:
        return
    moved = tuple(Edit(_moved(edit.span, placed.start), edit.text) for edit in found)
    yield Correction(fix.title, finding, moved, fix.safe)


def _moved(span: Span, by: int) -> Span:
    return Span(span.start + by, span.end + by)


def testable(placed: Placed, span: Span) -> Iterator[str]:
    """The titles of the entries that a range touches, for which a health test can be begun."""
    for entry in entries(placed):
        if entry.evaluator.expressions and _touch(entry.extent, span):
            yield entry.evaluator.title


def _touch(one: Span, other: Span) -> bool:
    return one.start <= other.end and other.start <= one.end
