"""What kro accepts in a graph and fails on when an instance is reconciled.

Mirrors kro (0302e659, `pkg/runtime/{node_readiness,node_resolve,errors}.go`): a missing field of a
resource means that it waits, one of the instance in `includeWhen` is an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from celvet.lint.controllers.kro.graph import SCHEMA, ResourceGraph, ResourceNode, Term
from celvet.lint.controllers.kro.runtime import evaluate
from celvet.lint.model import Span, Value
from celvet.lint.values import mapping_at
from celvet.lint.verdicts.evaluator import Objection

_OPENING = len("${")
_ABSENT = "no such key: "
_SAMPLES: Mapping[str, Value] = {"string": "", "boolean": False, "integer": 0, "number": 0.0}
_STAYS = "so the resource stays `ERROR`"


def failures(graph: ResourceGraph) -> Iterator[Objection]:
    """The expressions that fail although kro accepts them."""
    instance = _least_instance(graph.instance)
    for node in graph.nodes:
        for term in node.ready:
            yield from _conversions(term)
            yield from _optional_result(term, node)
        for term in node.include:
            yield from _absent_field(term, instance)


def _conversions(term: Term) -> Iterator[Objection]:
    """Conversions that the type checker accepts and the runtime does not."""
    for call in term.failing_conversions[:1]:
        message = (
            f"`{call.function}` gets a text here, although the schema calls it a time or bytes"
        )
        span = Span(call.span.start + _OPENING, call.span.end + _OPENING)
        yield Objection(term.path, message, span, consequence=_STAYS)


def _optional_result(term: Term, node: ResourceNode) -> Iterator[Objection]:
    """An optional without a value: a resource waits then, and a collection does not."""
    if node.collection and term.program.result_type.startswith("optional_type("):
        message = "in a collection, an optional without a value is no `bool`"
        consequence = "so the resource is `ERROR` until each object has the field"
        yield Objection(term.path, message, by_schema=True, consequence=consequence)


def _absent_field(term: Term, instance: Mapping[str, Value]) -> Iterator[Objection]:
    """A field that an instance may leave out."""
    if term.names != {SCHEMA} or term.program.refusals:
        return
    outcome = evaluate(term, {SCHEMA: instance})
    if outcome.analysed and outcome.error.startswith(_ABSENT):
        name = outcome.error.removeprefix(_ABSENT)
        message = f"`{name}` is optional and has no default"
        consequence = "so an instance without it is `ERROR`"
        help_ = f"Test `has(...)` of `{name}` before, or give the field a default."
        yield Objection(term.path, message, None, True, consequence, help_)


def _least_instance(schema: Mapping[str, Value]) -> Mapping[str, Value]:
    """An instance with the fields that its schema requires or has defaults for, and no others."""
    metadata = {"name": "x", "namespace": "x", "labels": {}, "annotations": {}}
    fields = mapping_at(schema, ("properties",))
    spec = _least(mapping_at(fields, ("spec",)))
    return {"apiVersion": "x/v1", "kind": "X", "metadata": metadata, "spec": spec or {}}


def _least(schema: Mapping[str, Value]) -> Any:
    """The value of a field that the API server fills as far as it can."""
    kind, default = schema.get("type"), schema.get("default")
    if kind != "object":
        return _SAMPLES.get(str(kind), []) if default is None else default
    parts = {
        key: _least(part)
        for key, part in mapping_at(schema, ("properties",)).items()
        if isinstance(part, Mapping) and (part.get("required") is True or "default" in part)
    }
    return {**parts, **default} if isinstance(default, Mapping) else parts
