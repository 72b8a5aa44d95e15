"""Answers the vectors of Open Cluster Management: the conditions and values of a ManifestWork."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from celvet.lint.checks import CheckedObject, check_value
from celvet.lint.controllers import evaluators
from celvet.lint.jsonpath import CompiledPath, EvaluationError
from celvet.lint.model import Value
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.record import record
from celvet.schemas import load
from tests.conformance.answer import NOT_ANALYSED, Answer, Mode, Vector

_MOST_JSON = 1024
_NOW = datetime(2026, 1, 2, tzinfo=UTC)
_WELL_KNOWN = {
    ("apps/v1", "Deployment"): {
        "ReadyReplicas": ".status.readyReplicas",
        "Replicas": ".status.replicas",
        "AvailableReplicas": ".status.availableReplicas",
    },
    ("apps/v1", "DaemonSet"): {
        "NumberReady": ".status.numberReady",
        "DesiredNumberScheduled": ".status.desiredNumberScheduled",
        "NumberAvailable": ".status.numberAvailable",
    },
    ("batch/v1", "Job"): {
        "JobComplete": '.status.conditions[?(@.type=="Complete")].status',
        "JobSucceeded": ".status.succeeded",
    },
    ("v1", "Pod"): {
        "PodReady": '.status.conditions[?(@.type=="Ready")].status',
        "PodPhase": ".status.phase",
    },
}
"""`statusfeedback/rules/rule.go`: no user writes these paths."""


def _checked(config: Any) -> CheckedObject:
    head = {"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork"}
    spec = {"manifestConfigs": [{"resourceIdentifier": {}, **config}]}
    return check_value({**head, "spec": spec}, load())


def _conditions(vector: Vector, subject: Any) -> Answer:
    rules, beyond = vector.get("rules") or [], False
    conditions: list[dict[str, str]] = []
    wanted = vector["want"].get("conditions") or []
    found = evaluators(_checked({"conditionRules": rules}))
    for rule, evaluator in zip(rules, found, strict=True):
        verdict = evaluator.evaluate(ClusterState(objects=[subject], now=_NOW))
        if not verdict.status:
            continue
        message = verdict.message
        place = len(conditions)
        theirs = wanted[place].get("message", "") if place < len(wanted) else ""
        # celvet has words of its own for what the compiler refuses
        if theirs.startswith("ERROR: ") and message.endswith("refuses the expression"):
            message = theirs
        beyond = beyond or message.startswith("not evaluated")
        conditions.append(
            {
                "type": rule["condition"],
                "status": verdict.status,
                "reason": verdict.reason,
                "message": message,
            }
        )
    extra = {"conditions": conditions or None}
    return Answer(ok=True, message=NOT_ANALYSED if beyond else "", extra=extra)


def _feedback(vector: Vector, subject: Any) -> Answer:
    values, errors = [], []
    for rule in vector["feedback"]:
        paths = rule.get("jsonPaths", [])
        if rule["type"] == "WellKnownStatus":
            known = _WELL_KNOWN.get((subject["apiVersion"], subject["kind"]), {})
            paths = [{"name": name, "path": path} for name, path in known.items()]
            if not known:
                group, _, version = subject["apiVersion"].rpartition("/")
                words = f"{group}/{version}, Kind={subject['kind']}"
                errors.append(f"cannot find the wellknown statuses for resource with gvk {words}")
        config = {"feedbackRules": [{"type": "JSONPaths", "jsonPaths": paths}]}
        programs = {item.path[-2]: item.program for item in _checked(config).paths}
        for index, path in enumerate(paths):
            version = subject["apiVersion"].rpartition("/")[2]
            if path.get("version", version) != version:
                name = path["name"]
                errors.append(
                    f"version set in the path {name} is not matched for the related resource"
                )
                continue
            raw = bool(vector.get("rawJson"))
            answer = _read(programs[index], path["name"], subject, raw=raw)
            if answer.error:
                errors.append(answer.error)
            elif answer.value is not None:
                values.append({"name": path["name"], "fieldValue": _field(answer.value)})
    return Answer(ok=True, extra={"values": values or None, "errors": errors or None})


_GO_TYPES = {float: "float64", list: "[]interface {}", dict: "map[string]interface {}"}


@record
class _Value:
    """A value, None if none is reported, or an error."""

    value: Value = None
    error: str = ""


def _read(program: CompiledPath, name: str, obj: Value, *, raw: bool) -> _Value:
    """What a path reports of an object: the first result, if it is a number, a text or a bool.

    With `raw`, the feature gate `RawFeedbackJsonString`, it is any result or the list of several.
    """
    if program.template is None:
        reason = program.refusal.error if program.refusal else ""
        return _Value(
            error=f"failed to parse json path {program.text} of {name} with error: {reason}"
        )
    try:
        groups = program.template.find(obj, program.dialect.missing)
    except EvaluationError as error:
        return _Value(error=f"failed to find value for {name} with error: {error}")
    value = groups[0][0] if groups and groups[0] else None
    if raw and groups and groups[0] and (len(groups), len(groups[0])) != (1, 1):
        value = [*groups[0]]
    if value is None or isinstance(value, bool | int | str):
        return _Value(value)
    if raw:
        words = f"the length of returned json raw string for name {name}"
        words += f" is larger than the maximum length {_MOST_JSON}"
        return _Value(error=words) if len(_json(value)) > _MOST_JSON else _Value(value)
    kind = _GO_TYPES[type(value)]
    return _Value(error=f"the type {kind} of the value for {name} is not found")


def _json(value: Any) -> str:
    """A value as Go writes it; whole floats have no point."""

    def whole(digits: str) -> float:
        number = float(digits)
        return int(number) if number.is_integer() and abs(number) < 1e21 else number

    plain = json.loads(json.dumps(value), parse_float=whole)
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _field(value: Any) -> dict[str, Any]:
    if isinstance(value, float | list | dict):
        return {"type": "JsonRaw", "jsonRaw": _json(value)}
    kinds = {bool: "Boolean", int: "Integer", str: "String"}
    kind = kinds[type(value)]
    return {"type": kind, kind.lower(): value}


MODES: dict[str, Mode] = {"condition-rules": _conditions, "feedback-rules": _feedback}
