"""Compares `celvet serve` with a Go webhook on Flux's own CEL package, one core each.

    python -m bench.webhook_peer [--runs N] [--seconds N]

The Go peer (`bench/webhook/peer`) compiles each expression. celvet has all rules on, but while
reviews wait, as nearly all of the new objects do, it runs only the rules that find errors. The
servers are pinned to one core in turn, the client to another. There are two loads: the same 200
objects again and again, as controllers send them, and 20,000 objects that share no expression.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.request import urlopen

_HERE = Path(__file__).parent / "webhook"
_BIN = Path(sys.executable).parent
OURS, _THEIRS, _METRICS = 19443, 19444, 19445
EXPRESSIONS = 7
"""Expressions in one review."""


class Load(NamedTuple):
    """How many objects to review, and seconds of warm-up; the runs skip those reviewed in it."""

    title: str
    objects: int
    warm_up: int


_LOADS = (Load("the same 200 objects, seen before", 200, 15), Load("20,000 new objects", 20_000, 3))


def main() -> None:
    """Build the peer, measure both in turn, and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.webhook_peer")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        _prepare(directory)
        for load in _LOADS:
            _write_reviews(directory / "reviews", load.objects)
            with serving(directory), _theirs(directory):
                for port in (OURS, _THEIRS):
                    _load(directory, port, load.warm_up, 0)
                pairs = [
                    tuple(
                        _load(
                            directory, port, given.seconds, turn * load.objects // (given.runs + 1)
                        )
                        for port in (OURS, _THEIRS)
                    )
                    for turn in range(1, given.runs + 1)
                ]
            _print(load.title, pairs)


def _prepare(directory: Path) -> None:
    for program in ("peer", "load"):
        command = ["go", "build", "-mod=mod", "-o", str(directory / program), "."]
        subprocess.run(command, cwd=_HERE / program, check=True)
    certificates(directory)


def certificates(directory: Path) -> None:
    """Write a certificate for localhost and its authority to `certs/`, unless they are there."""
    if (directory / "certs").exists():
        return
    command = [str(_BIN / "celvet"), "certs", "create", "--dir", str(directory / "certs")]
    names = ["--dns-name", "localhost", "--ip-address", "127.0.0.1"]
    subprocess.run([*command, *names], check=True, stdout=subprocess.DEVNULL)


def _write_reviews(path: Path, count: int) -> None:
    path.write_text("".join(json.dumps(review(index)) + "\n" for index in range(count)))


def review(index: int) -> dict[str, Any]:
    """A Kustomization with two entries of three expressions and a gate."""
    roles = {"inProgress": ("Sync", "Unknown"), "failed": ("Ready", "False")}
    roles["current"] = ("Ready", "True")
    entries = [
        {
            "apiVersion": f"example{index}.io/v1",
            "kind": f"Example{number}",
            **{
                role: _condition(f"{type_}{index}x{number}", is_)
                for role, (type_, is_) in roles.items()
            },
        }
        for number in range(2)
    ]
    spec = {
        "interval": "1h",
        "prune": True,
        "wait": True,
        "sourceRef": {"kind": "GitRepository", "name": "flux-system"},
        "dependsOn": [{"name": "infra", "readyExpr": f"dep.status.v{index} == self.status.v"}],
        "healthCheckExprs": entries,
    }
    group, kind = "kustomize.toolkit.fluxcd.io", "Kustomization"
    metadata = {"name": f"app-{index}", "namespace": "flux-system"}
    return {
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": f"uid-{index}",
            "kind": {"group": group, "version": "v1", "kind": kind},
            "operation": "CREATE",
            "name": f"app-{index}",
            "namespace": "flux-system",
            "userInfo": {"username": "bench"},
            "object": {
                "apiVersion": f"{group}/v1",
                "kind": kind,
                "metadata": metadata,
                "spec": spec,
            },
        },
    }


def _condition(type_: str, is_: str) -> str:
    return f"status.conditions.exists(e, e.type == '{type_}' && e.status == '{is_}')"


@contextmanager
def serving(directory: Path) -> Iterator[int]:
    """Run `celvet serve`; gives its process id once it is ready."""
    command = [
        *(_BIN / "celvet", "serve", "--port", OURS),
        *("--metrics-bind-address", f"127.0.0.1:{_METRICS}", "--shutdown-delay", 0),
        *("--tls-cert-file", directory / "certs/tls.crt"),
        *("--tls-private-key-file", directory / "certs/tls.key"),
    ]
    with _running(command, directory / "celvet.log") as pid:
        _until_ready()
        yield pid


@contextmanager
def _theirs(directory: Path) -> Iterator[None]:
    certificate, key = directory / "certs/tls.crt", directory / "certs/tls.key"
    address = f"127.0.0.1:{_THEIRS}"
    command = [directory / "peer", "-address", address, "-cert", certificate, "-key", key]
    with _running(command, directory / "peer.log"):
        time.sleep(0.5)
        yield


@contextmanager
def _running(command: list[Any], log: Path) -> Iterator[int]:
    """A server on core 0."""
    pinned = ["taskset", "-c", "0", *map(str, command)]
    environment = {**os.environ, "GOMAXPROCS": "1"}
    with log.open("wb") as file:
        process = subprocess.Popen(pinned, stdout=file, stderr=file, env=environment)
        try:
            yield process.pid
        finally:
            process.terminate()
            process.wait()


def _until_ready() -> None:
    for _ in range(200):
        try:
            with urlopen(f"http://127.0.0.1:{_METRICS}/readyz"):
                return
        except OSError:
            time.sleep(0.1)
    sys.exit("celvet serve does not become ready")


def _load(directory: Path, port: int, seconds: int, skip: int) -> dict[str, float]:
    """Load one server from core 1, without the first reviews."""
    command = [
        *("taskset", "-c", "1", directory / "load", "-url", f"https://127.0.0.1:{port}/validate"),
        *("-ca", directory / "certs/ca.crt", "-reviews", directory / "reviews"),
        *("-for", f"{seconds}s", "-skip", skip),
    ]
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True)
    figures: dict[str, float] = json.loads(done.stdout)
    if figures["failures"]:
        sys.exit(f"{figures['failures']} requests failed")
    return figures


def _print(load: str, pairs: list[tuple[dict[str, float], ...]]) -> None:
    print(load)
    for figure, unit in (("rate", "requests/s"), ("p50", "ms"), ("p99", "ms")):
        ratios = sorted(ours[figure] / theirs[figure] for ours, theirs in pairs)
        ours, theirs = (
            statistics.median(side[figure] for side in sides) for sides in zip(*pairs, strict=True)
        )
        print(
            f"  {figure}: celvet {ours:.2f}, Go {theirs:.2f} {unit},"
            f" ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
        )


if __name__ == "__main__":
    main()
