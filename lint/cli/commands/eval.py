"""`celvet eval`: the verdict that the controllers would give on an object."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.options.choices import dialects
from celvet.lint.cli.options.help import Command, option_group
from celvet.lint.cli.options.waiters import FLUX, waiter_options
from celvet.lint.cli.run.session import (
    configuration,
    manifests,
    selected_files,
    settings,
)
from celvet.lint.cli.run.waiter_choice import chosen_waiter
from celvet.lint.config import Config
from celvet.lint.discovery.root import root_of
from celvet.lint.engine import Settings
from celvet.lint.healthtest.read.fixtures import Fixtures, unreadable
from celvet.lint.healthtest.run.appliers import UnknownApplierError, of_appliers
from celvet.lint.healthtest.run.evaluation import BareExpression, Evaluation, evaluations, of_each
from celvet.lint.healthtest.run.verdict_output import (
    as_json,
    as_text,
    judgements_as_json,
    judgements_as_text,
)
from celvet.lint.manifest import Manifest
from celvet.lint.manifest.source.files import STDIN
from celvet.lint.model import ObjectRef, Value
from celvet.lint.repository.surroundings import Repository
from celvet.lint.similar import did_you_mean
from celvet.lint.values import text_at
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.lint.verdicts.verdict import IGNORED, READY
from celvet.lint.waiters.waiter import Waiter
from celvet.schemas import Catalog, Dialect, load

_DIALECT = next(dialect.name for dialect in load().dialects.values() if dialect.bare)
"""The dialects of `--expr`."""

_objects, _selection = option_group("Objects"), option_group("Selection")

_HOPELESS = frozenset({"Failed", "Stalled", IGNORED})
"""Statuses that stay until somebody changes something."""


@click.command("eval", cls=Command)
@click.argument("path", required=False, metavar="[PATH]", type=common.FILE)
@_objects(
    "--object",
    "objects",
    multiple=True,
    required=True,
    type=common.FILE,
    metavar="OBJ",
    help="Judge this object, or `-`; repeatable.",
)
@_objects(
    "--self",
    "owner",
    rare=True,
    type=common.FILE,
    metavar="OBJ",
    help="Use this object as `self` in a readyExpr.",
)
@_objects(
    "--var",
    "variables",
    rare=True,
    multiple=True,
    metavar="NAME=OBJ",
    help="Use this object as another variable, such as `req`; repeatable.",
)
@_selection(
    "-n",
    "--name",
    default="",
    metavar="NAME",
    help="Use only the checks of the object [NAMESPACE/]NAME.",
)
@_selection("--expr", metavar="TEXT", help="Evaluate TEXT instead of the expressions in PATH.")
@_selection(
    "--dialect",
    rare=True,
    default=_DIALECT,
    metavar="NAME",
    show_default=True,
    shell_complete=dialects,
    help="Dialect of --expr.",
)
@waiter_options(required=False)
@common.report("--trace", is_flag=True, help="Show the result of every sub-expression.")
@common.report("--exit-status", is_flag=True, help="Let the exit status tell the verdict.")
@common.one_format(("json", "text"))
@common.target(rare=True)
@common.config_options
def command(
    path: Path | None,
    objects: tuple[Path, ...],
    owner: Path | None,
    variables: tuple[str, ...],
    name: str,
    expr: str | None,
    dialect: str,
    waiter_name: str | None,
    condition: str | None,
    scripts: Path | None,
    trace: bool,
    exit_status: bool,
    form: str,
    substitute: tuple[str, ...],
    versions: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Show the verdict of the controllers on an object.

    Every check in PATH that applies to the object gives its verdict, and says
    why. With --as, another waiter judges; an empty OBJ is an absent object.

    \b
    Exit status: 0 a verdict, 1 an evaluation error or a refused expression,
    2 wrong usage or nothing that applies, 3 celvet failed. With --exit-status:
    0 ready, 1 failed or never ready, 4 not ready yet.
    """  # noqa: D301 - click wants the escape
    choice = configuration(config)
    engine_settings = settings(choice, substitute, versions)
    fixtures = Fixtures(Path(), engine_settings.substitutions, engine_settings.catalog)
    if waiter_name and (waiter_name != FLUX or path is None):
        if path or expr:
            raise click.UsageError(f"`--as {waiter_name}` needs neither a PATH nor --expr")
        waiter = chosen_waiter(waiter_name, condition, scripts)
        return _judge(waiter, fixtures, objects, form=form, exit_status=exit_status)
    if (path is None) == (expr is None):
        raise click.UsageError("give either a PATH or --expr")
    cluster = _cluster(fixtures, objects, owner, variables, bare=expr is not None)
    if path is None:
        evaluator = BareExpression(expr or "", _dialect(dialect, engine_settings.catalog))
        results = list(of_each(evaluator, cluster))
    else:
        files = _manifests(path, choice, engine_settings, fixtures)
        results = _results(files, cluster, name, engine_settings.catalog)
    if not results:
        raise click.UsageError(f"nothing in {path} applies to {_kinds_of(cluster)}")
    several = len(cluster.objects) > 1
    text = (
        as_json(results, trace) if form == "json" else as_text(results, trace, name_objects=several)
    )
    click.echo(text, nl=False)
    if any(evaluation.answer.failed for evaluation in results):
        return Exit.FINDINGS
    return _status(results) if exit_status else Exit.CLEAN


def _judge(
    waiter: Waiter, fixtures: Fixtures, files: Sequence[Path], *, form: str, exit_status: bool
) -> Exit:
    """Print what a waiter makes of each object in files."""
    cluster = _cluster(fixtures, files, None, (), may_be_absent=True)
    judgements = [(obj, waiter.judge(obj, cluster.now)) for obj in cluster.objects]
    judgements = judgements or [({}, waiter.absent)]
    render = judgements_as_json if form == "json" else judgements_as_text
    click.echo(render(waiter, judgements), nl=False)
    effects = {judgement.effect for _, judgement in judgements}
    if not exit_status or effects <= {"ready"}:
        return Exit.CLEAN
    return Exit.FINDINGS if "fails" in effects else Exit.WAITING


def _status(results: Sequence[Evaluation]) -> Exit:
    """The exit status for verdicts: that of a failure, else that of a wait."""
    statuses = {evaluation.answer.verdict.status for evaluation in results}
    if statuses & _HOPELESS:
        return Exit.FINDINGS
    return Exit.CLEAN if statuses <= READY else Exit.WAITING


def _manifests(
    path: Path, choice: Config, settings: Settings, fixtures: Fixtures
) -> list[Manifest]:
    """The manifests of a file, or of a directory; an unreadable one there is only named."""
    if path.is_dir():
        files = manifests(selected_files([path], choice), settings)
        return [manifest for manifest in files if unreadable(manifest) is None]
    return [fixtures.manifest(str(path), ())]


def _results(
    files: Sequence[Manifest], cluster: ClusterState, name: str, catalog: Catalog
) -> list[Evaluation]:
    """The evaluations by what is declared in the files; raises `click.UsageError`."""
    all_results = [
        evaluation for manifest in files for evaluation in evaluations(manifest, cluster, catalog)
    ]
    if name:
        results = [evaluation for evaluation in all_results if _is_named(evaluation.object, name)]
        if all_results and not results:
            names = sorted({evaluation.object.name for evaluation in all_results})
            raise click.UsageError(f"no check of `{name}` applies; {did_you_mean(name, names)}")
        return results
    root = root_of([Path(manifest.name) for manifest in files])
    try:
        return of_appliers(all_results, catalog, Repository(root))
    except UnknownApplierError as error:
        raise click.UsageError(
            f"any of {error} may apply {_kinds_of(cluster)}; choose one with --name"
        ) from None


def _is_named(declaring: ObjectRef, name: str) -> bool:
    """Whether a name is that of an object: `apps`, `flux-system/apps` or `Kustomization/apps`."""
    owner, _, own_name = name.rpartition("/")
    return own_name == declaring.name and owner in ("", declaring.namespace, declaring.kind)


def _cluster(
    fixtures: Fixtures,
    objects: Sequence[Path],
    owner: Path | None,
    variables: Sequence[str],
    *,
    bare: bool = False,
    may_be_absent: bool = False,
) -> ClusterState:
    values: list[Value] = []
    for path in objects:
        file_objects = fixtures.all(str(path), ())
        values += file_objects
        is_usable = all(_is_object(value, bare=bare) for value in file_objects)
        if not (is_usable and (file_objects or may_be_absent)):
            name = "standard input" if path == STDIN else f"`{path}`"
            lack = "it is not a mapping" if bare else "it has no apiVersion or kind"
            raise click.UsageError(f"{name} is not a Kubernetes object: {lack}")
    declaring = fixtures.one(str(owner), ()) if owner else None
    settings = {}
    for variable in variables:
        name, sign, file = variable.partition("=")
        if not sign:
            raise click.UsageError(
                f"`--var {variable}` does not name an object; write `--var {name}=FILE`"
            )
        settings[name] = fixtures.one(file, ())
    return ClusterState(objects=values, now=datetime.now(UTC), owner=declaring, settings=settings)


def _is_object(value: Value, *, bare: bool) -> bool:
    """Whether a value is an object; a `bare` expression needs no kind."""
    if bare:
        return isinstance(value, dict)
    return all(text_at(value, (key,)) for key in ("apiVersion", "kind"))


def _dialect(name: str, catalog: Catalog) -> Dialect:
    dialects_by_name = catalog.dialects
    if name not in dialects_by_name:
        raise click.UsageError(
            f"there is no dialect `{name}`; {did_you_mean(name, dialects_by_name)}"
        )
    return dialects_by_name[name]


def _kinds_of(cluster: ClusterState) -> str:
    kinds = [f"{obj.get('kind', 'an object')}" for obj in cluster.objects]
    return ", ".join(kinds) or "no object"
