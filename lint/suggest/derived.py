"""An entry for a kind outside of the catalogue, from its CRD or from objects.

It relies only on the API conventions and on usual names. If they are not enough, the entry waits,
and lists questions for the user.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from celvet.lint.crds import CrdSchema
from celvet.lint.model import GroupKind, Value
from celvet.lint.safe_text import one_line
from celvet.lint.suggest.suggestion import Suggestion
from celvet.lint.values import get, list_at, mapping_at, text_at
from celvet.record import field, record, replace
from celvet.regex import regex
from celvet.schemas.facts import LifeState

_READY = (
    "Ready",
    "Available",
    "Healthy",
    "Programmed",
    "Established",
    "Complete",
    "Succeeded",
    "Done",
)
"""Condition types that usually mean readiness, the clearest first."""
_NAMED_READY = regex(r"(?<!Not)Ready\Z")
"""A type such as `GatewayReady`, where it is the only one of its form."""
_STALLED, _RECONCILING = "Stalled", "Reconciling"
"""The conditions to which kstatus gives a meaning."""
_PHASES = ("phase", "state", "status", "health")
_NAMED_PHASE = regex(r"[A-Za-z][A-Za-z0-9_]{0,60}(?:Phase|State|Status|Health)")
"""A field such as `updateStatus`."""
_CLEAR_FLAGS = ("ready", "readyToUse")
"""Booleans that mean readiness."""
_FLAGS = (*_CLEAR_FLAGS, "available", "operational", "healthy", "connected")
"""Booleans that may mean readiness."""
_GOOD = frozenset(
    {"active", "available", "bound", "complete", "completed", "deployed", "healthy", "ready"}
    | {"running", "succeeded", "success", "synced", "operational", "green"}
)
_BAD = regex(r"(?i)fail|error|broken|invalid|degraded|unhealthy|lost")
_NO_GOAL = regex(
    r"(?i)stalled|missing|conflict|pause|suspend|progress|reconcil|synchroniz|terminat|delet|pending"
    r"|(?-i:\A(?:No|Not|Has)[A-Z])"
)
"""A condition of an obstacle, or of what is under way."""
_COLUMN = regex(
    r"""\.status\.conditions\[\?\(\s*@\.type\s*==\s*["'](?P<type>[^"']+)["']\s*\)\]|"""
    r"""\.status\.(?P<field>\w+)"""
)
_TYPE = regex(r"[A-Za-z][\w./-]{0,315}")
_LONGEST, _MOST = 100, 50


@record
class StatusShape:
    """The known part of the status of a kind.

    `conditions` are types, `phases` the values by field of the status, `flags` its booleans;
    `has_conditions` says that there is a list of conditions. `status_has_generation` says that the
    status records the generation, `conditions_have_generation` that each condition does. `basis`
    says where it was seen.
    """

    basis: str
    conditions: tuple[str, ...] = ()
    phases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    flags: tuple[str, ...] = ()
    has_conditions: bool = False
    status_has_generation: bool = False
    conditions_have_generation: bool = False


def shape_of_schema(schema: CrdSchema) -> StatusShape:
    """The shape in a CRD: its enumerations, and the fields of its printer columns."""
    matches = [match for column in schema.columns for match in _COLUMN.finditer(column)]
    # Few CRDs list the types of their conditions, but many show one in a printer column.
    types = [*(schema.values("status", "conditions", None, "type") or ())]
    types += [match["type"] for match in matches if match["type"]]
    columns = [match["field"] for match in matches if match["field"]]
    # What `kubectl get` shows is what the author finds most telling, so it goes first.
    names = dict.fromkeys((*columns, *_PHASES))
    texts = [
        name
        for name in names
        if any(node.type == "string" for node in schema.at("status", name))
        and (name in _PHASES or _NAMED_PHASE.fullmatch(name) or schema.values("status", name))
    ]
    return StatusShape(
        "its CRD",
        _types(types),
        {name: _texts(schema.values("status", name) or ()) for name in texts},
        tuple(
            name
            for name in _FLAGS
            if any(node.type == "boolean" for node in schema.at("status", name))
        ),
        has_conditions=_has(schema, "status", "conditions"),
        status_has_generation=_has(schema, "status", "observedGeneration"),
        conditions_have_generation=_has(schema, "status", "conditions", None, "observedGeneration"),
    )


def _has(schema: CrdSchema, *path: str | None) -> bool:
    """Whether the schema names a field; preserved unknown fields do not count."""
    return any(node.schema for node in schema.at(*path))


def shape_of_objects(objects: Sequence[Value]) -> StatusShape:
    """The shape of some objects of the kind."""
    statuses = [mapping_at(obj, ("status",)) for obj in objects]
    # Objects show only values that they had, so what they lack proves nothing.
    conditions = [
        condition for status in statuses for condition in list_at(status, ("conditions",))
    ]
    names = [name for status in statuses for name in status if _NAMED_PHASE.fullmatch(name)]
    phases = {
        name: _texts(text_at(status, (name,)) for status in statuses)
        for name in dict.fromkeys((*_PHASES, *names))
        if any(text_at(status, (name,)) for status in statuses)
    }
    return StatusShape(
        "one object" if len(objects) == 1 else f"{len(objects)} objects",
        _types(text_at(condition, ("type",)) for condition in conditions),
        phases,
        tuple(name for name in _FLAGS if any(isinstance(s.get(name), bool) for s in statuses)),
        has_conditions=any(isinstance(status.get("conditions"), list) for status in statuses),
        status_has_generation=any("observedGeneration" in status for status in statuses),
        conditions_have_generation=any(
            get(condition, ("observedGeneration",)) is not None for condition in conditions
        ),
    )


def combine_shapes(shapes: Sequence[StatusShape]) -> StatusShape:
    """The shape from several sources together."""
    phases: dict[str, tuple[str, ...]] = {}
    for shape in shapes:
        for name, values in shape.phases.items():
            phases[name] = _texts((*phases.get(name, ()), *values))
    return StatusShape(
        " and ".join(shape.basis for shape in shapes),
        _types(condition for shape in shapes for condition in shape.conditions),
        phases,
        tuple(dict.fromkeys(flag for shape in shapes for flag in shape.flags)),
        has_conditions=any(shape.has_conditions for shape in shapes),
        status_has_generation=any(shape.status_has_generation for shape in shapes),
        conditions_have_generation=any(shape.conditions_have_generation for shape in shapes),
    )


def _types(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for text in texts if _TYPE.fullmatch(text)))[:_MOST]


def _texts(texts: Iterable[str]) -> tuple[str, ...]:
    """Texts for people, each once."""
    plain = (text for text in texts if text and text.isprintable() and len(text) <= _LONGEST)
    return tuple(dict.fromkeys(plain))[:_MOST]


def of_shape(kind: GroupKind, api_version: str, shape: StatusShape) -> Suggestion | None:
    """An entry for this shape of the status; None if it says nothing about readiness."""
    entry = _by_condition(shape) or _by_flag(shape) or _by_phase(shape)
    if not entry:
        return None
    suggestion = Suggestion(
        kind=kind,
        api_version=api_version,
        entry=entry,
        basis=f"derived from {shape.basis}",
        reasons=tuple(_reasons(shape)),
        questions=tuple(_questions(shape)),
    )
    return replace(suggestion, life=tuple(_life(suggestion, shape)))


def _by_condition(shape: StatusShape) -> dict[str, str]:
    ready = _ready(shape)
    if not ready:
        return {}
    entry = {"current": _condition(ready, shape)}
    if _STALLED in shape.conditions:
        entry = {"failed": _condition(_STALLED, shape), **entry}
    if _RECONCILING in shape.conditions:
        entry = {"inProgress": _condition(_RECONCILING, shape), **entry}
    return entry


def _ready(shape: StatusShape) -> str:
    """The condition that means readiness.

    If nothing else shows it, it is the only condition that an object should have, or `Ready` if
    there may be conditions but none was seen.
    """
    usual_types = [condition for condition in _READY if condition in shape.conditions]
    ready_types = [condition for condition in shape.conditions if _NAMED_READY.search(condition)]
    if usual_types or len(ready_types) == 1:
        return (*usual_types, *ready_types)[0]
    if not shape.has_conditions or shape.flags or _phase(shape)[0]:
        return ""
    if not shape.conditions:
        return _READY[0]
    goals = [condition for condition in shape.conditions if _is_goal(condition)]
    return goals[0] if len(goals) == 1 else ""


def _is_goal(condition: str) -> bool:
    """Whether a condition, by its name, is one that an object should have."""
    return condition[0].isupper() and not (_BAD.search(condition) or _NO_GOAL.search(condition))


def _condition(name: str, shape: StatusShape) -> str:
    """A condition that is True, and of this generation if only conditions record it."""
    with_generation = shape.conditions_have_generation and not shape.status_has_generation
    generation_test = "(!has(c.observedGeneration) || c.observedGeneration == metadata.generation)"
    generation = f" && {generation_test}" if with_generation else ""
    test = f"c.type == {_literal(name)} && c.status == 'True'{generation}"
    return f"has(status.conditions) && status.conditions.exists(c, {test})"


def _by_flag(shape: StatusShape) -> dict[str, str]:
    flag = next(iter(shape.flags), "")
    return {"current": f"has(status.{flag}) && status.{flag}"} if flag else {}


def _by_phase(shape: StatusShape) -> dict[str, str]:
    name, good_values = _phase(shape)
    return {"current": _is_one_of(name, good_values)} if name else {}


def _phase(shape: StatusShape) -> tuple[str, tuple[str, ...]]:
    """The first field of the status with a value that sounds ready, and such values."""
    for name, values in shape.phases.items():
        if good_values := tuple(value for value in values if value.lower() in _GOOD):
            return name, good_values
    return "", ()


def _is_one_of(name: str, values: Sequence[str]) -> str:
    literals = ", ".join(map(_literal, values))
    comparison = f"== {literals}" if len(values) == 1 else f"in [{literals}]"
    return f"has(status.{name}) && status.{name} {comparison}"


def _literal(text: str) -> str:
    content = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{content}'"


def _reasons(shape: StatusShape) -> Iterator[str]:
    """What a user should know before trusting the entry."""
    yield "Derived from names and the API conventions: nobody has read the controller."
    if _READY[0] in shape.conditions:
        yield (
            "Without an entry, Flux reads Ready, Reconciling and Stalled in the same way, and"
            " counts an object without conditions as ready."
        )
    if not (shape.status_has_generation or shape.conditions_have_generation):
        yield "No generation is recorded, so an update is judged by the old status at first."


def _questions(shape: StatusShape) -> Iterator[str]:
    """What the user has to find out about the controller, the most important first."""
    ready = _ready(shape)
    # The condition that the entry reads: that it is set, and what False means.
    if ready and not shape.conditions:
        yield f"Does the controller set the condition `{ready}`? It was not seen."
        for name in (field_name for field_name, values in shape.phases.items() if not values):
            yield f"Does `{name}` show readiness? Its values were not seen."
    if ready and _STALLED not in shape.conditions:
        yield (
            f"Is `{ready}` False while an object comes up, or only once it has failed for good?"
            " `failed` is left out: on the first failed object Flux ends the whole wait."
        )
    if ready and ready not in _READY and not _NAMED_READY.search(ready):
        yield f"Does `{ready}` tell readiness? No other condition that was seen can."
    # What the entry leaves out: other conditions, and values that sound like a failure.
    further_conditions = [
        condition
        for condition in shape.conditions
        if condition not in (ready, _STALLED, _RECONCILING)
    ]
    if further_conditions:
        names = ", ".join(f"`{condition}`" for condition in further_conditions[:_MOST])
        yield f"Does readiness need {names} too?"
    for name, values in shape.phases.items():
        if bad_values := [value for value in values if _BAD.search(value)]:
            choices = " or ".join(f"`{value}`" for value in bad_values)
            yield (
                f"Is `{name}` {choices} final, or tried again?"
                f" If final, add `failed: {_is_one_of(name, bad_values)}`."
            )
    # Without a condition, the entry relies on a name.
    if not ready and shape.flags and shape.flags[0] not in _CLEAR_FLAGS:
        yield f"Does `{shape.flags[0]}` tell readiness?"
    if not ready and not shape.flags:
        yield f"Which values of `{_phase(shape)[0]}` mean that an object is ready?"
    yield (
        "Which states does an object pass from creation to readiness? Record them with"
        " `kubectl get --watch`."
    )


def _life(suggestion: Suggestion, shape: StatusShape) -> Iterator[LifeState]:
    """The life of an object of the kind, as the conventions of the API suggest."""
    yield _state(suggestion, "applied", "fresh", "InProgress", None)
    if ready := _ready(shape):
        for status, stage, verdict in (
            ("False", "coming", "InProgress"),
            ("True", "ready", "Current"),
        ):
            conditions = [{"type": ready, "status": status}]
            name = f"{ready} is {status}"
            yield _state(suggestion, name, stage, verdict, {"conditions": conditions})
    elif shape.flags:
        flag = shape.flags[0]
        yield _state(suggestion, f"{flag} is false", "coming", "InProgress", {flag: False})
        yield _state(suggestion, f"{flag} is true", "ready", "Current", {flag: True})
    else:
        name, good_values = _phase(shape)
        yield _state(suggestion, f"{name} is missing", "coming", "InProgress", {})
        for value in good_values:
            yield _state(suggestion, f"{name} is {value}", "ready", "Current", {name: value})


def _state(
    suggestion: Suggestion, name: str, stage: str, verdict: str, status: Mapping[str, Value] | None
) -> LifeState:
    obj = {
        "apiVersion": suggestion.api_version,
        "kind": suggestion.kind.kind,
        "metadata": {"name": "example", "namespace": "default", "generation": 1},
    }
    fields = {} if status is None else {"status": status}
    return LifeState(one_line(name), stage, verdict, {**obj, **fields})
