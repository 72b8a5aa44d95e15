"""Fixes the fixable findings of a file and lints it again; finds the fix of one finding."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

from celvet.lint.arbiter import within
from celvet.lint.checks import CheckedObject
from celvet.lint.engine import FileResult, Settings, lint_text
from celvet.lint.locate import Locator
from celvet.lint.locate.changes import CannotChangeError, edits
from celvet.lint.locate.edits import Edit, edited
from celvet.lint.model import Finding, Fix, Severity, Span
from celvet.lint.rule_ids import DUPLICATE_KEY
from celvet.lint.rules import rules
from celvet.record import record, replace

_MOST_ROUNDS = 10
"""The most rounds: a fix may make another one possible; real files take two."""


@record
class Fixed:
    """A file after its fixes: the remaining findings, and the fixes made.

    `before` and `after` are the file's texts; `titles` has one for each fix.
    """

    result: FileResult
    before: str
    after: str
    titles: tuple[str, ...]


def fix(
    data: bytes,
    name: str,
    settings: Settings,
    *,
    unsafe: bool,
    minimum: Severity = Severity.INFO,
) -> Fixed:
    """Make all fixes, only safe ones unless `unsafe`; never raises.

    Findings below `minimum` stay.
    """
    result = lint_text(data, name, settings)
    before = after = result.manifest.text if result.manifest else ""
    titles: list[str] = []
    for _ in range(_MOST_ROUNDS):
        wanted = list(_fixes(result, minimum, unsafe=unsafe))
        step = next(_steps(result, wanted, name, settings), None)
        if step is None:
            break
        after, result, done = step
        titles += done
    return Fixed(result, before, after, tuple(titles))


def fix_of(finding: Finding, checked: Iterable[CheckedObject]) -> Fix | None:
    """The fix of a finding about these objects that were linted without `Settings.fixes`.

    The rule runs on the check of the finding again, and proves the fix.
    """
    if finding.fix:
        return finding.fix
    (rule,) = (each for each in rules() if each.id == finding.rule)
    again = (
        found
        for each in checked
        for check in each.checks
        if within(finding.where, each.place(check.path))
        for found in rule.check(replace(each, checks=(check,), fixes=True))
    )
    same = attrgetter("where", "message")
    alike = (found for found in again if same(found) == same(finding))
    return next((it.fix for it in alike if it.help == finding.help or _removes_entry(it)), None)


def _removes_entry(finding: Finding) -> bool:
    """Whether a fix removes the whole check; its finding may have got other help."""
    return finding.fix is not None and finding.fix.removes_item


def _steps(
    result: FileResult, wanted: Sequence[_PlacedFix], name: str, settings: Settings
) -> Iterator[tuple[str, FileResult, list[str]]]:
    """The file after all fixes that do not overlap; if they do harm together, after only one."""
    manifest = result.manifest
    for chosen in ([*_apart(wanted)], *([each] for each in wanted)):
        if manifest is None or not chosen:
            return
        text = edited(manifest.text, [edit for each in chosen for edit in each.edits])
        fixed = lint_text(("\ufeff" if manifest.bom else "") + text, name, settings)
        if _wrongs(fixed) <= _wrongs(result):
            yield text, fixed, [each.title for each in chosen]


def _wrongs(result: FileResult) -> int:
    """The number of problems; a fix that adds one is wrong itself."""
    wrong = (
        each.severity is Severity.ERROR or each.rule == DUPLICATE_KEY for each in result.findings
    )
    return len(result.crashes) + sum(wrong)


@record
class _PlacedFix:
    """A fix and its edits of the file."""

    title: str
    edits: tuple[Edit, ...]


def _fixes(result: FileResult, minimum: Severity, *, unsafe: bool) -> Iterator[_PlacedFix]:
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


def _apart(wanted: Iterable[_PlacedFix]) -> Iterator[_PlacedFix]:
    """The fixes that do not overlap an earlier one."""
    taken: list[Span] = []
    for each in wanted:
        spans = [edit.span for edit in each.edits]
        if not any(_touches(span, taken) for span in spans):
            yield each
            for span in spans:
                insort(taken, span)


def _touches(span: Span, taken: Sequence[Span]) -> bool:
    """Whether a span touches one of others, which are in order and do not overlap each other."""
    before = bisect_right(taken, span.end, key=attrgetter("start"))
    return before > 0 and taken[before - 1].end >= span.start
