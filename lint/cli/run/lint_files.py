"""Lints files: each by itself, then again those for which other files define CRDs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from celvet.lint.cli.run.parallel import in_parallel, processes_for
from celvet.lint.crds.schema import LayeredSchemas, may_name_kind
from celvet.lint.crds.sources import SchemaSources, sources_of
from celvet.lint.discovery.root import absolute, repository
from celvet.lint.engine import Settings, lint_text, load_engine, may_concern
from celvet.lint.engine.prefilter import asking_words
from celvet.lint.manifest.objects.resourceset import TAKING
from celvet.lint.manifest.source.files import STDIN, read_source
from celvet.lint.model import Severity
from celvet.lint.report.report import FileReport, Report, file_report, report
from celvet.lint.repository.questions import InputProviders
from celvet.lint.repository.surroundings import NO_REPOSITORY, Repository
from celvet.record import record, replace
from celvet.regex import compiled_later

if TYPE_CHECKING:
    from celvet.lint.cli.run.baseline import BaselineFile
    from celvet.lint.cli.run.cache import ReportCache
    from celvet.lint.cli.run.render import Renderer


@record
class LintFile:
    """Lints the file at a path; can be sent to another process.

    With `fix`, findings are fixed from `minimum` on; with `unsafe` also where the fix changes a
    verdict. With `ignores` as well, they get comments that suppress them instead. `cache` is the
    directory of reports from earlier runs, `repository` the one around the files, if there is one.
    """

    settings: Settings
    stdin_filename: str
    fix: bool = False
    unsafe: bool = False
    ignores: bool = False
    minimum: Severity = Severity.INFO
    cache: Path | None = None
    repository: Repository | None = None

    def report_cache(self) -> ReportCache | None:
        """The reports of earlier runs; none for fixes, nor for schemas from elsewhere."""
        has_locations = any(source.locations for source in sources_of(self.settings.crds))
        if self.cache is None or self.fix or has_locations:
            return None
        from celvet.lint.cli.run.cache import ReportCache

        return ReportCache(self.cache, self.settings, self.repository)

    def prepare(self) -> None:
        """Make the index of the repository before processes are forked."""
        if self.repository:
            _ = self.repository.index.applications

    def __call__(self, path: Path) -> FileReport:
        """The report of a file; for an unreadable file it has the reason."""
        name = self.stdin_filename if path == STDIN else path.as_posix()
        try:
            data = read_source(path)
        except OSError as error:
            return FileReport(name, unread=error.strerror or str(error))
        log = None
        if self.cache and not self.fix:
            from celvet.lint.repository.question_log import QuestionLog  # loads `hashlib`

            log = QuestionLog()
        surroundings = (
            self.repository.surroundings_of(name, log) if self.repository else NO_REPOSITORY
        )
        settings = replace(self.settings, surroundings=surroundings)
        if data.find(TAKING.encode()) >= 0:
            settings = replace(settings, providers=surroundings.ask(InputProviders()))
        if self.fix:
            from celvet.lint.cli.run.fixes import fix_file, ignore_file

            if self.ignores:
                return ignore_file(data, name, settings, self.minimum)
            return fix_file(data, name, settings, unsafe=self.unsafe, minimum=self.minimum)
        result = lint_text(data, name, settings)
        log_text = log.text() if log else ""
        return replace(file_report(result, may_name_kind(data)), surrounded=log_text)


def default_directory() -> Path:
    """The default directory of the cache: `celvet` in XDG_CACHE_HOME or `~/.cache`."""
    home = os.environ.get("XDG_CACHE_HOME", "")
    return Path(home if os.path.isabs(home) else "~/.cache").expanduser() / "celvet"  # noqa: PTH117


def lint_files(
    files: Sequence[Path],
    run: LintFile,
    jobs: int,
    minimum: Severity,
    baseline: BaselineFile | None = None,
    renderer: Renderer | None = None,
) -> Report:
    """The report of the files; raises `WrongInputError` for an unusable baseline."""
    directory = Path.cwd()
    own_repository = repository(directory)
    root = str(own_repository or directory)
    nearest_repository = _nearest_repository(files, own_repository)
    if nearest_repository and run.repository is None:
        run = replace(run, repository=Repository(nearest_repository))
    reports = _with_definitions(files, _reports(files, run, jobs), run, jobs)
    if renderer:
        reports = renderer(
            reports, _with_crds(run.settings, _definitions_in(files, reports)), run.repository
        )
    if baseline is None:
        return report(reports, minimum, root)
    new = baseline.apply(reports, root)
    return report(new.files, minimum, root, new.known_count)


def _nearest_repository(files: Sequence[Path], own_repository: Path | None) -> Path | None:
    """The repository of the files, which is the `own` of the current directory or another one.

    Without git, the directory that they have in common.
    """
    if not files or (own_repository and absolute(files[0]).is_relative_to(own_repository)):
        return own_repository
    return repository(absolute(files[0]).parent) or _common_directory(files)


def _common_directory(files: Sequence[Path]) -> Path | None:
    """The directory that files outside of any repository have in common, if it is useful."""
    if len(files) <= 1:  # a single file has none
        return None
    try:
        directory = Path(
            os.path.commonpath([parent.resolve() for parent in {file.parent for file in files}])
        )
    except ValueError:  # on different drives
        return None
    return None if directory == directory.parent else directory


def _reports(files: Sequence[Path], run: LintFile, jobs: int) -> list[FileReport]:
    """The report of each file; for most, the prefilter or the cache is enough."""
    cache = run.report_cache()
    looks = [_look(file, run, cache) for file in files]
    new = {file: look for file, look in zip(files, looks, strict=True) if look.report is None}
    # The file that asks most about the repository is first, so that others find its index, and long
    # ones come before short ones: at the end, a long one would run alone.
    order = sorted(new, key=lambda file: (-new[file].asks, -new[file].size))
    processes = processes_for(order, jobs, sum(look.size for look in new.values()))
    if order:
        with compiled_later():
            load_engine(expressions=processes > 1)
    prepare = run.prepare if order and new[order[0]].asks else None
    results = dict(zip(order, in_parallel(run, order, processes, prepare), strict=True))
    if cache and new:
        for file, look in new.items():
            if look.key and look.key == _key(cache, file):
                cache.put(look.key, results[file])
        cache.prune()
    pairs = zip(files, looks, strict=True)
    return [results[file] if look.report is None else look.report for file, look in pairs]


class _Look(NamedTuple):
    """The result of the first pass on a file: its report, or the cache key for one.

    `asks` counts the words for which the rules may ask for the repository around the file, `size`
    its bytes.
    """

    report: FileReport | None = None
    key: str = ""
    asks: int = 0
    size: int = 0


def _look(file: Path, run: LintFile, cache: ReportCache | None) -> _Look:
    data = _content(file)
    if data is not None and not may_concern(data, run.settings.schemas, file.name):
        defines = not run.fix and may_name_kind(data)
        return _Look(FileReport(file.as_posix(), defines=defines))
    key = ""
    if cache and type(data) is bytes:  # a file too large to lint is mapped
        key = cache.key(file.as_posix(), data)
        if report := cache.get(file.as_posix(), key):
            return _Look(report)
    asks = asking_words(data, run.settings.schemas) if data and run.repository else 0
    return _Look(None, key, asks, len(data) if type(data) is bytes else 0)


def _key(cache: ReportCache, file: Path) -> str:
    """The present cache key of a file, which may have changed while it was linted."""
    return cache.key(file.as_posix(), _content(file) or b"")


def _content(file: Path) -> bytes | None:
    """The bytes of a file; None if it can be read only once, or not at all."""
    try:
        return read_source(file) if os.path.isfile(file) else None  # noqa: PTH113 - 4 times faster
    except OSError:
        return None


def _with_definitions(
    files: Sequence[Path], reports: Sequence[FileReport], run: LintFile, jobs: int
) -> list[FileReport]:
    """The reports, made again for files whose expressions are about kinds that others define.

    Each report has the kinds that its file defines and lacks, so a tree without CRDs is read once.
    """
    definitions = _definitions_in(files, reports)
    if not definitions.paths:
        return list(reports)
    unknown_kinds = {kind for report in reports for kind in report.unknown_kinds}
    kinds = {kind for kind in unknown_kinds if definitions.find(*kind)}
    files_again = [
        file
        for file, report in zip(files, reports, strict=True)
        if file != STDIN and report.unknown_kinds & kinds
    ]
    if not files_again:
        return list(reports)
    run = replace(run, settings=_with_crds(run.settings, definitions))
    new_reports = dict(zip(files_again, _reports(files_again, run, jobs), strict=True))
    return [new_reports.get(file, report) for file, report in zip(files, reports, strict=True)]


def _definitions_in(files: Sequence[Path], reports: Sequence[FileReport]) -> SchemaSources:
    """The CRDs in the files; standard input cannot be read a second time."""
    pairs = zip(files, reports, strict=True)
    return SchemaSources(tuple(file for file, report in pairs if report.defines and file != STDIN))


def _with_crds(settings: Settings, definitions: SchemaSources) -> Settings:
    """The settings with the CRDs in the files, which take precedence."""
    return replace(settings, crds=LayeredSchemas((definitions, settings.crds)))
