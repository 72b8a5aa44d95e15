"""The texts rendered from the templates of a file's ResourceSets, mapped back to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import filterfalse

from celvet.lint.engine.resourceset.places import (
    error_place,
    input_place,
    providers,
    rendered_place,
    resource_sets,
)
from celvet.lint.engine.result import add_fields
from celvet.lint.gotemplate import ErrorKind, Rendered
from celvet.lint.locate import Locator
from celvet.lint.manifest import KubeObject, Manifest, Problem, objects_in, read
from celvet.lint.manifest.objects.raw_objects import raw_objects
from celvet.lint.manifest.objects.resourceset import is_templated, waits_for_variables
from celvet.lint.model import Path, Related, Span, Value, Where
from celvet.lint.resourceset import (
    TOTAL,
    BuildError,
    BuildStep,
    BuiltObject,
    InputSetError,
    StepBudget,
    TextOrigin,
    all_providers,
    build,
    build_with_stand_ins,
    known_inputs,
    unmatched_sources,
    wrong_type,
)
from celvet.lint.resourceset.metadata import object_key, object_name
from celvet.lint.rule_ids import TEMPLATE_EXECUTION, TEMPLATE_SYNTAX
from celvet.lint.safe_text import one_line
from celvet.lint.values import get
from celvet.record import field, record
from celvet.regex import regex

_MOST_SETS = 50
"""How many input sets of a ResourceSet are linted; the others resemble them."""


@record
class Rendering:
    """A rendered text with at least one applied object.

    `manifest` is the parsed text. `applied_places` are the documents and paths of the objects in it
    that the operator applies.
    """

    owner: KubeObject
    origin: TextOrigin
    rendered: Rendered
    manifest: Manifest
    applied_places: frozenset[tuple[int, Path]]
    locator: Locator = field(compare=False)

    def applies(self, obj: KubeObject) -> bool:
        """Whether the operator applies an object of the text, as a whole or as a part of one."""
        document, path = obj.where.document, obj.where.path
        return any((document, path[:size]) in self.applied_places for size in range(len(path) + 1))

    def place(self, where: Where) -> Where:
        """A place of the text as a place of the file with the ResourceSet."""
        return rendered_place(self.owner, self.origin, self.rendered, self._span(where))

    def action(self, where: Where) -> str:
        """The action that wrote the beginning of the text at a place; empty if it is literal."""
        segment = self.rendered.at(self._span(where).start)
        if segment is None or segment.action is None:
            return ""
        return self.origin.template[segment.action.start : segment.action.end]

    def literal(self) -> frozenset[int]:
        """The starts of the parts of the template that were copied literally."""
        segments = self.rendered.segments
        return frozenset(segment.source.start for segment in segments if segment.literal)

    def writes(self, where: Where) -> int | None:
        """The part of the template that was copied literally to a place.

        It is given by its beginning; None if an action writes a part of it.
        """
        span = self._span(where)
        segment = self.rendered.at(span.start)
        if segment is None or not segment.literal or span.end > segment.end:
            return None
        return segment.source.start

    def _span(self, where: Where) -> Span:
        """The span of the text at a place; of a scalar, without its quotes."""
        document = self.manifest.document(where.document)
        is_value = where.span is None and where.inner is None and not where.on_key
        if document and is_value and where.source is None:
            node = document.node_at(where.path)
            if node and node.kind == "scalar" and node.text:
                where = Where(where.document, where.path, Span(0, len(node.text)))
        start, end = self.locator.offsets(where)
        return Span(start, start + len(self.rendered.text[start:end].rstrip()))


@record
class Renderings:
    """The objects that the ResourceSets of a file build.

    `owners` are the ResourceSets whose templates are linted, or about which a problem says why
    they are not. `texts` has the renderings of each template together, `stand_ins` those of each
    template whose inputs only the cluster knows. `notes` name the ResourceSets of which only some
    input sets are linted.
    """

    owners: tuple[KubeObject, ...] = ()
    texts: tuple[tuple[Rendering, ...], ...] = ()
    stand_ins: tuple[tuple[Rendering, ...], ...] = ()
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()

    def __add__(self, other: Renderings) -> Renderings:
        """The renderings of both."""
        return add_fields(self, other)


def render_resource_sets(
    objects: Sequence[KubeObject],
    other_providers: Iterable[Value] = (),
    budget: StepBudget | None = None,
) -> Renderings:
    """Build the ResourceSets among the objects of a file, which may use providers of other files.

    Those that a template renders share a `budget`; without one, each has its own.

    A ResourceSet whose inputs only the cluster knows is built with stand-ins, or skipped if that
    fails. A provider with an unresolved variable has no known inputs. A ResourceSet that cannot be
    built because a `${VAR}` in it has no value is skipped as well.
    """
    own_providers, other_providers = providers(objects), tuple(other_providers)
    known_providers = all_providers(
        filterfalse(waits_for_variables, own_providers),
        filterfalse(waits_for_variables, other_providers),
    ).known
    renderings = Renderings()
    for owner in resource_sets(objects):
        if not wrong_type(owner.value) and _has_templates(owner.value):
            renderings += _render(owner, known_providers, budget or StepBudget(TOTAL))
            notes = tuple(_unmatched_notes(owner, (*own_providers, *other_providers)))
            renderings += Renderings(notes=notes)
    return renderings


def _unmatched_notes(owner: KubeObject, nearby_providers: Sequence[Value]) -> Iterator[str]:
    """Say which selectors find no provider: the ResourceSet may be empty by mistake."""
    for index in () if owner.unresolved else unmatched_sources(owner.value, nearby_providers):
        yield (
            f"{object_name(owner.value)}: no ResourceSetInputProvider in these files matches"
            f" `inputsFrom[{index}]`, so its inputs are not known"
        )


def _render(owner: KubeObject, known_providers: list[Value], budget: StepBudget) -> Renderings:
    try:
        inputs = known_inputs(owner.value, known_providers)
        # Inputs that only the cluster has: what does not depend on them is still linted.
        if inputs is None:
            stand_ins = tuple(_stand_ins(owner, budget))
            return Renderings((owner,), stand_ins=stand_ins) if stand_ins else Renderings()
        steps = build(owner.value, inputs[:_MOST_SETS], budget=budget)
    except InputSetError as error:
        where = owner.place(("spec",), None, True)
        message = f"the operator refuses the inputs: {error}"
        problem = Problem(TEMPLATE_EXECUTION, message, "", where)
        return Renderings((owner,), problems=(problem,))
    except BuildError as error:
        # With the values of its variables, the template may be another one.
        if owner.unresolved:
            return Renderings()
        return Renderings((owner,), problems=(_problem(owner, error),))
    title = object_name(owner.value)
    note = f"{title}: the first {_MOST_SETS} of {len(inputs)} input sets are linted"
    return Renderings(
        (owner,),
        tuple(_texts(owner, _objects(steps))),
        notes=(note,) if len(inputs) > _MOST_SETS else (),
    )


def rendered_objects(renderings: Renderings) -> Iterator[tuple[KubeObject, Rendering]]:
    """The objects that the templates render, each with its text."""
    for text in (text for texts in renderings.texts for text in texts):
        for document in text.manifest.documents:
            for obj in objects_in(document):
                if obj.whole and text.applies(obj):
                    yield obj, text


def _has_templates(value: Value) -> bool:
    spec = value.get("spec") or {}
    parts = [spec, *(spec.get("steps") or [])]
    return any(
        part.get("resourcesTemplate") or is_templated(part.get("resources")) for part in parts
    )


def _stand_ins(owner: KubeObject, budget: StepBudget) -> Iterator[tuple[Rendering, ...]]:
    """The different renderings of each template with stand-ins; raises `BuildError`."""
    by_template: dict[Path, dict[str, list[BuiltObject]]] = {}
    for steps in build_with_stand_ins(owner.value, budget):
        for where, entries_by_rendering in _by_template(owner, _objects(steps)).items():
            entries_by_text = by_template.setdefault(where, {})
            for entries in entries_by_rendering.values():
                entries_by_text.setdefault(entries[0].rendered.text, entries)
    for entries_by_text in by_template.values():
        yield tuple(_rendering(owner, entries) for entries in entries_by_text.values())


def _objects(steps: Iterable[BuildStep]) -> Iterator[BuiltObject]:
    return (entry for step in steps for entry in step.objects)


_CIRCUMSTANCES = regex(r"^(?:(?:failed|error|while) [^:]*: )+")
_LONGEST_REASON = 75


def _problem(owner: KubeObject, error: BuildError) -> Problem:
    """The error that keeps a ResourceSet from being built, as a problem of its file."""
    where = error_place(owner, error)
    notes: tuple[Related, ...] = ()
    if place := input_place(owner, error.origin.index if error.origin else None):
        notes = (Related("it fails for this input set", place),)
    if not error.refused:
        message = f"celvet cannot render the template: {error.reason}"
        return Problem("template-unsupported", message, "", where)
    inner = error.template_error
    if inner is None:
        # The operator's own message begins with what it was doing.
        reason = _CIRCUMSTANCES.sub("", str(error))
        message = f"the operator cannot build this: {one_line(reason, _LONGEST_REASON)}"
        if message != f"the operator cannot build this: {error}":
            notes = (*notes, Related(f"the operator says: {error}", where))
        return Problem(TEMPLATE_EXECUTION, message, "", where, notes)
    if inner.kind is ErrorKind.SYNTAX:
        message = f"the operator cannot parse the template: {inner.reason}"
        return Problem(TEMPLATE_SYNTAX, message, "", where)
    message = f"the operator cannot render the template: {inner.reason}"
    return Problem(TEMPLATE_EXECUTION, message, "", where, notes)


def _texts(owner: KubeObject, objects: Iterable[BuiltObject]) -> Iterator[tuple[Rendering, ...]]:
    """The renderings of each template."""
    for entries_by_rendering in _by_template(owner, objects).values():
        yield tuple(_rendering(owner, entries) for entries in entries_by_rendering.values())


def _by_template(
    owner: KubeObject, objects: Iterable[BuiltObject]
) -> dict[Path, dict[int, list[BuiltObject]]]:
    """The objects of each text that a template renders.

    Objects that are not in a template are linted where they are.
    """
    by_template: dict[Path, dict[int, list[BuiltObject]]] = {}
    for entry in objects:
        where = entry.origin.where
        if where[-1] == "resourcesTemplate" or is_templated(get(owner.value, where)):
            by_template.setdefault(where, {}).setdefault(id(entry.rendered), []).append(entry)
    return by_template


def _rendering(owner: KubeObject, entries: list[BuiltObject]) -> Rendering:
    origin, rendered = entries[0].origin, entries[0].rendered
    # Flux has already replaced the variables of the ResourceSet that have a value
    manifest = read(rendered.text, substitute=bool(owner.unresolved))
    places = frozenset(place for entry in entries for place in _places_in_text(manifest, entry))
    return Rendering(owner, origin, rendered, manifest, places, Locator(manifest))


def _places_in_text(manifest: Manifest, entry: BuiltObject) -> Iterator[tuple[int, Path]]:
    """The place of an object in its rendered text."""
    text = manifest.text
    start = entry.start + len(text[entry.start :]) - len(text[entry.start :].lstrip())
    for document in manifest.documents:
        if document.start <= start < document.end:
            for part in raw_objects(document.value):
                if part.nesting != "held" and object_key(part.value) == object_key(entry.value):
                    yield document.index, part.path
                    return
