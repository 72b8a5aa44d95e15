"""What can be written at the cursor: words of an expression, keys and values of YAML.

`cursor` finds where the cursor is, in a text that is rarely valid YAML; `expression`, `keys`,
`entries` and `template` propose what fits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from celvet.lint.engine import Settings
from celvet.lint.healthtest.model import HealthTest
from celvet.lint.lsp.features.completion.cursor import AtKey, InExpression, cursor
from celvet.lint.lsp.features.completion.entries import entries, kinds
from celvet.lint.lsp.features.completion.expression import in_expression
from celvet.lint.lsp.features.completion.keys import keys, values
from celvet.lint.lsp.features.completion.known_fields import known_fields
from celvet.lint.lsp.features.completion.proposal import Proposals
from celvet.lint.lsp.features.completion.template import in_template
from celvet.lint.lsp.state.analysis import Analysis, chunk_at
from celvet.lint.manifest import Manifest
from celvet.record import record
from celvet.regex import regex

_QUOTE = regex(r"['\"\\\n]")
"""What a text in quotes begins and ends with, in YAML too; it does not go on in another line."""


@record
class Known:
    """What is known of a file: its parts so far, and what was read last.

    `tests` are asked for where their fixtures can tell of fields.
    """

    parts: Iterable[Analysis]
    tests: Callable[[], Iterable[HealthTest]]
    earlier: Manifest | None = None


def proposals(text: str, offset: int, settings: Settings, known: Known) -> Proposals:
    """The proposals for the word before an offset."""
    span = chunk_at(text, offset)
    catalog = settings.catalog
    template = in_template(text, span, offset, settings.providers)
    if template is not None:
        return template
    at = cursor(text[span.start : span.end], offset - span.start, catalog, known.earlier)
    if at is None:
        return Proposals([])
    if isinstance(at, AtKey):
        found = keys(at, catalog)
        return found.with_items(entries(at, catalog))
    if not isinstance(at, InExpression):
        found = values(at, catalog)
        return found.with_items(kinds(at, catalog))
    if at.site.dialect.language != "cel":
        return Proposals([])
    elsewhere = _elsewhere(text, offset)
    fields = known_fields(at, settings, known.parts, known.tests(), elsewhere)
    found = in_expression(at.site.text, at.site.dialect, fields)
    return Proposals(found.items, at.size(found.typed))


def _elsewhere(text: str, offset: int) -> frozenset[str]:
    """What a text has between quotes, the one around an offset left out."""
    start = max(text.rfind(mark, 0, offset) for mark in "'\"\n") + 1
    end = _QUOTE.search(text, offset)
    return frozenset(
        (*_QUOTE.split(text[:start]), *_QUOTE.split(text[end.start() :] if end else ""))
    )
