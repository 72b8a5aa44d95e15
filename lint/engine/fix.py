"""Fixes the fixable findings of a file and lints it again; finds the fix of one finding."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from celvet.lint.arbiter.findings import within
from celvet.lint.checks import CheckedObject
from celvet.lint.engine import FileResult, Settings, lint_text
from celvet.lint.locate import Locator
from celvet.lint.locate.changes import CannotChangeError, edits
from celvet.lint.locate.edits import FileEdit, apply_edits
from celvet.lint.model import Finding, Fix, Severity, Span
from celvet.lint.rule_ids import DUPLICATE_KEY
from celvet.lint.rules import rules
from celvet.record import record, replace

_MOST_ROUNDS = 10
"""The most rounds: a fix may make another one possible; real files take two."""


@record
class FileFixes:
    """A file after its fixes: the remaining findings, and the fixes made.

    `before` and `after` are the file's texts; `titles` has one for each fix.
    """

    result: FileResult
    before: str
    after: str
    titles: tuple[str, ...]


def fix(
    data: bytes, name: str, settings: Settings, *, unsafe: bool, minimum: Severity = Severity.INFO
) -> FileFixes:
    """Make all fixes, only safe ones unless `unsafe`; never raises.

    Findings below `minimum` stay.
    """
    result = lint_text(data, name, settings)
    old_text = new_text = result.manifest.text if result.manifest else ""
    titles: list[str] = []
    for _ in range(_MOST_ROUNDS):
        fixes = list(_fixes(result, minimum, unsafe=unsafe))
        step = next(_steps(result, fixes, name, settings), None)
        if step is None:
            break
        new_text, result, new_titles = step
        titles += new_titles
    return FileFixes(result, old_text, new_text, tuple(titles))


def fix_of(finding: Finding, objects: Iterable[CheckedObject]) -> Fix | None:
    """The fix of a finding about these objects that were linted without `Settings.fixes`.

    The rule runs on the check of the finding again, and proves the fix.
    """
    if finding.fix:
        return finding.fix
    (rule,) = (rule for rule in rules() if rule.id == finding.rule)
    new_findings = (
        new_finding
        for obj in objects
        for check in obj.checks
        if within(finding.where, obj.place(check.path))
        for new_finding in rule.check(replace(obj, checks=(check,), fixes=True))
    )
    # With fixes, the help may be another.
    for new_finding in new_findings:
        if (new_finding.where, new_finding.message) == (finding.where, finding.message) and (
            new_finding.help == finding.help
            # Once the whole check is to go, the finding may have got other help.
            or (new_finding.fix is not None and new_finding.fix.removes_item)
        ):
            return new_finding.fix
    return None


def _steps(
    result: FileResult, fixes: Sequence[_PlacedFix], name: str, settings: Settings
) -> Iterator[tuple[str, FileResult, list[str]]]:
    """The file after all fixes that do not overlap; if they do harm together, after only one."""
    manifest = result.manifest
    for group in ([*_without_overlaps(fixes)], *([fix] for fix in fixes)):
        if manifest is None or not group:
            return
        text = apply_edits(manifest.text, [edit for fix in group for edit in fix.edits])
        new_result = lint_text(("\ufeff" if manifest.bom else "") + text, name, settings)
        if _count_problems(new_result) <= _count_problems(result):
            yield text, new_result, [fix.title for fix in group]


def _count_problems(result: FileResult) -> int:
    """The number of problems; a fix that adds one is wrong itself."""
    return len(result.crashes) + sum(
        finding.severity is Severity.ERROR or finding.rule == DUPLICATE_KEY
        for finding in result.findings
    )


@record
class _PlacedFix:
    """A fix and its edits of the file."""

    title: str
    edits: tuple[FileEdit, ...]


def _fixes(result: FileResult, minimum: Severity, *, unsafe: bool) -> Iterator[_PlacedFix]:
    """The fixes of the findings that may be made and that have a place in the file."""
    if result.manifest is None:
        return
    locator = Locator(result.manifest)
    for finding in result.findings:
        fix = finding.fix
        if fix is None or not (fix.safe or unsafe) or (finding.severity or minimum) < minimum:
            continue
        try:
            yield _PlacedFix(fix.title, edits(fix, result.manifest, locator))
        except CannotChangeError:
            continue


def _without_overlaps(fixes: Iterable[_PlacedFix]) -> Iterator[_PlacedFix]:
    """The fixes that do not overlap an earlier one."""
    taken_spans: list[Span] = []
    for fix in fixes:
        spans = [edit.span for edit in fix.edits]
        if not any(_touches(span, taken_spans) for span in spans):
            yield fix
            for span in spans:
                insort(taken_spans, span)


def _touches(span: Span, taken_spans: Sequence[Span]) -> bool:
    """Whether a span touches one of others, which are in order and do not overlap each other."""
    index = bisect_right(taken_spans, span.end, key=attrgetter("start"))
    return index > 0 and taken_spans[index - 1].end >= span.start
