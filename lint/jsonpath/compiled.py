"""A path as a controller uses it: completed, parsed and evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from celvet.lint.jsonpath import field_path, selector, wait_list
from celvet.lint.jsonpath.errors import EvaluationError, JSONPathError, PathErrorCause
from celvet.lint.jsonpath.eval.result import PathResult, read
from celvet.lint.jsonpath.eval.template import PathTemplate, parse
from celvet.lint.jsonpath.hints import analysis
from celvet.lint.jsonpath.hints.mistakes import Misreading, advice, misreadings
from celvet.lint.jsonpath.parse.offsets import Offsets
from celvet.lint.model import Span, Value
from celvet.record import record, replace
from celvet.regex import regex
from celvet.schemas.dialect import Dialect, Wrap

_ROOTED = (".", "$", "@", "[")
_RELAXED = regex(r"\{\.?([^{}]+)\}|\.?([^{}]+)")


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

    `completion` is the text really parsed; None where completing it failed, and for a plain path
    of keys, which has `steps` instead, or a condition, which has `requirements`. All spans in
    results are in code points of the user's text.
    """

    text: str
    dialect: Dialect
    completion: _Completion | None
    template: PathTemplate | None
    refusal: PathRefusal | None
    steps: tuple[field_path.PathStep, ...] | None = None
    requirements: tuple[selector.Requirement | wait_list.ReadyCondition, ...] | None = None

    def read(self, value: Value) -> PathResult:
        """The controller's result on an object; a refused path is an error.

        That of a condition is what its requirement gives, or a list if there are several.
        """
        if self.template is None:
            return PathResult("error", error=self.refusal.error if self.refusal else "")
        if self.requirements is not None:
            try:
                results = [part.matches(value) for part in self.requirements]
            except EvaluationError as error:
                return PathResult("error", error=str(error))
            return PathResult("value", results[0] if len(results) == 1 else results)
        if self.steps is not None:
            return field_path.read_steps(self.steps, self.dialect.language, value)
        return read(self.template, self.text, self.dialect, value)

    @property
    def analysed(self) -> bool:
        """False if it is computed or beyond celvet's limits: then nothing is wrong with it."""
        return self.refusal is None or self.refusal.cause not in ("computed", "too-large")

    @property
    def constant(self) -> bool:
        """Whether it reads nothing from the object: it is a literal text."""
        is_path = self.requirements is None
        return self.template is not None and is_path and analysis.is_constant(self.template.groups)

    @property
    def several(self) -> analysis.Several:
        """Whether there can be more than one result, or always is if its keys exist."""
        return analysis.several(self.template.groups) if self.template else "never"

    def fields(self) -> tuple[analysis.FieldStep, ...]:
        """The keys read, in the order of the text, each with its path from the root."""
        steps = analysis.field_steps(self.template.groups) if self.template else ()
        return tuple(replace(step, span=self._span(step.span)) for step in steps)

    def misreadings(self) -> Iterator[Misreading]:
        """Parts of an accepted path that client-go reads differently than the user means."""
        if self.steps is not None:
            yield from field_path.misreadings(self.steps, self.dialect.language)
            return
        parsed = self.template if self.requirements is None else None
        for misreading in misreadings(parsed) if parsed else ():
            yield replace(misreading, span=self._span(misreading.span))

    def _span(self, span: Span) -> Span:
        """A span of the parsed text in the user's; at least one character if there is one."""
        start, end = self.completion.span(span) if self.completion else span
        if start == end:
            start, end = max(0, min(start, len(self.text) - 1)), min(start + 1, len(self.text))
        return Span(start, end)


def compile_path(text: str, dialect: Dialect) -> CompiledPath:
    """Complete and parse a path as the dialect's controller does; never raises."""
    if dialect.language in _CONDITIONS:
        return _compile_conditions(text, dialect)
    if dialect.language != "jsonpath":
        return _compile_steps(text, dialect)
    try:
        completion = wrap(text, dialect.wrap)
    except JSONPathError as error:
        return CompiledPath(text, dialect, None, None, _refusal(text, dialect, error, ""))
    try:
        template = parse(completion.text)
    except JSONPathError as error:
        user_error = JSONPathError(error.cause, error.wording, completion.span(error.span))
        refusal = _refusal(text, dialect, user_error, completion.text)
        return CompiledPath(text, dialect, completion, None, refusal)
    return CompiledPath(text, dialect, completion, template, None)


_CONDITIONS: Mapping[str, Any] = {
    selector.SELECTOR: (selector.requirements, selector.template),
    wait_list.WAITS: (wait_list.wait_list, wait_list.template),
}
"""Languages of conditions: what reads a text, and what makes a template of the result."""

_HINTS = {**selector.HINTS, **wait_list.HINTS}


def _compile_conditions(text: str, dialect: Dialect) -> CompiledPath:
    """A text of several conditions, in the language of the dialect."""
    parse_text, template_of = _CONDITIONS[dialect.language]
    try:
        requirements = parse_text(text)
    except JSONPathError as error:
        hint = _HINTS.get(error.cause, "")
        refusal = PathRefusal(error.cause, error.message, hint, error.span, error.wording)
        return CompiledPath(text, dialect, None, None, refusal)
    template = template_of(text, requirements)
    return CompiledPath(text, dialect, None, template, None, requirements=requirements)


def _compile_steps(text: str, dialect: Dialect) -> CompiledPath:
    """A plain path of keys, in the notation that is the language of the dialect."""
    try:
        steps = field_path.steps(text, dialect.language)
    except JSONPathError as error:
        hint = field_path.HINTS[error.cause]
        refusal = PathRefusal(error.cause, error.message, hint, error.span, error.wording)
        return CompiledPath(text, dialect, None, None, refusal)
    return CompiledPath(text, dialect, None, field_path.template(text, steps), None, steps)


def _refusal(text: str, dialect: Dialect, error: JSONPathError, parsed: str) -> PathRefusal:
    words = error.wording
    if dialect.errors and parsed:
        words = f"{dialect.errors}failed to parse jsonpath '{parsed}': {words}"
    hint = advice(text, error, dialect.wrap)
    return PathRefusal(error.cause, error.message, hint, error.span, words)


@record
class _Completion:
    """The text that is really parsed, and where its characters come from."""

    text: str
    offsets: Offsets

    def span(self, span: Span) -> Span:
        """A span of the parsed text as a span of the user's."""
        return self.offsets.span(span)


def wrap(text: str, style: Wrap) -> _Completion:
    """Complete a path; raises `JSONPathError` where the completion itself refuses.

    `ends` is `ensureValidWrapping` of Cartographer's `pkg/eval` (v0.7.0), `relaxed` is
    `RelaxedJSONPathExpression` of kubectl's `pkg/cmd/get` (v0.36.4), `none` does not change the
    text. `pair` is for rukpak, whose design describes templates but shows paths without braces: a
    text with a brace stays as it is, any other gets a pair of braces. `braces` puts a pair around
    any text, as Open Cluster Management does.
    """
    if style == "braces":
        return _complete(text, Span(0, len(text)), "{", "}")
    if style == "ends":
        return _with_ends(text)
    if style == "relaxed":
        return _complete_relaxed(text)
    if style == "pair" and "{" not in text:
        return _complete(text, Span(0, len(text)), "{" if text[:1] in _ROOTED else "{.", "}")
    return _complete(text, Span(0, len(text)), "", "")


def _with_ends(text: str) -> _Completion:
    """Add `{.` at the beginning and `}` at the end of a text, where they are missing."""
    span = Span(0, len(text))
    if not text:
        raise JSONPathError("empty-path", "empty jsonpath not allowed", span)
    opening = "" if text.startswith("{.") else "{" if text.startswith(".") else "{."
    return _complete(text, span, opening, "" if text.endswith("}") else "}")


def _complete_relaxed(text: str) -> _Completion:
    """Remove braces and a leading dot, and put new ones around the rest."""
    if not text:
        return _complete(text, Span(0, 0), "", "")
    match = _RELAXED.fullmatch(text)
    if match is None:
        wording = (
            "unexpected path string, expected a 'name1.name2' or '.name1.name2' "
            "or '{name1.name2}' or '{.name1.name2}'"
        )
        raise JSONPathError("nested-braces", wording, Span(0, len(text)))
    return _complete(text, Span(*match.span(match.lastindex or 0)), "{.", "}")


def _complete(text: str, part: Span, opening: str, closing: str) -> _Completion:
    offsets = Offsets(0, 0, len(text))
    inner = opening + text[part.start : part.end] + closing
    return _Completion(inner, offsets.within(part.start, part.end, len(opening)))
