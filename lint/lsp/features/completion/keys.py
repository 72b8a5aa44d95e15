"""Keys and values of our kinds."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from celvet.lint.lsp.features.completion.cursor import AtKey, AtValue
from celvet.lint.lsp.features.completion.proposal import Proposal, Proposals
from celvet.lint.values import group_kind_of
from celvet.schemas import Catalog
from celvet.schemas.kind import Schema

_OF_EVERY_OBJECT = ("apiVersion", "kind", "metadata")


def keys(at: AtKey, catalog: Catalog) -> Proposals:
    """The keys that a mapping may have and has not; those that it must have come first."""
    about = at.context
    named: dict[str, Schema] = {}
    required: set[str] = set()
    for schema in about.schemas:
        required |= {*schema.get("required", ())}
        for name, below in schema.get("properties", {}).items():
            named.setdefault(name, below)
    if not about.path and about.kind is None:
        named |= {name: {} for name in _OF_EVERY_OBJECT}
    items = [
        _key(name, below, name in required, catalog)
        for name, below in named.items()
        if name not in at.siblings
    ]
    return Proposals(items, len(at.typed))


def _key(name: str, schema: Schema, required: bool, catalog: Catalog) -> Proposal:
    expression = schema.get("x-expression")
    dialect = catalog.dialects[expression["dialect"]] if expression else None
    detail = f"{dialect.language} expression" if dialect else str(schema.get("type", ""))
    parts = [schema.get("description", ""), dialect.description if dialect else ""]
    return Proposal(
        label=name,
        kind=lsp.CompletionItemKind.Property,
        detail=f"{detail}, required".removeprefix(", ") if required else detail,
        documentation="\n\n".join(filter(None, parts)),
        insert=f"{name}: ",
        rank=0 if required else 1,
    )


def values(at: AtValue, catalog: Catalog) -> Proposals:
    """The texts that a value may be, where there are only some."""
    made = [Proposal(text, lsp.CompletionItemKind.EnumMember) for text in _values(at, catalog)]
    return Proposals(made, len(at.typed))


def _values(at: AtValue, catalog: Catalog) -> Iterator[str]:
    about = at.context
    if about.path == ("apiVersion",):
        name = about.object.get("kind")
        for kind in catalog.kinds:
            if not isinstance(name, str) or name == kind.kind:
                yield from (f"{kind.group}/{version}" for version in kind.versions if kind.group)
    elif about.path == ("kind",):
        group = group_kind_of(about.object).group
        yield from (kind.kind for kind in catalog.kinds if group in ("", kind.group))
    for schema in about.schemas:
        if schema.get("type") == "boolean":
            yield from ("true", "false")
        yield from (each for each in schema.get("enum", ()) if isinstance(each, str))
