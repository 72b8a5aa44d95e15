"""Stands for the kubelet of a node: each pod is ready a moment after it was made."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.e2e.cluster import Cluster

_READY = [{"type": name, "status": "True"} for name in ("Ready", "ContainersReady", "PodScheduled")]


@contextmanager
def ready_pods(cluster: Cluster) -> Iterator[None]:
    """While this lasts, pods get ready."""
    ended = threading.Event()
    thread = threading.Thread(target=_serve, args=(cluster, ended))
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _serve(cluster: Cluster, ended: threading.Event) -> None:
    while not ended.wait(2):
        for pod in cluster.get("pods", "-A")["items"]:
            if pod.get("status", {}).get("phase") == "Pending":
                _start(cluster, pod)


def _start(cluster: Cluster, pod: dict[str, Any]) -> None:
    containers = [
        {
            "name": one["name"],
            "image": one["image"],
            "imageID": "",
            "restartCount": 0,
            "ready": True,
        }
        | {"started": True, "state": {"running": {}}}
        for one in pod["spec"]["containers"]
    ]
    status = {"phase": "Running", "conditions": _READY, "containerStatuses": containers}
    status |= {"podIP": "10.1.0.1", "podIPs": [{"ip": "10.1.0.1"}]}
    where = ("-n", pod["metadata"]["namespace"], pod["metadata"]["name"])
    patch = json.dumps({"status": status})
    cluster.kubectl("patch", "pod", *where, "--subresource=status", "--type=merge", f"-p={patch}")
