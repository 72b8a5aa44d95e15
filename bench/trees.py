"""The files that `celvet lint` is measured on, the same each time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

FILES, _BYTES, OBJECTS, EXPRESSIONS = 2_200, 17_000_000, 200, 10

FLUX = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: app-{0}
  namespace: flux-system
spec:
  interval: 1h
  prune: true
  wait: true
  path: ./apps
  sourceRef: {{kind: GitRepository, name: flux-system}}
"""
PLAIN = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n"
_GATE = "  dependsOn:\n    - name: infra\n      readyExpr: dep.status.v{0} == self.status.v\n"
_HAS = "status.conditions.exists(e, e.type == '{0}' && e.status == '{1}')"
_ROLES = {"inProgress": "Unknown", "failed": "False", "current": "True"}


def entry(group: str, kind: str, word: str) -> str:
    """An entry of three expressions about a condition."""
    lines = [f"    - apiVersion: {group}/v1", f"      kind: {kind}"]
    lines += [f"      {role}: {_HAS.format(word, status)}" for role, status in _ROLES.items()]
    return "\n".join(lines) + "\n"


def conjuncts(count: int) -> str:
    """An entry whose expression has this many conjuncts."""
    parts = " && ".join(_HAS.format(f"Ready{number}", "True") for number in range(count))
    return f"    - apiVersion: example.io/v1\n      kind: Example\n      current: {parts}\n"


def kustomization(name: object, *entries: str) -> str:
    """A Kustomization with these entries."""
    return FLUX.format(name) + "  healthCheckExprs:\n" + "".join(entries)


def repository(tree: Path) -> None:
    """2,200 files, 17 MB, most without expressions; 200 objects with 600 entries of 3 sorts."""
    chance = random.Random(9)
    for index, text in enumerate((*_flux(), *_others(chance))):
        _write(tree / f"team-{index % 40}" / f"app-{index}.yaml", text)


def applied(tree: Path, count: int) -> None:
    """A repository with one Kustomization that applies this many others, each with a directory."""
    (tree / ".git").mkdir()
    found = {"clusters/all.yaml": FLUX.format("all")}
    for index in range(count):
        place = f"apps/team-{index // 20}/app-{index}"
        own = FLUX.format(index).replace("./apps", f"./{place}/app")
        found[f"{place}/kustomization.yaml"] = "resources: [ks.yaml]\n"
        found[f"{place}/ks.yaml"] = f"{own}  targetNamespace: app-{index}\n"
        found[f"{place}/app/kustomization.yaml"] = "resources: [object.yaml]\n"
        found[f"{place}/app/object.yaml"] = PLAIN
    for name, text in found.items():
        _write(tree / name, text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _flux() -> Iterator[str]:
    for index in range(OBJECTS):
        words = ("Ready", "Synced", "Available")
        group = f"example{index}.io"
        entries = [entry(group, f"Example{number}", word) for number, word in enumerate(words)]
        yield kustomization(index, *entries) + _GATE.format(index)


def _others(chance: random.Random) -> Iterator[str]:
    """Ordinary Deployments and ConfigMaps, up to the size wanted."""
    count = FILES - OBJECTS
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
        while len(text) < _BYTES // count:
            text += f"  key-{len(text)}: value {chance.getrandbits(200):x}\n"
        yield text
