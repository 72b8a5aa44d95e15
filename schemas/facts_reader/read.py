"""Reads the facts about a kind, and checks the files of the user's own.

The built-in files are not checked here: `tests/kinds` checks them all.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from celvet.schemas.errors import CatalogError
from celvet.schemas.facts_reader.alike import LIKE, claims, completed
from celvet.schemas.kind_files import FAMILIES, OURS, kind_file, our_kind, parsed


def read_kind(file: Path) -> Any:
    """The facts in a file. Raises `CatalogError` for a user's file that is wrong."""
    if file.is_relative_to(OURS):
        return our_kind(file)
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
    is_ours = base_file.is_relative_to(OURS) and not file.is_relative_to(OURS)
    base = our_kind(base_file) if is_ours else parsed(base_file)
    _assure_valid(base_file, base)
    if LIKE in base:
        raise CatalogError(file, f"`like` names `{content[LIKE]}`, which is like another itself")
    return completed(content, base=base)


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


def _assure_valid(file: Path, content: Any) -> None:
    from jsonschema.exceptions import best_match  # 90 ms that few users need

    if error := best_match(_validator().iter_errors(content)):
        place = error.json_path.removeprefix("$").removeprefix(".")
        raise CatalogError(file, f"{f'`{place}`: ' if place else ''}{error.message:.200}")


def _assure_name(file: Path, content: Mapping[str, Any]) -> None:
    is_family = file.parent.name == FAMILIES
    if is_family != ("members" in content):
        lack = "has no `members`, which each file in `families/` needs"
        excess = "has `members`; a family has its file in `families/`"
        raise CatalogError(file, lack if is_family else excess)
    if is_family:
        return
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
