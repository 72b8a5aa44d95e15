"""The command line; see the package."""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import yaml

from celvet.schemas import kind_facts
from celvet.schemas.facts import KindFacts
from tests.catalogue.trees import Sources
from tests.e2e.cluster import Cluster, until
from tests.e2e.control_plane import control_plane, process
from tests.kinds.folding import by_kstatus, folded
from tests.recorder.kubelet import ready_pods

_OPERATORS = Path(__file__).parent / "operators"
_VARIES = re.compile(r"(?i)time(stamp)?$|^(uid|resourceVersion|message|lastUpdated?)$")
_CONTROLLERS = (
    "--controllers=*,-nodeipam,-nodelifecycle,-cloud-node-lifecycle",
    "--leader-elect=false",
    "--use-service-account-credentials=false",
)


def main(arguments: Sequence[str]) -> int:
    """Record each operator and print its states."""
    parser = argparse.ArgumentParser(prog="python -m tests.recorder", description=__doc__)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--sources", type=Path, required=True)
    parser.add_argument("operators", nargs="+")
    options = parser.parse_args(arguments)
    for name in options.operators:
        operator = yaml.safe_load((_OPERATORS / f"{name}.yaml").read_text())
        with tempfile.TemporaryDirectory() as directory:
            changes = [*_record(operator, options, Path(directory))]
        print(f"source: {{recorded: {operator['repository']}, release: {operator['release']}}}")
        print("states:", *_lines(changes), sep="\n")
    return 0


def _record(
    operator: Mapping[str, Any], options: argparse.Namespace, directory: Path
) -> Iterator[dict[str, Any]]:
    """The objects of the operator's kinds, as often as they changed."""
    programs: Path = options.programs
    with ExitStack() as stack:
        kubeconfig = stack.enter_context(control_plane(programs, directory))
        cluster = Cluster(programs, kubeconfig)
        if definitions := _definitions(operator, options):
            cluster.good("apply", "--server-side", "-f-", given=definitions)
            established = ("--for=condition=Established", "crd", "--all", "--timeout=60s")
            # kubectl fails on a definition that has no conditions yet.
            until(lambda: cluster.kubectl("wait", *established).status == 0)
        manager = [str(programs / "kube-controller-manager"), f"--kubeconfig={kubeconfig}"]
        stack.enter_context(process([*manager, *_CONTROLLERS], directory))
        if operator.get("pods") == "ready":
            stack.enter_context(ready_pods(cluster))
        logs = [stack.enter_context(_watch(cluster, kind, directory)) for kind in operator["kinds"]]
        if "before" in operator:
            cluster.good("apply", "-f-", given=operator["before"])
        environment = {
            **os.environ,
            "KUBECONFIG": str(kubeconfig),
            **operator.get("environment", {}),
        }
        command = [str(programs / operator["program"]), *operator.get("arguments", [])]
        words = [word.replace("KUBECONFIG", str(kubeconfig)) for word in command]
        for name, file in operator.get("links", {}).items():
            (directory / name).symlink_to(file)
        if operator.get("inCluster"):
            words, more = _as_pod(words, kubeconfig)
            environment |= more
        stack.enter_context(process(words, directory, environment))
        for step in operator["steps"]:
            _settle(logs)
            cluster.good("apply", "-f-", given=step)
        _settle(logs)
        for log in logs:
            yield from _objects(log.read_text())
        for log in directory.glob("*.log"):
            if log.stem not in ("etcd", "kube-apiserver", "kube-controller-manager"):
                sys.stderr.write(log.read_text(errors="replace")[-3000:])


def _as_pod(command: list[str], kubeconfig: Path) -> tuple[list[str], dict[str, str]]:
    """A command that finds the API server as a program in a pod does, in mounts of its own."""
    content = yaml.safe_load(kubeconfig.read_text())
    host, _, port = content["clusters"][0]["cluster"]["server"].rpartition("//")[2].partition(":")
    token = content["users"][0]["user"]["token"]
    script = (
        "mount -t tmpfs none /var/run && d=/var/run/secrets/kubernetes.io/serviceaccount &&"
        f' mkdir -p $d && cp ca.crt $d && printf %s {token} >$d/token && exec "$@"'
    )
    environment = {"KUBERNETES_SERVICE_HOST": host, "KUBERNETES_SERVICE_PORT": port}
    return ["unshare", "--mount", "sh", "-c", script, "sh", *command], environment


def _definitions(operator: Mapping[str, Any], options: argparse.Namespace) -> list[dict[str, Any]]:
    """The CRDs: those that `make e2e` brings, else those of the repository."""
    local: Path = options.programs / operator.get("crds", [""])[0]
    if "crds" not in operator:
        return []
    if local.is_dir():
        texts = [file.read_text() for file in sorted(local.glob("*.yaml"))]
    else:
        texts = _released(operator, options.sources)
    documents = [one for text in texts for one in yaml.safe_load_all(text) if one]
    return [one for one in documents if one.get("kind") == "CustomResourceDefinition"]


def _released(operator: Mapping[str, Any], sources: Path) -> list[str]:
    tree = Sources(sources).tree(operator["repository"], operator["release"])
    assert tree, f"{operator['repository']} at {operator['release']} is not below {sources}"
    files = (file for path in operator["crds"] for file in tree.files(path))
    return [tree.text(file) for file in files if file.endswith(".yaml")]


@contextmanager
def _watch(cluster: Cluster, kind: str, directory: Path) -> Iterator[Path]:
    """The file that gets each change of a kind's objects."""
    log = directory / f"{kind}.json"
    command = [
        "kubectl",
        "--kubeconfig",
        str(cluster.kubeconfig),
        "get",
        kind,
        "-A",
        "-w",
        "-ojson",
    ]
    command[0] = str(cluster.programs / command[0])
    with log.open("wb") as file:
        running = subprocess.Popen(command, stdout=file)
        try:
            yield log
        finally:
            running.terminate()
            running.wait()


def _settle(logs: Iterable[Path], quiet: int = 12, longest: int = 90) -> None:
    """Wait until nothing has changed for some seconds."""
    start = changed = time.monotonic()
    sizes: list[int] = []
    while time.monotonic() - changed < quiet and time.monotonic() - start < longest:
        time.sleep(1)
        if (now := [log.stat().st_size for log in logs]) != sizes:
            sizes, changed = now, time.monotonic()


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decoder, at = json.JSONDecoder(), 0
    while (at := len(text) - len(text[at:].lstrip())) < len(text):
        value, at = decoder.raw_decode(text, at)
        yield from value.get("items", [value])


def _lines(objects: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Each state once, as an entry of a file in `tests/kinds/independent`."""
    written = set()
    for obj in objects:
        if "deletionTimestamp" in obj["metadata"]:
            continue
        group, _, version = obj["apiVersion"].rpartition("/")
        facts = kind_facts(group, obj["kind"])
        assert facts, f"nothing is known about {obj['kind']}.{group}"
        state = {"kind": f"{obj['kind']}.{group}", "says": obj["metadata"]["name"]}
        state |= {"verdict": _verdict(facts, obj), "version": version}
        state |= {"generation": obj["metadata"].get("generation", 1)}
        words = set(re.findall(r"\w+", json.dumps(facts.content)))
        state["object"] = {"spec": _short(obj.get("spec", {}), words)}
        if "status" in obj:
            state["status"] = _short(obj["status"], words)
        line = yaml.safe_dump(state, default_flow_style=True, width=10**6, sort_keys=False).strip()
        if line not in written:
            written.add(line)
            yield f"  - {line}"


def _verdict(facts: KindFacts, obj: Mapping[str, Any]) -> str:
    verdict = folded(facts.entry, obj)[0] if facts.entry else by_kstatus(obj)
    return verdict if "status" in obj else "InProgress"


def _short(value: Any, words: set[str]) -> Any:
    """A value without what varies and what the file of the kind does not mention."""
    if isinstance(value, Mapping):
        kept = {
            key: part for key, part in value.items() if key in words and not _VARIES.search(key)
        }
        return {key: _short(part, words) for key, part in kept.items()}
    return [_short(part, words) for part in value] if isinstance(value, list) else value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
