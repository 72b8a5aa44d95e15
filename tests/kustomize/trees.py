"""Random trees of kustomizations; `python -m tests.kustomize.record` asks kustomize about them.

A tree follows from its number alone, so that only the answers are kept.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

from tests import libyaml
from tests.files import write_files

_NAMES = ("apps", "db", "web", "cache-1")
_NAMESPACES = ("flux-system", "apps", "infra")
_LABELS = {"tier": ("front", "back"), "app.home/wait": ("yes", "no")}
_TARGETS = ("Kustomization", "Kustom.*", "HelmRelease", ".*", "(Kustomization|HelmRelease)", "")
_FIRST_WITH_OLDER = 1_000
"""From this number on, trees have older fields for patches too, and replacements by a source."""
_FIRST_WITH_NESTED = 1_500
"""From this number on, components and bases are nested, and patches have all their options."""
_FIRST_WITH_TRANSFORMERS = 2_500
"""From this number on, transformers are configured in files and in texts."""
_FIRST_WITH_LISTS = 3_000
"""From this number on, there are lists, objects of other kinds, schemas and configurations."""
_FLUX = ("kustomize.toolkit.fluxcd.io/v1", "helm.toolkit.fluxcd.io/v2")
_CHECKS = {
    "type": "array",
    "items": {"type": "object"},
    "x-kubernetes-patch-merge-key": "name",
    "x-kubernetes-patch-strategy": "merge",
}
_SCHEMA = {
    "definitions": {
        "flux.Kustomization": {
            "type": "object",
            "properties": {"spec": {"type": "object", "properties": {"healthChecks": _CHECKS}}},
            "x-kubernetes-group-version-kind": [
                {"group": _FLUX[0].split("/")[0], "version": "v1", "kind": "Kustomization"}
            ],
        }
    }
}
"""A schema by which the health checks of a patch are merged by their names."""
_CONFIGURATION = {
    "namePrefix": [{"path": "spec/path", "kind": "HelmRelease"}],
    "commonLabels": [{"path": "spec/commonMetadata/labels", "create": True}],
}
_CRDS = {
    "github.com/flux/v1.Kustomization": {
        "Schema": {
            "properties": {
                "apiVersion": {"type": "string"},
                "kind": {"type": "string"},
                "metadata": {"type": "object"},
                "spec": {"$ref": "github.com/flux/v1.Spec"},
            }
        }
    },
    "github.com/flux/v1.Spec": {
        "Schema": {
            "properties": {
                "path": {
                    "type": "string",
                    "x-kubernetes-object-ref-api-version": "v1",
                    "x-kubernetes-object-ref-kind": "Service",
                }
            }
        }
    },
}


class Tree:
    """The files of a tree by name; `root` is built. `remote` has directories by their addresses."""

    def __init__(self, number: int) -> None:
        self._random = Random(number)
        self._older = number < _FIRST_WITH_OLDER
        self._nested = number >= _FIRST_WITH_NESTED
        self._configured = number >= _FIRST_WITH_TRANSFORMERS
        self._listed = number >= _FIRST_WITH_LISTS
        self.files: dict[str, str] = {}
        self.remote: dict[str, str] = {}
        bases = [self._directory(f"base{at}", ()) for at in range(self._random.randint(1, 2))]
        components = [
            self._directory(f"component{at}", (), component=True)
            for at in range(self._random.randint(0, 2))
        ]
        middle = [self._directory("middle", tuple(bases))] if self._random.random() < 0.6 else bases
        if self._nested:
            middle, components = self._more_nested(bases, middle, components)
        self.root = self._directory("root", tuple(middle), components)

    def _more_nested(
        self, bases: list[str], middle: list[str], components: list[str]
    ) -> tuple[list[str], list[str]]:
        """A second directory over a base, one over both, and components that name another."""
        if self._chance(0.4):
            middle = [*middle, self._directory("variant", (self._random.choice(bases),))]
        if self._chance(0.3):
            middle = [self._directory("upper", tuple(middle))]
        if self._chance(0.4):
            inner = self._directory("inner", (), component=True)
            components = [self._directory("outer", (), [inner], component=True), *components]
        return middle, components

    def write(self, directory: Path, *, fetched: bool = False) -> Path:
        """Write the files below a directory, the remote ones if `fetched`; the one to build."""
        remote = () if fetched else self.remote.values()
        files = {
            name: self._fetched(text) if fetched else text
            for name, text in self.files.items()
            if name.split("/")[0] not in remote
        }
        return write_files(directory, files) / self.root

    def _fetched(self, text: str) -> str:
        """A text with the remote directories under their names in the tree."""
        for address, local in self.remote.items():
            text = text.replace(address, f"../{local}")
        return text

    def _chance(self, probability: float) -> bool:
        return self._random.random() < probability

    def _directory(
        self,
        name: str,
        includes: tuple[str, ...],
        components: list[str] | None = None,
        *,
        component: bool = False,
    ) -> str:
        resources = [f"../{each}" for each in includes]
        for at in range(self._random.randint(not includes and not component, 1)):
            resources.append(f"o{at}.yaml")
            objects = [
                self._object(f"{name[0]}{name[-1]}{at}{n}") for n in range(1 + self._chance(0.3))
            ]
            self.files[f"{name}/o{at}.yaml"] = self._file(objects)
        fields: dict[str, Any] = {"resources": resources}
        if component:
            fields |= {"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"}
        if components:
            fields["components"] = [f"../{each}" for each in components]
        self._add_names(fields)
        self._add_metadata(fields)
        fields["patches"] = [self._patch(name, at) for at in range(self._random.randint(0, 3))]
        if self._chance(0.15):
            fields["replacements"] = [self._replacement()]
        if not self._older:
            self._add_more(name, fields, resources)
        if self._nested:
            self._add_others(name, fields, resources)
        if self._configured and self._chance(0.4):
            self._add_transformers(name, fields)
        if self._listed:
            self._add_further(name, fields)
        self.files[f"{name}/kustomization.yaml"] = libyaml.dump(fields)
        return name

    def _add_more(self, name: str, fields: dict[str, Any], resources: list[str]) -> None:
        """Forms of patches, labels and replacements that the first trees lack."""
        names = self._names_in(name, resources)
        if names and self._chance(0.3):
            api_version, kind, metadata = self._random.choice(names)
            patch = {"apiVersion": api_version, "kind": kind, "metadata": metadata}
            fields["patchesStrategicMerge"] = [
                libyaml.dump({**patch, "spec": {"timeout": self._random.choice(("3m", None))}})
            ]
        if names and self._chance(0.3):
            api_version, kind, metadata = self._random.choice(names)
            group, _, version = api_version.partition("/")
            target = {"group": group, "version": version, "kind": kind, **metadata}
            operations = [{"op": "add", "path": "/spec/wait", "value": self._chance(0.5)}]
            fields["patchesJson6902"] = [{"target": target, "patch": libyaml.dump(operations)}]
        if names and self._chance(0.3):
            api_version, kind, metadata = self._random.choice(names)
            source = {"kind": kind, **metadata, "fieldPath": "spec.path"}
            target = {
                "select": {"kind": self._random.choice(("Kustomization", "HelmRelease"))},
                "fieldPaths": ["spec.timeout", "metadata.annotations.from"],
                "options": {"create": True},
            }
            if self._chance(0.4):
                target["reject"] = [{"name": metadata["name"]}]
            fields["replacements"] = [{"source": source, "targets": [target]}]
        if self._chance(0.2):
            pairs = {"pairs": self._labels(), "includeSelectors": self._chance(0.5)}
            fields["labels"] = [pairs, {"pairs": {"team": "c"}, "includeTemplates": True}]

    def _add_others(self, name: str, fields: dict[str, Any], resources: list[str]) -> None:
        """Generators, build metadata, patches without a target, and patches that delete."""
        random = self._random
        if self._chance(0.2):
            fields["configMapGenerator"] = [{"name": f"c-{name}", "literals": ["a=b"]}]
            fields["generatorOptions"] = {"labels": self._labels()}
        if name == "root" and self._chance(0.15):
            fields["buildMetadata"] = [random.choice(("originAnnotations", "managedByLabel"))]
        if self._chance(0.3):
            wanted = random.choice(("note=e", "note", "note!=c", "!note", "note in (c,d)"))
            target = {"kind": "Kustomization", "annotationSelector": wanted}
            fields["patches"].append({"patch": libyaml.dump(self._removal()), "target": target})
        if name == "variant":
            fields["namePrefix"] = "v-"
        for api_version, kind, metadata in self._names_in(name, resources):
            if self._chance(0.3):
                fields["patches"].append(self._named_patch(api_version, kind, metadata))
        if self._chance(0.15):
            fields["replacements"] = [self._field_replacement()]

    def _add_transformers(self, name: str, fields: dict[str, Any]) -> None:
        named = {"apiVersion": "builtin", "metadata": {"name": "x"}}
        prefixed = {"prefix": "t-", "fieldSpecs": [{"path": "metadata/name"}]}
        suffixed = {
            "suffix": "-t",
            "fieldSpecs": [{"path": "metadata/name", "kind": "HelmRelease"}],
        }
        labelled = {"labels": self._labels(), "fieldSpecs": [{"path": "metadata/labels"}]}
        labelled["fieldSpecs"][0]["create"] = self._chance(0.7)
        moved = {"metadata": {"name": "x", "namespace": self._random.choice(_NAMESPACES)}}
        self.files[f"{name}/operations.yaml"] = libyaml.dump(self._operations())
        patched = {"path": "operations.yaml", "target": self._target()}
        chosen = self._random.choice(
            (
                {"kind": "PrefixTransformer", **prefixed},
                {"kind": "SuffixTransformer", **suffixed},
                {"kind": "LabelTransformer", **labelled},
                {"kind": "NamespaceTransformer", "unsetOnly": self._chance(0.5), **moved},
                {"kind": "PatchTransformer", **patched},
                {"kind": "PatchTransformer", **self._patch(name, 9)},
            )
        )
        text = libyaml.dump({**named, **chosen})
        fields["transformers"] = ["transformer.yaml"] if self._chance(0.5) else [text]
        self.files[f"{name}/transformer.yaml"] = text

    def _file(self, objects: list[dict[str, Any]]) -> str:
        """A file with objects, perhaps as a list, and perhaps with one of another kind."""
        if not self._listed:
            return libyaml.dump_all(objects)
        random = self._random
        kind = random.choice(("List", "KustomizationList", ""))
        documents = [{"apiVersion": "v1", "kind": kind, "items": objects}] if kind else objects
        if self._chance(0.3):
            name = f"{random.choice(_NAMES)}-{len(self.files)}"
            api_version, kind = random.choice(
                (("v1", "Namespace"), ("apps/v1", "Deployment"), ("v1", "Service"))
            )
            other = {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}
            documents = [{**other, "spec": {"interval": "1h", "path": "./x"}}, *documents]
        return libyaml.dump_all(documents)

    def _add_further(self, name: str, fields: dict[str, Any]) -> None:
        """Labels in further fields, schemas, generators, and targets with odd expressions."""
        random = self._random
        if self._chance(0.2):
            spec = {"path": "spec/commonMetadata/labels", "create": self._chance(0.7)}
            if self._chance(0.5):
                spec["kind"] = "Kustomization"
            fields.setdefault("labels", []).append({"pairs": {"team": "d"}, "fields": [spec]})
        if self._chance(0.03):
            fields["openapi"] = {"path": "schema.json"}
            self.files[f"{name}/schema.json"] = json.dumps(_SCHEMA)
        if self._chance(0.03):
            fields["crds"] = ["crd.json"]
            self.files[f"{name}/crd.json"] = json.dumps(_CRDS)
        if self._chance(0.1):
            fields["generators"] = ["generator.yaml"]
            generator = {"apiVersion": "builtin", "kind": "ConfigMapGenerator"}
            generator |= {"metadata": {"name": f"g-{name}"}, "literals": ["a=b"]}
            self.files[f"{name}/generator.yaml"] = libyaml.dump(generator)
        if self._chance(0.2):
            pattern = random.choice(
                ("^web", "web.*|db", "(?i)WEB.*", ".*-[bm][0e]+[0-9]+", "[^w].*")
            )
            labels = random.choice(
                ("", "tier in (front, back),app.home/wait!=no", "app.home/wait", "team notin (d)")
            )
            target = {"name": pattern, "labelSelector": labels}
            patch = {"patch": libyaml.dump(self._operations()), "target": target}
            fields["patches"].append(patch)
        if self._chance(0.1):
            patch = {**self._merge(), "spec": {"$retainKeys": ["wait"], "wait": True}}
            fields["patches"].append(
                {"patch": libyaml.dump(patch), "target": {"kind": "Kustomization"}}
            )
        if self._chance(0.1):
            fields["images"] = [{"name": "a", "newTag": "b"}]
        if self._chance(0.1):
            fields["configurations"] = ["config.yaml"]
            self.files[f"{name}/config.yaml"] = libyaml.dump(_CONFIGURATION)

    def _removal(self) -> list[dict[str, Any]]:
        """Operations that mostly remove what they have added."""
        holder, end, value = self._random.choice(
            (
                ("/spec/wait", "", True),
                ("/spec/timeout", "", "4m"),
                ("/metadata/labels", "", {"tier": "back"}),
                ("/spec/healthChecks", "/0", [self._check(), self._check()]),
                ("/metadata/annotations", "/note", {"note": "g"}),
            )
        )
        added = {"op": "add", "path": holder, "value": value}
        return [added] * self._chance(0.9) + [{"op": "remove", "path": holder + end}]

    def _named_patch(self, api_version: str, kind: str, metadata: Any) -> dict[str, Any]:
        """A patch that names its object, and may delete it, a part of it, or rename it."""
        spec = self._random.choice(
            (
                {"wait": True, "$patch": "merge"},
                {"$patch": "replace", "interval": "9m", "path": "./new"},
                {"healthChecks": [{"$patch": "delete", **self._check()}]},
                {"healthChecks": [{"$patch": "replace"}, self._check()]},
                {"postBuild": {"substitute": {"$patch": "delete"}}},
                {"timeout": None, "wait": None},
            )
        )
        patch: dict[str, Any] = {"apiVersion": api_version, "kind": kind, "metadata": metadata}
        found: dict[str, Any] = {"patch": libyaml.dump({**patch, "spec": spec})}
        if self._chance(0.15):
            found["patch"] = libyaml.dump({**patch, "$patch": "delete"})
        elif self._chance(0.25):
            renamed = {**metadata, "name": "renamed", "labels": self._labels()}
            found["patch"] = libyaml.dump({**patch, "metadata": renamed})
            found["target"] = {"kind": kind, "name": metadata["name"]}
            found["options"] = {"allowNameChange": self._chance(0.7)}
        return found

    def _field_replacement(self) -> dict[str, Any]:
        paths = (
            *("spec.wait", "spec.timeout") * 3,
            "spec.healthChecks.0.name",
            "spec.healthChecks.[kind=Deployment].name",
            "spec.healthChecks.*.name",
            "spec.wait",
            "spec.timeout",
            "metadata.name",
            "metadata.annotations.note",
        )
        options: dict[str, Any] = {"create": self._chance(0.9)}
        if self._chance(0.2):
            options = {"delimiter": self._random.choice("-m"), "index": self._random.choice((0, 1))}
        target = {
            "select": {
                "kind": "Kustomization",
                "name": self._random.choice(("", "web.*", "apps-.*")),
            },
            "fieldPaths": [self._random.choice(paths)],
            "options": options,
        }
        return {"sourceValue": self._random.choice(("true", "6m", "web", "5")), "targets": [target]}

    def _names_in(self, directory: str, resources: list[str]) -> list[tuple[str, str, Any]]:
        """The objects of the files of a directory, as they are written."""
        texts = [self.files[f"{directory}/{each}"] for each in resources if ".." not in each]
        documents = [each for text in texts for each in libyaml.load_all(text)]
        objects = [item for each in documents for item in each.get("items", [each])]
        return [
            (
                each["apiVersion"],
                each["kind"],
                {
                    key: each["metadata"][key]
                    for key in ("name", "namespace")
                    if key in each["metadata"]
                },
            )
            for each in objects
        ]

    def _add_names(self, fields: dict[str, Any]) -> None:
        if self._chance(0.35):
            fields["namespace"] = self._random.choice(_NAMESPACES)
        if self._chance(0.25):
            fields["namePrefix"] = self._random.choice(("prod-", "x"))
        if self._chance(0.15):
            fields["nameSuffix"] = "-v1"

    def _add_metadata(self, fields: dict[str, Any]) -> None:
        if self._chance(0.2):
            fields["labels"] = [{"pairs": self._labels()}]
        if self._chance(0.15):
            fields["commonLabels"] = {"team": self._random.choice("ab")}
        if self._chance(0.15):
            fields["commonAnnotations"] = {"note": self._random.choice("cd")}

    def _labels(self) -> dict[str, str]:
        key = self._random.choice(list(_LABELS))
        return {key: self._random.choice(_LABELS[key])}

    def _object(self, unique: str) -> dict[str, Any]:
        api_version = self._random.choice(_FLUX[:1] * 3 + _FLUX[1:])
        kind = "Kustomization" if "kustomize" in api_version else "HelmRelease"
        metadata: dict[str, Any] = {"name": f"{self._random.choice(_NAMES)}-{unique}"}
        if self._chance(0.5):
            metadata["namespace"] = self._random.choice(_NAMESPACES)
        if self._chance(0.5):
            metadata["labels"] = self._labels()
        if self._chance(0.2):
            metadata["annotations"] = {"note": "e"}
        spec: dict[str, Any] = {"interval": "1h", "path": f"./{unique}"}
        if self._chance(0.5):
            spec["wait"] = self._chance(0.5)
        if self._chance(0.4):
            spec["timeout"] = self._random.choice(("5m", "10m"))
        if self._chance(0.4):
            spec["healthChecks"] = [self._check() for _ in range(self._random.randint(1, 2))]
        if self._chance(0.2):
            spec["postBuild"] = {"substitute": {"A": "1", "B": "2"}}
        return {"apiVersion": api_version, "kind": kind, "metadata": metadata, "spec": spec}

    def _check(self) -> dict[str, str]:
        return {"apiVersion": "apps/v1", "kind": "Deployment", "name": self._random.choice(_NAMES)}

    def _patch(self, directory: str, at: int) -> dict[str, Any]:
        json = self._chance(0.4)
        body: Any = self._operations() if json else self._merge()
        patch: dict[str, Any] = {}
        text = libyaml.dump(body)
        if self._chance(0.3):
            patch["path"] = f"p{at}.yaml"
            self.files[f"{directory}/p{at}.yaml"] = text
        else:
            patch["patch"] = text
        patch["target"] = self._target()
        return patch

    def _merge(self) -> dict[str, Any]:
        spec: dict[str, Any] = {}
        if self._chance(0.5):
            spec["wait"] = self._random.choice((True, False, None))
        if self._chance(0.4):
            spec["timeout"] = self._random.choice(("30s", "1h", None))
        if self._chance(0.3):
            spec["healthChecks"] = self._random.choice(([self._check()], [], None))
        if self._chance(0.2):
            spec["postBuild"] = self._random.choice(
                (
                    {"substitute": {"A": None, "C": "3"}},
                    {"$patch": "replace", "substitute": {"D": "4"}},
                    {"$patch": "delete"},
                )
            )
        metadata: dict[str, Any] = {"name": "_"}
        if self._chance(0.3):
            metadata["labels"] = self._labels()
        if self._chance(0.1):
            metadata["annotations"] = {"note": None, "more": "f"}
        if self._chance(0.05):
            return {
                "apiVersion": _FLUX[0],
                "kind": "Kustomization",
                "metadata": metadata,
                "$patch": "delete",
            }
        return {"apiVersion": _FLUX[0], "kind": "Kustomization", "metadata": metadata, "spec": spec}

    def _operations(self) -> list[dict[str, Any]]:
        given: list[dict[str, Any]] = [
            {"op": "add", "path": "/spec/wait", "value": self._chance(0.5)},
            {"op": "replace", "path": "/spec/interval", "value": "2h"},
            {"op": "add", "path": "/metadata/labels", "value": self._labels()},
            {"op": "add", "path": "/spec/healthChecks", "value": [self._check()]},
            {"op": "copy", "from": "/spec/path", "path": "/spec/timeout"},
            {"op": "move", "from": "/spec/interval", "path": "/spec/timeout"},
            {"op": "remove", "path": "/spec/interval"},
            {"op": "test", "path": "/spec/interval", "value": "1h"},
            {"op": "add", "path": "/metadata/annotations", "value": {"a~b": "1"}},
        ]
        return self._random.sample(given, self._random.randint(1, 2))

    def _target(self) -> dict[str, str]:
        target: dict[str, str] = {"kind": self._random.choice(_TARGETS)}
        if self._chance(0.3):
            target["group"] = self._random.choice(("kustomize.toolkit.fluxcd.io", "kustomize.*"))
        if self._chance(0.2):
            target["version"] = self._random.choice(("v1", "v2", "v."))
        if self._chance(0.3):
            target["name"] = self._random.choice((r"(prod-)?apps-.*", "db.*", ".*1", "web"))
        if self._chance(0.25):
            target["namespace"] = self._random.choice((*_NAMESPACES, "default", "(apps|infra)"))
        if self._chance(0.25):
            target["labelSelector"] = self._random.choice(
                (
                    "tier=front",
                    "tier!=front",
                    "tier in (front, back)",
                    "tier notin (back)",
                    "tier",
                    "!tier",
                    "tier==back,team=a",
                )
            )
        if self._chance(0.1):
            target["annotationSelector"] = self._random.choice(("note=e", "note"))
        return {key: value for key, value in target.items() if value}

    def _replacement(self) -> dict[str, Any]:
        select = {"kind": "Kustomization"}
        return {
            "sourceValue": self._random.choice(("7m", "true")),
            "targets": [
                {
                    "select": select,
                    "fieldPaths": [
                        self._random.choice(
                            ("spec.timeout", "spec.interval", "metadata.labels.tier")
                        )
                    ],
                    "options": {"create": True},
                }
            ],
        }
