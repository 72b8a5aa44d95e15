"""`celvet suggest`: health check entries for kinds, ready to paste."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from celvet.lint.cli import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.choices import kinds_or_files
from celvet.lint.cli.run.session import configuration, selected, settings
from celvet.lint.cli.run.suggest import by_name, missing, of_objects, suggested
from celvet.lint.config import Config
from celvet.lint.engine import Settings
from celvet.lint.safe_text import yaml_text
from celvet.lint.suggest.health_test import health_test
from celvet.lint.suggest.named import UnknownKindError
from celvet.lint.suggest.output import FORMATS
from celvet.lint.suggest.suggestion import Suggestion


@click.command("suggest")
@click.argument("subjects", nargs=-1, metavar="[KIND.GROUP|FILE]...", shell_complete=kinds_or_files)
@click.option(
    "--from-object",
    "objects",
    multiple=True,
    type=common.FILE,
    metavar="OBJ",
    help="Suggest for the kind of this object, or `-`; repeatable.",
)
@click.option(
    "--missing", "repository", is_flag=True, help="Find kinds below PATHs that lack an entry."
)
@click.option("--variant", default="", metavar="NAME", help="Take this variant of the entry.")
@click.option("--test", "tested", is_flag=True, help="Print a health test of the entry instead.")
@common.one_format(FORMATS.names())
@common.crds
@common.schema_location()
@common.configured
def command(
    subjects: tuple[str, ...],
    objects: tuple[Path, ...],
    repository: bool,
    variant: str,
    tested: bool,
    form: str,
    crds: tuple[Path, ...],
    schema_location: tuple[str, ...],
    substitute: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Print health check entries, ready to paste below `healthCheckExprs`.

    For kinds by name, and for the kinds that the entries and health checks of
    a FILE are about. With --missing, for the kinds that Kustomizations in PATHs
    wait for, that Flux misjudges by itself, and that have no entry.

    \b
    Exit status: 0 something is suggested, or nothing is missing; 1 something
    is missing; 2 wrong usage, or nothing is known; 3 celvet failed.
    """  # noqa: D301 - click wants the escape
    if not (subjects or objects):
        raise click.UsageError("name a kind such as Certificate.cert-manager.io, or a file")
    if tested and form != "yaml":
        raise click.UsageError("--test prints YAML; leave --format out")
    choice = configuration(config).with_schemas(crds, schema_location)
    chosen = settings(choice, substitute)
    if repository:
        if objects or variant:
            raise click.UsageError("--missing goes with paths alone")
        found = _found(missing(_files(subjects, choice), chosen))
        click.echo(_written(found, chosen, form, tested=tested), nl=False)
        click.echo(f"celvet: kinds that are waited for and lack an entry: {len(found)}", err=True)
        return Exit.FINDINGS if found else Exit.CLEAN
    wanted = [by_name(each, chosen) for each in subjects]
    wanted += [of_objects(objects, chosen)] if objects else []
    found = _found(each for one in wanted for each in suggested(one, chosen, variant))
    if not found:
        return Exit.USAGE
    click.echo(_written(found, chosen, form, tested=tested), nl=False)
    return Exit.CLEAN


def _files(subjects: Iterable[str], choice: Config) -> list[Path]:
    """The files in directories and files; raises `click.UsageError` for one that is not there."""
    paths = [*map(Path, subjects)]
    for path in paths:
        if not path.exists():
            raise click.UsageError(f"{path}: No such file or directory")
    return selected(paths, choice)


def _found(answers: Iterable[Suggestion | UnknownKindError]) -> list[Suggestion]:
    """The suggestions among the answers; the others go to standard error."""
    found = []
    for each in answers:
        if isinstance(each, Suggestion):
            found.append(each)
        else:
            click.echo(f"celvet: {each}", err=True)
    return found


def _written(found: list[Suggestion], chosen: Settings, form: str, *, tested: bool) -> str:
    if not tested:
        return FORMATS.renderer(form)(found, False)
    documents = (each for one in found for each in health_test(one, chosen.catalog))
    return "---\n".join(yaml_text(each, allow_unicode=True, width=1_000) for each in documents)
