"""Guesses from raw text whether an unreadable document is of a known kind, and its variables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from celvet.lint.manifest.objects.resourceset import templates
from celvet.lint.manifest.source.split import split
from celvet.lint.model import Value
from celvet.record import record
from celvet.regex import regex
from celvet.schemas import Catalog, Kind
from celvet.schemas.sites import expression_sites

_VARIABLE = regex(r"\$\{(\w+)")


def mentions_known_kind(text: bytes | str, catalog: Catalog) -> bool:
    r"""Whether a text looks like an object of a kind in the catalogue.

    An API group with a version (`carto.run/v1`) is enough, and so is a `kind` that no other
    software uses. With `kind: Kustomization`, which kustomize's own file also has, the text must
    also mention a group or a distinctive field. Escapes (`\u`) and variables (`${`) are not
    decoded.
    """
    raw = text.encode(errors="replace") if isinstance(text, str) else text
    signs = _signs(catalog)
    if signs.group.search(raw):
        return True
    kinds = {match[1] for match in signs.kind.finditer(raw)}
    return bool(kinds & signs.distinctive_kinds) or (
        bool(kinds) and any(raw.find(word) >= 0 for word in signs.fields)
    )


def variables_in(text: str) -> list[str]:
    """The names of what looks like a variable in a text, in alphabetical order."""
    return sorted({*_VARIABLE.findall(text)})


def may_hold_checks(text: str, catalog: Catalog) -> bool:
    """Whether a text names a kind and a field of its expressions; some kinds have no such field."""
    return any(
        (kind.group or kind.kind) in text and (not fields or any(name in text for name in fields))
        for kind, fields in _fields_of_checks(catalog)
    )


def count_templated(object_: Mapping[str, Value], catalog: Catalog) -> int:
    """Counts the objects of known kinds in the text templates of a ResourceSet."""
    return sum(
        mentions_known_kind(text[span.start : span.end], catalog)
        for text in templates(object_)
        for span in split(text)
    )


@record
class _Signs:
    """The words to search for.

    `distinctive_kinds` are those whose name alone is enough; any other needs a group or one of the
    `fields` in the text.
    """

    group: re.Pattern[bytes]
    kind: re.Pattern[bytes]
    distinctive_kinds: frozenset[bytes]
    fields: frozenset[bytes]


@lru_cache(maxsize=8)
def _signs(catalog: Catalog) -> _Signs:
    names = {kind.kind.encode() for kind in catalog.kinds}
    groups = {kind.group.encode() for kind in catalog.kinds if kind.group}
    words = {word.encode() for word in catalog.words}
    return _Signs(
        group=re.compile(rb"(?<![\w.-])(?:%s)\\?/v\d" % _any_of(groups)),
        kind=re.compile(rb"""\bkind["']?[ \t]*:[ \t]*["']?(%s)\b""" % _any_of(names)),
        distinctive_kinds=frozenset(words & names),
        fields=frozenset(words - names),
    )


def _any_of(words: set[bytes]) -> bytes:
    return b"|".join(map(re.escape, sorted(words)))


@lru_cache(maxsize=8)
def _fields_of_checks(catalog: Catalog) -> tuple[tuple[Kind, frozenset[str]], ...]:
    """Each kind with the longest field on the path of each expression, the most distinctive one."""
    return tuple(
        (kind, frozenset(max(reversed(site.fields), key=len) for site in expression_sites(kind)))
        for kind in catalog.kinds
    )
