"""The report of a run: findings with lines and columns, in the order of a reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

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
class Examined:
    """What is left of one file once it was judged; small, so that processes can hand it over.

    `unread` is the reason for which it could not be opened, else empty.
    """

    name: str
    findings: tuple[Located, ...] = ()
    crashes: tuple[Crash, ...] = ()
    counts: Counts = field(default_factory=Counts)
    unread: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """All that a run has to say.

    `findings` are those at or above the severity asked for; `worst` is the
    highest severity met, whatever was asked for. `files` counts the files read,
    `concerned` those that held something of ours. `crashes` and `unread` name
    the file.
    """

    findings: tuple[Located, ...]
    worst: Severity | None
    counts: Counts
    files: int
    concerned: int
    crashes: tuple[tuple[str, Crash], ...]
    unread: tuple[tuple[str, str], ...]

    def tally(self) -> dict[str, int]:
        """The number of findings by severity, the worst first."""
        found = Counter(each.severity for each in self.findings)
        return {str(severity): found[severity] for severity in reversed(Severity)}


def report(files: Iterable[Examined], minimum: Severity = Severity.INFO) -> Report:
    """Put what is known of the files together, leaving out findings below `minimum`."""
    examined = list(files)
    findings = [each for file in examined for each in file.findings]
    return Report(
        findings=tuple(each for each in findings if each.severity >= minimum),
        worst=max((each.severity for each in findings), default=None),
        counts=sum((file.counts for file in examined), start=Counts()),
        files=sum(not file.unread for file in examined),
        concerned=sum(file.counts.objects > 0 for file in examined),
        crashes=tuple((file.name, crash) for file in examined for crash in file.crashes),
        unread=tuple((file.name, file.unread) for file in examined if file.unread),
    )


def examined(result: FileResult) -> Examined:
    """A file's result with its findings located, by line and column."""
    return Examined(result.name, tuple(_located(result)), result.crashes, result.counts)


def _located(result: FileResult) -> Iterator[Located]:
    if result.manifest is None or not result.findings:
        return
    locator = Locator(result.manifest)
    places = [(locator.place(finding.where), finding) for finding in result.findings]
    for place, finding in sorted(places, key=lambda pair: (pair[0].line, pair[0].column)):
        yield Located(result.name, finding, place, locator.source_line(place.line))
