"""Reviews and objects, from the short forms of the tables."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from tests.tables import read_table

HERE = Path(__file__).parent
KINDS: list[dict[str, Any]] = read_table(HERE / "kinds.yaml")
OTHER_KINDS: list[dict[str, Any]] = read_table(HERE / "other_kinds.yaml")
TABLE: dict[str, Any] = read_table(HERE / "decisions.yaml")


def kustomization(text: str) -> dict[str, Any]:
    """A Kustomization whose only check has this text as `current`."""
    value = copy.deepcopy(KINDS[0]["good"])
    value["spec"]["healthCheckExprs"] = [_entry(text, "X")]
    return value


def _entry(text: str, kind: str) -> dict[str, Any]:
    return {"apiVersion": "example.com/v1", "kind": kind, "current": text}


def bad_one(kind: dict[str, Any]) -> dict[str, Any]:
    """An object of a kind with its wrong expression."""
    value = copy.deepcopy(kind["good"])
    place = value
    for key in kind["at"][:-1]:
        place = place[key]
    place[kind["at"][-1]] = kind["bad"]
    return value


def review(object_: Any, operation: str = "CREATE", **fields: Any) -> dict[str, Any]:
    """An AdmissionReview of an object."""
    group, _, version = str(object_.get("apiVersion", "")).rpartition("/") if object_ else ("",) * 3
    metadata = (object_ or {}).get("metadata") or {}
    request = {
        "uid": "705ab4f5-6393-11e8-b7cc-42010a800002",
        "kind": {"group": group, "version": version, "kind": (object_ or {}).get("kind") or "X"},
        "resource": {"group": group, "version": version, "resource": "things"},
        "operation": operation,
        "name": metadata.get("name", ""),
        "namespace": metadata.get("namespace", ""),
        "userInfo": {"username": "system:serviceaccount:apps:deployer", "groups": ["g"]},
        "object": object_,
        "options": {"kind": "CreateOptions", "apiVersion": "meta.k8s.io/v1"},
        **fields,
    }
    return {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request}


def of_case(case: dict[str, Any]) -> bytes:
    """The body of the review of a case of the table."""
    fields = dict(case["review"])
    if "list" in fields:
        items = [_object(each) for each in fields.pop("list")]
        object_ = {"apiVersion": "v1", "kind": "List", "items": items}
    else:
        object_ = _object(fields.pop("object", None))
    old = _object(fields.pop("old", None))
    document = review(object_, oldObject=old, **fields)
    document["request"]["namespace"] = "flux-system"
    return json.dumps(document).encode()


def _object(short: Any) -> dict[str, Any] | None:
    if short is None:
        return None
    given = {"text": short} if isinstance(short, str) else dict(short)
    texts = TABLE["texts"]
    value = kustomization(texts[given.pop("text")])
    checks = value["spec"]["healthCheckExprs"]
    if given.pop("twice", False):
        checks.append(_entry(checks[0]["current"], "Y"))
    if before := given.pop("before", None):
        checks.insert(0, _entry(texts[before], "Y"))
    for key, change in _enlarged(given).items():
        value[key] = {**value.get(key, {}), **change} if isinstance(change, dict) else change
    return value


def _enlarged(change: Any) -> Any:
    if isinstance(change, dict):
        return {key: _enlarged(each) for key, each in change.items()}
    return "x" * (1600 << 10) if change == "huge" else change
