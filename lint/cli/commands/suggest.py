"""`celvet suggest`: health check entries for kinds, ready to paste."""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit, tell
from celvet.lint.cli.options import common
from celvet.lint.cli.options.choices import kinds_or_files, variants
from celvet.lint.cli.options.help import Command, option_group
from celvet.lint.cli.run import fixes
from celvet.lint.cli.run.lint_files import LintFile, lint_files
from celvet.lint.cli.run.session import (
    configuration,
    manifests,
    selected_files,
    settings,
    usage_error,
)
from celvet.lint.cli.run.targets import write_out
from celvet.lint.config import Config
from celvet.lint.crds import Schemas, schemas_in
from celvet.lint.crds.lookup import CrdLookup
from celvet.lint.crds.schema import API_GROUP, KIND
from celvet.lint.discovery.root import root_of
from celvet.lint.engine import Settings
from celvet.lint.healthtest.health_test import UnusableTestError
from celvet.lint.healthtest.read.fixtures import Fixtures, require_readable
from celvet.lint.manifest import KubeObject, Manifest, whole_objects
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import GroupKind, Severity, Value
from celvet.lint.repository.surroundings import Repository
from celvet.lint.rule_ids import EXISTENCE_ONLY, MISSING_ENTRY
from celvet.lint.safe_text import yaml_text
from celvet.lint.suggest.from_catalog import of_facts
from celvet.lint.suggest.health_test import health_test
from celvet.lint.suggest.kind_names import UnknownKindError, find_kind, parse_kind
from celvet.lint.suggest.output import FORMATS
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.suggest.suggestion import Suggestion, Suggestions
from celvet.lint.suggest.waited_kinds import (
    kinds_named_in,
    missing_kinds,
    unknown_kinds,
    waiters,
)
from celvet.lint.values import group_kind_of, text_at
from celvet.record import record, replace
from celvet.schemas import kind_facts
from celvet.schemas.kind_files import built_in_kinds
from celvet.schemas.known_kinds import known_kinds

_entries = option_group("Entries")
_FILES = (".yaml", ".yml", ".json")


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
@_entries("--reasons", is_flag=True, help="Give all reasons, and where they were read.")
@_entries("--diff", is_flag=True, help="With --missing: show the entries as a diff.")
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
    if as_test and form != "yaml":
        raise click.UsageError("--test prints YAML; leave --format out")
    if (diff or write) and not repository:
        raise click.UsageError("--diff and --write are for --missing")
    choice = configuration(config).with_schemas(crds, schema_location)
    engine_settings = settings(choice, substitute)
    if repository:
        if objects or variant:
            raise click.UsageError("--missing takes only paths")
        files = _files(subjects, choice)
        if diff or write:
            return _insert_entries(files, engine_settings, diff=diff)
        missing = replace(_missing(files, engine_settings), reasons=reasons)
        click.echo(_text_of(missing, engine_settings, form, as_test=as_test), nl=False)
        return _told(missing)
    requests = [_by_name(subject, engine_settings) for subject in subjects]
    requests += [_of_objects(objects, engine_settings)] if objects else []
    suggestions = _report_unknown(
        answer for request in requests for answer in _suggestions(request, engine_settings, variant)
    )
    if not suggestions:
        return Exit.USAGE
    click.echo(
        _text_of(Suggestions(suggestions, reasons=reasons), engine_settings, form, as_test=as_test),
        nl=False,
    )
    return Exit.CLEAN


def _told(missing: Suggestions) -> Exit:
    """The exit status; names on standard error what has no suggestion."""
    click.echo(f"celvet: kinds that lack an entry: {len(missing.suggestions)}", err=True)
    for words, kinds in (
        ("kinds without one that nobody has to wait for", missing.minor),
        ("kinds that may lack one, not in the catalogue", missing.unknown),
    ):
        if kinds:
            click.echo(f"celvet: {words}: {', '.join(map(str, kinds))}", err=True)
    return Exit.FINDINGS if missing.suggestions else Exit.CLEAN


def _files(subjects: Iterable[str], choice: Config) -> list[Path]:
    """The files in directories and files; raises `click.UsageError` if there are none."""
    paths = [*map(Path, subjects)]
    for path in paths:
        if not path.exists():
            raise click.UsageError(f"{path}: No such file or directory")
    if files := selected_files(paths, choice):
        return files
    raise click.UsageError(f"no YAML or JSON file in {', '.join(map(str, paths))}")


def _report_unknown(answers: Iterable[Suggestion | UnknownKindError]) -> list[Suggestion]:
    """The suggestions among the answers; the others go to standard error."""
    suggestions = []
    for answer in answers:
        if isinstance(answer, Suggestion):
            suggestions.append(answer)
        else:
            click.echo(f"celvet: {answer}", err=True)
    return suggestions


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


@record
class _Request:
    """The kinds to suggest entries for, each with given objects, and where their CRDs are."""

    kinds: Mapping[GroupKind, Sequence[Value]]
    crds: Schemas


def _by_name(subject: str, settings: Settings) -> _Request:
    """The request for a kind or a file; raises `click.UsageError`."""
    kinds = (*known_kinds(settings.catalog.directories), *built_in_kinds())
    catalog_kinds = [GroupKind(*pair) for pair in dict.fromkeys(kinds)]
    try:
        return _Request({find_kind(subject, catalog_kinds): ()}, settings.crds)
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
    kube_objects = list(whole_objects(manifest))
    objects = _by_kind(kube_objects)
    defined_kinds = [schema.group_kind for obj in kube_objects for schema in schemas_in(obj.value)]
    kinds = sorted(kinds_named_in(manifest, settings.catalog), key=str) or defined_kinds
    if not kinds and GroupKind(API_GROUP, KIND) in objects:
        raise click.UsageError(
            f"`{manifest.name}`: the CRD lacks its group, its kind or a version that is served;"
            " correct it, or name an object with --from-object"
        )
    kinds = kinds or [*_assure_any(objects, manifest)]
    return _Request(
        {kind: objects.get(kind, ()) for kind in kinds}, CrdLookup.of(kube_objects, settings.crds)
    )


def _of_objects(paths: Iterable[Path], settings: Settings) -> _Request:
    """The kinds of some objects; raises `click.UsageError` for a file without any."""
    kube_objects: list[KubeObject] = []
    for path in paths:
        manifest = _manifest(path, settings)
        file_objects = list(whole_objects(manifest))
        _assure_any(_by_kind(file_objects), manifest)
        kube_objects += file_objects
    return _Request(_by_kind(kube_objects), settings.crds)


_Objects = Mapping[GroupKind, Sequence[Value]]


def _assure_any(objects: _Objects, manifest: Manifest) -> _Objects:
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


def _by_kind(kube_objects: Iterable[KubeObject]) -> dict[GroupKind, list[Value]]:
    objects: dict[GroupKind, list[Value]] = {}
    for obj in kube_objects:
        if (kind := group_kind_of(obj.value)).kind and text_at(obj.value, ("apiVersion",)):
            objects.setdefault(kind, []).append(obj.value)
    return objects


def _suggestions(
    request: _Request, settings: Settings, variant: str
) -> Iterator[Suggestion | UnknownKindError]:
    """The suggestion for each kind, or why there is none."""
    suggester = Suggester(settings.catalog, request.crds, variant)
    for kind, objects in request.kinds.items():
        try:
            yield suggester.of(kind, objects)
        except UnknownKindError as error:
            yield error


def _missing(files: Sequence[Path], settings: Settings) -> Suggestions:
    """The suggestions for kinds that the files wait for and that no entry covers."""
    catalog, repository = settings.catalog, Repository(root_of(files))
    all_waiters = [
        waiter
        for manifest in manifests(files, settings)
        for waiter in waiters(manifest, catalog, repository)
    ]
    harms = {
        entry.kind: entry.when
        for waiter in all_waiters
        for entry in sorted(waiter.missing_entries, key=lambda entry: entry.rank, reverse=True)
    }
    suggestions = []
    for kind, places in missing_kinds(all_waiters).items():
        facts = kind_facts(kind.group, kind.kind, catalog.directories)
        if facts:
            need = f"Without an entry, Flux counts one as ready {harms[kind]}."
            suggestions.append(replace(of_facts(facts), waiters=places, need=need))
    suggested_kinds = {suggestion.kind for suggestion in suggestions}
    minor_kinds = {kind for waiter in all_waiters for kind in waiter.minor_kinds}
    return Suggestions(
        suggestions, unknown_kinds(all_waiters), sorted(minor_kinds - suggested_kinds, key=str)
    )


def _insert_entries(files: Sequence[Path], settings: Settings, *, diff: bool) -> Exit:
    """Write the entries into the files that lack them, or show the changes.

    An object whose entries come from elsewhere, such as from a patch, is only named.
    """
    rules = frozenset((MISSING_ENTRY, EXISTENCE_ONLY))
    run = LintFile(replace(settings, only=rules), "<stdin>", fix=True, unsafe=True)
    report = lint_files(files, run, 0, Severity.INFO)
    if diff:
        write_out("".join(fixes.diff(report)), color=False)
    else:
        fixes.write(report)
    for finding in report.findings:
        tell(f"celvet: {finding.file}:{finding.place.line}: {finding.finding.message}")
    if not report.rewritten and not report.findings:
        tell("celvet: nothing is missing")
    return Exit.FINDINGS if report.findings or (diff and report.rewritten) else Exit.CLEAN
