"""What other tools tell of recorded clusters, beside `celvet why`: a table in Markdown.

Loads each cluster into a real API server, without controllers, and asks every tool for the object
that waits. Needs the programs of the e2e tests (CELVET_E2E), and `flux` and `kubectl-status` in the
PATH.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.e2e.cluster import Cluster
from tests.e2e.control_plane import control_plane
from tests.e2e.crds import anything
from tests.why.recorded import expected, objects

_CLUSTERS = (
    *("builtin-pull", "pod-oom", "quota-pods", "expr-phase-misspelt", "expr-external-secret"),
    *("ready-expr-false", "dep-fan-out", "three-levels", "apply-immutable", "build-subst-missing"),
    *("source-auth", "helm-exhausted"),
)
_KEPT = ("name", "namespace", "labels", "annotations", "ownerReferences")
_LEFT_OUT = ("CustomResourceDefinition", "Node", "ServiceAccount", "ResourceQuota")
_FIRST = ("Namespace", "Deployment", "ReplicaSet")
"""An owner comes before what it owns, and Events come last: they name the new `uid`."""
_CELVET = "`celvet why`"
_POD_REASONS = ("CrashLoopBackOff", "ImagePullBackOff", "exceeded quota")


def main() -> None:
    """Print the table."""
    programs = Path(os.environ["CELVET_E2E"])
    with tempfile.TemporaryDirectory() as text, control_plane(programs, Path(text)) as kubeconfig:
        cluster = Cluster(programs, kubeconfig)
        _define_kinds(cluster)
        answers = {name: _answers(cluster, name, Path(text)) for name in _CLUSTERS}
    tools = [*next(iter(answers.values()))]
    print("| recorded cluster |", " | ".join(tools), "|")
    print("|---" * (len(tools) + 1) + "|")
    for name, texts in answers.items():
        cells = [_cell(name, text) for text in texts.values()]
        print(f"| {name} |", " | ".join(cells), "|")


def _define_kinds(cluster: Cluster) -> None:
    files = sorted((cluster.programs / "flux-crds").glob("*.yaml"))
    flux = [doc for file in files for doc in yaml.safe_load_all(file.read_text()) if doc]
    groups = {crd["spec"]["group"] for crd in flux}
    kinds = {
        (group, version, item["kind"])
        for name in _CLUSTERS
        for item in objects(name)
        for group, _, version in (item["apiVersion"].rpartition("/"),)
        if "." in group and group not in groups and not group.endswith("k8s.io")
    }
    cluster.good("apply", "--server-side", "-f-", given=[*flux, *(anything(*k) for k in kinds)])
    cluster.good("wait", "--for=condition=Established", "crd", "--all", "--timeout=300s")


def _answers(cluster: Cluster, name: str, directory: Path) -> Mapping[str, str]:
    """What each tool tells of the object that waits in a cluster."""
    items = [item for item in objects(name) if item["kind"] not in _LEFT_OUT]
    items.sort(key=_order)
    text = json.dumps(items)
    for number, item in enumerate(items):
        written = _written(json.loads(text)[number])
        told = cluster.kubectl("apply", "--server-side", "-f-", "-o", "json", given=[written])
        if told.status == 0 and "uid" in item["metadata"]:
            text = text.replace(item["metadata"]["uid"], json.loads(told.out)["metadata"]["uid"])
        if item["kind"] == "Namespace":  # no controller makes it here, and pods need it
            cluster.kubectl("create", "serviceaccount", "default", "-n", item["metadata"]["name"])
    states = [
        {**_written(item), "status": item["status"]}
        for item in json.loads(text)
        if "status" in item
    ]
    cluster.kubectl("replace", "--subresource=status", "-f-", given=states)
    seen = expected(name)
    kind, namespace, waiter = seen["next"]["waiter"].split("/")
    file = directory / f"{name}.json"
    file.write_text(json.dumps({"items": objects(name), "kind": "List", "apiVersion": "v1"}))
    flux: list[str | Path] = ["flux", f"--kubeconfig={cluster.kubeconfig}", "-n", namespace]
    plural = f"{kind.lower()}s"
    kubectl: list[str | Path] = [cluster.programs / "kubectl", f"--kubeconfig={cluster.kubeconfig}"]
    celvet: list[str | Path] = [
        sys.executable,
        "-m",
        "celvet",
        "why",
        f"--from={file}",
        f"--at={seen['at']}",
    ]
    return {
        "`flux get`": _output(*flux, "get", plural),
        "`flux events`": _output(*flux, "events"),
        "`flux tree`": _output(*flux, "tree", "kustomization", waiter),
        "`kubectl describe`": _output(*kubectl, "describe", plural, "-n", namespace),
        "`kubectl status`": _output(
            "kubectl-status", f"--kubeconfig={cluster.kubeconfig}", plural, "-n", namespace
        ),
        _CELVET: _output(*celvet, f"--at={seen['at']}", "-n", namespace),
    }


def _order(item: Mapping[str, Any]) -> int:
    kind = item["kind"]
    return _FIRST.index(kind) if kind in _FIRST else len(_FIRST) + (kind == "Event")


def _written(item: Mapping[str, Any]) -> dict[str, Any]:
    metadata = {key: value for key, value in item["metadata"].items() if key in _KEPT}
    return {**{key: item[key] for key in item if key != "status"}, "metadata": metadata}


def _output(*command: str | Path) -> str:
    run = subprocess.run(command, check=False, capture_output=True, encoding="utf-8", timeout=120)
    return run.stdout


def _cell(name: str, text: str) -> str:
    """How many lines, and what of the root is in them."""
    lines = [line for line in text.splitlines() if line.strip()]
    (root, *_) = expected(name)["roots"]
    place = "(?:/| +)(?:[a-z0-9-]+/)?"
    own = re.escape(root["name"])
    names = (f"{root['kind']}{place}{own}\\b", f"_{own}_[a-z.]*_{root['kind']}\\b")
    named = re.search("|".join(names), text, re.IGNORECASE)
    why = any(value in text for value in _reasons(name, root))
    words = " and ".join(["the object"] * bool(named) + ["the reason"] * why)
    return f"{len(lines)}: {words}" if words else str(len(lines))


def _reasons(name: str, root: Mapping[str, Any]) -> Iterator[str]:
    """The values that decide, the begin of the root's own error, or the reason of a pod."""
    texts = [v for v in (root["observed"] or {}).values() if isinstance(v, str)]
    yield from (text for text in texts if text not in ("True", "False", "Unknown"))
    if root["why"] == "kstatus":
        yield from _POD_REASONS
    if root["why"] in ("apply", "build", "source", "helm"):
        for item in objects(name):
            if (item["kind"], item["metadata"]["name"]) == (root["kind"], root["name"]):
                conditions = item["status"]["conditions"]
                yield from (c["message"][:60] for c in conditions if c["type"] == "Ready")


if __name__ == "__main__":
    main()
