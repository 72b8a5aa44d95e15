"""A path as one controller uses it: completed, parsed and evaluated."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.jsonpath.errors import JSONPathError, PathErrorCause
from celvet.lint.jsonpath.eval.result import PathResult, read
from celvet.lint.jsonpath.eval.template import PathTemplate, parse
from celvet.lint.jsonpath.hints import analysis
from celvet.lint.jsonpath.hints.misreadings import Misreading, misreadings
from celvet.lint.jsonpath.hints.refusal_hints import advice
from celvet.lint.jsonpath.parse.wrap import Wrapped, wrap
from celvet.lint.model import Span, Value
from celvet.record import record, replace
from celvet.schemas.dialect import Dialect


@record
class PathRefusal:
    """Why a path is refused: cause, message and advice, and where in the user's text.

    `error` is the controller's own message.
    """

    cause: PathErrorCause
    message: str
    hint: str
    span: Span
    error: str


@record
class CompiledPath:
    """A user's path, and either its template or the reason why there is none.

    `wrapped` is the text really parsed; None only where completing it failed.
    All spans given out are in code points of the user's text.
    """

    text: str
    dialect: Dialect
    wrapped: Wrapped | None
    template: PathTemplate | None
    refusal: PathRefusal | None

    def read(self, value: Value) -> PathResult:
        """The controller's result on an object; a refused path is an error."""
        if self.template is None:
            return PathResult("error", error=self.refusal.error if self.refusal else "")
        return read(self.template, self.text, self.dialect, value)

    @property
    def analysed(self) -> bool:
        """False if the path is beyond celvet's limits: then nothing is wrong with it."""
        return self.refusal is None or self.refusal.cause != "too-large"

    @property
    def constant(self) -> bool:
        """Whether it reads nothing from the object: it is a literal text."""
        return self.template is not None and analysis.is_constant(self.template.groups)

    @property
    def several(self) -> analysis.Several:
        """Whether more than one result can come, or comes whenever its keys exist."""
        return analysis.several(self.template.groups) if self.template else "never"

    def fields(self) -> tuple[analysis.FieldStep, ...]:
        """The keys read, in the order of the text, each with its path from the root."""
        steps = analysis.field_steps(self.template.groups) if self.template else ()
        return tuple(replace(step, span=self._span(step.span)) for step in steps)

    def misreadings(self) -> Iterator[Misreading]:
        """Parts of an accepted path that client-go reads otherwise than meant."""
        for each in misreadings(self.template) if self.template else ():
            yield replace(each, span=self._span(each.span))

    def _span(self, span: Span) -> Span:
        """A span of the parsed text in the user's; at least one character if there is one."""
        start, end = self.wrapped.span(span) if self.wrapped else span
        if start == end:
            start, end = max(0, min(start, len(self.text) - 1)), min(start + 1, len(self.text))
        return Span(start, end)


def compile_path(text: str, dialect: Dialect) -> CompiledPath:
    """Complete and parse a path as the dialect's controller does; never raises."""
    try:
        wrapped = wrap(text, dialect.wrap)
    except JSONPathError as error:
        return CompiledPath(text, dialect, None, None, _refusal(text, dialect, error, ""))
    try:
        template = parse(wrapped.text)
    except JSONPathError as error:
        moved = JSONPathError(error.cause, error.wording, wrapped.span(error.span))
        refusal = _refusal(text, dialect, moved, wrapped.text)
        return CompiledPath(text, dialect, wrapped, None, refusal)
    return CompiledPath(text, dialect, wrapped, template, None)


def _refusal(text: str, dialect: Dialect, error: JSONPathError, parsed: str) -> PathRefusal:
    words = error.wording
    if dialect.errors and parsed:
        words = f"{dialect.errors}failed to parse jsonpath '{parsed}': {words}"
    hint = advice(text, error, dialect.wrap)
    return PathRefusal(error.cause, error.message, hint, error.span, words)
