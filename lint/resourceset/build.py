"""Builds a ResourceSet (internal/builder/resourceset.go of Flux Operator v0.59)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from celvet.lint.go.quoting import quote
from celvet.lint.go.step_meter import UnsupportedError
from celvet.lint.gotemplate import (
    ErrorKind,
    GoTemplate,
    Rendered,
    TemplateError,
    TemplateLimits,
    parse,
)
from celvet.lint.gotemplate.formats.yaml_text import YamlError, placed_yaml
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.model import Path
from celvet.lint.resourceset.documents import RenderedDocument, read_object, read_objects
from celvet.lint.resourceset.errors import BuildError, ReadError, TextOrigin
from celvet.lint.resourceset.loader import MOST_VALUES, ValueBudget
from celvet.lint.resourceset.metadata import (
    annotations_of,
    object_key,
    object_name,
    set_common_metadata,
)
from celvet.record import record, replace

_RECONCILE = "fluxcd.controlplane.io/reconcile"
_DISABLED = "disabled"

Inputs = dict[str, Any]
_Read: TypeAlias = Callable[[str, ValueBudget], list[RenderedDocument]]
_STEPS_OF_AN_EXECUTION = 5
"""Steps to execute a template that does nothing."""
_STEPS_OF_AN_OBJECT = 1
"""Steps to find out whether an object is a duplicate."""
_STEPS_OF_A_VALUE = 3
"""Steps to read a value and lint it."""
_CHARACTERS_OF_A_STEP = 20
_LARGE = TemplateLimits(steps=1_000_000, value=10_000_000, items=100_000)


@record
class BuiltObject:
    """An object that a template rendered.

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
    budget: StepBudget | None = None,
) -> list[BuildStep]:
    """The objects that the operator applies, step by step.

    A ResourceSet with `inputsFrom` whose providers give no inputs builds nothing. Without any
    inputs, each template is rendered once, with no inputs at all.

    Args:
        resource_set: the object.
        inputs: its input sets, as `combine` gives them. Templates may change them.
        limits: the bounds of each execution of a template.
        budget: the steps that all executions may take together, with the reading of their texts.

    Raises:
        BuildError: the operator refuses to build it, or a bound is reached.
    """
    return Builder(resource_set, limits or TemplateLimits(), budget or StepBudget()).build(inputs)


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


class StepBudget:
    """Steps that builds may take together, with the reading of their texts."""

    __slots__ = ("_total", "left")

    def __init__(self, total: float = math.inf) -> None:
        self._total = self.left = total

    def spend(self, steps: int) -> None:
        """Use up steps, until none are left."""
        self.left = max(self.left - steps, 0)

    def beyond(self) -> str:
        """The message once the budget is spent."""
        return f"all builds of the ResourceSet take more than {self._total} steps"


class Builder:
    """Builds a ResourceSet within bounds, once or several times with different inputs; see `build`.

    The objects of a rendered text, and the text of an object in `resources`, are kept for the next
    time. Equal texts share their objects.
    """

    def __init__(
        self, resource_set: dict[str, Any], limits: TemplateLimits, budget: StepBudget
    ) -> None:
        self._spec: dict[str, Any] = resource_set.get("spec") or {}
        self._limits = limits
        self._sets: list[tuple[int | None, Inputs | None]] = []
        self._sources: dict[Path, TextOrigin] = {}
        self._templates: dict[str, GoTemplate] = {}
        self._documents: dict[tuple[_Read, str], list[RenderedDocument]] = {}
        self._budget = budget

    def build(self, inputs: list[Inputs]) -> list[BuildStep]:
        """The objects, step by step."""
        spec = self._spec
        validate(spec)
        if spec.get("inputsFrom") and not inputs:
            return []
        self._sets = list(enumerate(inputs)) or [(None, None)]
        steps = self._steps_of(spec)
        common = spec.get("commonMetadata")
        for entry in (entry for step in steps for entry in step.objects):
            if common is not None:
                set_common_metadata(entry.value, common)
        return steps

    def parse(self) -> list[GoTemplate]:
        """The templates, for any inputs.

        Raises:
            BuildError: the operator refuses one for its syntax, or the specification as such.
        """
        validate(self._spec)
        self._sets = []
        self._steps_of(self._spec)
        return list(self._templates.values())

    def _steps_of(self, spec: dict[str, Any]) -> list[BuildStep]:
        if steps := spec.get("steps"):
            return self._build_steps(steps)
        return [BuildStep("", tuple(self._part(spec, ("spec",))))]

    def _build_steps(self, steps: list[dict[str, Any]]) -> list[BuildStep]:
        results = []
        step_of: dict[str, str] = {}
        for number, step in enumerate(steps):
            name = str(step.get("name", ""))
            try:
                objects = tuple(self._part(step, ("spec", "steps", number)))
            except BuildError as error:
                message = f"step {quote(name)}: {error}"
                raise BuildError(message, error.origin, error.cause, error.rendered) from None
            for entry in objects:
                # Two steps with one object would take it from each other, so the operator refuses
                # them; within a step, it keeps the first one.
                first_step = step_of.setdefault(object_key(entry.value), name)
                if first_step != name:
                    raise BuildError(
                        f"duplicate resource {object_name(entry.value)} in step {quote(name)}, "
                        f"already defined in step {quote(first_step)}",
                        entry.origin,
                        rendered=entry.rendered,
                    )
            results.append(BuildStep(name, objects))
        return results

    def _part(self, part: dict[str, Any], where: Path) -> list[BuiltObject]:
        """The objects of `resources` and `resourcesTemplate`, each once."""
        objects: list[BuiltObject] = []
        keys: set[str] = set()
        for entry, plain in self._objects(part, where):
            key = object_key(entry.value)
            # without inputs, the operator uses the objects of `resources` unchanged
            if not plain:
                excluded_by_annotation = annotations_of(entry.value).get(_RECONCILE) == _DISABLED
                if excluded_by_annotation or key in keys:
                    continue
            keys.add(key)
            objects.append(entry)
        return objects

    def _objects(self, part: dict[str, Any], where: Path) -> Iterator[tuple[BuiltObject, bool]]:
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

    def _resource(self, resource: Any, where: Path, prefix: str) -> Iterator[BuiltObject]:
        source = self._sources.get(where) or _object_template(resource, where, prefix)
        self._sources[where] = source
        for origin, rendering in self._renderings(source, prefix, "template"):
            failure = f"{prefix}failed to read object: "
            yield from self._read(read_object, origin, rendering, failure)

    def _text(self, text: str, where: Path, prefix: str) -> Iterator[BuiltObject]:
        source = TextOrigin(where, text, None)
        for origin, rendering in self._renderings(source, prefix, "multi-doc YAML template"):
            failure = f"{prefix}failed to read objects from multi-doc YAML: "
            yield from self._read(read_objects, origin, rendering, failure)

    def _read(
        self, read: _Read, origin: TextOrigin, rendering: Rendered, failure: str
    ) -> Iterator[BuiltObject]:
        text = rendering.text
        try:
            if (read, text) not in self._documents:
                self._documents[read, text] = self._documents_of(read, text)
        except ReadError as error:
            raise BuildError(f"{failure}{error}", origin, error, rendering) from None
        documents = self._documents[read, text]
        self._budget.spend(len(documents) * _STEPS_OF_AN_OBJECT)
        for document in documents:
            yield BuiltObject(document.value, origin, rendering, document.start)

    def _documents_of(self, read: _Read, text: str) -> list[RenderedDocument]:
        self._budget.spend(len(text) // _CHARACTERS_OF_A_STEP)
        # A text of many values may cost less to render than to read and to lint, so what is left
        # of the budget bounds the values too.
        most = min(self._budget.left / _STEPS_OF_A_VALUE, MOST_VALUES)
        values = ValueBudget(int(most), self._budget.beyond())
        documents = read(text, values)
        self._budget.spend(values.used * _STEPS_OF_A_VALUE)
        return documents

    def _remaining_limits(self) -> TemplateLimits:
        limits, steps = self._limits, self._budget.left
        output = min(limits.output, steps * _CHARACTERS_OF_A_STEP)
        return replace(limits, steps=int(min(limits.steps, steps)), output=int(output))

    def _renderings(
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
            # The budget is shared by all input sets, so what the others have left bounds the next
            # one.
            limits = self._remaining_limits()
            try:
                rendering = template.execute(inputs, limits)
            except TemplateError as error:
                self._budget.spend(error.steps)
                # The limit was that of the whole ResourceSet, and the message has to say so.
                if error.kind is ErrorKind.LIMIT and limits != self._limits:
                    error.reason = self._budget.beyond()
                message = f"{prefix}failed to execute {kind}: {error}"
                raise BuildError(message, origin, error) from None
            self._budget.spend(rendering.steps + _STEPS_OF_AN_EXECUTION)
            yield origin, rendering


def _object_template(resource: Any, where: Path, prefix: str) -> TextOrigin:
    """An object in `resources`, as the template that the operator makes from it."""
    try:
        text, places = placed_yaml(resource, Meter(_LARGE))
    except (YamlError, UnsupportedError) as error:
        message = f"{prefix}failed to convert template to YAML: {error}"
        raise BuildError(message, TextOrigin(where, "", None)) from None
    return TextOrigin(where, text, None, tuple(places))
