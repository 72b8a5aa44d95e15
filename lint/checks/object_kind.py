"""The kind of the objects that a check is about."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.model import Path, Value
from celvet.lint.values import get
from celvet.regex import regex
from celvet.schemas.kind_files import built_in_kinds_of
from celvet.schemas.known_kinds import known_kinds

_TOP_FIELD = regex(
    r"""(?m)^(apiVersion|kind):[ \t]+["']?([A-Za-z0-9./-]+)["']?[ \t]*(?:#.*)?\r?$"""
)

OWN = "self"
"""Marks a check of objects of the kind that declares it."""

KEY = "key"
"""Marks a check whose own key is the kind, as `GROUP_VERSION_KIND`."""


def kind_of_objects(objects: str, path: Path, root: Value) -> tuple[str, str]:
    """`apiVersion` and `kind` of the objects that the check at `path` is about.

    `objects` comes from the catalogue: `self` for the declaring kind, `key` for the one in the key
    of the check, or a dotted path, from the check's mapping, with `../` in front for each step up,
    or, with a `/`, from the object's root. A text there is a manifest, perhaps with the actions of
    a template. If it is empty, the nearest mapping around the expression that names a kind counts,
    except the root. If nothing names a kind, the result is empty strings.
    """
    if objects == OWN:
        return _kind_named_in(root)
    if objects == KEY:
        return _kind_in_key(str(path[-1]))
    while objects.startswith("../"):
        objects, path = objects.removeprefix("../"), path[:-1]
    if objects:
        start = root if objects.startswith("/") else get(root, path)
        return _kind_named_in(get(start, tuple(objects.removeprefix("/").split("."))))
    for size in range(len(path), 0, -1):
        mapping = get(root, path[:size])
        if isinstance(mapping, (dict, Mapping)) and "kind" in mapping:
            return _kind_named_in(mapping)
    return "", ""


def _kind_in_key(key: str) -> tuple[str, str]:
    group, version, kind = [*key.split("_"), "", ""][:3]
    return (f"{group}/{version}" if group else version, kind) if key.count("_") == 2 else ("", "")


def _kind_named_in(value: Value) -> tuple[str, str]:
    """The kind that a mapping names, by `apiVersion`, `group` and `version`, or as a resource."""
    if isinstance(value, str):
        value = dict(reversed(_TOP_FIELD.findall(value)))
    if not isinstance(value, (dict, Mapping)):  # as in `get`
        return "", ""
    group = value.get("group")
    if isinstance(group, str) and isinstance(value.get("resource"), str) and "kind" not in value:
        return _kind_of_resource(group, value["resource"])
    version = f"{group}/{value.get('version', '')}" if isinstance(group, str) else None
    api_version, kind = value.get("apiVersion", version), value.get("kind")
    return (
        (api_version, kind) if isinstance(api_version, str) and isinstance(kind, str) else ("", "")
    )


def _kind_of_resource(group: str, resource: str) -> tuple[str, str]:
    """The known kind whose plural is a resource; of its version only the group is certain."""
    catalog_kinds = (kind for kind_group, kind in known_kinds() if kind_group == group)
    for kind in (*built_in_kinds_of(group), *catalog_kinds):
        name = kind.lower()
        if resource in (f"{name}s", f"{name}es", f"{name[:-1]}ies"):
            return f"{group}/v1".removeprefix("/"), kind
    return "", ""
