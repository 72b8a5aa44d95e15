"""Objects in shorthand, as controllers leave them in a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

REVISION = "main@sha1:1c7a"
_KINDS = {
    "kustomization": ("kustomize.toolkit.fluxcd.io/v1", "Kustomization"),
    "release": ("helm.toolkit.fluxcd.io/v2", "HelmRelease"),
    "set": ("fluxcd.controlplane.io/v1", "ResourceSet"),
    "instance": ("fluxcd.controlplane.io/v1", "FluxInstance"),
    "source": ("source.toolkit.fluxcd.io/v1", "GitRepository"),
    "deployment": ("apps/v1", "Deployment"),
    "pod": ("v1", "Pod"),
    "cluster": ("postgresql.cnpg.io/v1", "Cluster"),
}
_SPECS: dict[str, dict[str, Any]] = {
    "kustomization": {
        "interval": "10m",
        "retryInterval": "1m",
        "timeout": "2m",
        "wait": True,
        "sourceRef": {"kind": "GitRepository", "name": "fleet"},
    },
    "release": {"interval": "10m", "chartRef": {"kind": "OCIRepository", "name": "app"}},
    "set": {"wait": True},
    "instance": {},
    "source": {"interval": "10m"},
    "deployment": {"replicas": 1},
    "pod": {},
    "cluster": {},
}
_RUNNING = f"Running health checks for revision {REVISION} with a timeout of 2m0s"
_STATES = {
    "waiting": {
        "Reconciling": f"True Progressing {_RUNNING}",
        "Ready": "Unknown Progressing Reconciliation in progress",
        "Healthy": f"Unknown Progressing {_RUNNING}",
    },
    "ready": {"Ready": "True ReconciliationSucceeded Applied revision"},
}
_AVAILABLE = {
    "observedGeneration": 1,
    "replicas": 1,
    "updatedReplicas": 1,
    "readyReplicas": 1,
    "availableReplicas": 1,
    "conditions": [{"type": "Available", "status": "True"}],
}
_STARTING = {
    "observedGeneration": 1,
    "replicas": 1,
    "updatedReplicas": 1,
    "unavailableReplicas": 1,
    "conditions": [
        {"type": "Available", "status": "False", "reason": "MinimumReplicasUnavailable"}
    ],
}


def made(short: Mapping[str, Any]) -> dict[str, Any]:
    """The object of a shorthand, which names it by its kind: `{kustomization: app, ...}`.

    `is` is a state, `conditions` have `status reason message`; `after` is when they were written,
    in seconds after half past midnight. Anything else is the object's own.
    """
    word = next((word for word in _KINDS if word in short), "")
    if not word:
        return dict(short)
    api_version, kind = _KINDS[word]
    metadata = {"name": short[word], "namespace": short.get("in", "g"), "generation": 1}
    metadata |= {"uid": f"{kind}-{short[word]}", "creationTimestamp": "2026-11-24T00:29:31Z"}
    own = {**_SPECS[word], **short.get("spec", {})}
    return {
        "apiVersion": api_version,
        "kind": short.get("kind", kind),
        "metadata": metadata | short.get("metadata", {}),
        "spec": {key: value for key, value in own.items() if value is not None},
        "status": _status(word, short),
    }


def _status(word: str, short: Mapping[str, Any]) -> dict[str, Any]:
    if word == "deployment":
        return {"available": _AVAILABLE, "starting": _STARTING}.get(short.get("is", "starting"), {})
    texts = short.get("conditions") or _STATES.get(short.get("is", ""), {})
    at = f"2026-11-24T00:{short.get('after', '29:31')}Z"
    status: dict[str, Any] = {}
    if texts:
        status["conditions"] = [_condition(name, text, at) for name, text in texts.items()]
    if word == "source" and short.get("is") == "stored":
        status["artifact"] = {"revision": REVISION, "url": "http://source/x.tar.gz"}
    if word == "kustomization" and short.get("is") == "ready":
        status |= {"observedGeneration": 1, "lastAppliedRevision": REVISION}
    if ids := short.get("inventory"):
        status["inventory"] = {"entries": [{"id": entry, "v": "v1"} for entry in ids]}
    return status | short.get("status", {})


def _condition(name: str, text: str, at: str) -> dict[str, Any]:
    status, _, rest = text.partition(" ")
    reason, _, message = rest.partition(" ")
    fields = {"type": name, "status": status, "reason": reason, "message": message}
    return {**fields, "lastTransitionTime": at, "observedGeneration": 1}


def inventory_id(obj: Mapping[str, Any]) -> str:
    """The id of an object in the inventory of what applies it."""
    names = obj["metadata"].get("namespace", ""), obj["metadata"]["name"]
    return "_".join([*names, obj["apiVersion"].rpartition("/")[0], obj["kind"]])
