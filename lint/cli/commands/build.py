"""`celvet build`: the objects that Flux Operator builds from a ResourceSet."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import yaml

from celvet.lint.cli.exit import Exit
from celvet.lint.cli.options import common
from celvet.lint.cli.run.session import configuration, settings
from celvet.lint.engine.resourceset.places import error_place, providers, resource_sets
from celvet.lint.gotemplate.formats.yaml_text import to_yaml
from celvet.lint.gotemplate.template_limits import Meter, TemplateLimits
from celvet.lint.healthtest.health_test import UnusableTestError
from celvet.lint.healthtest.read.fixtures import Fixtures, require_readable
from celvet.lint.locate import Locator
from celvet.lint.manifest import KubeObject, Manifest, all_objects
from celvet.lint.manifest.objects.resourceset import is_input_provider, takes_inputs
from celvet.lint.model import Value, Where, field_path
from celvet.lint.repository.providers import providers_around
from celvet.lint.resourceset import (
    BuildError,
    InputSetError,
    Providers,
    StepBudget,
    UnknownInputsError,
    all_providers,
    build,
    combine,
    takes,
    unmatched_sources,
    wrong_type,
)
from celvet.lint.resourceset.documents import read_value
from celvet.lint.resourceset.errors import ReadError
from celvet.lint.resourceset.metadata import object_name, owner_labels, set_common_metadata
from celvet.record import record

_UNBOUNDED = TemplateLimits(steps=10**12, value=10**9, items=10**9)
_TOTAL = 2_000_000
"""The steps that a ResourceSet may take: six seconds. Public ones take 17,000 at most."""


@click.command("build")
@click.argument("file", metavar="FILE", type=common.FILE)
@click.option(
    "--inputs",
    type=common.FILE,
    metavar="FILE",
    help="Read the inputs, or Static input providers, from FILE.",
)
@click.option(
    "--set",
    "values",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set an input, such as app.replicas=2; repeatable.",
)
@click.option(
    "-n",
    "--namespace",
    default="",
    metavar="NAME",
    help="The namespace of a ResourceSet that has none.",
)
@common.one_format(("json", "yaml"))
@common.config_options
def command(
    file: Path,
    inputs: Path | None,
    values: tuple[str, ...],
    namespace: str,
    form: str,
    substitute: tuple[str, ...],
    config: Path | None,
) -> Exit:
    """Print the objects that a ResourceSet builds.

    Builds every ResourceSet in FILE without a cluster, with its inline inputs
    and those of Static ResourceSetInputProviders in its repository, or in its
    directory without one. The output is ready for kubectl.

    \b
    Exit status: 0 the objects, 1 a ResourceSet that cannot be built, 2 wrong
    usage or no ResourceSet, 3 celvet failed.
    """  # noqa: D301 - click wants the escape
    engine_settings = settings(configuration(config), substitute)
    fixtures = Fixtures(Path(), engine_settings.substitutions, engine_settings.catalog)
    try:
        given_inputs = fixtures.manifest(str(inputs), ()) if inputs else None
        overrides = _read_overrides(given_inputs, values, namespace)
        objects = _build_all(fixtures.manifest(str(file), ()), overrides)
    except _NotBuiltError as error:
        click.echo(str(error), err=True)
        return Exit.FINDINGS
    click.echo(_as_json(objects) if form == "json" else _as_yaml(objects), nl=False)
    return Exit.CLEAN


def _as_yaml(objects: list[Value]) -> str:
    return "".join(f"---\n{to_yaml(obj, Meter(_UNBOUNDED))}" for obj in objects)


def _as_json(objects: list[Value]) -> str:
    """A List, since not every program reads a stream of JSON documents."""
    object_list = {"apiVersion": "v1", "kind": "List", "items": objects}
    return json.dumps(object_list, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


class _NotBuiltError(Exception):
    """A ResourceSet cannot be built; the text names the place and gives the reason."""


@record
class _InputOverrides:
    """The inputs that the command line gives.

    `sets` take the place of those of the ResourceSet. `values` are set, by path, in every set.
    `providers` add to the ResourceSetInputProviders of the file and of those around it. The
    `namespace` is that of a ResourceSet without one.
    """

    sets: tuple[Value, ...] = ()
    values: tuple[tuple[tuple[str, ...], Value], ...] = ()
    providers: tuple[Value, ...] = ()
    namespace: str = ""


def _read_overrides(
    manifest: Manifest | None, values: Sequence[str], namespace: str
) -> _InputOverrides:
    """Sort the content of a file of inputs, and parse texts of the form KEY=VALUE.

    The file has input sets, one a document or in lists, and ResourceSetInputProviders.
    Raises `UnusableTestError` for anything else.
    """
    mappings = list(_mappings(manifest)) if manifest else []
    for provider in filter(is_input_provider, mappings):
        if mistake := wrong_type(provider):
            path, type_name = mistake
            message = (
                f"`{field_path(path)}` of a provider in the inputs must be of type {type_name}"
            )
            raise UnusableTestError(message, ())
    return _InputOverrides(
        sets=tuple(mapping for mapping in mappings if not is_input_provider(mapping)),
        values=tuple(map(_assignment, values)),
        providers=tuple(mapping for mapping in mappings if is_input_provider(mapping)),
        namespace=namespace,
    )


def _mappings(manifest: Manifest) -> Iterator[Value]:
    require_readable(manifest)
    for document in manifest.documents:
        for item in document.value if isinstance(document.value, list) else [document.value]:
            if not isinstance(item, dict):
                message = f"`{manifest.name}` holds a value that is not an input set"
                help_ = "Write a mapping of names to values for each input set."
                raise UnusableTestError(message, (), help_)
            yield item


def _assignment(text: str) -> tuple[tuple[str, ...], Value]:
    key, sign, value = text.partition("=")
    path = tuple(key.split("."))
    if not sign or not all(path):
        raise UnusableTestError(f"`--set {text}` sets nothing", (), "Write `--set KEY=VALUE`.")
    try:
        return path, read_value(value) if value else ""
    except (ReadError, yaml.YAMLError):
        return path, value


def _build_all(manifest: Manifest, overrides: _InputOverrides) -> list[Value]:
    """The objects of all ResourceSets of a file, in the order in which they are applied.

    Raises `NotBuiltError`, and `UnusableTestError` for a file that cannot be read or that has no
    ResourceSet.
    """
    require_readable(manifest)
    locator = Locator(manifest)
    objects = [*all_objects(manifest)]
    sets = resource_sets(objects)
    if not sets:
        raise UnusableTestError(f"`{manifest.name}` has no ResourceSet", ())
    nearby_providers = (
        providers_around(manifest.name) if any(takes_inputs(owner.value) for owner in sets) else ()
    )
    known_providers = all_providers([*providers(objects), *overrides.providers], nearby_providers)
    return [obj for owner in sets for obj in _objects(owner, known_providers, overrides, locator)]


def _objects(
    owner: KubeObject, known_providers: Providers, overrides: _InputOverrides, locator: Locator
) -> list[Value]:
    value = owner.value
    if mistake := wrong_type(value):
        path, type_name = mistake
        message = f"`{field_path(path)}` must be of type {type_name}"
        raise _build_failure(locator, owner.place(path), message)
    metadata = value.get("metadata") or {}
    if overrides.namespace and not metadata.get("namespace"):
        value = {**value, "metadata": {**metadata, "namespace": overrides.namespace}}
    if overrides.sets:
        spec = {
            key: entry for key, entry in (value.get("spec") or {}).items() if key != "inputsFrom"
        }
        value = {**value, "spec": {**spec, "inputs": list(overrides.sets)}}
    try:
        steps = build(value, _inputs(value, known_providers, overrides), budget=StepBudget(_TOTAL))
    except UnknownInputsError as error:
        where = owner.place(("spec", "inputsFrom"), None, True)
        raise _build_failure(locator, where, f"{error}; give the inputs with --inputs") from None
    except InputSetError as error:
        where = owner.place(("spec",), None, True)
        raise _build_failure(locator, where, str(error)) from None
    except BuildError as error:
        message = str(error) if error.refused else f"celvet cannot build it: {error.reason}"
        raise _build_failure(locator, error_place(owner, error), message) from None
    objects = [entry.value for step in steps for entry in step.objects]
    # The operator labels what it applies, so that it can find and prune it.
    common = {"labels": owner_labels(value)}
    for obj in objects:
        set_common_metadata(obj, common)
    return objects


def _inputs(
    value: Value, known_providers: Providers, overrides: _InputOverrides
) -> list[dict[str, Value]]:
    """The input sets with the values that the command line sets.

    Raises `InputSetError`, also if a selector finds nothing: a pipeline would take the ResourceSet,
    which then builds nothing, for a success.
    """
    usable_providers = _usable_providers(value, known_providers)
    inputs = combine(value, usable_providers)
    for index in unmatched_sources(value, usable_providers):
        raise UnknownInputsError(f"no provider matches the selector of `inputsFrom[{index}]`")
    if overrides.values:
        inputs = inputs or [{}]
    for input_set in inputs:
        _set_values(input_set, overrides)
    return inputs


def _usable_providers(value: Value, known_providers: Providers) -> list[Value]:
    """The providers that are known; raises `UnknownInputsError` if one that is taken is not."""
    for provider in known_providers.doubtful:
        if takes(value, provider):
            name = object_name(provider)
            raise UnknownInputsError(f"several files have different versions of {name}")
    return known_providers.known


def _set_values(inputs: dict[str, Value], overrides: _InputOverrides) -> None:
    for path, value in overrides.values:
        mapping = inputs
        for key in path[:-1]:
            if not isinstance(mapping.get(key), dict):
                mapping[key] = {}
            mapping = mapping[key]
        mapping[path[-1]] = copy.deepcopy(value)


def _build_failure(locator: Locator, where: Where, message: str) -> _NotBuiltError:
    name, place = locator.name, locator.place(where)
    return _NotBuiltError(f"{name}:{place.line}:{place.column}: error: {message}")
