"""Tells by its text whether what cannot be read was to be something of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from celvet.lint.manifest.objects.resourceset import templates
from celvet.lint.manifest.source.split import split
from celvet.lint.model import Value
from celvet.schemas import Catalog


def is_ours(text: bytes | str, catalog: Catalog) -> bool:
    r"""Whether a text says that it is about an object with expressions.

    It does with an API group and a version of a kind of the catalogue
    (`carto.run/v1`), and with `kind: Plain`. What else is called `Kustomization`,
    as kustomize's own file is, has to mention a group or a telling field besides.
    Nothing is decoded: `\u` and `${` say nothing.
    """
    raw = text.encode(errors="replace") if isinstance(text, str) else text
    signs = _signs(catalog)
    if signs.group.search(raw):
        return True
    kinds = {found[1] for found in signs.kind.finditer(raw)}
    return bool(kinds & signs.telling) or (
        bool(kinds) and any(raw.find(word) >= 0 for word in signs.beside)
    )


def to_be_ours(object_: Mapping[str, Value], catalog: Catalog) -> int:
    """How many objects of ours a ResourceSet will render from texts, as far as these tell."""
    return sum(
        is_ours(text[span.start : span.end], catalog)
        for text in templates(object_)
        for span in split(text)
    )


class _Signs(NamedTuple):
    """What is looked for; `telling` are the kinds whose name alone is enough."""

    group: re.Pattern[bytes]
    kind: re.Pattern[bytes]
    telling: frozenset[bytes]
    beside: frozenset[bytes]


@lru_cache(maxsize=8)
def _signs(catalog: Catalog) -> _Signs:
    names = {kind.kind.encode() for kind in catalog.kinds}
    groups = {kind.group.encode() for kind in catalog.kinds if kind.group}
    words = {word.encode() for word in catalog.words}
    return _Signs(
        group=re.compile(rb"(?<![\w.-])(?:%s)\\?/v\d" % _any_of(groups)),
        kind=re.compile(rb"""\bkind["']?[ \t]*:[ \t]*["']?(%s)\b""" % _any_of(names)),
        telling=frozenset(words & names),
        beside=frozenset(words - names),
    )


def _any_of(words: set[bytes]) -> bytes:
    return b"|".join(map(re.escape, sorted(words)))
