"""Answers the vectors of notification-controller: what it accepts, and what it makes of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from celvet.lint.checks import CheckedObject, check_value
from celvet.lint.controllers import evaluators
from celvet.lint.model import Severity
from celvet.lint.values import mapping_at
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.schemas import Catalog, load
from tests.conformance.answer import Answer, Mode, Vector

_NOW = datetime(2026, 1, 2, tzinfo=UTC)
_GROUP = "notification.toolkit.fluxcd.io"
_MEDIA_TYPE = re.compile(r"\s*([\w.+-]+/[\w.+-]+)\s*(;\s*[\w-]+=[^;]+)*;?\s*")


@lru_cache
def _catalog() -> Catalog:
    """With the cel-go of the recorded commit."""
    catalog = load()
    dialects = {name: dialect.at("0.27.0") for name, dialect in catalog.dialects.items()}
    return replace(catalog, dialects=dialects)


def _checked(kind: str, version: str, spec: Mapping[str, Any]) -> CheckedObject:
    head = {"apiVersion": f"{_GROUP}/{version}", "kind": kind, "metadata": {"name": "a"}}
    return check_value({**head, "spec": spec}, _catalog())


def _receiver(vector: Vector, _: Any) -> Answer:
    """The filters for one resource: the general one, then its own."""
    claims, own = vector.get("claims"), vector.get("filter") or ""
    filters = {"resourceFilter": vector["expr"], "resources": [{"filter": own}]}
    spec = {"type": "generic" if claims is None else "generic-oidc", **filters}
    checked = _checked("Receiver", "v1", spec)
    if any(expression.program.refusals for expression in checked.cel):
        return Answer(ok=False)
    found = evaluators(checked)
    if found:
        try:
            body = _body(vector)
        except ValueError:
            return _ended(None, failed=True)
    for evaluator in found:
        settings = {"req": body, **({} if claims is None else {"claims": claims})}
        verdict = evaluator.evaluate(
            ClusterState(objects=[vector["res"]], now=_NOW, settings=settings)
        )
        if verdict.status != "Reconciled":
            failed = verdict.status == "Failed"
            return _ended(result=False, failed=failed, message=verdict.error)
    return _ended(result=True)


def _ended(result: Any, *, failed: bool = False, message: str = "") -> Answer:
    value = None if failed else result
    return Answer(ok=True, result=value, message=message, extra={"failed": failed})


def _body(vector: Vector) -> Any:
    """The request body, parsed as its content type says; raises `ValueError`."""
    for part in (vector.get("contentType") or "application/json").split(","):
        media_type = _MEDIA_TYPE.fullmatch(part)
        if media_type is None:
            break
        if media_type[1].lower() == "application/json":
            body, _ = json.JSONDecoder().raw_decode(vector.get("body", "{}").lstrip())
            if not isinstance(body, dict | None):
                raise ValueError("not a mapping")
            return body or {}
    return {}


def _provider(vector: Vector, _: Any) -> Answer:
    """One OIDC provider, and the claims of a token."""
    spec = {"type": "generic-oidc", "resources": [], "oidcProviders": [vector["oidc"]]}
    checked = _checked("Receiver", "v1", spec)
    violations = [
        violation
        for violation in checked.validation.violations
        if violation.severity is Severity.ERROR and "oidcProviders" in violation.path
    ]
    if violations or any(expression.program.refusals for expression in checked.cel):
        return Answer(ok=False)
    (evaluator,) = evaluators(checked)
    cluster = ClusterState(objects=[vector.get("claims") or {}], now=_NOW)
    accepted = evaluator.evaluate(cluster).status == "Accepted"
    return _ended(result=True, failed=not accepted)


def _commit_status(vector: Vector, _: Any) -> Answer:
    spec = {"type": "github", "commitStatusExpr": vector["expr"]}
    checked = _checked("Provider", "v1beta3", spec)
    programs = [expression.program for expression in checked.cel]
    if not programs or programs[0].refusals:
        return Answer(ok=False)
    variables = {name: dict(vector[name]) for name in ("event", "alert", "provider")}
    for name in ("alert", "provider"):  # Go leaves out a `suspend` that is false
        fields = mapping_at(variables[name], ("spec",)).items()
        variables[name]["spec"] = {key: item for key, item in fields if item is not False}
    outcome = programs[0].evaluate(variables)
    failed = bool(outcome.error) or not isinstance(outcome.value, str)
    return _ended(outcome.value, failed=failed, message=outcome.error)


MODES: dict[str, Mode] = {"receiver": _receiver, "oidc": _provider, "commitstatus": _commit_status}
