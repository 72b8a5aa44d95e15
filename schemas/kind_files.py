"""The files of `kinds/`, and those of ours as they have been read."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from celvet.schemas.errors import CatalogError

KINDS = "kinds"
"""The directory of the files, in a schema directory."""

FAMILIES = "families"
"""The directory of the files of families, beside those of the groups."""

OURS = Path(__file__).parent / KINDS
"""The directory of the built-in files."""

READ = Path(__file__).with_name("catalogue.json")
"""Our files as they have been read, in one JSON object: a line for each, its name and content.

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
def short_names() -> Mapping[str, tuple[str, str]]:
    """The group and kind of each short name that kubectl knows without asking for CRDs."""
    kinds = our_kind(OURS / "kubernetes.yaml")["shortNames"]
    pairs = ((name, kind.partition(".")) for kind, name in kinds.items())
    return {name: (group, kind) for name, (kind, _, group) in pairs}


@functools.cache
def is_made_by_others(group: str, kind: str) -> bool:
    """Whether objects of a kind of kube-apiserver often come from other built-in objects."""
    return _is_listed("made", group, kind)


@functools.cache
def is_stateless(group: str, kind: str) -> bool:
    """Whether objects of a kind of kube-apiserver have no status: they are done once stored."""
    return _is_listed("stateless", group, kind)


def _is_listed(name: str, group: str, kind: str) -> bool:
    return f"{kind}.{group}".removesuffix(".") in our_kind(OURS / "kubernetes.yaml")[name]


@functools.cache
def _built_in_scopes() -> Mapping[tuple[str, str], str]:
    return {
        ("" if group == _CORE else group, kind): scope
        for group, scopes in our_kind(OURS / "kubernetes.yaml")["scopes"].items()
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
    return frozenset("" if name == _CORE else name for name in names if name != FAMILIES)


@functools.lru_cache(maxsize=16)
def kinds_of_files(directory: Path) -> frozenset[tuple[str, str]]:
    """The group and kind of each file in a `kinds/`; reads none of them."""
    files = directory.glob("*/*.yaml")
    return frozenset(
        ("" if file.parent.name == _CORE else file.parent.name, file.stem)
        for file in files
        if file.parent.name != FAMILIES
    )


def read_name(file: Path) -> str:
    """The beginning of the line for a built-in file in the generated catalogue."""
    return f"{json.dumps(file.relative_to(OURS).with_suffix('').as_posix())}: "


def our_kind(file: Path) -> Any:
    """What has been read in a file of ours."""
    lines = READ.read_bytes()
    name = f"\n{read_name(file)}".encode()
    start = lines.index(name) + len(name)
    return json.loads(lines[start : lines.index(b"\n", start)].removesuffix(b","))


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
