"""Why a ResourceSet is not built."""

from __future__ import annotations

from dataclasses import dataclass

from lint.gotemplate import TemplateError

Where = tuple[str | int, ...]
"""A path in the ResourceSet: ``("spec", "steps", 0, "resourcesTemplate")``."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The template and the inputs that a build was at.

    Attributes:
        where: the template's place in the ResourceSet; the object in `resources`, or the text in
            `resourcesTemplate`.
        template: its text. Of an object in `resources` it is the YAML that the operator makes.
        index: the index of the input set, or None if there is none.
    """

    where: Where
    template: str
    index: int | None


class BuildError(Exception):
    """The operator refuses to build the ResourceSet; the text is its own.

    Attributes:
        origin: the template, or None if the specification as such is refused.
        template_error: what is wrong with the template, if it is the template.
        line: where the rendered text is no YAML, the line that is at fault, counted from 1, or 0.
    """

    def __init__(
        self,
        message: str,
        origin: Origin | None = None,
        template_error: TemplateError | None = None,
        line: int = 0,
    ) -> None:
        super().__init__(message)
        self.origin = origin
        self.template_error = template_error
        self.line = line


class InputError(Exception):
    """The input sets cannot be combined; the text is the operator's."""


class ReadError(Exception):
    """A rendered text gives no object; the text is the operator's.

    Attributes:
        line: in the text, counted from 1; 0 if unknown.
    """

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line
