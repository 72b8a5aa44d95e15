"""`celvet suggest`: health check entries for kinds, ready to paste."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.choices import kinds_or_files, variants
from celvet.lint.cli.options.help import Command, option_group
from celvet.lint.cli.run.session import configuration, settings
from celvet.lint.cli.run.suggest.missing import files_below, insert_entries, missing_entries, told
from celvet.lint.cli.run.suggest.requests import by_name, of_objects, suggestions
from celvet.lint.engine import Settings
from celvet.lint.safe_text import yaml_text
from celvet.lint.suggest.health_test import health_test
from celvet.lint.suggest.kind_names import UnknownKindError
from celvet.lint.suggest.output import FORMATS
from celvet.lint.suggest.suggestion import Suggestion, Suggestions
from celvet.record import replace
from celvet.schemas.snippets import FLUX, snippet_names

_entries = option_group("Entries")


@click.command("suggest", cls=Command)
@click.argument("subjects", nargs=-1, metavar="[KIND.GROUP|FILE]...", shell_complete=kinds_or_files)
@_entries(
    "--from-object",
    "objects",
    multiple=True,
    type=common.FILE,
    metavar="OBJ",
    help="Suggest for the kind of OBJ, or `-`; repeatable.",
)
@_entries(
    "--missing", "repository", is_flag=True, help="Find kinds below PATHs that lack an entry."
)
@_entries(
    "--variant",
    default="",
    rare=True,
    metavar="NAME",
    shell_complete=variants,
    help="Print this variant of the entry.",
)
@_entries(
    "--test", "as_test", is_flag=True, rare=True, help="Print a health test of the entry instead."
)
@_entries(
    "--for",
    "dialect",
    default=FLUX,
    type=click.Choice((FLUX, *snippet_names())),
    metavar="DIALECT",
    help="Write it for kro, argocd, ocm ... instead of flux.",
)
@_entries("--reasons", is_flag=True, help="Give all reasons, and where they were read.")
@_entries("--diff", is_flag=True, rare=True, help="With --missing: show the entries as a diff.")
@_entries("--write", is_flag=True, help="With --missing: write the entries.")
@common.one_format(FORMATS.names())
@common.crds
@common.schema_location(rare=True)
@common.config_options
def command(
    subjects: tuple[str, ...],
    objects: tuple[Path, ...],
    repository: bool,
    variant: str,
    as_test: bool,
    dialect: str,
    reasons: bool,
    diff: bool,
    write: bool,
    form: str,
    crds: tuple[Path, ...],
    schema_location: tuple[str, ...],
    substitute: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Print health check entries, ready to paste.

    For kinds and API groups by name, and for kinds in the entries and health
    checks of a FILE. With --missing, for kinds that Kustomizations in PATHs
    wait for, that Flux misjudges by itself, and that have no entry.

    \b
    Exit status: 0 something is suggested, or nothing is missing; 1 something
    is missing; 2 wrong usage, or nothing is known; 3 celvet failed.
    """  # noqa: D301 - click wants the escape
    if repository and not subjects:
        raise click.UsageError("--missing needs a file or directory, such as `.`")
    if not (subjects or objects):
        raise click.UsageError("name a kind such as Certificate.cert-manager.io, or a file")
    if as_test and form != "yaml":
        raise click.UsageError("--test prints YAML; leave --format out")
    if dialect != FLUX and (repository or as_test):
        raise click.UsageError("--missing and --test are for flux; leave --for out")
    if (diff or write) and not repository:
        raise click.UsageError("--diff and --write are for --missing")
    choice = configuration(config).with_schemas(crds, schema_location)
    engine_settings = settings(choice, substitute)
    if repository:
        if objects or variant:
            raise click.UsageError("--missing takes only paths")
        files = files_below(subjects, choice)
        if diff or write:
            return insert_entries(files, engine_settings, diff=diff)
        missing = replace(missing_entries(files, engine_settings), reasons=reasons)
        click.echo(_text_of(missing, engine_settings, form, as_test=as_test), nl=False)
        return told(missing)
    requests = [by_name(subject, engine_settings) for subject in subjects]
    requests += [of_objects(objects, engine_settings)] if objects else []
    answers = _report_unknown(
        answer for request in requests for answer in suggestions(request, engine_settings, variant)
    )
    answers = _written(answers, dialect, engine_settings)
    if not answers:
        return Exit.USAGE
    click.echo(
        _text_of(Suggestions(answers, reasons=reasons), engine_settings, form, as_test=as_test),
        nl=False,
    )
    return Exit.CLEAN


def _report_unknown(answers: Iterable[Suggestion | UnknownKindError]) -> list[Suggestion]:
    """The suggestions among the answers; the others go to standard error."""
    known_kinds = []
    for answer in answers:
        if isinstance(answer, Suggestion):
            known_kinds.append(answer)
        else:
            click.echo(f"celvet: {answer}", err=True)
    return known_kinds


def _written(answers: list[Suggestion], dialect: str, settings: Settings) -> list[Suggestion]:
    """The suggestions as they are written for a system; raises `click.UsageError`."""
    if dialect == FLUX:
        return answers
    if any(not answer.kind.kind for answer in answers):
        raise click.UsageError("an entry for a group is for flux; name a kind, or leave --for out")
    from celvet.lint.suggest.snippets.generate import in_dialect

    return _report_unknown(in_dialect(answer, dialect, settings.catalog) for answer in answers)


def _text_of(answer: Suggestions, settings: Settings, form: str, *, as_test: bool) -> str:
    if not as_test:
        return FORMATS.renderer(form)(answer, False)
    documents = (
        document
        for suggestion in answer.suggestions
        for document in health_test(suggestion, settings.catalog)
    )
    return "---\n".join(
        yaml_text(document, allow_unicode=True, width=1_000) for document in documents
    )
