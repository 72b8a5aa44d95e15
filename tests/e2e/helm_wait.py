"""Real installs by Helm 4: what `helm install --wait` does with objects in the states of a life.

CELVET_E2E=PROGRAMS python -m tests.e2e.helm_wait FILE.jsonl   # records them for tests/conformance

No controller runs. An object is there before, in its state, as if the release had made it; Helm
finds nothing to change, and waits.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from celvet.lint.waiters import WAITERS
from celvet.schemas import kind_facts
from tests.e2e.cluster import Cluster, Document, placed
from tests.e2e.control_plane import control_plane
from tests.e2e.crds import anything
from tests.tables import read_table

HELM = "helm4"
_TIMEOUT = 8
_AT_ONCE = 3
_RELEASE = "release"
_MOST_STATES = 3
_KINDS: list[str] = read_table(Path(__file__).with_name("helm-wait.yaml"))["kinds"]
_BASES: dict[str, Document] = read_table(Path(__file__).with_name("helm-wait.yaml"))["bases"]
"""What the API server asks of a built-in kind, beside what a state has."""
_STATUS = re.compile(r"status: (\w+)")


@dataclass(frozen=True, slots=True)
class Subject:
    """A state of a kind, with its object."""

    kind: str
    state: str
    object: Document

    @property
    def group(self) -> str:
        group, _, version = str(self.object["apiVersion"]).rpartition("/")
        return group if version else ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an install ended, in the words of a forecast: its effect, and the status if it failed."""

    effect: str
    status: str
    says: str


def subjects() -> Iterator[Subject]:
    """A few states of each kind, with as many different judgements as there are."""
    for name in _KINDS:
        kind, _, group = name.partition(".")
        facts = kind_facts(group, kind)
        assert facts, name
        judgements: dict[tuple[str, str], list[Subject]] = {}
        for state in facts.life:
            if state.until or state.object["apiVersion"] != facts.life[0].object["apiVersion"]:
                continue
            obj = _whole(name, state.object)
            judgement = WAITERS["helm4"].judge(obj, datetime.now(UTC))
            key = (judgement.effect, judgement.status)
            judgements.setdefault(key, []).append(Subject(name, state.name, obj))
        varied = [subject for row in _rounds([*judgements.values()]) for subject in row]
        yield from varied[:_MOST_STATES]


def _rounds(groups: Sequence[list[Subject]]) -> Iterator[list[Subject]]:
    """The first of each, the second of each, and so on."""
    for index in range(max(map(len, groups), default=0)):
        yield [group[index] for group in groups if index < len(group)]


def _whole(name: str, obj: Any) -> Document:
    base = _BASES.get(name, {})
    spec = {**base.get("spec", {}), **(obj.get("spec") or {})}
    return {**obj, "spec": spec} if spec or "spec" in obj else {**obj}


def serve(cluster: Cluster, chosen: Sequence[Subject]) -> None:
    """Define the kinds that the API server does not have."""
    definitions = {}
    for subject in chosen:
        if subject.kind not in _BASES:
            version = str(subject.object["apiVersion"]).rpartition("/")[2]
            kind = str(subject.object["kind"])
            definitions[subject.kind] = anything(subject.group, version, kind)
    cluster.good("apply", "--server-side", "-f-", given=definitions.values())
    cluster.good("wait", "--for=condition=Established", "crd", "--all", "--timeout=100s")


def outcomes(cluster: Cluster, chosen: Sequence[Subject]) -> list[Outcome]:
    """Install each; a few at a time, since most of the time is spent waiting."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        numbers = range(len(chosen))
        return [*pool.map(lambda number: _install(cluster, chosen[number], number), numbers)]


def _install(cluster: Cluster, subject: Subject, number: int) -> Outcome:
    namespace, name = f"wait-{number}", f"object-{number}"
    cluster.good("create", "namespace", namespace)
    obj = _owned(placed(subject.object, namespace, name), namespace)
    status = obj.pop("status", None)
    generation = obj["metadata"].pop("generation", 1)
    cluster.good("create", "-f-", given=[obj])
    resource = f"{obj['kind']}.{subject.group}".rstrip(".").lower()
    where = (resource, name, "--namespace", namespace)
    for at in range(1, generation):
        step = {"spec": {"minReadySeconds": at} if subject.kind in _BASES else {"step": at}}
        cluster.good("patch", *where, "--type=merge", "-p", json.dumps(step))
    if status is not None:
        patch = json.dumps({"status": status})
        told = cluster.kubectl("patch", *where, "--subresource=status", "--type=merge", "-p", patch)
        if told.status:  # the API server checks the status of a Job
            return Outcome("refused", "", told.err.strip())
    with tempfile.TemporaryDirectory() as directory:
        _write_chart(Path(directory), obj)
        given = ("install", _RELEASE, directory, "--namespace", namespace)
        told = cluster.run(HELM, *given, "--wait", f"--timeout={_TIMEOUT}s")
    if told.status == 0:
        return Outcome("ready", "", "")
    match = _STATUS.search(told.err)
    is_late = "context deadline exceeded" in told.err
    return Outcome("waits" if is_late else "fails", match[1] if match else "", told.err.strip())


def _owned(obj: Document, namespace: str) -> Document:
    """The object as the release's own.

    Helm would add these annotations, and the API server counts that as a change of a Deployment.
    """
    marks = {"name": _RELEASE, "namespace": namespace}
    metadata = {
        **obj["metadata"],
        "labels": {"app.kubernetes.io/managed-by": "Helm"},
        "annotations": {f"meta.helm.sh/release-{key}": value for key, value in marks.items()},
    }
    return {**obj, "metadata": metadata}


def _write_chart(directory: Path, obj: Document) -> None:
    chart = {"apiVersion": "v2", "name": "object", "version": "0.1.0"}
    (directory / "Chart.yaml").write_text(json.dumps(chart))
    (directory / "object.json").write_text(json.dumps(obj))
    (directory / "templates").mkdir()
    (directory / "templates" / "object.yaml").write_text('{{ .Files.Get "object.json" }}\n')


def _record(file: Path) -> None:
    programs, chosen = Path(os.environ["CELVET_E2E"]), [*subjects()]
    with (
        tempfile.TemporaryDirectory() as directory,
        control_plane(programs, Path(directory)) as kubeconfig,
    ):
        cluster = Cluster(programs, kubeconfig)
        serve(cluster, chosen)
        results = outcomes(cluster, chosen)
    header = {"by": "helm install --wait of Helm 4.2.4 on Kubernetes 1.36.4", "objects": {}}
    with file.open("w", encoding="utf-8") as lines:
        print(json.dumps(header), file=lines)
        for number, (subject, outcome) in enumerate(zip(chosen, results, strict=True), start=1):
            want = {"ok": True, "effect": outcome.effect, "status": outcome.status}
            row = {"id": number, "mode": "helm-install", "kind": subject.kind}
            row |= {"state": subject.state, "object": subject.object, "want": want}
            if outcome.effect != "refused":
                print(json.dumps(row), file=lines)
            print(subject.kind, subject.state, outcome, file=sys.stderr)


if __name__ == "__main__":
    _record(Path(sys.argv[1]))
