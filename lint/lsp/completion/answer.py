"""What can be written at an offset of a file."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import schemas
from lint.engine import Settings
from lint.lsp.analysis import Part, chunk_at
from lint.lsp.completion.cursor import AtKey, InExpression, cursor
from lint.lsp.completion.expression import in_expression
from lint.lsp.completion.item import Proposals
from lint.lsp.completion.keys import keys, values
from lint.lsp.completion.known import knowledge
from lint.suite.model import HealthTest


def proposals(
    text: str,
    offset: int,
    settings: Settings,
    parts: Iterable[Part],
    tests: Callable[[], Iterable[HealthTest]],
) -> Proposals:
    """The proposals for the word in front of an offset; none where nothing is known.

    `parts` are what is known of the file so far; `tests` are asked for where
    their fixtures can tell of fields.
    """
    span = chunk_at(text, offset)
    catalog = schemas.load(settings.schemas)
    at = cursor(text[span.start : span.end], offset - span.start, catalog)
    if at is None:
        return Proposals([])
    if isinstance(at, AtKey):
        return keys(at, catalog)
    if not isinstance(at, InExpression):
        return values(at, catalog)
    if at.site.dialect.language != "cel":
        return Proposals([])
    known = knowledge(at.site, at.context.object, settings, parts, tests())
    return in_expression(at.site.text, at.site.dialect, known)
