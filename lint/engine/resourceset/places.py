"""Builds the ResourceSets of a file, and maps places in the result back to the template."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from celvet.lint.gotemplate import Rendered
from celvet.lint.manifest import KubeObject
from celvet.lint.manifest.objects.resourceset import is_input_provider, is_resource_set
from celvet.lint.model import Path, Span, Value, Where
from celvet.lint.resourceset import BuildError, TextOrigin
from celvet.lint.values import list_at


def resource_sets(objects: Iterable[KubeObject]) -> list[KubeObject]:
    """The ResourceSets that are applied as written."""
    return [obj for obj in objects if obj.whole and is_resource_set(obj.value)]


def providers(objects: Iterable[KubeObject]) -> list[Value]:
    """The ResourceSetInputProviders that are applied as written."""
    return [obj.value for obj in objects if obj.whole and is_input_provider(obj.value)]


def _template_place(owner: KubeObject, origin: TextOrigin, start: int, end: int) -> Where:
    """The place of a part of a template in the file of its ResourceSet.

    For a part beyond one text it is the value around all of it.
    """
    first_char = origin.locate(start)
    last_char = origin.locate(max(end - 1, start))
    path = first_char.where
    if path != last_char.where:
        steps = takewhile(lambda pair: pair[0] == pair[1], zip(path, last_char.where, strict=False))
        return owner.place(tuple(step for step, _ in steps))
    if first_char.is_key or last_char.is_key:
        return owner.place(path, None, first_char.is_key)
    return owner.place(path, Span(first_char.offset, max(last_char.offset + (end > start), 0)))


def rendered_place(owner: KubeObject, origin: TextOrigin, rendered: Rendered, span: Span) -> Where:
    """The place of the template's part that wrote a span of a rendered text; actions as a whole."""
    source = rendered.source_span(span.start, span.end)
    return _template_place(owner, origin, source.start, source.end)


def error_place(owner: KubeObject, error: BuildError) -> Where:
    """The place of an error of the operator; the `spec` if it names no template."""
    if error.origin is None:
        return owner.place(("spec",), None, True)
    if error.template_error:
        return _template_place(owner, error.origin, *error.template_error.span)
    if error.rendered and error.line:
        lines = error.rendered.text.splitlines(keepends=True)
        start = sum(map(len, lines[: error.line - 1]))
        line = "".join(lines[error.line - 1 : error.line])
        start, end = start + len(line) - len(line.lstrip()), start + len(line.rstrip())
        return rendered_place(owner, error.origin, error.rendered, Span(start, max(start, end)))
    path = error.origin.where
    return owner.place(path, None, isinstance(path[-1], str))


def input_place(owner: KubeObject, index: int | None) -> Where | None:
    """The place of an input set that is written in the ResourceSet; None of any other."""
    path: Path = ("spec", "inputs")
    inline = list_at(owner.value, path)
    if index is None or index >= len(inline) or "inputStrategy" in owner.value["spec"]:
        return None
    return owner.place((*path, index))
