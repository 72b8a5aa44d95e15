"""The chart, installed by Helm, and its pods as processes of this machine."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import yaml

from tests.charts.rendering import CHART
from tests.e2e.cluster import Cluster, Told, placed, until
from tests.e2e.control_plane import process
from tests.e2e.pod import NAME, NAMESPACE, command, endpoints, mount_all
from tests.ports import free_ports
from tests.webhook.reviews import kustomization

MANY = 8
"""Requests at once."""

_QUICK = {"extraArgs": ["--reload-interval=0.2"], "shutdownDelay": 0}


@dataclass(frozen=True, slots=True)
class Pod:
    """A running process: its ports, and the directory that stands for its file system."""

    process: ExitStack
    port: int
    metrics: int
    directory: Path
    pid: int


@dataclass
class Release:
    """An installed chart, and its pods by name."""

    cluster: Cluster
    directory: Path
    pods: dict[str, Pod] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def installed(cls, cluster: Cluster, directory: Path, **values: Any) -> Iterator[Release]:
        release = cls(cluster, directory)
        release.upgrade("--install", "--create-namespace", **values)
        try:
            yield release
        finally:
            for name in list(release.pods):
                release.crash(name)
            mine = ("--namespace", NAMESPACE, "--selector", f"kubernetes.io/service-name={NAME}")
            cluster.good("delete", "endpointslice", *mine)
            cluster.helm("uninstall", NAME, "--namespace", NAMESPACE)

    def upgrade(self, *options: str, **values: Any) -> None:
        """Bring values into the cluster beside those that make tests quick; what runs goes on."""
        path = self.directory / "values.yaml"
        path.write_text(yaml.safe_dump({**_QUICK, **values}))
        given = ("--namespace", NAMESPACE, "--values", str(path), *options)
        self.cluster.helm("upgrade", NAME, str(CHART), *given)

    def serve(self, *, replicas: int) -> None:
        """Start pods, and wait until the API server gets answers from them."""
        for number in range(replicas):
            self.start(f"{NAME}-{number}")
        until(self.answers, self.log)

    def start(self, name: str) -> None:
        """Start a pod, and name it in the Service's endpoints as soon as it is ready."""
        directory = self.directory / name
        directory.mkdir(exist_ok=True)
        port, metrics = free_ports(2)
        stack = ExitStack()
        line = command(self.cluster, directory, port, metrics)
        running = stack.enter_context(process(line, directory))
        self.pods[name] = Pod(stack, port, metrics, directory, running.pid)
        until(lambda: running.poll() is not None or self.ready(name), self.log)
        assert running.poll() is None, self.log()
        self.cluster.good("apply", "-f-", given=[endpoints(name, port)])

    def stop(self, name: str) -> None:
        """End a pod, which is no endpoint any more before it is gone."""
        self.cluster.good("delete", "endpointslice", name, "--namespace", NAMESPACE)
        self.crash(name)

    def crash(self, name: str) -> None:
        """End a pod that the endpoints still name."""
        self.pods.pop(name).process.close()

    def ready(self, name: str) -> bool:
        try:
            return self.metrics(name, "/readyz") == "ok"
        except (HTTPError, URLError):
            return False

    def metrics(self, name: str, path: str = "/metrics") -> str:
        """What a pod says on its port for metrics."""
        with urlopen(f"http://127.0.0.1:{self.pods[name].metrics}{path}") as answer:
            text: str = answer.read().decode()
        return text

    def answered(self, name: str) -> int:
        """How many reviews a pod has answered."""
        counts = re.findall(r"^celvet_requests_total\{.*\} (.*)", self.metrics(name), re.MULTILINE)
        return int(sum(map(float, counts)))

    def answers(self) -> bool:
        """Whether the API server gets a bad object refused."""
        return "[celvet: cel-syntax]" in self.tried().err

    def tried(self) -> Told:
        """A bad object in a dry run."""
        bad = placed(kustomization("status.phase == "), "default", "bad")
        return self.cluster.apply(bad, options=["--dry-run=server"])

    def answers_many(self) -> bool:
        """Whether bad objects are refused that come at once: over connections to any pod."""
        with ThreadPoolExecutor(MANY) as people:
            tries = [people.submit(self.answers) for _ in range(MANY)]
        return all(each.result() for each in tries)

    def log(self) -> str:
        return "\n".join(path.read_text() for path in self.directory.glob("*/celvet.log"))

    def webhook(self) -> dict[str, Any]:
        """The webhook in the live ValidatingWebhookConfiguration."""
        configuration = self.cluster.get("validatingwebhookconfiguration", NAME)
        webhook: dict[str, Any] = configuration["webhooks"][0]
        return webhook

    def ca_bundle(self) -> str:
        """The `caBundle` that the API server has, PEM; empty if it has none."""
        text = self.webhook()["clientConfig"].get("caBundle", "")
        return base64.b64decode(text).decode()

    def set_ca_bundle(self, text: str) -> None:
        """Make the API server trust another authority, PEM."""
        client = {"caBundle": base64.b64encode(text.encode()).decode()}
        patch = {"webhooks": [{"name": "expressions.celvet.dev", "clientConfig": client}]}
        place = ("validatingwebhookconfiguration", NAME)
        self.cluster.good("patch", *place, "--patch", json.dumps(patch))

    def refresh(self) -> None:
        """Bring what the volumes hold now to the running pods, as a kubelet does."""
        for pod in self.pods.values():
            mount_all(self.cluster, pod.directory)
