"""Vectors of files that name their system by the field, in the form of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MODES = {
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

_DEFAULTS = {"readiness-checks": {"error": "", "gate": ""}}
"""What a vector that does not say it wants."""


def adapted(vector: dict[str, Any], header: Mapping[str, Any]) -> dict[str, Any]:
    """A vector with its mode, and with `ok` in what it wants."""
    if "kinds" in header:
        return _graph(vector, header)
    field, recorder = vector.get("field", ""), header["of"].split(" ")[0]
    modes = (mode for start, mode in _MODES.items() if field.startswith(start))
    mode = _RECORDERS.get(recorder) or next(modes)
    want = {**_DEFAULTS.get(mode, {}), **vector["want"]}
    refused = want.get("accepted") is False or "decode" in want
    refused = refused or (mode == "kstatus-state" and "error" in want)
    return {**vector, "mode": mode, "want": {**want, "ok": not refused}}


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
