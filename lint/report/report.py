"""The report of a run, combined from those of its files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from celvet.lint.engine import Counts, Crash, FileResult
from celvet.lint.model import GroupKind, Severity
from celvet.lint.report.layout import Layout
from celvet.lint.report.located import LocatedFinding, located_findings
from celvet.lint.rule_ids import HELM_TEMPLATE
from celvet.record import field, record
from celvet.schemas import kind_facts
from celvet.schemas.kind_files import BUILT_IN_GROUPS


@record
class FixedFile:
    """A file that was fixed: its text before and after, and a title for each fix."""

    old_text: str
    new_text: str
    titles: tuple[str, ...]


@record
class FileReport:
    """The result that a run keeps for a file; small, since processes send it to each other.

    `unread` is the reason why the file could not be read, else empty. `defines` says that it may
    define CRDs. `unknown_kinds` are the kinds, as apiVersion and kind, whose CRDs the rules did
    not find, and `unchecked_kinds` those of them that a report names. `notes` are messages of the
    engine. `surrounded` has the questions about other files of the repository on which the result
    depends too, see `celvet.lint.repository.question_log`; it is empty if there are none.
    """

    name: str
    findings: tuple[LocatedFinding, ...] = ()
    crashes: tuple[Crash, ...] = ()
    counts: Counts = field(default_factory=Counts)
    unread: str = ""
    rewritten: FixedFile | None = None
    defines: bool = False
    unknown_kinds: frozenset[tuple[str, str]] = frozenset()
    unchecked_kinds: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    surrounded: str = ""


@record
class Report:
    """The result of a run.

    `findings` has those of the requested severity or above; `worst` is the highest severity of
    all. `files` counts the files that were read, `files_concerned` those of them with an object of
    a known kind, and `clean` names those of these without a finding to report. `crashes`, `unread`
    and `rewritten` have the file's name first. `notes` has each message once. `known_count` counts
    the findings that a baseline has and that are left out. `unchecked_kinds` are the kinds without
    a CRD. `unrendered` counts the templates that were skipped, if that is only an info. `root` is
    the absolute directory from which the paths in machine formats count; if empty, they stay as
    given. `layout` is for people.
    """

    findings: tuple[LocatedFinding, ...]
    worst: Severity | None
    counts: Counts
    files: int
    files_concerned: int
    crashes: tuple[tuple[str, Crash], ...]
    unread: tuple[tuple[str, str], ...]
    notes: tuple[str, ...] = ()
    rewritten: tuple[tuple[str, FixedFile], ...] = ()
    known_count: int = 0
    unchecked_kinds: tuple[str, ...] = ()
    clean: tuple[str, ...] = ()
    unrendered: int = 0
    root: str = ""
    layout: Layout = field(default_factory=Layout)

    def path(self, file: str) -> str:
        """A file's name in machine formats: from the root, with forward slashes, if below it."""
        return path_from(self.root, file) if self.root else file

    def manifests(self) -> set[str]:
        """The files with objects of known kinds."""
        crashed_files = (file for file, _ in self.crashes)
        return {*self.clean, *crashed_files, *(finding.file for finding in self.findings)}

    def tally(self) -> dict[str, int]:
        """The number of findings by severity, the worst first."""
        severities = Counter(finding.severity for finding in self.findings)
        return {str(severity): severities[severity] for severity in reversed(Severity)}


def path_from(root: str, file: str) -> str:
    """A file's path from a directory above it, with forward slashes; else as it is."""
    relative = Path(os.path.relpath(file, root))
    return file if relative.parts[:1] == (os.pardir,) else relative.as_posix()


def report(
    files: Iterable[FileReport],
    minimum: Severity = Severity.INFO,
    root: str = "",
    known_count: int = 0,
) -> Report:
    """The report of all files, without the findings below `minimum`."""
    reports = list(files)
    all_findings = [finding for file in reports for finding in file.findings]
    # a chart has many templates, and there is nothing to do about one: a line is enough for all
    findings = [finding for finding in all_findings if not _is_skipped_template(finding)]
    reported_findings = tuple(finding for finding in findings if finding.severity >= minimum)
    reported_files = {finding.file for finding in reported_findings}
    return Report(
        findings=reported_findings,
        worst=max((finding.severity for finding in findings), default=None),
        counts=sum((file.counts for file in reports), start=Counts()),
        files=sum(not file.unread for file in reports),
        files_concerned=sum(file.counts.objects > 0 for file in reports),
        crashes=tuple((file.name, crash) for file in reports for crash in file.crashes),
        unread=tuple((file.name, file.unread) for file in reports if file.unread),
        notes=tuple(dict.fromkeys(note for file in reports for note in file.notes)),
        rewritten=tuple((file.name, file.rewritten) for file in reports if file.rewritten),
        known_count=known_count,
        unchecked_kinds=tuple(sorted({kind for file in reports for kind in file.unchecked_kinds})),
        clean=tuple(
            file.name
            for file in reports
            if file.counts.objects and not file.crashes and file.name not in reported_files
        ),
        unrendered=len(all_findings) - len(findings),
        root=root,
    )


def _is_skipped_template(finding: LocatedFinding) -> bool:
    return finding.finding.rule == HELM_TEMPLATE and finding.severity is Severity.INFO


def _unchecked_kinds(kinds: Iterable[tuple[str, str]]) -> frozenset[str]:
    """Kinds whose CRDs were needed and not found, except Kubernetes' and Flux's own."""
    group_kinds = {GroupKind.of(*kind) for kind in kinds if not kind[0].endswith("/")}
    return frozenset(str(kind) for kind in group_kinds if not _is_own(kind))


def _is_own(kind: GroupKind) -> bool:
    facts = kind_facts(*kind)
    return kind.group in BUILT_IN_GROUPS or (facts is not None and facts.kstatus == "flux")


def file_report(
    result: FileResult, defines: bool = False, rewritten: FixedFile | None = None
) -> FileReport:
    """The engine's result for a file, with the lines and columns of its findings."""
    return FileReport(
        result.name,
        tuple(located_findings(result)),
        result.crashes,
        result.counts,
        rewritten=rewritten,
        defines=defines,
        unknown_kinds=result.unknown_kinds,
        unchecked_kinds=_unchecked_kinds(result.unknown_kinds),
        notes=result.notes,
    )
