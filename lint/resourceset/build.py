"""Builds a ResourceSet (internal/builder/resourceset.go of Flux Operator v0.58)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from celvet.lint.go.quoting import quote
from celvet.lint.gotemplate import GoTemplate, Rendered, TemplateError, TemplateLimits, parse
from celvet.lint.gotemplate.errors import UnsupportedError
from celvet.lint.gotemplate.formats.yaml_text import YamlError, placed_yaml
from celvet.lint.gotemplate.limits import Meter
from celvet.lint.resourceset.documents import RenderedDocument, read_object, read_objects
from celvet.lint.resourceset.errors import BuildError, ReadError, TextOrigin, Where
from celvet.lint.resourceset.metadata import (
    annotations_of,
    object_key,
    object_name,
    set_common_metadata,
)
from celvet.record import record, replace

RECONCILE = "fluxcd.controlplane.io/reconcile"
DISABLED = "disabled"

Inputs = dict[str, Any]
_Read: TypeAlias = Callable[[str], list[RenderedDocument]]
_LARGE = TemplateLimits(steps=1_000_000, value=10_000_000, items=100_000)


@record
class BuiltObject:
    """An object that a template gave.

    Attributes:
        value: the object.
        origin: the template and the input set.
        rendered: the text of the template for this set, with its source map.
        start: where the object's document begins in that text.
    """

    value: dict[str, Any]
    origin: TextOrigin
    rendered: Rendered
    start: int


@record
class BuildStep:
    """The objects of a step, in order; without `spec.steps`, of the only one, without a name."""

    name: str
    objects: tuple[BuiltObject, ...]


def build(
    resource_set: dict[str, Any],
    inputs: list[Inputs],
    limits: TemplateLimits | None = None,
    total: TemplateLimits | None = None,
) -> list[BuildStep]:
    """The objects that the operator applies, step by step.

    A ResourceSet with `inputsFrom` whose providers give no inputs builds nothing. Without any
    inputs, each template is rendered once, with no inputs at all.

    Args:
        resource_set: the object.
        inputs: its input sets, as `combine` gives them. Templates may change them.
        limits: the bounds of each execution of a template.
        total: the bounds of the steps of all executions together, and of their different texts.

    Raises:
        BuildError: the operator refuses to build it, or a bound is reached.
    """
    return Builder(resource_set, limits or TemplateLimits(), total).build(inputs)


def validate(spec: dict[str, Any]) -> None:
    """Check what the operator checks before it renders anything.

    Raises:
        BuildError: a rule is broken.
    """
    steps = spec.get("steps") or []
    if steps and (spec.get("resources") or spec.get("resourcesTemplate")):
        raise BuildError(
            "spec.steps is mutually exclusive with spec.resources and spec.resourcesTemplate"
        )
    for step in steps:
        if not step.get("resources") and not step.get("resourcesTemplate"):
            name = quote(str(step.get("name", "")))
            raise BuildError(
                f"step {name}: at least one of resources or resourcesTemplate must be set"
            )


class Builder:
    """Builds a ResourceSet within bounds, once or with other inputs again; see `build`.

    What is read of a rendered text, or written of an object in `resources`, is kept for the next
    time. Objects of equal texts are one.
    """

    def __init__(
        self, resource_set: dict[str, Any], limits: TemplateLimits, total: TemplateLimits | None
    ) -> None:
        self._spec: dict[str, Any] = resource_set.get("spec") or {}
        self._limits = limits
        self._sets: list[tuple[int | None, Inputs | None]] = []
        self._sources: dict[Where, TextOrigin] = {}
        self._templates: dict[str, GoTemplate] = {}
        self._documents: dict[tuple[_Read, str], list[RenderedDocument]] = {}
        self._steps = total.steps if total else math.inf
        self._output = total.output if total else math.inf
        self._most = self._left().steps

    def build(self, inputs: list[Inputs]) -> list[BuildStep]:
        """The objects, step by step."""
        spec = self._spec
        validate(spec)
        if spec.get("inputsFrom") and not inputs:
            return []
        self._sets = list(enumerate(inputs)) or [(None, None)]
        built = self._all_steps(spec)
        common = spec.get("commonMetadata")
        for entry in (entry for step in built for entry in step.objects):
            if common is not None:
                set_common_metadata(entry.value, common)
        return built

    def parse(self) -> list[GoTemplate]:
        """The templates, for whichever inputs.

        Raises:
            BuildError: the operator refuses one for its syntax, or the specification as such.
        """
        validate(self._spec)
        self._sets = []
        self._all_steps(self._spec)
        return list(self._templates.values())

    def _all_steps(self, spec: dict[str, Any]) -> list[BuildStep]:
        if steps := spec.get("steps"):
            return self._each_step(steps)
        return [BuildStep("", tuple(self._part(spec, ("spec",))))]

    def _each_step(self, steps: list[dict[str, Any]]) -> list[BuildStep]:
        built = []
        step_of: dict[str, str] = {}
        for number, step in enumerate(steps):
            name = str(step.get("name", ""))
            try:
                objects = tuple(self._part(step, ("spec", "steps", number)))
            except BuildError as error:
                raise BuildError(
                    f"step {quote(name)}: {error}",
                    error.origin,
                    error.template_error,
                    error.line,
                    error.rendered,
                ) from None
            for entry in objects:
                before = step_of.setdefault(object_key(entry.value), name)
                if before != name:
                    raise BuildError(
                        f"duplicate resource {object_name(entry.value)} in step {quote(name)}, "
                        f"already defined in step {quote(before)}",
                        entry.origin,
                        rendered=entry.rendered,
                    )
            built.append(BuildStep(name, objects))
        return built

    def _part(self, part: dict[str, Any], where: Where) -> list[BuiltObject]:
        """The objects of `resources` and `resourcesTemplate`, each once."""
        built: list[BuiltObject] = []
        keys: set[str] = set()
        for entry, plain in self._all(part, where):
            key = object_key(entry.value)
            # Without inputs the operator takes objects of `resources` as they are.
            if not plain:
                disabled = annotations_of(entry.value).get(RECONCILE) == DISABLED
                if disabled or key in keys:
                    continue
            keys.add(key)
            built.append(entry)
        return built

    def _all(self, part: dict[str, Any], where: Where) -> Iterator[tuple[BuiltObject, bool]]:
        plain = self._sets == [(None, None)]
        for index, resource in enumerate(part.get("resources") or []):
            label = "resource" if plain else f"resources[{index}]"
            place = (*where, "resources", index)
            for entry in self._resource(resource, place, f"failed to build {label}: "):
                yield entry, plain
        text = part.get("resourcesTemplate") or ""
        if text:
            label = "resource" if plain else "resources"
            prefix = f"failed to build {label}: "
            for entry in list(self._text(str(text), (*where, "resourcesTemplate"), prefix)):
                yield entry, False

    def _resource(self, resource: Any, where: Where, prefix: str) -> Iterator[BuiltObject]:
        source = self._sources.get(where) or _written(resource, where, prefix)
        self._sources[where] = source
        for origin, rendered in self._rendered(source, prefix, "template"):
            try:
                documents = self._read(_read_one, rendered.text)
            except ReadError as error:
                message = f"{prefix}failed to read object: {error}"
                raise BuildError(message, origin, None, error.line, rendered) from None
            yield from _built(documents, origin, rendered)

    def _text(self, text: str, where: Where, prefix: str) -> Iterator[BuiltObject]:
        source = TextOrigin(where, text, None)
        for origin, rendered in self._rendered(source, prefix, "multi-doc YAML template"):
            try:
                documents = self._read(read_objects, rendered.text)
            except ReadError as error:
                message = f"{prefix}failed to read objects from multi-doc YAML: {error}"
                raise BuildError(message, origin, None, error.line, rendered) from None
            yield from _built(documents, origin, rendered)

    def _read(self, read: _Read, text: str) -> list[RenderedDocument]:
        found = self._documents.get((read, text))
        if found is None:
            self._output -= len(text)
            found = self._documents[read, text] = read(text)
        return found

    def _rendered(
        self, source: TextOrigin, prefix: str, kind: str
    ) -> Iterator[tuple[TextOrigin, Rendered]]:
        text = source.template
        try:
            template = self._templates.get(text) or parse(text, limits=self._limits)
        except TemplateError as error:
            message = f"{prefix}failed to parse {kind}: {error}"
            raise BuildError(message, source, error) from None
        self._templates[text] = template
        for index, inputs in self._sets:
            origin = replace(source, index=index)
            left = self._left()
            try:
                rendered = template.execute(inputs, left)
            except TemplateError as error:
                self._steps -= error.steps
                if left.steps < min(error.steps, self._most):
                    error.reason += ", which is what executions before it have left"
                message = f"{prefix}failed to execute {kind}: {error}"
                raise BuildError(message, origin, error) from None
            self._steps -= rendered.steps
            yield origin, rendered

    def _left(self) -> TemplateLimits:
        """The bounds of one execution, within what is left of the total."""
        limits = self._limits
        return replace(
            limits,
            steps=int(min(limits.steps, self._steps)),
            output=int(min(limits.output, self._output)),
        )


def _written(resource: Any, where: Where, prefix: str) -> TextOrigin:
    """An object in `resources` as the template that the operator makes of it."""
    try:
        text, places = placed_yaml(resource, Meter(_LARGE))
    except (YamlError, UnsupportedError) as error:
        message = f"{prefix}failed to convert template to YAML: {error}"
        raise BuildError(message, TextOrigin(where, "", None)) from None
    return TextOrigin(where, text, None, tuple(places))


def _read_one(text: str) -> list[RenderedDocument]:
    return [read_object(text)]


def _built(
    documents: Iterable[RenderedDocument], origin: TextOrigin, rendered: Rendered
) -> Iterator[BuiltObject]:
    for document in documents:
        yield BuiltObject(document.value, origin, rendered, document.start)
