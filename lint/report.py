"""The report of a run: findings with lines and columns, in the order of a reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lint.engine import Counts, Crash, FileResult
from lint.locate import Locator, Place
from lint.model import Finding, Severity


@dataclass(frozen=True, slots=True)
class Located:
    """A finding and where it stands; `source` is the line that it begins on."""

    file: str
    finding: Finding
    place: Place
    source: str

    @property
    def severity(self) -> Severity:
        """The severity, which the engine has stamped on every finding."""
        return self.finding.severity or Severity.INFO


@dataclass(frozen=True, slots=True)
class Report:
    """All that a run has to say.

    `findings` are those at or above the severity asked for; `worst` is the
    highest severity met, whatever was asked for. `files` counts the files read,
    `concerned` those that held something of ours. `crashes` name the file.
    """

    findings: tuple[Located, ...]
    worst: Severity | None
    counts: Counts
    files: int
    concerned: int
    crashes: tuple[tuple[str, Crash], ...]

    def tally(self) -> dict[str, int]:
        """The number of findings by severity, the worst first."""
        found = Counter(each.severity for each in self.findings)
        return {str(severity): found[severity] for severity in reversed(Severity)}


def report(results: Iterable[FileResult], minimum: Severity = Severity.INFO) -> Report:
    """Put the results of files together, leaving out findings below `minimum`."""
    findings: list[Located] = []
    counts = Counts()
    files = concerned = 0
    crashes: list[tuple[str, Crash]] = []
    for result in results:
        files += 1
        concerned += result.counts.objects > 0
        counts += result.counts
        crashes += ((result.name, crash) for crash in result.crashes)
        findings += located(result)
    worst = max((each.severity for each in findings), default=None)
    shown = tuple(each for each in findings if each.severity >= minimum)
    return Report(shown, worst, counts, files, concerned, tuple(crashes))


def located(result: FileResult) -> Iterator[Located]:
    """The findings of one file, by line and column."""
    if result.manifest is None or not result.findings:
        return
    locator = Locator(result.manifest)
    places = [(locator.place(finding.where), finding) for finding in result.findings]
    for place, finding in sorted(places, key=lambda pair: (pair[0].line, pair[0].column)):
        yield Located(result.name, finding, place, locator.source_line(place.line))
