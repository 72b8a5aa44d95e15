"""What the engine says of one YAML document of a file, found again when only others change."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from celvet.lint.checks import AnyExpression, Check, CheckedObject
from celvet.lint.crds import Known, Layers, by_kind, of_definition
from celvet.lint.crds.files import may_define
from celvet.lint.engine import FileResult, Settings, lint_text
from celvet.lint.engine.incremental import Memory
from celvet.lint.locate import Locator
from celvet.lint.manifest import Manifest, read, whole_objects
from celvet.lint.manifest.limits import MAX_DOCUMENTS
from celvet.lint.manifest.source.split import split
from celvet.lint.model import Span, Where

_MARK = "\ufeff"


def chunks(text: str) -> tuple[Span, ...]:
    """The ranges of a text that are judged each for itself: its documents.

    Too many of them are one problem of the file. A Helm template is reported
    for each document, where `celvet lint` does so once.
    """
    start = len(_MARK) if text.startswith(_MARK) else 0
    spans = tuple(Span(start + each.start, start + each.end) for each in split(text[start:]))
    return (Span(start, len(text)),) if len(spans) > MAX_DOCUMENTS else spans


def chunk_at(text: str, offset: int) -> Span:
    """The range that an offset is in."""
    spans = chunks(text)
    return next((span for span in spans if offset <= span.end), spans[-1])


class Part:
    """A document's text and what the engine says of it; offsets count from its beginning."""

    def __init__(
        self, text: str, name: str, settings: Settings, memory: Memory | None = None
    ) -> None:
        self.text = text
        self.settings = settings
        self.result: FileResult = lint_text(text, name, settings, memory)

    @cached_property
    def manifest(self) -> Manifest:
        """The document, read; of one that is none of our business, it holds nothing."""
        return self.result.manifest or Manifest(self.result.name, self.text)

    @cached_property
    def locator(self) -> Locator:
        """Turns places into offsets."""
        return Locator(self.manifest)

    def extent(self, where: Where) -> Span:
        """The offsets of a place; a whole value ends with its last visible character."""
        start, end = self.locator.offsets(where)
        if where.span is None and where.inner is None and where.source is None:
            end = start + len(self.text[start:end].rstrip())
        return Span(start, end)

    def spots(self) -> Iterator[Spot]:
        """The expressions, in document order."""
        for checked in self.result.checked:
            for check in checked.checks:
                for expression in check.expressions:
                    extent = self.extent(checked.place(expression.path))
                    yield Spot(self, checked, check, expression, extent)

    def spot_at(self, offset: int) -> Spot | None:
        """The expression that is written at an offset."""
        found = (spot for spot in self.spots() if spot.extent.start <= offset <= spot.extent.end)
        return next(found, None)


@dataclass(frozen=True, slots=True)
class Spot:
    """An expression and where it is written."""

    part: Part
    checked: CheckedObject
    check: Check
    expression: AnyExpression
    extent: Span

    def decoded(self, offset: int) -> int:
        """The index in the compiled text of what is written at an offset."""
        size = len(self.expression.program.text)
        return index_at(offset, size, lambda at: self.written(Span(at, at)).start)

    def written(self, span: Span) -> Span:
        """The offsets that write a span of the compiled text."""
        return self.part.locator.offsets(self.checked.at(self.expression, span))


@dataclass(frozen=True, slots=True)
class Placed:
    """A part and where it begins in the file now."""

    part: Part
    start: int

    def extent(self, where: Where) -> Span:
        """The offsets of a place in the file."""
        start, end = self.part.extent(where)
        return Span(self.start + start, self.start + end)


def with_own_crds(settings: Settings, texts: tuple[str, ...]) -> Settings:
    """The settings with the CRDs that some documents of a file define, before all others."""
    values = (found.value for text in texts for found in whole_objects(read(text)))
    known = by_kind(schema for value in values if (schema := of_definition(value)))
    return replace(settings, crds=Layers((Known(known), settings.crds))) if known else settings


def defining(text: str) -> bool:
    """Whether a document may define a kind."""
    return may_define(text.encode("utf-8", "replace"))


def index_at(offset: int, size: int, written: Callable[[int], int]) -> int:
    """The index in a text of so many code points that is written at an offset.

    `written` gives the offset that writes an index; where several of them are
    written at once, the last counts.
    """
    return max(bisect_right(range(size + 1), offset, key=written) - 1, 0)
