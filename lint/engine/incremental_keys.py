"""Cuts an object at its checks: what each says by itself, and what there is besides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from celvet.lint.checks import AnyExpression, CheckedObject
from celvet.lint.crds.schema import CrdSchema
from celvet.lint.model import Path, Span, Value, Where


@dataclass(frozen=True, slots=True)
class Portion:
    """A check, by its path in the object.

    `key` stands for all that the rules may look at when they look at it: the
    check, how its texts are read, and the object without its other checks. What
    is known of the kind that it is about goes beside it, as `schema`.
    """

    path: Path
    key: bytes
    schema: CrdSchema | None


def portions(checked: CheckedObject) -> list[Portion]:
    """The portions of an object, each once."""
    rest = _digest(
        checked.partial, _without(checked.value, _tree(check.path for check in checked.checks))
    )
    return [
        Portion(
            check.path,
            _digest(rest, check.value, check.strategy, [_read_as(it) for it in check.expressions]),
            checked.schema_of(*check.objects),
        )
        for check in checked.checks
    ]


def narrowed(checked: CheckedObject, paths: Iterable[Path] = ()) -> CheckedObject:
    """The object with some of its checks alone; its places are plain paths."""
    kept = set(paths)
    checks = tuple(check for check in checked.checks if check.path in kept)
    return replace(checked, checks=checks, place=_in_object)


def _in_object(path: Path, span: Span | None = None, on_key: bool = False) -> Where:
    return Where(path=path, span=span, on_key=on_key)


def _read_as(expression: AnyExpression) -> tuple[Any, ...]:
    dialect = expression.dialect
    variables = tuple(dialect.variables.items())
    return (
        *(expression.path[-1], expression.role, dialect.name, variables),
        *(expression.program.text, expression.objects),
    )


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
