"""Random trees in forms that few repositories have; see `tests.kustomize.trees`.

Texts in JSON, with anchors, merge keys and empty documents; files below a directory; patches of
odd values and with directives; targets that are odd expressions; remote directories.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

from tests import libyaml
from tests.kustomize.trees import Tree

FIRST = 4_000
"""From this number on, trees are unusual ones."""
_BUILT = "kustomize.config.k8s.io/v1beta1"
_URLS = (
    "https://github.com/acme/base//{}?ref=v1",
    "github.com/acme/base//{}?ref=v1",
    "git@github.com:acme/base.git//{}?ref=main",
    "ssh://git@acme.example/base.git//{}",
    "git::https://acme.example/base//{}",
    "acme.example/base.git//{}",
)
_ODD: tuple[dict[str, Any], ...] = (
    {"weird": {"a": {"b": {}}}},
    {"weird": {"a": []}},
    {"weird": {"$patch": "replace"}},
    {"commonMetadata": {"labels": {"x": None}}},
    {"commonMetadata": {"labels": {"z": "1"}, "$patch": "merge"}},
    {"dependsOn": [{"name": "q"}]},
    {"dependsOn": None},
    {"postBuild": {}},
    {"suspend": None},
)


def tree(number: int) -> Tree:
    """The tree of a number."""
    return UnusualTree(number) if number >= FIRST else Tree(number)


class UnusualTree(Tree):
    """A tree whose files are rewritten in unusual forms."""

    def _directory(
        self,
        name: str,
        includes: tuple[str, ...],
        components: list[str] | None = None,
        *,
        component: bool = False,
    ) -> str:
        super()._directory(name, includes, components, component=component)
        if name in self.remote.values():
            return name
        file = f"{name}/kustomization.yaml"
        fields = libyaml.load(self.files.pop(file))
        fields["resources"] = [self._moved(name, each) for each in fields["resources"]]
        fields["patches"] = [self._rewritten(each) for each in fields["patches"]]
        if self._chance(0.25):
            fields["patches"].append(self._aimed())
        if self._chance(0.08):
            self._add_remote(fields)
        self._add_inert(fields, component=component)
        ending = self._random.choice((".yaml", ".yaml", ".yaml", ".yml", ""))
        file = f"{name}/kustomization{ending}" if ending else f"{name}/Kustomization"
        self.files[file] = self._written(fields)
        return name

    def _moved(self, directory: str, name: str) -> str:
        """The name of a file of objects, which is moved and rewritten."""
        if name.startswith(".."):
            return self._random.choice((name, f"./{name}", f"{name}/"))
        text = self._form(self.files.pop(f"{directory}/{name}"))
        moved = self._random.choice((name, f"sub/{name}", f"deep/er/{name[:-4]}yml"))
        self.files[f"{directory}/{moved}"] = text
        return self._random.choice((moved, f"./{moved}"))

    def _form(self, text: str) -> str:
        """A text with objects, in another form."""
        forms = (
            lambda: "".join(f"---\n{json.dumps(each)}\n" for each in libyaml.load_all(text)),
            lambda: f"# c\n---\n# only a comment\n---\n{text}",
            lambda: f"{text}---\n",
            lambda: re.sub(
                r"(?m)^( *)interval: 1h$", r"\1interval: &i 1h\n\1retryInterval: *i", text
            ),
            lambda: re.sub(
                r"(?m)^( *)spec:$", r"\1spec:\n\1  <<: {timeout: 7m, force: true}", text
            ),
            lambda: text.replace("labels:", "labels: &l", 1),
        )
        return self._random.choice(forms)() if self._chance(0.5) else text

    def _rewritten(self, patch: dict[str, Any]) -> dict[str, Any]:
        """A patch in another form, perhaps with other values."""
        if "patch" not in patch or self._chance(0.5):
            return patch
        body = libyaml.load(patch["patch"])
        if isinstance(body, list):
            return {**patch, "patch": self._operations_text(body)}
        if self._chance(0.5) and isinstance(body.get("spec"), dict):
            body["spec"] |= self._random.choice(_ODD)
        if self._chance(0.15):
            body["$patch"] = self._random.choice(("replace", "merge"))
        if self._chance(0.2):
            body["metadata"]["labels"] = self._random.choice(({"tier": None}, {}))
        text = self._written(body)
        if self._chance(0.15):
            text = f"---\n{libyaml.dump(body)}---\n"
        return {**patch, "patch": text}

    def _operations_text(self, operations: list[Any]) -> str:
        text = libyaml.dump(operations)
        forms: tuple[str, ...] = (
            json.dumps(operations),
            f"\n  {json.dumps(operations)}",
            f"---\n{text}",
            f"# a\n{text}",
            f"{text}---\n{libyaml.dump(self._operations())}",
            str(libyaml.dump(operations, default_flow_style=False, sort_keys=False)),
        )
        return self._random.choice(forms)

    def _aimed(self) -> dict[str, Any]:
        """A patch with an odd target."""
        random = self._random
        target: dict[str, str] = {}
        if self._chance(0.5):
            target["kind"] = random.choice(
                ("kustomization", "Kustomization|HelmRelease", "Kustom", "Kustomization")
            )
        if self._chance(0.3):
            target["group"] = random.choice(("kustomize", ".*toolkit.*", ""))
        if self._chance(0.5):
            target["name"] = random.choice(
                ("web|db", "^web.*", "web$", "[a-d].*", "x?web.*", r"\w+", "")
            )
        if self._chance(0.2):
            target["namespace"] = random.choice(("", "flux-.*", "moved"))
        if self._chance(0.3):
            target["labelSelector"] = random.choice(
                ("team in (a),tier", "tier=", "tier notin (front),!team", "tier!=")
            )
        if self._chance(0.2):
            target["annotationSelector"] = random.choice(("note in (e,c)", "note!=e"))
        more: list[dict[str, Any]] = [
            {"op": "add", "path": "/spec/wait", "value": None},
            {"op": "copy", "from": "/metadata/name", "path": "/spec/timeout"},
            {"op": "replace", "path": "/metadata/name", "value": "renamed"},
            {"op": "add", "path": "/metadata/namespace", "value": "moved"},
            {"op": "add", "path": "/spec", "value": {"interval": "3h"}},
        ]
        chosen = random.sample(more, random.randint(1, 2))
        return {"patch": libyaml.dump(chosen), "target": target}

    def _add_remote(self, fields: dict[str, Any]) -> None:
        """A remote directory, which may bring what affects the objects of this one."""
        name = f"remote{len(self.remote)}"
        url = self._random.choice(_URLS).format(name)
        self.remote[url] = name
        component = self._chance(0.3)
        super()._directory(name, (), component=component)
        fields.setdefault("components" if component else "resources", []).append(url)

    def _add_inert(self, fields: dict[str, Any], *, component: bool) -> None:
        """Fields that change no object of Flux, and other names of fields."""
        if not component and self._chance(0.5):
            fields |= {"apiVersion": _BUILT, "kind": "Kustomization"}
        if not component and self._chance(0.15):
            fields["bases"] = [each for each in fields["resources"] if ".." in each]
            fields["resources"] = [each for each in fields["resources"] if ".." not in each]
        if self._chance(0.05):
            fields["sortOptions"] = {"order": "fifo"}
        if self._chance(0.05):
            fields["metadata"] = {"name": "x", "annotations": {"a": "b"}}
        if not fields["patches"] and self._chance(0.5):
            del fields["patches"]

    def _written(self, value: dict[str, Any]) -> str:
        flow = partial(libyaml.dump, default_flow_style=True, width=10_000)
        write = self._random.choice((libyaml.dump,) * 4 + (json.dumps, flow))
        return self._random.choice(("", "", "", "---\n")) + str(write(value))
