"""The report of a run: findings with lines and columns, in the order of a reader."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from celvet.lint.engine import Counts, Crash, FileResult
from celvet.lint.locate import LineRange, Locator
from celvet.lint.locate.changes import CannotChangeError, edits
from celvet.lint.manifest import Manifest, entry_at
from celvet.lint.model import Finding, Fix, Severity, Where, field_path


@dataclass(frozen=True, slots=True)
class Note:
    """A second place in the file of a finding, and what it is there for."""

    message: str
    place: LineRange


@dataclass(frozen=True, slots=True)
class Repair:
    """A fix that can be made in the file: each place, and the text that takes its place."""

    title: str
    safe: bool
    replacements: tuple[tuple[LineRange, str], ...]


@dataclass(frozen=True, slots=True)
class Located:
    """A finding and where it stands.

    `source` is the line that it begins on, `entry` what names the part of the
    object that it is in, see `celvet.lint.manifest.entry_at`.
    """

    file: str
    finding: Finding
    place: LineRange
    source: str
    related: tuple[Note, ...] = ()
    repair: Repair | None = None
    entry: str = ""

    @property
    def severity(self) -> Severity:
        """The severity, which the engine has stamped on every finding."""
        return self.finding.severity or Severity.INFO

    @property
    def subject(self) -> str:
        """The object and the field: `Kustomization flux-system/apps spec.wait`."""
        known = self.finding.object
        name = "/".join(part for part in (known.namespace, known.name) if part)
        parts = (known.kind, name, field_path(self.finding.where.path))
        return " ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Rewritten:
    """What fixes have made of a file: its text before and after, and what each fix did."""

    before: str
    after: str
    titles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Examined:
    """What is left of one file once it was judged; small, so that processes can hand it over.

    `unread` is the reason for which it could not be opened, else empty.
    `defines` tells that it may hold CRDs, `unknown_kinds` which ones the rules
    would have liked to see; `notes` are of the engine.
    """

    name: str
    findings: tuple[Located, ...] = ()
    crashes: tuple[Crash, ...] = ()
    counts: Counts = field(default_factory=Counts)
    unread: str = ""
    rewritten: Rewritten | None = None
    defines: bool = False
    unknown_kinds: frozenset[tuple[str, str]] = frozenset()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """All that a run has to say.

    `findings` are those at or above the severity asked for; `worst` is the
    highest severity met, whatever was asked for. `files` counts the files read,
    `concerned` those that held something of ours, `clean` names those of them
    with nothing to report. `crashes` and `unread` name the file, as do
    `rewritten`, which fixes have changed. `notes` tell, each once, what else
    could not be read, such as CRDs. `known` counts the findings left out
    because a baseline has them. `root` is the directory, absolute, from which
    programs count paths; empty leaves them as they are.
    """

    findings: tuple[Located, ...]
    worst: Severity | None
    counts: Counts
    files: int
    concerned: int
    crashes: tuple[tuple[str, Crash], ...]
    unread: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    rewritten: tuple[tuple[str, Rewritten], ...] = ()
    known: int = 0
    clean: tuple[str, ...] = ()
    root: str = ""

    def path(self, file: str) -> str:
        """The file's name for programs: from the root, if it lies there, with forward slashes."""
        return path_from(self.root, file) if self.root else file

    def manifests(self) -> set[str]:
        """The files that held something of ours."""
        crashed = (file for file, _ in self.crashes)
        return {*self.clean, *crashed, *(each.file for each in self.findings)}

    def tally(self) -> dict[str, int]:
        """The number of findings by severity, the worst first."""
        found = Counter(each.severity for each in self.findings)
        return {str(severity): found[severity] for severity in reversed(Severity)}


def path_from(root: str, file: str) -> str:
    """A file's path from a directory above it, with forward slashes; else as it is."""
    relative = Path(os.path.relpath(file, root))
    return file if relative.parts[:1] == (os.pardir,) else relative.as_posix()


def report(
    files: Iterable[Examined], minimum: Severity = Severity.INFO, root: str = "", known: int = 0
) -> Report:
    """Put what is known of the files together, leaving out findings below `minimum`."""
    examined = list(files)
    findings = [each for file in examined for each in file.findings]
    shown = tuple(each for each in findings if each.severity >= minimum)
    named = {each.file for each in shown}
    return Report(
        findings=shown,
        worst=max((each.severity for each in findings), default=None),
        counts=sum((file.counts for file in examined), start=Counts()),
        files=sum(not file.unread for file in examined),
        concerned=sum(file.counts.objects > 0 for file in examined),
        crashes=tuple((file.name, crash) for file in examined for crash in file.crashes),
        unread=tuple((file.name, file.unread) for file in examined if file.unread),
        notes=tuple(dict.fromkeys(note for file in examined for note in file.notes)),
        rewritten=tuple((file.name, file.rewritten) for file in examined if file.rewritten),
        known=known,
        clean=tuple(
            file.name
            for file in examined
            if file.counts.objects and not file.crashes and file.name not in named
        ),
        root=root,
    )


def examined(
    result: FileResult, defines: bool = False, rewritten: Rewritten | None = None
) -> Examined:
    """A file's result with its findings located, by line and column."""
    return Examined(
        result.name,
        tuple(_located(result)),
        result.crashes,
        result.counts,
        rewritten=rewritten,
        defines=defines,
        unknown_kinds=result.unknown_kinds,
        notes=result.notes,
    )


def _located(result: FileResult) -> Iterator[Located]:
    if result.manifest is None or not result.findings:
        return
    locator = Locator(result.manifest)
    places = [(locator.place(finding.where), finding) for finding in result.findings]
    for place, finding in sorted(places, key=lambda pair: (pair[0].line, pair[0].column)):
        source = locator.source_line(place.line)
        related = (Note(also.message, locator.place(also.where)) for also in finding.related)
        repair = _repair(finding.fix, result.manifest, locator) if finding.fix else None
        entry = entry_at(result.manifest, finding.where)
        yield Located(result.name, finding, place, source, tuple(related), repair, entry)


def _repair(fix: Fix, manifest: Manifest, locator: Locator) -> Repair | None:
    try:
        found = edits(fix, manifest, locator)
    except CannotChangeError:
        return None
    places = ((locator.place(Where(source=edit.span)), edit.text) for edit in found)
    return Repair(fix.title, fix.safe, tuple(places))
