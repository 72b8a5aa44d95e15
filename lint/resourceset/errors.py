"""Why a ResourceSet is not built."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from celvet.lint.gotemplate import Rendered, TemplateError
from celvet.lint.gotemplate.formats.yaml_text import YamlPlace
from celvet.record import record

Where = tuple[str | int, ...]
"""A path in the ResourceSet: ``("spec", "steps", 0, "resourcesTemplate")``."""


class LocatedText(NamedTuple):
    """A place in a ResourceSet.

    Attributes:
        where: the path of a text.
        is_key: whether the last key of the path is meant, and not the value there.
        offset: the code point in that text.
    """

    where: Where
    is_key: bool
    offset: int


@record
class TextOrigin:
    """The template and the inputs that a build was at.

    Attributes:
        where: the template's place in the ResourceSet; the object in `resources`, or the text in
            `resourcesTemplate`.
        template: its text. Of an object in `resources` it is the YAML that the operator makes.
        index: the index of the input set, or None if there is none.
        places: where the keys and texts of an object in `resources` stand in that YAML.
    """

    where: Where
    template: str
    index: int | None
    places: tuple[YamlPlace, ...] = ()

    def locate(self, offset: int) -> LocatedText:
        """What of the ResourceSet stands at an offset of the template.

        Of what the operator adds to make YAML of an object (indents, quotes), it is the nearest
        text before it.
        """
        if not self.places:
            return LocatedText(self.where, False, offset)
        starts = [place.offsets[0] for place in self.places]
        place = self.places[max(bisect_right(starts, offset) - 1, 0)]
        inside = bisect_right(place.offsets, offset) - 1
        inside = min(max(inside, 0), len(place.offsets) - 1)
        return LocatedText((*self.where, *place.path), place.is_key, inside)


class BuildError(Exception):
    """The operator refuses to build the ResourceSet; the text is its own.

    Attributes:
        origin: the template, or None if the specification as such is refused.
        template_error: what is wrong with the template, if it is the template.
        line: where the rendered text is no YAML, the line that is at fault, counted from 1, or 0.
        rendered: the rendered text, if there is one.
    """

    def __init__(
        self,
        message: str,
        origin: TextOrigin | None = None,
        template_error: TemplateError | None = None,
        line: int = 0,
        rendered: Rendered | None = None,
    ) -> None:
        super().__init__(message)
        self.origin = origin
        self.template_error = template_error
        self.line = line
        self.rendered = rendered


class InputError(Exception):
    """The input sets cannot be combined; the text is the operator's."""


class UnknownInputsError(InputError):
    """A provider's inputs are known only in the cluster: it is not given, or not of type Static."""


class ReadError(Exception):
    """A rendered text gives no object; the text is the operator's.

    Attributes:
        line: in the text, counted from 1; 0 if unknown.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line
