"""Keys that no field of the schema has: which of them matter, and what was meant."""

from __future__ import annotations

import functools

from celvet.lint.similar import similar
from celvet.lint.validation.inspection import Unknown
from celvet.lint.validation.remark import Fault, listed, pattern_of, quoted
from celvet.schemas import Kind, expression_sites
from celvet.schemas.kind import Schema
from celvet.schemas.table import pattern

_ALIKE = {"all": 0.6, "near": 0.8}
"""How alike a key must be to a field to be taken for it (1: the same).

In a wide mapping most unknown keys are fields of a newer version.
"""


def judge(fault: Fault, kind: Kind, version: str) -> Unknown | None:
    """What to say of the key that `fault.detail` names, or None if nothing.

    `version` is that of the object's `apiVersion`.
    """
    if fault.keyword == "x-versions":
        return _not_in_version(fault, kind, version)
    if fault.keyword == "x-mistaken":
        return _mistaken(fault, kind)
    return _unlisted(fault, kind)


def _not_in_version(fault: Fault, kind: Kind, version: str) -> Unknown | None:
    if version in fault.expected or version not in kind.versions:
        return None
    name = str(fault.path[-1])
    fact = f"{quoted(name)} is no field of {_place(fault.path[:-1])} in version {quoted(version)}"
    newest = next((known for known in kind.versions if known in fault.expected), version)
    return Unknown(
        path=fault.path,
        name=name,
        suggestion="",
        message=_message(fact, kind),
        help=f"Use `apiVersion: {kind.group}/{newest}`.",
    )


def _mistaken(fault: Fault, kind: Kind) -> Unknown:
    name, given = fault.detail, fault.expected[fault.detail]
    meant = given.get("meant", "")
    fact = given.get("fact") or _no_field(fault)
    return Unknown(
        path=(*fault.path, name),
        name=name,
        suggestion=meant,
        message=f"{fact}; {given['then']}" if "then" in given else _message(fact, kind),
        help=given.get("help") or (f"Write {quoted(meant)}." if meant else "Remove it."),
    )


def _unlisted(fault: Fault, kind: Kind) -> Unknown | None:
    name, strictness = fault.detail, fault.expected
    home = _homes(kind).get(name, "")
    alike = "" if home else _resembled(name, fault.schema, strictness)
    if strictness == "near" and not (home or alike):
        return None
    return Unknown(
        path=(*fault.path, name),
        name=name,
        suggestion=alike,
        message=_message(_no_field(fault), kind),
        help=_help(home, alike, fault.schema),
    )


def _help(home: str, alike: str, schema: Schema) -> str:
    if home:
        return f"Move it to `{home}`."
    if alike:
        return f"Write {quoted(alike)}."
    return f"Remove it; the fields are {listed(list(schema.get('properties', {})))}."


def _resembled(name: str, schema: Schema, strictness: str) -> str:
    fields = schema.get("properties", {})
    known = [field for field in fields if strictness == "all" or fields[field]]
    field = similar(name, known, _ALIKE[strictness])
    return str(schema.get("x-mistaken", {}).get(field, {}).get("meant", field))


@functools.lru_cache(maxsize=256)
def _homes(kind: Kind) -> dict[str, str]:
    """Where the fields on the way to an expression belong, by name."""
    homes: dict[str, str] = {}
    for site in expression_sites(kind):
        for index, segment in enumerate(site.segments[1:], start=1):
            homes.setdefault(segment, pattern(site.segments[:index]))
    return homes


def _no_field(fault: Fault) -> str:
    return f"{quoted(fault.detail)} is no field of {_place(fault.path)}"


def _place(path: tuple[str | int, ...]) -> str:
    return quoted(pattern_of(path)) if path else "the object"


def _message(fact: str, kind: Kind) -> str:
    return f"{fact}; {kind.unknown}"
