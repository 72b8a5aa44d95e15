"""ResourceSets of Flux Operator, their input providers, and their text templates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.manifest.objects.held import holds_text
from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import get, group_kind_of, list_at, text_at

TAKING, PROVIDING = "inputsFrom", "ResourceSetInputProvider"
"""Words of every file whose ResourceSets take inputs, and of every file with a provider."""

_RESOURCE_SET = GroupKind("fluxcd.controlplane.io", "ResourceSet")
_INPUT_PROVIDER = GroupKind("fluxcd.controlplane.io", PROVIDING)


def is_resource_set(value: Mapping[str, Value]) -> bool:
    """Whether an object is a ResourceSet."""
    return group_kind_of(value) == _RESOURCE_SET


def is_input_provider(value: Mapping[str, Value]) -> bool:
    """Whether an object is a ResourceSetInputProvider."""
    return group_kind_of(value) == _INPUT_PROVIDER


def waits_for_variables(value: Mapping[str, Value]) -> bool:
    """Whether Flux still has to replace a variable in the spec of an object."""
    return holds_text(get(value, ("spec",)), "${")


def takes_inputs(value: Mapping[str, Value]) -> bool:
    """Whether an object is a ResourceSet that takes inputs from ResourceSetInputProviders."""
    return is_resource_set(value) and bool(list_at(value, ("spec", TAKING)))


def templates(value: Mapping[str, Value]) -> Iterator[str]:
    """Yield the texts that the operator renders to objects: each `resourcesTemplate`."""
    for holder in _holders(value):
        if text := text_at(value, (*holder, "resourcesTemplate")):
            yield text


def _holders(value: Mapping[str, Value]) -> Iterator[Path]:
    """The paths of mappings that may have resources: `spec` of a ResourceSet, and its `steps`."""
    if is_resource_set(value):
        yield ("spec",)
        for index in range(len(list_at(value, ("spec", "steps")))):
            yield ("spec", "steps", index)


def is_templated(value: Value) -> bool:
    """Whether any text or key of a value contains the operator's template delimiter."""
    return holds_text(value, "<<")
