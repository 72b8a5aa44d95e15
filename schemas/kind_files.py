"""The files of `kinds/`: found, read, and those of the user's own held against their schema.

The built-in files are not checked here: `tests/kinds` checks them all.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from celvet.schemas.errors import CatalogError
from celvet.schemas.families.alike import LIKE, claims, completed

KINDS = "kinds"
"""The directory of the files, in a schema directory."""

OURS = Path(__file__).parent / KINDS
"""The directory of the built-in files."""

READ = Path(__file__).with_name("built_in_kinds.jsonl")
"""Our files as they have been read: a line for each, its name and what is in it.

`make generate` writes it. To read a kind from YAML takes 2 to 4 ms, from here 0.2.
"""

BUILT_IN_GROUPS = frozenset(
    {
        "",
        "admissionregistration.k8s.io",
        "apiextensions.k8s.io",
        "apiregistration.k8s.io",
        "apps",
        "authentication.k8s.io",
        "authorization.k8s.io",
        "autoscaling",
        "batch",
        "certificates.k8s.io",
        "coordination.k8s.io",
        "discovery.k8s.io",
        "events.k8s.io",
        "flowcontrol.apiserver.k8s.io",
        "internal.apiserver.k8s.io",
        "networking.k8s.io",
        "node.k8s.io",
        "policy",
        "rbac.authorization.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
        "storagemigration.k8s.io",
    }
)
"""The API groups of kube-apiserver itself (`k8s.io/api`); CRDs live in others."""

_CORE = "core"
"""The directory of the core group, whose name is empty."""

_TIMESTAMP = "tag:yaml.org,2002:timestamp"


def built_in_kinds() -> Collection[tuple[str, str]]:
    """The group and kind of all kinds of kube-apiserver."""
    return _built_in_scopes().keys()


def is_built_in(group: str, kind: str) -> bool:
    """Whether a controller that looks up a kind finds it among those of kube-apiserver.

    The mapper of client-go (v0.36.2, restmapper/discovery.go) also knows each kind in lower case.
    """
    kinds = built_in_kinds_of(group)
    return kind in kinds or kind in map(str.lower, kinds)


@functools.lru_cache(maxsize=64)
def built_in_kinds_of(group: str) -> tuple[str, ...]:
    """The kinds of kube-apiserver in a group."""
    return tuple(kind for kind_group, kind in built_in_kinds() if kind_group == group)


def built_in_scope(group: str, kind: str) -> str:
    """The scope of a kind of kube-apiserver, `Namespaced` or `Cluster`; empty for others."""
    return _built_in_scopes().get((group, kind), "") if group in BUILT_IN_GROUPS else ""


@functools.cache
def is_made_by_others(group: str, kind: str) -> bool:
    """Whether objects of a kind of kube-apiserver often come from other built-in objects."""
    name = f"{kind}.{group}" if group else kind
    return name in _ours(OURS / "kubernetes.yaml")["made"]


@functools.cache
def _built_in_scopes() -> Mapping[tuple[str, str], str]:
    return {
        ("" if group == _CORE else group, kind): scope
        for group, scopes in _ours(OURS / "kubernetes.yaml")["scopes"].items()
        for scope, kinds in scopes.items()
        for kind in kinds
    }


def kind_file(directory: Path, group: str, kind: str) -> Path:
    """The path of a kind's file in a `kinds/`, whether or not it exists."""
    return directory / (group or _CORE) / f"{kind}.yaml"


@functools.lru_cache(maxsize=16)
def groups_of_files(directory: Path) -> frozenset[str]:
    """The groups in a `kinds/`: a file may name thousands of others, which need no look each."""
    names = os.listdir(directory) if directory.is_dir() else ()  # noqa: PTH208 - 10 times faster
    return frozenset("" if name == _CORE else name for name in names)


@functools.lru_cache(maxsize=16)
def kinds_of_files(directory: Path) -> frozenset[tuple[str, str]]:
    """The group and kind of each file in a `kinds/`; reads none of them."""
    files = directory.glob("*/*.yaml")
    return frozenset(
        ("" if file.parent.name == _CORE else file.parent.name, file.stem) for file in files
    )


def read_kind(file: Path) -> Any:
    """The facts in a file. Raises `CatalogError` for a user's file that is wrong."""
    if file.is_relative_to(OURS):
        return _ours(file)
    content = parsed(file)
    _assure_valid(file, content)
    _assure_name(file, content)
    content = whole(file, content)
    _assure_valid(file, content)
    _assure_names(file, content)
    return content


def whole(file: Path, content: Any) -> Any:
    """The content of a file with what it takes over; raises `CatalogError` if that is missing."""
    if LIKE not in content:
        return content
    bases = (file.with_stem(content[LIKE]), kind_file(OURS, content["group"], content[LIKE]))
    if not (base_file := next(filter(Path.is_file, bases), None)):
        raise CatalogError(file, f"`like` names `{content[LIKE]}`, which has no file in the group")
    base = parsed(base_file)
    _assure_valid(base_file, base)
    if LIKE in base:
        raise CatalogError(file, f"`like` names `{content[LIKE]}`, which is like another itself")
    return completed(content, base=base)


def read_name(file: Path) -> str:
    """The beginning of the line for a built-in file in the generated module."""
    return json.dumps([file.relative_to(OURS).with_suffix("").as_posix()])[:-1]


def _ours(file: Path) -> Any:
    lines = READ.read_bytes()
    start = lines.index(f"{read_name(file)}, ".encode())
    _, content = json.loads(lines[start : lines.index(b"\n", start)])
    return content


def check_kinds(directory: Path) -> None:
    """Read all files of a user's `kinds/`; raises `CatalogError` for the first that is wrong."""
    for group in sorted(directory.glob("*")):
        if group.name.startswith(".") or group.name in ("README.md", "kind.schema.json"):
            continue
        if not group.is_dir():
            raise CatalogError(group, "unexpected entry; a kind has its file in `<group>/`")
        for file in sorted(entry for entry in group.iterdir() if not entry.name.startswith(".")):
            if file.suffix != ".yaml":
                raise CatalogError(file, "unexpected entry; only `.yaml` files belong here")
            read_kind(file)


def parsed(file: Path) -> Any:
    """The content of a YAML file."""
    import yaml  # most runs need no kind

    try:
        return yaml.load(file.read_bytes(), Loader=_loader())  # noqa: S506 - a safe loader
    except OSError as error:
        raise CatalogError(file, f"cannot be read: {error.strerror}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise CatalogError(file, f"is no valid YAML: {' '.join(str(error).split())}") from error


@functools.cache
def _loader() -> Any:
    """A loader that reads dates as strings, as JSON does, and refuses duplicate keys."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class KindLoader(base):  # type: ignore[misc]
        yaml_implicit_resolvers = {  # noqa: RUF012 - PyYAML's own name
            letter: [(tag, form) for tag, form in resolvers if tag != _TIMESTAMP]
            for letter, resolvers in base.yaml_implicit_resolvers.items()
        }

        def construct_mapping(self, node: Any, deep: bool = False) -> Any:
            mapping = super().construct_mapping(node, deep=deep)
            if len(mapping) < len(node.value):
                raise yaml.MarkedYAMLError(None, None, "a key appears twice", node.start_mark)
            if odd_key := next((key for key in mapping if not isinstance(key, str)), None):
                problem = f"the key {odd_key} is not a string: put it in quotes"
                raise yaml.MarkedYAMLError(None, None, problem, node.start_mark)
            return mapping

    return KindLoader


def _assure_valid(file: Path, content: Any) -> None:
    from jsonschema.exceptions import best_match  # 90 ms that few users need

    if error := best_match(_validator().iter_errors(content)):
        place = error.json_path.removeprefix("$").removeprefix(".")
        raise CatalogError(file, f"{f'`{place}`: ' if place else ''}{error.message:.200}")


def _assure_name(file: Path, content: Mapping[str, Any]) -> None:
    if (right_path := kind_file(file.parent.parent, content["group"], content["kind"])) != file:
        name = right_path.relative_to(file.parent.parent)
        raise CatalogError(
            file, f"describes {content['kind']} of {content['group']}; name it `{name}`"
        )


def _assure_names(file: Path, content: Mapping[str, Any]) -> None:
    """Raises `CatalogError` if a claim or a variant names something that is not there."""
    names = {name for claim in claims(content) for name in claim["evidence"]}
    if unknown := sorted(names - content["evidence"].keys()):
        raise CatalogError(file, f"`evidence` has no `{unknown[0]}`, which a claim names")
    states = {state["name"] for state in content["life"]}
    for name, variant in content.get("variants", {}).items():
        if unknown := sorted(variant.get("differs", {}).keys() - states):
            place = f"variants.{name}.differs"
            raise CatalogError(file, f"`{place}` names the state `{unknown[0]}`, not in `life`")


@functools.cache
def _validator() -> Any:
    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads((OURS / "kind.schema.json").read_bytes()))
