"""Wall time and peak memory of `celvet lint` and of kubeconform on one generated tree.

    python -m bench.lint_tree [--runs N]

2,200 files of 11 MB in all, most of them none of ours, and 200 Flux objects
with 1,400 expressions. kubeconform (`-ignore-missing-schemas`, and no place
to load any from) only parses the YAML; it is built from the Go module proxy. The two run
in turn, so that what else the machine does meets both.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

KUBECONFORM = "github.com/yannh/kubeconform/cmd/kubeconform@v0.7.0"
_NO_SCHEMAS = ("-ignore-missing-schemas", "-schema-location", "/nowhere/{{.ResourceKind}}.json")
_FILES, _BYTES, _OBJECTS, _EXPRESSIONS = 2_200, 11_000_000, 200, 7


class Cost(NamedTuple):
    """Seconds of wall time, and megabytes at the peak."""

    seconds: float
    megabytes: float


def main() -> None:
    """Generate, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.lint_tree")
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as directory:
        tree = Path(directory) / "tree"
        generate(tree)
        ours = [str(Path(sys.executable).with_name("celvet")), "lint", str(tree)]
        theirs = [_kubeconform(), *_NO_SCHEMAS, "-summary", str(tree)]
        pairs = [(measure(ours), measure(theirs)) for _ in range(runs)]
    _print("wall time, s", [(ours.seconds, theirs.seconds) for ours, theirs in pairs])
    _print("peak memory, MB", [(ours.megabytes, theirs.megabytes) for ours, theirs in pairs])


def measure(command: Sequence[str]) -> Cost:
    """Run a command to its end, its output thrown away."""
    start = time.perf_counter()
    with Path(os.devnull).open("wb") as nowhere:
        process = subprocess.Popen(command, stdout=nowhere, stderr=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{command[0]} failed")
    return Cost(time.perf_counter() - start, usage.ru_maxrss / 1024)


def _print(what: str, pairs: Sequence[tuple[float, float]]) -> None:
    ratios = sorted(ours / theirs for ours, theirs in pairs)
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    print(
        f"{what}: celvet {ours:.2f}, kubeconform {theirs:.2f},"
        f" ratio {statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    )


def _kubeconform() -> str:
    if found := shutil.which("kubeconform"):
        return found
    place = Path(tempfile.gettempdir()) / "celvet-bench-bin"
    if not (place / "kubeconform").exists():
        environment = {**os.environ, "GOBIN": str(place)}
        subprocess.run(["go", "install", KUBECONFORM], check=True, env=environment)
    return str(place / "kubeconform")


def generate(tree: Path) -> None:
    """Write the tree; the same one each time."""
    chance = random.Random(9)
    texts = [*_flux(), *_others(chance)]
    for index, text in enumerate(texts):
        path = tree / f"team-{index % 40}" / f"app-{index}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    size = sum(path.stat().st_size for path in tree.rglob("*.yaml"))
    print(f"{len(texts)} files, {size / 1e6:.1f} MB, {_OBJECTS * _EXPRESSIONS} expressions")


def _flux() -> Iterator[str]:
    """Kustomizations with two entries of three expressions and a gate."""
    for index in range(_OBJECTS):
        entries = "".join(
            f"    - apiVersion: example{index}.io/v1\n      kind: Example{number}\n"
            f"      inProgress: status.conditions.exists(e, e.type == 'Sync{index}'"
            " && e.status == 'Unknown')\n"
            f"      failed: status.conditions.exists(e, e.type == 'Ready{index}'"
            " && e.status == 'False')\n"
            f"      current: status.conditions.exists(e, e.type == 'Ready{index}'"
            " && e.status == 'True')\n"
            for number in range(2)
        )
        yield (
            "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
            f"metadata:\n  name: app-{index}\n  namespace: flux-system\nspec:\n  interval: 1h\n"
            "  prune: true\n  wait: true\n  sourceRef: {kind: GitRepository, name: flux-system}\n"
            f"  dependsOn:\n    - name: infra\n      readyExpr: dep.status.v{index} == self.v\n"
            f"  healthCheckExprs:\n{entries}"
        )


def _others(chance: random.Random) -> Iterator[str]:
    """Deployments and ConfigMaps of the usual look, up to the size wanted."""
    count = _FILES - _OBJECTS
    each = _BYTES // count
    for index in range(count):
        text = (
            "apiVersion: apps/v1\nkind: Deployment\n"
            f"metadata:\n  name: app-{index}\n  namespace: team\nspec:\n  replicas: 2\n"
            f"  selector:\n    matchLabels: {{app: app-{index}}}\n  template:\n    metadata:\n"
            f"      labels: {{app: app-{index}}}\n    spec:\n      containers:\n"
            f"        - name: app\n          image: registry.example.com/app:{index}\n"
            "---\napiVersion: v1\nkind: ConfigMap\n"
            f"metadata:\n  name: app-{index}\ndata:\n"
        )
        while len(text) < each:
            text += f"  key-{len(text)}: value {chance.getrandbits(200):x}\n"
        yield text


if __name__ == "__main__":
    main()
