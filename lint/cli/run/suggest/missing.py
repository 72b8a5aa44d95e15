"""The entries that the objects in files lack: to be shown, or written into the files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit, tell
from celvet.lint.cli.run import fixes
from celvet.lint.cli.run.lint_files import LintFile, lint_files
from celvet.lint.cli.run.session import manifests, selected_files
from celvet.lint.cli.run.targets import write_out
from celvet.lint.config import Config
from celvet.lint.discovery.root import root_of
from celvet.lint.engine import Settings
from celvet.lint.model import Severity
from celvet.lint.repository.surroundings import Repository
from celvet.lint.rule_ids import EXISTENCE_ONLY, MISSING_ENTRY
from celvet.lint.suggest.from_catalog import of_facts
from celvet.lint.suggest.suggestion import Suggestions
from celvet.lint.suggest.waited_kinds import missing_kinds, unknown_kinds, waiters
from celvet.record import replace
from celvet.schemas import kind_facts
from celvet.wrong_input import WrongInputError


def files_below(subjects: Iterable[str], choice: Config) -> list[Path]:
    """The files in directories and files; raises `WrongInputError` if there are none."""
    paths = [*map(Path, subjects)]
    for path in paths:
        if not path.exists():
            raise WrongInputError(f"{path}: No such file or directory")
    if files := selected_files(paths, choice):
        return files
    raise WrongInputError(f"no YAML or JSON file in {', '.join(map(str, paths))}")


def told(missing: Suggestions) -> Exit:
    """The exit status; names on standard error what has no suggestion."""
    click.echo(f"celvet: kinds that lack an entry: {len(missing.suggestions)}", err=True)
    for words, kinds in (
        ("kinds without one that nobody has to wait for", missing.minor),
        ("kinds that may lack one, not in the catalogue", missing.unknown),
    ):
        if kinds:
            click.echo(f"celvet: {words}: {', '.join(map(str, kinds))}", err=True)
    return Exit.FINDINGS if missing.suggestions else Exit.CLEAN


def missing_entries(files: Sequence[Path], settings: Settings) -> Suggestions:
    """The suggestions for kinds that the files wait for and that no entry covers."""
    catalog, repository = settings.catalog, Repository(root_of(files))
    all_waiters = [
        waiter
        for manifest in manifests(files, settings)
        for waiter in waiters(manifest, catalog, repository)
    ]
    # Of several harms that a waiter sees, that of the best rank comes last, and stays.
    harms = {
        entry.kind: entry.when
        for waiter in all_waiters
        for entry in sorted(waiter.missing_entries, key=lambda entry: entry.rank, reverse=True)
    }
    suggestions = []
    for kind, places in missing_kinds(all_waiters).items():
        facts = kind_facts(*kind, catalog.directories)
        if facts:
            harm = f"Without an entry, Flux counts one as ready {harms[kind]}."
            suggestions.append(replace(of_facts(facts), waiters=places, need=harm))
    suggested_kinds = {suggestion.kind for suggestion in suggestions}
    minor_kinds = {kind for waiter in all_waiters for kind in waiter.minor_kinds}
    return Suggestions(
        suggestions, unknown_kinds(all_waiters), sorted(minor_kinds - suggested_kinds, key=str)
    )


def insert_entries(files: Sequence[Path], settings: Settings, *, diff: bool) -> Exit:
    """Write the entries into the files that lack them, or show the changes.

    An object whose entries come from elsewhere, such as from a patch, is only named.
    """
    rules = frozenset((MISSING_ENTRY, EXISTENCE_ONLY))
    run = LintFile(replace(settings, only=rules), "<stdin>", fix=True, unsafe=True)
    report = lint_files(files, run, 0, Severity.INFO)
    if diff:
        write_out("".join(fixes.diff(report)), color=False)
    else:
        fixes.write(report, "fixed")
    for finding in report.findings:
        tell(f"celvet: {finding.file}:{finding.place.line}: {finding.finding.message}")
    if not report.rewritten and not report.findings:
        tell("celvet: nothing is missing")
    return Exit.FINDINGS if report.findings or (diff and report.rewritten) else Exit.CLEAN
