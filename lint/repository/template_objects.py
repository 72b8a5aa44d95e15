"""Builds what ResourceSets, and objects like a FluxInstance, make in the cluster."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import filterfalse
from typing import TYPE_CHECKING, NamedTuple

from celvet.lint.kustomize.resource import Resource, SourcePlace, TextDocument
from celvet.lint.kustomize.transformers import transformers
from celvet.lint.manifest.objects.resourceset import (
    PROVIDING,
    is_input_provider,
    waits_for_variables,
)
from celvet.lint.model import Path, Value
from celvet.lint.repository.builds.build import Entry, TransformerGroup, transform
from celvet.lint.repository.builds.builder import kustomization_fields
from celvet.lint.repository.files import FileObject, Files
from celvet.lint.repository.instance import Instance, Template
from celvet.lint.repository.providers import providers_among
from celvet.lint.values import get, group_kind_of, list_at, mapping_at, text_at
from celvet.schemas.applier import Maker, applier, maker

if TYPE_CHECKING:
    from celvet.lint.resourceset import BuildStep


class TemplateObjects(NamedTuple):
    """Objects of a ResourceSet, each with the place of its template.

    Not `complete` if the operator may build others in the cluster.
    """

    objects: tuple[FileObject, ...] = ()
    complete: bool = False


def build_template(
    obj: FileObject, form: Resource, files: Files, entries: Iterable[Entry] | None
) -> TemplateObjects:
    """The objects that the operator builds from a form of a ResourceSet; none if it refuses it.

    `entries` are the files that reach the cluster with it. They are None if nothing here applies
    the form: then any provider of the repository may be meant, and variables may still change the
    form.
    """
    from celvet.lint.resourceset import (  # loads the engine of templates
        TOTAL,
        BuildError,
        InputSetError,
        StepBudget,
        all_providers,
        build,
        known_inputs,
        wrong_type,
    )

    value = dict(form.value)
    # Flux replaces the variables before the operator sees the object, so a form with some is not
    # what will be built.
    waits = entries is None and waits_for_variables(value)
    if waits or not (form.knows("spec") and mapping_at(value, ("spec",))) or wrong_type(value):
        return TemplateObjects()
    # A provider whose own variables are open may give any inputs.
    candidates = providers_among(files) if entries is None else _applied_providers(files, entries)
    providers = all_providers((), filterfalse(waits_for_variables, candidates)).known
    try:
        inputs = known_inputs(value, providers)
        steps = [] if inputs is None else build(value, inputs, budget=StepBudget(TOTAL))
    except InputSetError:
        return TemplateObjects(complete=True)
    except BuildError as error:
        return TemplateObjects(complete=error.refused)
    # Selectors may match providers that others apply, so the objects here may be only a part.
    complete = inputs is not None and not _selects_inputs(value)
    return TemplateObjects(tuple(_objects(obj, steps)), complete)


def stand_in_objects(obj: FileObject, value: dict[str, Value]) -> Iterator[FileObject]:
    """Objects that the operator may make from a ResourceSet, whatever its inputs are.

    In them, values from inputs begin with `<<`. If there are none, the objects are unknown.
    """
    from celvet.lint.resourceset import TOTAL, BuildError, StepBudget, build_with_stand_ins

    with suppress(BuildError):
        for steps in build_with_stand_ins(value, StepBudget(TOTAL)):
            yield from _objects(obj, steps)


def _objects(obj: FileObject, steps: Iterable[BuildStep]) -> Iterator[FileObject]:
    for built_object in (obj for step in steps for obj in step.objects):
        path = (*obj.path, *built_object.origin.where)
        yield FileObject(obj.file, obj.document, path, built_object.value)


def _applied_providers(files: Files, entries: Iterable[Entry]) -> Iterator[dict[str, Value]]:
    """The known providers among the applied objects."""
    names = {*files.files_with(PROVIDING.encode())}
    for entry in entries:
        for obj in files.objects(entry.file) if entry.file in names else ():
            if is_input_provider(obj.value):
                resource = transform(obj.value, entry.passes)
                if resource and not resource.unknown:
                    yield dict(resource.value)


def _selects_inputs(value: Mapping[str, Value]) -> bool:
    """Whether a provider in the cluster may give a ResourceSet more inputs."""
    sources = list_at(value, ("spec", "inputsFrom"))
    return any(get(source, ("selector",)) is not None for source in sources)


def maker_of(value: Mapping[str, Value]) -> Maker | None:
    """The maker of which this is an object, if its controller makes something of it."""
    group_kind = group_kind_of(value)
    kind = maker(*group_kind)
    return kind if kind and text_at(value, (*kind.spec, *kind.needs)) else None


def made_instances(
    obj: FileObject, resource: Resource, files: Files, by: Instance | None = None
) -> Iterator[Instance]:
    """What applies files because of an object in one of its forms; at most one.

    Its place is that of the field that the controller needs for it.
    """
    kind = maker_of(resource.value)
    if kind is None:
        return
    spec = mapping_at(resource.value, kind.spec)
    metadata = mapping_at(resource.value, ("metadata",))
    value = _filled(kind.object, {"metadata": metadata, "spec": spec})
    path = (*obj.path, *kind.spec, *kind.needs[:-1])
    made_object = FileObject(obj.file, obj.document, path, value)
    patched_object = _patched(made_object, kind, resource, files)
    group_kind = group_kind_of(value)
    applying_kind = applier(*group_kind)
    if patched_object and applying_kind:
        yield Instance(made_object, applying_kind, patched_object, by, Template(obj, resource))


def _patched(obj: FileObject, kind: Maker, resource: Resource, files: Files) -> Resource | None:
    """What is made, after the patches that its maker has for it."""
    path = (*kind.spec, *kind.kustomization)
    if not resource.knows(*kind.spec):
        return Resource(obj.value).with_unknown(())
    patches = mapping_at(resource.value, path).get("patches")
    if not patches:
        return Resource(obj.value)

    def at(below: Path) -> SourcePlace:
        return obj.at((*path, *below))

    document = TextDocument({"patches": patches}, at)
    fields = kustomization_fields(files, posixpath.dirname(obj.file), document)
    make = partial(transformers, [fields], lambda further: (), ())
    return transform(obj.value, [TransformerGroup(make)])


def _filled(part: Value, holder: Mapping[str, Value]) -> dict[str, Value]:
    """What is made, with the texts of its maker."""
    return {
        key: _filled(field, holder) if _is_mapping(field) else _text(field, holder)
        for key, field in mapping_at(part).items()
    }


def _is_mapping(field: Value) -> bool:
    return isinstance(field, dict) and "from" not in field


def _text(field: Value, holder: Mapping[str, Value]) -> Value:
    if not isinstance(field, dict):
        return field
    texts = (text_at(holder, tuple(path.split("."))) for path in field["from"])
    return next(filter(None, texts), field.get("default", ""))
