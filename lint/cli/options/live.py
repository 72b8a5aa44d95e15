"""Objects for the commands about a cluster: from files, or from an API server."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from celvet.lint.cli.exit import tell
from celvet.lint.model import ObjectRef
from celvet.lint.verdicts.unstructured import timestamp
from celvet.lint.why.inputs.api import Api
from celvet.lint.why.inputs.files import objects_in
from celvet.lint.why.inputs.reader import read_cluster, read_kinds, read_object
from celvet.lint.why.inputs.scope import ReadScope
from celvet.lint.why.reports.documents import report_objects
from celvet.lint.why.reports.writing import write_reports
from celvet.lint.why.snapshot import Snapshot
from celvet.record import record
from celvet.wrong_input import WrongInputError

if TYPE_CHECKING:
    from celvet.lint.why.inputs.cluster import ClusterApi
    from celvet.lint.why.report import WhyReport
    from celvet.schemas import Catalog

_CLEAR_LINE = "\r\x1b[K"


@record
class LiveSource:
    """Where a command reads objects: `files`, else a cluster by `kubeconfig` and `context`."""

    files: tuple[Path, ...]
    kubeconfig: Path | None
    context: str | None

    def snapshot(self, catalog: Catalog, now: datetime, scope: ReadScope) -> Snapshot:
        """What a report on waits needs; raises `WrongInputError` if it cannot be read."""
        return self._read(lambda api: read_cluster(api, catalog, now, scope, progress()))

    def kinds(self, catalog: Catalog) -> Snapshot:
        """All objects with expressions; raises `WrongInputError` if they cannot be read."""
        return self._read(lambda api: read_kinds(api, catalog, progress()))

    def object(self, reference: ObjectRef, catalog: Catalog) -> Snapshot:
        """An object and what explains it; raises `WrongInputError` if it cannot be read."""
        return self._read(lambda api: read_object(api, reference, catalog))

    def write(self, report: WhyReport, group: str, scope: ReadScope) -> None:
        """Write the reports of a group; raises `WrongInputError` if they cannot be written."""
        result = write_reports(self.api(), group, report_objects(report, group), scope.covers)
        for line in (*report.notes, str(result)):
            tell(line)

    def _read(self, read: Callable[[Api], Snapshot]) -> Snapshot:
        try:
            if self.files:
                return Snapshot.of(objects_in(self.files))
            return read(self.api())
        finally:
            progress()("")

    @property
    def namespace(self) -> str:
        """The namespace of the kubeconfig; empty, which is any, for files."""
        return "" if self.files else self.api().namespace

    def api(self) -> ClusterApi:
        """The API server; raises `WrongInputError` if it cannot be reached."""
        try:
            from celvet.lint.why.inputs.cluster import ClusterApi  # loads the client library
        except ImportError:
            raise WrongInputError(
                "reading a cluster needs a library: install `celvet[cluster]`, or use --from"
            ) from None
        return ClusterApi.connect(self.kubeconfig, self.context)


def shard_of(
    _context: click.Context, _parameter: click.Parameter, text: str | None
) -> tuple[int, int] | None:
    """The numbers of `INDEX/COUNT`; the index begins with 0, as that of an indexed Job does."""
    if text is None:
        return None
    index, _, count = text.partition("/")
    if index.isdecimal() and count.isdecimal() and int(index) < int(count):
        return int(index), int(count)
    raise click.BadParameter(f"{text}: write a number below N and N, such as 0/4")


def progress() -> Callable[[str], None]:
    """Shows a line of progress on a terminal, and nothing elsewhere."""
    if sys.stderr is None or not sys.stderr.isatty():
        return lambda _: None
    return lambda text: click.echo(f"{_CLEAR_LINE}{text}", nl=False, err=True)


def moment(text: str | None, files: Sequence[Path]) -> datetime:
    """The time of a report, by default now; raises `WrongInputError` for a wrong one."""
    if text is None:
        return datetime.now(UTC)
    if not files:
        raise WrongInputError("--at is the time of files; it needs --from")
    time = timestamp(text.strip())
    if time is None:
        raise WrongInputError(f"--at {text}: write a time such as 2026-11-24T00:30:00Z")
    return time
