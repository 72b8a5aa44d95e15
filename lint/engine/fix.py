"""Fixes what can be fixed in a file, and lints it again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lint.engine import FileResult, Settings, lint_text
from lint.locate import Locator
from lint.locate.changes import CannotChangeError, edits
from lint.locate.edits import Edit, edited
from lint.manifest import Manifest
from lint.model import Fix, Severity

_MOST_ROUNDS = 10
"""One fix may make room for another; real files take two rounds."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """A file after its fixes: what is left to say of it, and what was done.

    `before` and `after` are the file's texts; `titles` has one for each fix.
    """

    result: FileResult
    before: str
    after: str
    titles: tuple[str, ...]


def fix(data: bytes, name: str, settings: Settings, *, unsafe: bool) -> Fixed:
    """Make all fixes that can be made, safe ones alone unless `unsafe`; never raises."""
    result = lint_text(data, name, settings)
    before = after = result.manifest.text if result.manifest else ""
    titles: list[str] = []
    for _ in range(_MOST_ROUNDS):
        done = _once(result, unsafe=unsafe)
        if done is None:
            break
        text, found = done
        fixed = lint_text(text, name, settings)
        if _errors(fixed) > _errors(result):
            break
        after, result = text, fixed
        titles += found
    return Fixed(result, before, after, tuple(titles))


def _errors(result: FileResult) -> int:
    """How much is wrong; a fix that adds to it has gone wrong itself."""
    return len(result.crashes) + sum(each.severity is Severity.ERROR for each in result.findings)


def _once(result: FileResult, *, unsafe: bool) -> tuple[str, list[str]] | None:
    """The text with the fixes that do not touch each other, None if there is none."""
    manifest = result.manifest
    if manifest is None:
        return None
    text, titles, taken = manifest.text, [], list[Edit]()
    for each, wanted in _fixes(result, manifest, unsafe=unsafe):
        if any(_touch(one, other) for one in wanted for other in taken):
            continue
        taken += wanted
        titles.append(each.title)
    return (edited(text, taken), titles) if taken else None


def _fixes(
    result: FileResult, manifest: Manifest, *, unsafe: bool
) -> Iterator[tuple[Fix, tuple[Edit, ...]]]:
    locator = Locator(manifest)
    for finding in result.findings:
        if finding.fix is None or not (finding.fix.safe or unsafe):
            continue
        try:
            yield finding.fix, edits(finding.fix, manifest, locator)
        except CannotChangeError:
            continue


def _touch(one: Edit, other: Edit) -> bool:
    return one.span.start <= other.span.end and other.span.start <= one.span.end
