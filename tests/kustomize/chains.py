"""Random repositories with chains of Flux Kustomizations, which change what is below them.

`python -m tests.kustomize.record_chains` asks the libraries of kustomize-controller about them. A
repository follows from its number alone, so that only the answers are kept.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from tests import libyaml
from tests.files import write_files

ROOT = "clusters/main/flux.yaml"
"""The file of the Kustomization that applies the first directory, and itself."""

_FLUX, _HELM = "kustomize.toolkit.fluxcd.io/v1", "helm.toolkit.fluxcd.io/v2"
_NAMESPACES = ("flux-system", "apps", "infra")
_NAMES = ("apps", "db", "web")
_VARIABLES = ("A", "B", "C", "M", "W", "long_NAME1")
_TEXTS = (
    *("x", "v${A}", "v${B:-bb}", "v${C:=cc}", "v-$${A}-${M}", "v${A/x/y}", "v${A^^}", "v${A,}"),
    *("v${B:-${A}}", "v${W}", "v${#A}", "v${A:0:1}", "v${A#x}", "v${B-q}${C=r}", "v${long_NAME1}"),
)
"""Texts that stay texts, whatever their variables are."""
_VALUES = ("x", "xyx", "true", "4", "6m", "", "a b", "1.50", "Abc")


class Chain:
    """The files of a repository by name; those below `clusters/main` are the first ones."""

    def __init__(self, number: int) -> None:
        self._random = Random(number)
        self._made = 0
        self._maps: set[tuple[str, str]] = set()
        self.files: dict[str, str] = {}
        self._depth = self._random.randint(1, 3)
        root = self._kustomization("cluster", "clusters/main")
        root["metadata"] = {"name": "cluster", "namespace": "flux-system"}
        self.files[ROOT] = libyaml.dump(root)
        objects = [*self._config_maps(2)]
        for each in range(self._random.randint(1, 2)):
            objects.append(self._kustomization(f"first{each}", f"apps/first{each}"))
            self._level(f"apps/first{each}", 1)
        self._directory("clusters/main", objects, ("flux.yaml",))

    def write(self, directory: Path) -> None:
        """Write the files below a directory, which is a repository."""
        write_files(directory, {".git/HEAD": "", **self.files})

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _text(self) -> str:
        return self._random.choice(_TEXTS)

    def _name(self) -> str:
        self._made += 1
        return f"{self._random.choice(_NAMES)}{self._made}"

    def _level(self, directory: str, depth: int) -> None:
        objects = [*self._config_maps(1)]
        for _ in range(self._random.randint(1, 2)):
            name = self._name()
            if depth < self._depth and self._chance(0.7):
                below = f"{directory}-{name}"  # Flux would apply one below without a kustomization
                objects.append(self._kustomization(name, below))
                self._level(below, depth + 1)
            else:
                objects.append(self._leaf(name))
        self._directory(directory, objects)

    def _directory(
        self, directory: str, objects: list[dict[str, Any]], others: Sequence[str] = ()
    ) -> None:
        names = [f"o{at}.yaml" for at in range(len(objects))]
        for name, each in zip(names, objects, strict=True):
            self.files[f"{directory}/{name}"] = libyaml.dump(each)
        if self._chance(0.4):  # Flux makes the kustomization
            return
        fields: dict[str, Any] = {"resources": [*others, *names]}
        if self._chance(0.3):
            fields["patches"] = [self._patch()]
        if self._chance(0.3):
            fields["commonAnnotations"] = {"from": self._text()}
        if self._chance(0.3):
            fields["labels"] = [{"pairs": {"level": "k"}}]
        if not others and self._chance(0.3):
            fields["namespace"] = self._random.choice(_NAMESPACES)
        if not others and self._chance(0.2):
            fields["namePrefix"] = "p-"
        if not others and self._chance(0.3):
            component = {
                "apiVersion": "kustomize.config.k8s.io/v1alpha1",
                "kind": "Component",
                "patches": [self._patch()],
                **self._random.choice(({}, {"nameSuffix": "-c"}, {"commonLabels": {"c": "d"}})),
            }
            self.files[f"{directory}/component/kustomization.yaml"] = libyaml.dump(component)
            fields["components"] = ["component"]
        self.files[f"{directory}/kustomization.yaml"] = libyaml.dump(fields)

    def _metadata(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = {"name": name, "namespace": self._random.choice(_NAMESPACES)}
        if self._chance(0.3):
            del found["namespace"]
        if self._chance(0.4):
            found["labels"] = {self._random.choice(("tier", "team")): self._text()}
        if self._chance(0.3):
            found["annotations"] = {"note": self._text()}
        if self._chance(0.05):
            found["annotations"] = {"kustomize.toolkit.fluxcd.io/substitute": "disabled"}
        return found

    def _config_maps(self, most: int) -> list[dict[str, Any]]:
        made = []
        for _ in range(self._random.randint(0, most)):
            metadata = self._metadata(self._random.choice(("settings", "vars")))
            key = metadata["name"], metadata.get("namespace", "")
            chosen = self._random.sample(_VARIABLES, 3)
            data = {each: self._random.choice((*_VALUES, "${A:-z}", "a\nb")) for each in chosen}
            if key not in self._maps:
                self._maps.add(key)
                made.append(
                    {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data}
                )
        return made

    def _waits(self) -> dict[str, Any]:
        spec: dict[str, Any] = {}
        if self._chance(0.4):
            spec["wait"] = self._random.choice((True, False, "${W:=true}", "${W:-false}"))
        if self._chance(0.4):
            spec["timeout"] = self._random.choice(("5m", "${M:-7m}", "${M:=8m}"))
        if self._chance(0.4):
            spec["healthChecks"] = [self._check()]
        if self._chance(0.2):
            spec["dependsOn"] = [{"name": self._text()}]
        return spec

    def _check(self) -> dict[str, str]:
        return {"apiVersion": "apps/v1", "kind": "Deployment", "name": self._text()}

    def _leaf(self, name: str) -> dict[str, Any]:
        metadata = self._metadata(name)
        spec: dict[str, Any] = {"interval": "1h"}
        if self._chance(0.4):
            if self._chance(0.5):
                spec["timeout"] = "${M:-7m}"
            return {"apiVersion": _HELM, "kind": "HelmRelease", "metadata": metadata, "spec": spec}
        source = {"kind": "GitRepository", "name": "other"}
        spec |= {"path": f"./{name}", "prune": True, "sourceRef": source, **self._waits()}
        return {"apiVersion": _FLUX, "kind": "Kustomization", "metadata": metadata, "spec": spec}

    def _kustomization(self, name: str, path: str) -> dict[str, Any]:
        source = {"kind": "GitRepository", "name": "cluster", "namespace": "flux-system"}
        spec: dict[str, Any] = {"interval": "1h", "prune": True, "sourceRef": source}
        spec |= {"path": f"./{path}", **self._waits()}
        if self._chance(0.5):
            spec["patches"] = [self._patch() for _ in range(self._random.randint(1, 2))]
        if name != "cluster" and self._chance(0.3):
            spec["targetNamespace"] = self._random.choice(_NAMESPACES)
        if name != "cluster" and self._chance(0.2):
            spec |= self._random.choice(({"namePrefix": "np-"}, {"nameSuffix": "-ns"}))
        if self._chance(0.4):
            fields = self._random.sample(("labels", "annotations"), self._random.randint(1, 2))
            spec["commonMetadata"] = {each: {"common": self._text()} for each in fields}
        if self._chance(0.6):
            spec["postBuild"] = self._post_build()
        metadata = self._metadata(name)
        return {"apiVersion": _FLUX, "kind": "Kustomization", "metadata": metadata, "spec": spec}

    def _post_build(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if self._chance(0.8):
            chosen = self._random.sample(_VARIABLES, self._random.randint(1, 3))
            found["substitute"] = {
                each: self._random.choice((*_VALUES, "${A}", "${C:-q}")) for each in chosen
            }
        if self._chance(0.4):
            names = self._random.sample(("settings", "vars", "gone"), self._random.randint(1, 2))
            found["substituteFrom"] = [
                {"kind": self._random.choice(("ConfigMap",) * 4 + ("Secret",)), "name": each}
                | {"optional": True}
                for each in names
            ]
        if self._chance(0.15):
            found["substituteStrategy"] = "Always"
        return found

    def _patch(self) -> dict[str, Any]:
        kinds = ("Kustomization", "Kustomization", "HelmRelease", "Kustom.*", "(Kust|Helm).*")
        target = {"kind": self._random.choice(kinds)}
        if self._chance(0.3):
            target["name"] = self._random.choice((".*", "first.*", "(apps|db).*", "web[0-9]+"))
        if self._chance(0.15):
            target["labelSelector"] = self._random.choice(("tier", "team=x", "!tier", "level=k"))
        if self._chance(0.15):
            target["namespace"] = self._random.choice(("apps", "flux-system", "(apps|infra)"))
        if self._chance(0.15):
            target["annotationSelector"] = self._random.choice(("note", "!note", "from=x"))
        body = self._merge() if self._chance(0.6) else self._operations()
        text = json.dumps(body) if self._chance(0.2) else libyaml.dump(body)
        return {"patch": text, "target": target}

    def _merge(self) -> dict[str, Any]:
        given: dict[str, Any] = {
            "wait": self._random.choice((True, False, None)),
            "timeout": self._random.choice(("3m", "${M:-4m}", None)),
            "healthChecks": self._random.choice(([], [self._check()])),
            "interval": "2h",
            "retryInterval": self._text(),
            "targetNamespace": self._random.choice(("moved", None)),
            "postBuild": self._random.choice(
                ({"substitute": {"A": self._text(), "M": "9m"}}, {"substitute": {"A": None}}, None)
            ),
            "commonMetadata": self._random.choice(({"labels": {"patched": self._text()}}, None)),
            "patches": [
                {
                    "patch": '[{"op": "add", "path": "/spec/timeout", "value": "11m"}]',
                    "target": {"kind": "Kustomization"},
                }
            ],
        }
        chosen = self._random.sample(sorted(given), self._random.randint(1, 2))
        metadata: dict[str, Any] = {"name": "_"}
        if self._chance(0.2):
            metadata["labels"] = {"tier": self._text()}
        spec = {key: given[key] for key in chosen}
        return {"apiVersion": _FLUX, "kind": "Kustomization", "metadata": metadata, "spec": spec}

    def _operations(self) -> list[dict[str, Any]]:
        given: list[dict[str, Any]] = [
            {"op": "add", "path": "/spec/wait", "value": self._chance(0.5)},
            {
                "op": "add",
                "path": "/spec/timeout",
                "value": self._random.choice(("8m", "${M:-4m}")),
            },
            {"op": "replace", "path": "/spec/interval", "value": "3h"},
            {"op": "add", "path": "/metadata/labels", "value": {"team": self._text()}},
            {"op": "add", "path": "/metadata/annotations", "value": {"note": "x"}},
            {"op": "add", "path": "/metadata/namespace", "value": "moved"},
        ]
        return [self._random.choice(given)]
