"""The objects that a ResourceSet of Flux Operator holds as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.model import GroupKind, Path, Value
from celvet.lint.values import group_kind_of, list_at, text_at

_RESOURCE_SET = GroupKind("fluxcd.controlplane.io", "ResourceSet")
_INPUT_PROVIDER = GroupKind("fluxcd.controlplane.io", "ResourceSetInputProvider")


def is_resource_set(value: Mapping[str, Value]) -> bool:
    """Whether an object is a ResourceSet."""
    return group_kind_of(value) == _RESOURCE_SET


def is_input_provider(value: Mapping[str, Value]) -> bool:
    """Whether an object is a ResourceSetInputProvider."""
    return group_kind_of(value) == _INPUT_PROVIDER


def takes_inputs(value: Mapping[str, Value]) -> bool:
    """Whether an object is a ResourceSet that takes inputs from ResourceSetInputProviders."""
    return is_resource_set(value) and bool(list_at(value, ("spec", "inputsFrom")))


def resources(value: dict[str, Value]) -> Iterator[tuple[Path, Value]]:
    """Yield the entries of `spec.resources` and `spec.steps[].resources` with their paths."""
    for holder in _holders(value):
        path = (*holder, "resources")
        for index, entry in enumerate(list_at(value, path)):
            yield (*path, index), entry


def templates(value: Mapping[str, Value]) -> Iterator[str]:
    """Yield the texts that the operator renders to objects: each `resourcesTemplate`."""
    for holder in _holders(value):
        if text := text_at(value, (*holder, "resourcesTemplate")):
            yield text


def _holders(value: Mapping[str, Value]) -> Iterator[Path]:
    """The paths of what may have resources: `spec` of a ResourceSet, and its `steps`."""
    if is_resource_set(value):
        yield ("spec",)
        for index in range(len(list_at(value, ("spec", "steps")))):
            yield ("spec", "steps", index)


def is_templated(value: Value) -> bool:
    """Whether `<<` stands in any text or key of a value: the operator's template delimiter."""
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, str) and "<<" in part:
            return True
        if isinstance(part, dict):
            stack += (*part.keys(), *part.values())
        elif isinstance(part, list):
            stack += part
    return False
