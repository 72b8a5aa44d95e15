"""Configuration, files and exit status of every subcommand that reads manifests."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from celvet.lint.cli.exit import Exit, tell
from celvet.lint.model import Severity
from celvet.record import replace
from celvet.wrong_input import WrongInputError

if TYPE_CHECKING:
    from celvet.lint.config import Config
    from celvet.lint.crds import Schemas
    from celvet.lint.engine import Settings
    from celvet.lint.manifest import Manifest
    from celvet.lint.report.report import Report

_MOST_FILES = 100_000
"""No repository has as many; a home directory or a whole file system, named by mistake, may."""

REMOTE_ALLOWED = f"{__name__}.remote_allowed"
"""The entry of a command's context that tells whether it has `--allow-remote`."""


def configuration(path: Path | None) -> Config:
    """The named configuration, else the nearest; raises `ConfigError`."""
    from celvet.lint.config import load, load_nearest

    return load(path) if path else load_nearest(Path.cwd(), allow_remote=_allows_remote())


def _allows_remote() -> bool:
    if "click" not in sys.modules:  # a plain run reads its few options without it
        return False
    from click import get_current_context

    context = get_current_context(silent=True)
    return bool(context and context.meta.get(REMOTE_ALLOWED))


def settings(config: Config, substitute: Sequence[str], target: Sequence[str] = ()) -> Settings:
    """The engine's settings; raises `WrongInputError` for one that is wrong or cannot be read.

    `substitute` and `target` are texts of the form NAME=VALUE, which go before the configuration.
    """
    from celvet import schemas
    from celvet.lint.engine import Settings

    schemas.load(config.schemas)
    substitutions = dict(config.substitute)
    for text in substitute:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise WrongInputError(f"--substitute {text}: write NAME=VALUE")
        substitutions[name] = value
    versions = tuple({**config.targets, **targets(target)}.items())
    return Settings(
        config.schemas,
        config.rules,
        substitutions,
        crds=_crds(config),
        targets=versions,
        files=config.files,
    )


def targets(texts: Sequence[str]) -> dict[str, str]:
    """Versions given as NAME=VERSION; raises `WrongInputError` for a mistake."""
    from celvet.lint.config import SCHEMA
    from celvet.lint.config.check import mistakes, read_schema

    for text in texts:
        if "=" not in text:
            raise WrongInputError(f"--target {text}: write NAME=VERSION")
    versions = {name: value for name, _, value in (text.partition("=") for text in texts)}
    schema = read_schema(SCHEMA)
    for mistake in mistakes(
        versions, {**schema["properties"]["targets"], "$defs": schema["$defs"]}
    ):
        raise WrongInputError(f"--target: {mistake.message()}")
    return versions


def with_rules(settings: Settings, select: Sequence[str], ignore: Sequence[str]) -> Settings:
    """The settings with only the rules of `select`, if it has any, and without those of `ignore`.

    Each text has ids, or beginnings of ids, between commas. Raises `WrongInputError` for what is
    neither.
    """
    only, off = (_rules(texts) for texts in (select, ignore))
    severities = {
        rule: severity
        for rule, severity in settings.severities.items()
        if severity or rule not in only
    }
    files = tuple(
        replace(item, severities={**item.severities, **dict.fromkeys(off)})
        for item in settings.files
    )
    return replace(
        settings,
        severities={**severities, **dict.fromkeys(off)},
        only=frozenset(only),
        files=files,
    )


def _rules(texts: Sequence[str]) -> set[str]:
    if not texts:
        return set()
    from celvet.lint.rules import ids
    from celvet.lint.similar import did_you_mean

    names = {name for text in texts for name in text.replace(",", " ").split()}
    rules = {name: {name} & {*ids()} or _with_prefix(name, ids()) for name in names}
    for name in sorted(name for name in names if not rules[name]):
        advice = did_you_mean(name, ids(), "`celvet rules` lists them")
        raise WrongInputError(f"there is no rule `{name}`; {advice}")
    return set().union(*rules.values())


def _with_prefix(prefix: str, ids: Iterable[str]) -> set[str]:
    """The rules whose ids begin with a text; a star at its end does no harm."""
    return {rule for rule in ids if rule.startswith(prefix.rstrip("*") or "-")}


def _crds(config: Config) -> Schemas:
    """The sources of CRDs; raises `WrongInputError` for one that does not exist."""
    for path in config.crds:
        if not path.exists():
            raise WrongInputError(f"CRDs {path}: No such file or directory")
    sources = config.schema_sources()
    if config.schema_location:
        from celvet.lint.crds.locations import LocationError  # loads what downloads need

        try:
            sources.check()
        except LocationError as error:
            raise WrongInputError(f"schema location {error}") from None
    return sources


def selected_files(
    paths: Sequence[Path], config: Config, *, force_exclude: bool = False
) -> list[Path]:
    """The files at and below the paths, see `discover`; raises `WrongInputError` for too many.

    A broken link is named on standard error and skipped: repositories have such links, and no
    other file depends on them. So is an archive. A path on the command line must exist.
    """
    from celvet.lint.cli.archives import archived_files
    from celvet.lint.discovery.discover import discover

    base = config.path.parent if config.path else Path()
    discovery = discover(paths, config.exclude, base, force_exclude=force_exclude)
    files = list(islice(discovery, _MOST_FILES + 1))
    if len(files) > _MOST_FILES:
        roots = ", ".join(f"`{path}`" for path in paths)
        raise WrongInputError(
            f"more than {_MOST_FILES:,} YAML and JSON files in {roots}. "
            "Name a directory of the repository, or leave files out with `exclude`"
        )
    missing = [file for file in files if not os.path.exists(file)]  # noqa: PTH110 - 3 times faster
    broken_links = [file for file in missing if os.path.islink(file) and file not in paths]  # noqa: PTH114
    for file in broken_links:
        tell(f"celvet: {file}: skipped, a broken link")
    archives = archived_files(files, paths)
    if archives:
        names = ", ".join(map(str, dict.fromkeys(archives.values())))
        tell(f"celvet: {names}: skipped, since nothing applies its files; name it to include it")
    skipped = {*broken_links, *archives}
    return [file for file in files if file not in skipped] if skipped else files


def read_bytes(file: Path) -> bytes:
    """The bytes of a file, or of standard input; raises `WrongInputError` if it cannot be read."""
    from celvet.lint.manifest.source.files import read_source

    try:
        return read_source(file)
    except OSError as error:
        raise WrongInputError(f"{file}: {error.strerror or error}") from None


def manifests(files: Sequence[Path], settings: Settings) -> Iterator[Manifest]:
    """The files that hold an object of a known kind, read.

    Its group is in their bytes: as in the index of a repository, no escapes and variables are
    decoded to find it. Mistakes in them are named on standard error after all are read, each
    message once with the first place. Raises `WrongInputError` for a file that cannot be opened.
    """
    from celvet.lint.engine.detect import mentions_known_kind
    from celvet.lint.healthtest.read.fixtures import unreadable
    from celvet.lint.manifest import read

    words = {(kind.group or kind.kind).encode() for kind in settings.catalog.kinds}
    places_of_reason: dict[str, list[str]] = {}
    for file in files:
        data = read_bytes(file)
        if not any(data.find(word) >= 0 for word in words):
            continue
        manifest = read(data, file.as_posix(), settings.substitutions)
        mistake = unreadable(manifest)
        if mistake and mentions_known_kind(data, settings.catalog):
            place, problem = mistake
            places_of_reason.setdefault(f"{problem.message}. {problem.help}", []).append(place)
        yield manifest
    for reason, places in places_of_reason.items():
        more = f", and {len(places) - 1} more" if len(places) > 1 else ""
        tell(f"celvet: {places[0]}{more}: {reason}")


def status(report: Report, fail_on: Severity) -> Exit:
    """The exit status: that of a crash, else of an unreadable file, else of findings.

    Writes crashes and unreadable files to standard error.
    """
    for note in report.notes:
        tell(f"celvet: {note}")
    for file, reason in report.unread:
        tell(f"celvet: {file}: {reason}")
    for file, crash in report.crashes:
        place = f"{file}: document {crash.where.document}"
        tell(f"celvet: {place}: rule {crash.rule} failed: {crash.error}")
    if report.crashes:
        return Exit.INTERNAL
    if report.unread:
        return Exit.USAGE
    return Exit.FINDINGS if report.worst and report.worst >= fail_on else Exit.CLEAN
