"""Cuts a declaration at its entries: what each says by itself, and what there is besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain
from typing import Any

from celvet.lint.checks.checked_object import AnyExpression, Declaration
from celvet.lint.crds.schema import CrdSchema
from celvet.lint.model import Path, Span, Value, Where


@dataclass(frozen=True, slots=True)
class Portion:
    """A mapping that holds expressions, by its path in the object.

    `key` stands for all that the rules may look at when they judge it: the
    mapping, how its texts are read, and the object without the other portions.
    What is known of the kinds that it is about goes beside it, as `schemas`.
    """

    path: Path
    key: bytes
    schemas: tuple[CrdSchema | None, ...]


def portions(declaration: Declaration) -> list[Portion]:
    """The portions of a declaration, each once."""
    found: dict[Path, list[AnyExpression]] = {}
    every: chain[AnyExpression] = chain(declaration.cel, declaration.paths)
    for expression in every:
        found.setdefault(expression.site.path[:-1], []).append(expression)
    rest = _digest(declaration.partial, _without(declaration.value, _tree(found)))
    return [
        Portion(
            path,
            _digest(rest, declaration.get(*path), [_read_as(each) for each in expressions]),
            tuple(declaration.schema_of(*each.subject) for each in expressions),
        )
        for path, expressions in found.items()
    ]


def narrowed(declaration: Declaration, paths: Iterable[Path] = ()) -> Declaration:
    """The declaration with the expressions of some portions alone; its places are plain paths."""
    kept = set(paths)
    return replace(
        declaration,
        cel=tuple(each for each in declaration.cel if each.site.path[:-1] in kept),
        paths=tuple(each for each in declaration.paths if each.site.path[:-1] in kept),
        place=_in_object,
    )


def _in_object(path: Path, span: Span | None = None, on_key: bool = False) -> Where:
    return Where(path=path, span=span, on_key=on_key)


def _read_as(expression: AnyExpression) -> tuple[Any, ...]:
    site = expression.site
    return site.path[-1], site.role, site.dialect.name, site.text, expression.subject


def _digest(*parts: Value) -> bytes:
    """The same for the same parts alone; `repr` tells 1 from `true`, and lists keys in order."""
    return blake2b(repr(parts).encode(errors="surrogatepass"), digest_size=20).digest()


def _tree(paths: Iterable[Path]) -> dict[str | int, Any]:
    """The paths as nested mappings, one for each step."""
    root: dict[str | int, Any] = {}
    for path in paths:
        node = root
        for step in path:
            node = node.setdefault(step, {})
    return root


def _without(value: Value, tree: Mapping[str | int, Any]) -> Value:
    """A value with None in the place of what stands at the ends of a tree of paths."""
    if not tree:
        return None
    steps: Iterator[tuple[str | int, Value]] = iter(
        value.items() if isinstance(value, Mapping) else enumerate(value)
    )
    return [(step, _without(each, tree[step]) if step in tree else each) for step, each in steps]
