"""The errors that keep a ResourceSet from being built."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from celvet.lint.gotemplate import ErrorKind, Rendered, TemplateError
from celvet.lint.gotemplate.formats.yaml_text import YamlPlace
from celvet.lint.model import Path
from celvet.record import record


class LocatedText(NamedTuple):
    """A place in a ResourceSet.

    Attributes:
        where: the path of a text.
        is_key: whether the last key of the path is meant, and not the value there.
        offset: the code point in that text.
    """

    where: Path
    is_key: bool
    offset: int


@record
class TextOrigin:
    """The template and the inputs of a build.

    Attributes:
        where: the template's place in the ResourceSet; the object in `resources`, or the text in
            `resourcesTemplate`.
        template: its text. Of an object in `resources` it is the YAML that the operator makes.
        index: the index of the input set, or None if there is none.
        places: where the keys and texts of an object in `resources` are in that YAML.
    """

    where: Path
    template: str
    index: int | None
    places: tuple[YamlPlace, ...] = ()

    def locate(self, offset: int) -> LocatedText:
        """The part of the ResourceSet at an offset of the template.

        For what the operator adds to write an object as YAML (indents, quotes), it is the nearest
        text before.
        """
        if not self.places:
            return LocatedText(self.where, False, offset)
        starts = [place.offsets[0] for place in self.places]
        place = self.places[max(bisect_right(starts, offset) - 1, 0)]
        index = bisect_right(place.offsets, offset) - 1
        index = min(max(index, 0), len(place.offsets) - 1)
        return LocatedText((*self.where, *place.path), place.is_key, index)


class ReadError(Exception):
    """A rendered text gives no object; the text is the operator's.

    Attributes:
        line: in the text, counted from 1; 0 if unknown.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class TooLargeError(ReadError):
    """A rendered text exceeds one of celvet's bounds, as the message says."""


class UnreadError(ReadError):
    """A rendered text that the operator reads, and celvet does not."""


class BuildError(Exception):
    """The operator refuses to build the ResourceSet (the message is its own), or celvet cannot.

    Attributes:
        origin: the template, or None if the specification as such is refused.
        cause: the problem of the template, or of the text that it renders.
        rendered: that text, if there is one.
    """

    def __init__(
        self,
        message: str,
        origin: TextOrigin | None = None,
        cause: TemplateError | ReadError | None = None,
        rendered: Rendered | None = None,
    ) -> None:
        super().__init__(message)
        self.origin = origin
        self.cause = cause
        self.rendered = rendered

    @property
    def template_error(self) -> TemplateError | None:
        """The problem of the template; None if the template is not the cause."""
        return self.cause if isinstance(self.cause, TemplateError) else None

    @property
    def line(self) -> int:
        """If the rendered text is not YAML, the wrong line, counted from 1, or 0."""
        return self.cause.line if isinstance(self.cause, ReadError) else 0

    @property
    def beyond(self) -> bool:
        """Whether the cause is one of celvet's bounds."""
        return isinstance(self.cause, TooLargeError) or self._kind is ErrorKind.LIMIT

    @property
    def refused(self) -> bool:
        """Whether the operator does not build it, rather than celvet."""
        unread = isinstance(self.cause, UnreadError) or self._kind is ErrorKind.UNSUPPORTED
        return not (self.beyond or unread)

    @property
    def reason(self) -> str:
        """The problem; for a template, without the words around it."""
        return str(self.cause) if self.template_error is None else self.template_error.reason

    @property
    def _kind(self) -> ErrorKind | None:
        return self.template_error.kind if self.template_error else None


class InputSetError(Exception):
    """The input sets cannot be combined; the text is the operator's."""


class UnknownInputsError(InputSetError):
    """The inputs are known only in the cluster.

    A provider is not given, or not of type Static, or there are too many.
    """
