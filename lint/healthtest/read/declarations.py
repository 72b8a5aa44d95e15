"""The objects of a file that may declare checks, including those of its ResourceSets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from celvet.lint.checks.checked_object import Place
from celvet.lint.kustomize.resource import Resource
from celvet.lint.manifest import KubeObject, Manifest, whole_objects
from celvet.lint.manifest.objects.resourceset import is_resource_set, takes_inputs
from celvet.lint.model import Path, Span, Value, Where
from celvet.lint.repository.object_form import ObjectForm
from celvet.lint.repository.providers import providers_around
from celvet.lint.repository.questions import ObjectForms
from celvet.lint.repository.surroundings import Surroundings
from celvet.record import record


@record
class Declaration:
    """An object, and the places of its parts in the file.

    `holder` is the object of the file that holds or renders it.
    """

    obj: KubeObject
    place: Place
    holder: KubeObject | None = None

    @property
    def value(self) -> Value:
        """The object, as a mapping of its fields."""
        return self.obj.value


def declarations(manifest: Manifest) -> Iterator[Declaration]:
    """The objects of a file as they are applied, then those of its ResourceSets.

    Their inputs may come from providers in other files of the repository. A ResourceSet that cannot
    be built has none; `celvet lint` reports why.
    """
    objects = list(whole_objects(manifest))
    yield from (Declaration(obj, obj.place, _holder(obj, objects)) for obj in objects)
    if any(is_resource_set(obj.value) for obj in objects):
        from celvet.lint.engine.resourceset.renderings import render_resource_sets, rendered_objects

        inputs = any(takes_inputs(obj.value) for obj in objects)
        providers = providers_around(manifest.name) if inputs else ()
        for obj, text in rendered_objects(render_resource_sets(objects, providers)):
            yield Declaration(obj, _through(obj.place, text.place), text.owner)


def forms_of(declaration: Declaration, surroundings: Surroundings) -> Iterator[ObjectForm]:
    """The forms in which an object gets into the cluster.

    One that another object holds stays as it is. If something changes that other one, nothing is
    known.
    """
    if declaration.holder is None:
        yield from surroundings.ask(ObjectForms(dict(declaration.value)))
        return
    for form in surroundings.ask(ObjectForms(dict(declaration.holder.value))):
        if form.resource.knows("spec") and form.resource.last_writer("spec") is None:
            yield ObjectForm(Resource(declaration.value), form.by)


def _holder(obj: KubeObject, objects: Sequence[KubeObject]) -> KubeObject | None:
    """The outermost object around one that another one holds."""
    if obj.nesting != "held":
        return None
    return next((candidate for candidate in objects if candidate.holds(obj)), obj)


def _through(inside: Place, outside: Callable[[Where], Where]) -> Place:
    def place(path: Path, span: Span | None = None, on_key: bool = False) -> Where:
        return outside(inside(path, span, on_key))

    return place
