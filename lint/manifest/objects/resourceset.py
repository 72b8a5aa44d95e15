"""The objects that a ResourceSet of Flux Operator holds as they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.model import GroupKind, Path, Value

_RESOURCE_SET = GroupKind("fluxcd.controlplane.io", "ResourceSet")


def resources(value: dict[str, Value]) -> Iterator[tuple[Path, Value]]:
    """Yield the entries of `spec.resources` and `spec.steps[].resources` with their paths."""
    for path, holder in _holders(value):
        entries = holder.get("resources")
        for index, entry in enumerate(entries if isinstance(entries, list) else ()):
            yield (*path, "resources", index), entry


def templates(value: Mapping[str, Value]) -> Iterator[str]:
    """Yield the texts that the operator renders to objects: each `resourcesTemplate`."""
    for _, holder in _holders(value):
        text = holder.get("resourcesTemplate")
        if isinstance(text, str):
            yield text


def _holders(value: Mapping[str, Value]) -> Iterator[tuple[Path, dict[str, Value]]]:
    """The mappings that have resources: `spec` of a ResourceSet, and its `steps`."""
    if GroupKind.of(str(value.get("apiVersion")), str(value.get("kind"))) != _RESOURCE_SET:
        return
    spec = value.get("spec")
    if not isinstance(spec, dict):
        return
    yield ("spec",), spec
    steps = spec.get("steps")
    for index, step in enumerate(steps if isinstance(steps, list) else ()):
        if isinstance(step, dict):
            yield ("spec", "steps", index), step


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
