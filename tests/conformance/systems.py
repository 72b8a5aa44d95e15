"""Vectors of files that name their system by the field, in the form of the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

_MODES = {
    "spec.manifestConfigs[].conditionRules": "condition-rules",
    "spec.manifestConfigs[].feedbackRules": "feedback-rules",
    "spec.pipeline[].input.celHealthCheckCustomization": "auto-ready",
    "spec.resourceSelectors[].evaluateCEL": "sveltos-rules",
    "spec.progressionProbes": "olm",
    "spec.availabilityProbes": "package-operator",
    "spec.pipeline[].input.resources[].readinessChecks": "readiness-checks",
}
"""The beginning of a field -> the mode of its vectors."""

_RECORDERS = {
    "argoproj/argo-cd": "argocd-health",
    "fluxcd/cli-utils": "kstatus-state",
    "k8s.io/kubectl": "kubectl-wait",
}
"""The program in a header -> the mode of the vectors, where no field tells it."""

_ENDED = {"failed": False, "result": None}
_DEFAULTS = {
    "readiness-checks": {"error": "", "gate": ""},
    "condition-rules": {"conditions": None},
    "feedback-rules": {"errors": None, "values": None},
    **dict.fromkeys(("commitstatus", "oidc", "receiver"), _ENDED),
}
"""What a vector that does not say it wants."""


def adapted(vector: dict[str, Any], header: Mapping[str, Any]) -> dict[str, Any]:
    """A vector with its mode, and with `ok` in what it wants."""
    if "kinds" in header:
        return _graph(vector, header)
    field, recorder = vector.get("field", ""), header["of"].split(" ")[0]
    modes = (mode for start, mode in _MODES.items() if field.startswith(start))
    mode = vector.get("mode") or _RECORDERS.get(recorder) or next(modes)
    want = {**_DEFAULTS.get(mode, {}), **vector["want"]}
    if "failed" in want:
        want["failed"] = "error" in want
    refused = want.get("accepted") is False or "decode" in want
    refused = refused or (mode == "kstatus-state" and "error" in want)
    objects = {key: header["objects"].get(name, name) for key, name in _named(vector, header)}
    return {**vector, **objects, "mode": mode, "want": {**want, "ok": not refused}}


def _graph(vector: dict[str, Any], header: Mapping[str, Any]) -> dict[str, Any]:
    """A vector of a graph, whose objects are in the first line."""

    def found(value: Any) -> Any:
        return header["objects"][value] if isinstance(value, str) else value

    def several(value: Any) -> list[Any]:
        values = found(value)
        return [found(item) for item in values] if isinstance(values, list) else [values]

    want = dict(vector["want"])
    nodes = want.pop("nodes", None)
    if nodes is not None:
        want["nodes"] = {
            name: {"state": node["state"], "stage": node["stage"]} for name, node in nodes.items()
        }
    whole = {key: found(vector[key]) for key in ("schema", "instance") if key in vector}
    observed = {key: several(value) for key, value in vector.get("observed", {}).items()}
    return {
        **vector,
        **whole,
        "mode": "kro",
        "kinds": header["kinds"],
        "observed": observed,
        "want": {**want, "ok": want["accepted"]},
    }


def _named(vector: Mapping[str, Any], header: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The fields of a vector, other than `object`, that name an object of the first line."""
    for key, value in vector.items():
        if key != "object" and isinstance(value, str) and value in header["objects"]:
            yield key, value
