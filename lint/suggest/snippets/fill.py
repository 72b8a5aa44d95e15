"""Fills the form of a snippet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from celvet.lint.controllers.flux_operator.reference import guessed_plural
from celvet.lint.model import GroupKind, Value
from celvet.regex import regex

_NAME = regex(r"\$\((\w+)\)")
_INITIALS = regex(r"[A-Z]+(?![a-z])|[A-Z]")


class _AbsentError(Exception):
    """A text has the name of something that there is not."""


def filled(form: Any, values: Mapping[str, Value]) -> Any:
    """A form with values in place of `$(name)`.

    Without a value, a field with such a text is left out, and so is an item of a list.
    """
    if isinstance(form, str):
        return _text(form, values)
    if isinstance(form, list):
        return [*_items(form, values)]
    if isinstance(form, Mapping):
        return {
            _text(key, values): filled(part, values)
            for key, part in form.items()
            if not (isinstance(part, str) and _lacks(part, values))
        }
    return form


def names_in(form: Any) -> frozenset[str]:
    """The names of the values that a form needs."""
    if isinstance(form, str):
        return frozenset(_NAME.findall(form))
    if isinstance(form, Mapping):
        return frozenset().union(*map(names_in, (*form, *form.values())))
    return frozenset().union(*map(names_in, form)) if isinstance(form, list) else frozenset()


def _items(form: list[Any], values: Mapping[str, Value]) -> Any:
    items = []
    for item in form:
        try:
            items.append(filled(item, values))
        except _AbsentError:
            continue
    if form and not items:
        raise _AbsentError
    return items


def _text(form: str, values: Mapping[str, Value]) -> Any:
    names = _NAME.findall(form)
    if _lacks(form, values):
        raise _AbsentError
    if len(names) == 1 and form == f"$({names[0]})":
        return values[names[0]]
    return _NAME.sub(lambda match: str(values[match[1]]), form)


def _lacks(text: str, values: Mapping[str, Value]) -> bool:
    return any(name not in values for name in _NAME.findall(text))


def identities(kind: GroupKind, api_version: str) -> Iterator[dict[str, Value]]:
    """What a kind is called, by the names that forms have for it.

    The second time with another `id`, for a system that keeps the first one for itself.
    """
    variable = _INITIALS.sub(lambda match: match[0].lower(), kind.kind, count=1)
    names: dict[str, Value] = {
        "apiVersion": api_version,
        "group": kind.group,
        "groupKind": "_".join(filter(None, kind)),
        "id": variable,
        "kind": kind.kind,
        "name": kind.kind.lower(),
        "plural": guessed_plural(kind.kind),
        "resource": str(kind).lower(),
        "version": api_version.rpartition("/")[2],
    }
    yield names
    yield {**names, "id": f"{variable}Object"}
