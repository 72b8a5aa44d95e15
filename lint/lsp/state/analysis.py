"""The engine's result for one YAML document of a file, kept while only others change."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cached_property

from celvet.lint.checks import AnyExpression, Check, CheckedObject
from celvet.lint.controllers import evaluators
from celvet.lint.crds import KnownSchemas, LayeredSchemas, by_kind, schemas_in
from celvet.lint.crds.schema import may_define
from celvet.lint.engine import FileResult, Settings, lint_text
from celvet.lint.locate import Locator
from celvet.lint.locate.changes import edits
from celvet.lint.locate.edits import FileEdit
from celvet.lint.manifest import Manifest, read, whole_objects
from celvet.lint.manifest.file_limits import MAX_BYTES, MAX_DOCUMENTS, may_spend
from celvet.lint.manifest.objects.resourceset import PROVIDING, is_input_provider
from celvet.lint.manifest.source.split import is_dropped, split
from celvet.lint.model import Fix, Span, Value, Where
from celvet.lint.resourceset import all_providers
from celvet.lint.values import get
from celvet.record import record, replace

_MARK = "\ufeff"


def chunks(text: str) -> tuple[Span, ...]:
    """The ranges of a text that are linted separately: its documents.

    A file that is refused as a whole, or that may use up the budget of a file, is one range. Text
    that kubectl drops is in a range with the document before it, whose findings report it.
    """
    start = len(_MARK) if text.startswith(_MARK) else 0
    content = text[start:]
    spans: list[Span] = []
    if "\0" in text or len(text) > MAX_BYTES:
        return (Span(0, len(text)),)
    for count, span in enumerate(split(content), 1):
        if count > MAX_DOCUMENTS:
            return (Span(start, len(text)),)
        begin = start + span.start
        if spans and is_dropped(content, span):
            begin = spans.pop().start
        spans.append(Span(begin, start + span.end))
    return (Span(0, len(text)),) if may_spend(content, len(spans)) else tuple(spans)


def chunk_at(text: str, offset: int) -> Span:
    """The range that an offset is in."""
    spans = chunks(text)
    return next((span for span in spans if offset <= span.end), spans[-1])


class Analysis:
    """The engine's result for the text of a document; offsets count from its start."""

    def __init__(self, text: str, name: str, settings: Settings) -> None:
        self.text = text
        self.settings = settings
        self.result: FileResult = lint_text(text, name, settings)
        self._extents: dict[Where, Span] = {}

    @cached_property
    def manifest(self) -> Manifest:
        """The document; empty if it has no object of a known kind."""
        return self.result.manifest or Manifest(self.result.name, self.text)

    @cached_property
    def locator(self) -> Locator:
        """Turns places into offsets."""
        return Locator(self.manifest)

    def extent(self, where: Where) -> Span:
        """The offsets of a place; a whole value ends with its last visible character.

        Cached, since each keystroke elsewhere in the file needs those of all findings.
        """
        if where not in self._extents:
            self._extents[where] = self._extent(where)
        return self._extents[where]

    def _extent(self, where: Where) -> Span:
        start, end = self.locator.offsets(where)
        if where.span is None and where.inner is None and where.source is None:
            end = start + len(self.text[start:end].rstrip())
        return Span(start, end)

    def spots(self) -> Iterator[Spot]:
        """The expressions, in document order."""
        for obj in self.result.checked:
            for check in obj.checks:
                for expression in check.expressions:
                    extent = self.extent(obj.place(expression.path))
                    yield Spot(self, obj, check, expression, extent)
        yield from self._further_spots

    @cached_property
    def _further_spots(self) -> list[Spot]:
        """The expressions that an evaluator reads beside those of checks, as they are written."""
        spots = []
        for obj in self.result.checked:
            paths = {expression.path for check in obj.checks for expression in check.expressions}
            further = [item for part in evaluators(obj) for item in part.expressions]
            for expression in (item for item in further if item.path not in paths):
                text, start = get(obj.value, expression.path), expression.offset
                size = len(expression.program.text)
                if isinstance(text, str) and text[start : start + size] == expression.program.text:
                    extent = self.extent(obj.place(expression.path))
                    spots.append(Spot(self, obj, obj.checks[0], expression, extent))
        return spots

    def spot_at(self, offset: int) -> Spot | None:
        """The expression at an offset."""
        spots = (spot for spot in self.spots() if spot.extent.start <= offset <= spot.extent.end)
        return next(spots, None)


@record
class Spot:
    """An expression and where it is written.

    `check` is any check of the object if the expression is in none.
    """

    analysis: Analysis
    checked_object: CheckedObject
    check: Check
    expression: AnyExpression
    extent: Span

    def index_in_text(self, offset: int) -> int:
        """The index in the compiled text that an offset corresponds to."""
        size = len(self.expression.program.text)
        return index_at(offset, size, lambda at: self.offsets_of(Span(at, at)).start)

    def offsets_of(self, span: Span) -> Span:
        """The offsets that correspond to a span of the compiled text."""
        return self.analysis.locator.offsets(self.checked_object.at(self.expression, span))


@record
class PlacedAnalysis:
    """An analysis and the offset at which its document starts in the file now."""

    analysis: Analysis
    start: int

    def extent(self, where: Where) -> Span:
        """The offsets of a place in the file."""
        return self._in_file(self.analysis.extent(where))

    def edits(self, fix: Fix) -> tuple[FileEdit, ...]:
        """The edits of the file that make a fix; raises `CannotChangeError`."""
        document_edits = edits(fix, self.analysis.manifest, self.analysis.locator)
        return tuple(FileEdit(self._in_file(edit.span), edit.text) for edit in document_edits)

    def _in_file(self, span: Span) -> Span:
        return Span(self.start + span.start, self.start + span.end)


def with_definitions(
    settings: Settings, texts: tuple[str, ...], other_providers: tuple[Value, ...]
) -> Settings:
    """The settings with what documents of the file define for all others, which takes precedence.

    These are CRDs and ResourceSetInputProviders; `other_providers` are from other files.
    """
    if not (texts or other_providers):
        return settings
    values = [obj.value for text in texts for obj in whole_objects(read(text))]
    schemas = by_kind(schema for value in values for schema in schemas_in(value))
    own_providers = filter(is_input_provider, values)
    file_settings = replace(
        settings, providers=tuple(all_providers(own_providers, other_providers).known)
    )
    return (
        replace(file_settings, crds=LayeredSchemas((KnownSchemas(schemas), settings.crds)))
        if schemas
        else file_settings
    )


def concerns_others(text: str) -> bool:
    """Whether a document may define a kind or provide inputs."""
    return PROVIDING in text or may_define(text.encode("utf-8", "replace"))


def index_at(offset: int, size: int, offset_of: Callable[[int], int]) -> int:
    """The index, in a text of `size` code points, that an offset corresponds to.

    `offset_of` gives the offset of an index; if several indices have the same, the last counts.
    """
    return max(bisect_right(range(size + 1), offset, key=offset_of) - 1, 0)
