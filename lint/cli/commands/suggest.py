"""`celvet suggest`: health check entries for kinds, ready to paste."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.choices import kinds_or_files, variants
from celvet.lint.cli.run.session import configuration, manifests, selected, settings, usage_error
from celvet.lint.config import Config
from celvet.lint.crds import Schemas, of_definition
from celvet.lint.crds.lookup import CrdLookup
from celvet.lint.crds.schema import API_GROUP, KIND
from celvet.lint.discovery.root import root_of
from celvet.lint.engine import Settings
from celvet.lint.healthtest.health_test import UnusableTestError
from celvet.lint.healthtest.read.fixtures import Fixtures, require_readable
from celvet.lint.manifest import KubeObject, Manifest, whole_objects
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import GroupKind, Value
from celvet.lint.repository.surroundings import Repository
from celvet.lint.safe_text import yaml_text
from celvet.lint.suggest.from_catalog import of_facts
from celvet.lint.suggest.health_test import health_test
from celvet.lint.suggest.kind_names import UnknownKindError, find_kind, parse_kind
from celvet.lint.suggest.output import FORMATS
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.suggest.suggestion import Suggestion, Suggestions
from celvet.lint.suggest.waited_kinds import (
    is_better_with_entry,
    kinds_named_in,
    uncovered_kinds,
    waits,
)
from celvet.lint.values import group_kind_of, text_at
from celvet.record import record, replace
from celvet.schemas import kind_facts
from celvet.schemas.kind_files import built_in_kinds
from celvet.schemas.known_kinds import known_kinds

_FILES = (".yaml", ".yml", ".json")


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
@click.option(
    "--variant",
    default="",
    metavar="NAME",
    shell_complete=variants,
    help="Print this variant of the entry.",
)
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
    """Print health check entries, ready to paste.

    For kinds by name, and for the kinds that the entries and health checks of
    a FILE are about. With --missing, for the kinds that Kustomizations in PATHs
    wait for, that Flux misjudges by itself, and that have no entry.

    \b
    Exit status: 0 something is suggested, or nothing is missing; 1 something
    is missing; 2 wrong usage, or nothing is known; 3 celvet failed.
    """  # noqa: D301 - click wants the escape
    if repository and not subjects:
        raise click.UsageError("--missing needs a file or directory, such as `.`")
    if not (subjects or objects):
        raise click.UsageError("name a kind such as Certificate.cert-manager.io, or a file")
    if tested and form != "yaml":
        raise click.UsageError("--test prints YAML; leave --format out")
    choice = configuration(config).with_schemas(crds, schema_location)
    chosen = settings(choice, substitute)
    if repository:
        if objects or variant:
            raise click.UsageError("--missing takes only paths")
        missing = _missing(_files(subjects, choice), chosen)
        click.echo(_written(missing, chosen, form, tested=tested), nl=False)
        click.echo(f"celvet: kinds that lack an entry: {len(missing.suggestions)}", err=True)
        if missing.unknown:
            kinds = ", ".join(map(str, missing.unknown))
            click.echo(f"celvet: kinds that may lack one, not in the catalogue: {kinds}", err=True)
        return Exit.FINDINGS if missing.suggestions else Exit.CLEAN
    wanted = [_by_name(each, chosen) for each in subjects]
    wanted += [_of_objects(objects, chosen)] if objects else []
    found = _found(each for one in wanted for each in _suggested(one, chosen, variant))
    if not found:
        return Exit.USAGE
    click.echo(_written(Suggestions(found), chosen, form, tested=tested), nl=False)
    return Exit.CLEAN


def _files(subjects: Iterable[str], choice: Config) -> list[Path]:
    """The files in directories and files; raises `click.UsageError` if there are none."""
    paths = [*map(Path, subjects)]
    for path in paths:
        if not path.exists():
            raise click.UsageError(f"{path}: No such file or directory")
    if found := selected(paths, choice):
        return found
    raise click.UsageError(f"no YAML or JSON file in {', '.join(map(str, paths))}")


def _found(answers: Iterable[Suggestion | UnknownKindError]) -> list[Suggestion]:
    """The suggestions among the answers; the others go to standard error."""
    found = []
    for each in answers:
        if isinstance(each, Suggestion):
            found.append(each)
        else:
            click.echo(f"celvet: {each}", err=True)
    return found


def _written(answer: Suggestions, chosen: Settings, form: str, *, tested: bool) -> str:
    if not tested:
        return FORMATS.renderer(form)(answer, False)
    documents = (each for one in answer.suggestions for each in health_test(one, chosen.catalog))
    return "---\n".join(yaml_text(each, allow_unicode=True, width=1_000) for each in documents)


@record
class _Request:
    """The kinds to suggest entries for, each with given objects, and where their CRDs are."""

    kinds: Mapping[GroupKind, Sequence[Value]]
    crds: Schemas


def _by_name(subject: str, settings: Settings) -> _Request:
    """The request for a kind or a file; raises `click.UsageError`."""
    kinds = (*known_kinds(settings.catalog.directories), *built_in_kinds())
    known = [GroupKind(*each) for each in dict.fromkeys(kinds)]
    try:
        return _Request({find_kind(subject, known): ()}, settings.crds)
    except UnknownKindError as error:
        if _is_file(subject):
            return _in_file(Path(subject), settings)
        kind = parse_kind(subject)
        if kind and settings.crds.find(f"{kind.group}/v1", kind.kind):
            return _Request({kind: ()}, settings.crds)
        for problem in settings.crds.problems:
            click.echo(f"celvet: {problem}", err=True)
        raise click.UsageError(str(error)) from None


def _is_file(subject: str) -> bool:
    path = Path(subject)
    return path == STDIN or subject.endswith(_FILES) or os.path.exists(subject)  # noqa: PTH110


def _in_file(path: Path, settings: Settings) -> _Request:
    """The kinds that the entries and health checks of a file are about.

    Without any, those of the CRDs in it; without these, those of its objects.
    Raises `click.UsageError` for a file that cannot be read.
    """
    manifest = _manifest(path, settings)
    found = list(whole_objects(manifest))
    objects = _by_kind(found)
    defined = [schema.group_kind for each in found if (schema := of_definition(each.value))]
    kinds = sorted(kinds_named_in(manifest, settings.catalog), key=str) or defined
    if not kinds and GroupKind(API_GROUP, KIND) in objects:
        raise click.UsageError(
            f"`{manifest.name}`: the CRD lacks its group, its kind or a version that is served;"
            " correct it, or name an object with --from-object"
        )
    kinds = kinds or [*_required(objects, manifest)]
    return _Request(
        {kind: objects.get(kind, ()) for kind in kinds}, CrdLookup.of(found, settings.crds)
    )


def _of_objects(paths: Iterable[Path], settings: Settings) -> _Request:
    """The kinds of some objects; raises `click.UsageError` for a file without any."""
    found: list[KubeObject] = []
    for path in paths:
        manifest = _manifest(path, settings)
        objects = list(whole_objects(manifest))
        _required(_by_kind(objects), manifest)
        found += objects
    return _Request(_by_kind(found), settings.crds)


_Objects = Mapping[GroupKind, Sequence[Value]]


def _required(objects: _Objects, manifest: Manifest) -> _Objects:
    if not objects:
        raise click.UsageError(
            f"`{manifest.name}` has no object with `apiVersion` and `kind`;"
            " name a manifest, or what `kubectl get -o yaml` prints"
        )
    return objects


def _manifest(path: Path, settings: Settings) -> Manifest:
    if path.is_dir():
        raise click.UsageError(
            f"`{path}` is a directory; name a file, or use --missing for what it waits for"
        )
    fixtures = Fixtures(Path(), settings.substitutions, settings.catalog)
    try:
        manifest = fixtures.manifest(str(path), ())
        require_readable(manifest)
    except UnusableTestError as problem:
        raise usage_error(problem) from None
    return manifest


def _by_kind(found: Iterable[KubeObject]) -> dict[GroupKind, list[Value]]:
    objects: dict[GroupKind, list[Value]] = {}
    for each in found:
        if (kind := group_kind_of(each.value)).kind and text_at(each.value, ("apiVersion",)):
            objects.setdefault(kind, []).append(each.value)
    return objects


def _suggested(
    wanted: _Request, settings: Settings, variant: str
) -> Iterator[Suggestion | UnknownKindError]:
    """The suggestion for each kind, or why there is none."""
    suggester = Suggester(settings.catalog, wanted.crds, variant)
    for kind, objects in wanted.kinds.items():
        try:
            yield suggester.of(kind, objects)
        except UnknownKindError as error:
            yield error


def _missing(files: Sequence[Path], settings: Settings) -> Suggestions:
    """The suggestions for kinds that the files wait for and that no entry covers."""
    catalog, around = settings.catalog, Repository(root_of(files))
    found = (wait for each in manifests(files, settings) for wait in waits(each, catalog, around))
    suggestions, unknown = [], {}
    for kind, places in uncovered_kinds(found).items():
        facts = kind_facts(kind.group, kind.kind, catalog.directories)
        if facts is None:
            unknown[kind] = places
        elif is_better_with_entry(facts):
            suggestions.append(replace(of_facts(facts), waiters=places))
    return Suggestions(suggestions, unknown)
