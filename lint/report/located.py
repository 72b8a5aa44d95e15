"""Findings with lines and columns, in the order of the file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from celvet.lint.engine import FileResult
from celvet.lint.model import Finding, Fix, Severity, Where, field_path
from celvet.record import record

if TYPE_CHECKING:
    from celvet.lint.locate import LineRange, Locator
    from celvet.lint.manifest import Manifest


@record
class Note:
    """A second place in the file of a finding, and its meaning."""

    message: str
    place: LineRange


@record
class LocatedFix:
    """A fix that can be made in the file: each place, and the text that replaces it."""

    title: str
    safe: bool
    replacements: tuple[tuple[LineRange, str], ...]


@record
class LocatedFinding:
    """A finding and its place.

    `source` is the line on which it begins. `entry` names the list entry that contains it, see
    `celvet.lint.manifest.entry_at`.
    """

    file: str
    finding: Finding
    place: LineRange
    source: str
    notes: tuple[Note, ...] = ()
    fix: LocatedFix | None = None
    entry: str = ""

    @property
    def severity(self) -> Severity:
        """The severity, which the engine has set in every finding."""
        return self.finding.severity or Severity.INFO

    @property
    def title(self) -> str:
        """The object and the field: `Kustomization flux-system/apps spec.wait`."""
        reference = self.finding.object
        name = "/".join(part for part in (reference.namespace, reference.name) if part)
        parts = (reference.kind, name, field_path(self.finding.where.path))
        return " ".join(part for part in parts if part)


def located_findings(result: FileResult) -> Iterator[LocatedFinding]:
    """The findings of a file by line and column."""
    if result.manifest is None or not result.findings:
        return
    from celvet.lint.locate import Locator  # most files have no findings
    from celvet.lint.manifest import entry_at

    locator = Locator(result.manifest)
    places = [(locator.place(finding.where), finding) for finding in result.findings]
    for place, finding in sorted(places, key=lambda pair: (pair[0].line, pair[0].column)):
        source = locator.source_line(place.line)
        notes = (Note(related.message, locator.place(related.where)) for related in finding.related)
        fix = _fix(finding.fix, result.manifest, locator) if finding.fix else None
        entry = entry_at(result.manifest, finding.where)
        yield LocatedFinding(result.name, finding, place, source, tuple(notes), fix, entry)


def _fix(fix: Fix, manifest: Manifest, locator: Locator) -> LocatedFix | None:
    from celvet.lint.locate.changes import CannotChangeError, edits

    try:
        file_edits = edits(fix, manifest, locator)
    except CannotChangeError:
        return None
    places = ((locator.place(Where(source=edit.span)), edit.text) for edit in file_edits)
    return LocatedFix(fix.title, fix.safe, tuple(places))
