"""One reconciliation of an instance: the state of each resource of its graph.

Mirrors the walk of kro (0302e659, `pkg/runtime/*.go`, `pkg/controller/instance/resources.go`), and
the values that its expressions see and give (`UnstructuredToVal`, `GoNativeType` of `pkg/cel`).
"""

from __future__ import annotations

import base64
import binascii
import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise, product
from typing import Any, TypeAlias

from celvet.lint.controllers.kro.graph import SCHEMA, ResourceGraph, ResourceNode, Term
from celvet.lint.controllers.kro.runtime import (
    ERROR,
    SYNCED,
    WAITING,
    NodeState,
    evaluate,
    is_pending,
    readiness,
)
from celvet.lint.go.durations import duration, show_duration
from celvet.lint.model import ObjectRef, Path, Value
from celvet.lint.values import get, mapping_at, object_ref_of, text_at
from celvet.lint.verdicts.unstructured import timestamp
from celvet.record import record

_SKIPPED, _PROGRESS = "SKIPPED", "IN_PROGRESS"
_MOST_ITEMS = 1000


@record
class StagedState:
    """The state of a resource, and the stage that gave it.

    `objects` are those that kro wants, None if that is not known yet.
    """

    state: str
    stage: str
    error: str = ""
    path: Path = ()
    objects: tuple[Value, ...] | None = None
    analysed: bool = True


class _StopError(Exception):
    """The resource cannot be resolved; `pending` says that kro tries again."""

    def __init__(self, words: str, path: Path, *, pending: bool, analysed: bool = True) -> None:
        super().__init__(words)
        self.path, self.pending, self.analysed = path, pending, analysed


Observe: TypeAlias = Callable[[ResourceNode, Sequence[Value]], "Sequence[Value] | None"]
"""Finds the objects of a node in the cluster by those that kro wants; None before it looked."""


class Run:
    """The walk over the nodes of a graph, in which each is observed."""

    def __init__(self, graph: ResourceGraph, instance: Value, observe: Observe) -> None:
        self._graph, self._observe_objects = graph, observe
        self._objects: dict[str, Sequence[Value]] = {}
        self._states: dict[str, StagedState] = {}
        self._nodes = {node.id: node for node in graph.nodes}
        self._instance = instance
        visible = {key: part for key, part in mapping_at(instance).items() if key != "status"}
        self._variables: dict[str, Any] = {SCHEMA: _typed(visible, graph.instance)}

    def states(self) -> Mapping[str, StagedState]:
        """The state of each node; the walk ends at an error before the object is applied."""
        for node in self._graph.order:
            state = self._state(node)
            self._states[node.id] = state
            if state.state == ERROR and (state.stage != "readyWhen" or node.external):
                break
        return self._states

    @property
    def variables(self) -> Mapping[str, Any]:
        """The variables of the expressions after the walk."""
        return self._variables

    def status(self) -> Value:
        """The fields of the status whose expressions can be evaluated; kro leaves out others."""
        fields: dict[str, Any] = {}
        for term in self._graph.status:
            outcome = evaluate(term, self._variables)
            path = term.part.path if term.part else ()
            if not outcome.error and path:
                _set(fields, path, _plain(outcome.value))
        return fields

    def instance_state(self) -> str:
        """The state of the instance by those of its nodes."""
        words = {state.state for state in self._states.values()}
        if ERROR in words:
            return ERROR
        return "ACTIVE" if words <= {SYNCED, _SKIPPED} else _PROGRESS

    def _state(self, node: ResourceNode) -> StagedState:
        try:
            if self._is_skipped(node):
                return StagedState(_SKIPPED, "includeWhen")
        except _StopError as stop:
            return _stopped(stop, "includeWhen")
        try:
            objects = tuple(self._desired(node))
        except _StopError as stop:
            return _stopped(stop, "template")
        self._observe(node, objects)
        state = self._readiness(node, objects)
        return StagedState(
            state.state, "readyWhen", state.error, state.path, objects, state.analysed
        )

    def _observe(self, node: ResourceNode, objects: Sequence[Value]) -> None:
        live_objects = self._observe_objects(node, objects)
        if live_objects is None:
            return
        if node.dimensions and live_objects and objects:
            by_name = {object_ref_of(obj): obj for obj in live_objects}
            names = map(object_ref_of, objects)
            live_objects = [by_name[name] for name in names if name in by_name]
        self._objects[node.id] = live_objects
        typed_objects = [_typed(obj, node.schema) for obj in live_objects]
        if node.collection:
            self._variables[node.id] = typed_objects
        elif typed_objects:
            self._variables[node.id] = typed_objects[0]

    def _is_skipped(self, node: ResourceNode) -> bool:
        """Whether a condition is false, or a resource that it depends on is skipped."""
        # What depends on a skipped resource is skipped too (`IsIgnored` of `pkg/runtime/node.go`).
        for name in node.dependencies:
            if self._is_skipped(self._nodes[name]):
                return True
        # A condition on another resource waits until that one is ready, and does not ask what it
        # waits for.
        terms = [term for term in node.include if not self._shares_state(term)]
        for name in dict.fromkeys(name for term in terms for name in sorted(term.names)):
            if name not in self._nodes:
                continue
            state = self._readiness(self._nodes[name], None)
            if state.state != SYNCED:
                words = f"includeWhen dependency `{name}` not ready: {state.error}"
                raise _StopError(words, state.path, pending=state.state == WAITING)
        # An error counts as missing data only where a resource is read: an instance stays as it is.
        for term in node.include:
            outcome = evaluate(term, self._variables)
            if outcome.error:
                reads_resource = term in terms and bool(term.names & self._nodes.keys())
                pending = reads_resource and is_pending(outcome.error, term.program.text)
                raise _StopError(
                    outcome.error, term.path, pending=pending, analysed=outcome.analysed
                )
            if outcome.value is not None and not isinstance(outcome.value, bool):
                words = f"`{term.program.text}` did not return bool"
                raise _StopError(words, term.path, pending=False)
            if not outcome.value:
                return True
        return False

    def _shares_state(self, term: Term) -> bool:
        """Whether a `readyWhen` before has the same text, whose state kro takes.

        That state knows no resource that the expression reads.
        """
        return any(
            term.program.text == other.program.text
            for name in self._states
            for other in self._nodes[name].ready
        )

    def _desired(self, node: ResourceNode) -> Iterator[Value]:
        # A template is resolved once all that it reads is ready (`resolve` of
        # `pkg/runtime/node.go`).
        for name in node.dependencies:
            state = self._states.get(name) or StagedState(WAITING, "", "no observed state")
            if state.state != SYNCED:
                words = f"dependent node `{name}` not ready: {state.error}"
                raise _StopError(words, state.path, pending=state.state != ERROR)
        rounds: list[dict[str, Any]] = [{}]
        # Each combination of the items of all dimensions makes one object.
        if node.each:
            names = [term.name for term in node.each]
            rounds = [
                dict(zip(names, values, strict=True))
                for values in product(*(self._items(term) for term in node.each))
            ]
            if len(rounds) > _MOST_ITEMS:
                raise _StopError("the collection is too large", node.path, pending=False)
        identities: set[ObjectRef] = set()
        for values in rounds:
            obj = self._object(node, {**self._variables, **values})
            identity = object_ref_of(obj)
            if identity in identities:
                raise _StopError(f"two objects are `{identity.title}`", node.path, pending=False)
            identities.add(identity)
            yield obj

    def _items(self, term: Term) -> list[Any]:
        value = self._resolved(term, self._variables)
        if not isinstance(value, list):
            raise _StopError("`forEach` is no list", term.path, pending=False)
        return value

    def _object(self, node: ResourceNode, variables: Mapping[str, Any]) -> Value:
        obj: Any = copy.deepcopy(dict(node.object))
        for term in node.template:
            path = term.part.path if term.part else ()
            holder = get(obj, path[:-1])
            holder[path[-1]] = _plain(self._resolved(term, variables))
        # `normalizeNamespaces`: an object without a namespace goes to that of the instance.
        metadata = obj.get("metadata")
        if isinstance(metadata, dict) and not metadata.get("namespace"):
            namespace = text_at(self._instance, ("metadata", "namespace"))
            metadata.update({"namespace": namespace} if namespace else {})
        return obj

    def _resolved(self, term: Term, variables: Mapping[str, Any]) -> Any:
        outcome = evaluate(term, variables)
        if outcome.error:
            pending = is_pending(outcome.error, term.program.text)
            raise _StopError(outcome.error, term.path, pending=pending, analysed=outcome.analysed)
        return outcome.value

    def _readiness(self, node: ResourceNode, objects: Sequence[Value] | None) -> NodeState:
        """Whether the observed objects of a node are ready; it waits for those that are missing."""
        live_objects = self._objects.get(node.id, ())
        if node.collection:
            desired = objects if objects is not None else self._wanted(node)
            # kro lists what it finds of an external collection, so none of it can be missing.
            if not node.external and (desired is None or len(live_objects) < len(desired)):
                words = f"observed {len(live_objects)} but desired {len(desired or ())}"
                return NodeState(WAITING, f"collection not ready: {words}", node.path)
        return readiness(node, live_objects)

    def _wanted(self, node: ResourceNode) -> Sequence[Value] | None:
        state = self._states.get(node.id)
        return state.objects if state else None


def _set(holder: Any, path: Path, value: Value) -> None:
    """Put a value at a path, with the mappings and lists on the way."""
    for step, following in pairwise(path):
        part: Any = [] if isinstance(following, int) else {}
        if isinstance(step, int):
            holder.extend([None] * (step + 1 - len(holder)))
            holder[step] = part if holder[step] is None else holder[step]
        else:
            holder.setdefault(step, part)
        holder = holder[step]
    key = path[-1]
    if isinstance(key, int):
        holder.extend([None] * (key + 1 - len(holder)))
    holder[key] = value


def _stopped(stop: _StopError, stage: str) -> StagedState:
    state = _PROGRESS if stop.pending else ERROR
    return StagedState(state, stage, str(stop), stop.path, None, stop.analysed)


def _typed(value: Value, schema: Value) -> Any:
    """A value whose texts with a format are times, durations and bytes."""
    if not isinstance(schema, Mapping):
        return value
    if isinstance(value, Mapping):
        fields, extra = mapping_at(schema, ("properties",)), schema.get("additionalProperties")
        return {key: _typed(item, fields.get(key, extra)) for key, item in value.items()}
    if isinstance(value, list):
        return [_typed(item, schema.get("items")) for item in value]
    if isinstance(value, str) and schema.get("type") == "string":
        return _formatted(value, str(schema.get("format")))
    if schema.get("type") == "number" and type(value) is int:
        return float(value)
    return value


def _formatted(text: str, form: str) -> Any:
    try:
        if form == "byte":
            return base64.b64decode(text, validate=True)
        if form == "date-time":
            return timestamp(text) or text
        if form == "duration":
            span = duration(text)
            return text if span is None else span
    except (binascii.Error, ValueError):
        return text
    return text


def _plain(value: Any) -> Value:
    """A result as kro puts it into an object."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, timedelta):
        return show_duration(value // timedelta(microseconds=1) * 1000)
    return value
