"""Builds the graph from files."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from celvet.lint.checks import Check
from celvet.lint.controllers.kstatus.misjudged import existence_only
from celvet.lint.engine import Settings
from celvet.lint.graph.faults import with_cycles
from celvet.lint.graph.nodes import Edge, Graph, GraphNode, Relation, WaitTest
from celvet.lint.graph.objects import GraphObject, Key, NodeNames
from celvet.lint.kustomize.resource import Resource
from celvet.lint.locate import Locator
from celvet.lint.manifest import KubeObject, Manifest, whole_objects
from celvet.lint.manifest.objects.held import holds_text
from celvet.lint.manifest.objects.resourceset import is_resource_set, takes_inputs
from celvet.lint.model import ObjectRef, Value
from celvet.lint.repository.files import FileObject
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.object_form import ObjectForm
from celvet.lint.repository.questions import InputProviders, ObjectForms
from celvet.lint.repository.surroundings import Repository
from celvet.lint.values import group_kind_of, object_ref_of, text_at
from celvet.record import replace
from celvet.schemas import Kind


class _Builder:
    """Collects the objects of files, then connects them."""

    def __init__(self, settings: Settings, repository: Repository) -> None:
        self._settings, self._repository = settings, repository
        self._nodes: list[GraphNode] = []
        self._names = NodeNames()
        self._objects: list[GraphObject] = []
        self._of: dict[Hashable, GraphObject] = {}
        self._appliers: dict[Instance, GraphObject | None] = {}
        self._named: dict[tuple[Key, str], int] = {}
        self._absolute = False

    def add(self, manifest: Manifest) -> None:
        """Add the objects of a file."""
        locator, name = Locator(manifest), self._name(manifest.name)
        self._absolute = os.path.isabs(manifest.name)  # noqa: PTH117 - it is not a path yet
        outer: list[tuple[KubeObject, list[GraphObject]]] = []
        for found in whole_objects(manifest):
            outer = [each for each in outer if each[0].holds(found)]
            made: list[GraphObject] = []
            if kind := self._kind(found):
                line = locator.place(found.where).line
                if found.nesting == "held":
                    place, resource = (manifest.name, line), Resource(found.value)
                    around = outer[-1][1] if outer else ()
                    made = [self._once(resource, kind, place, name, by) for by in around]
                else:
                    made = self._forms(found, kind, manifest.name, line)
            outer.append((found, made))
            if is_resource_set(found.value):
                self._built(found, made, locator)

    def graph(self) -> Graph:
        """The graph of all added objects, without those that have no edge and cannot wait."""
        objects = list(self._objects)
        edges = [self._seen(edge) for each in objects for edge in self._edges(each)]
        meant = {number for each in edges for number in (each.source, each.target)}
        meant |= {each.node for each in self._objects if each.kind.waits or each.kind.clock}
        number = {old: new for new, old in enumerate(sorted(meant))}
        return Graph(
            tuple(self._nodes[each] for each in sorted(meant)),
            tuple(
                replace(each, source=number[each.source], target=number[each.target])
                for each in with_cycles(edges)
            ),
        )

    def _name(self, file: str) -> str:
        return self._repository.name(file) or file

    def _shown(self, name: str) -> str:
        """The path of a file of the repository, in the form of the paths on the command line."""
        path = self._repository.root / name
        return str(path) if self._absolute else os.path.relpath(path)

    def _kind(self, found: KubeObject) -> Kind | None:
        reference = object_ref_of(found.value)
        kind = self._settings.catalog.find(reference.api_version, reference.kind)
        return kind if kind and reference.api_version and kind.scope != "None" else None

    def _built(self, owner: KubeObject, forms: Sequence[GraphObject], locator: Locator) -> None:
        """Add the objects that the templates of a ResourceSet render in each of its forms.

        Its inputs may come from providers in other files. One that cannot be built adds nothing;
        `celvet lint` reports why. If a parent changes the template, its objects have the place of
        its beginning.
        """
        from celvet.lint.engine.resourceset.renderings import render_resource_sets, rendered_objects

        name = self._name(locator.name)
        around = self._repository.surroundings_of(locator.name)
        others = around.ask(InputProviders()) if takes_inputs(owner.value) else ()
        for by in forms:
            if any(not path[1:] for path in by.resource.unknown):
                continue
            kept = ObjectForm(by.resource).keeps("spec", owner.value)
            form = replace(owner, value=dict(by.resource.value))
            for found, text in rendered_objects(render_resource_sets([form], others)):
                kind = self._kind(found)
                if kind and found.nesting != "held":
                    at = text.place(found.where) if kept else owner.place(text.origin.where)
                    place = (locator.name, locator.place(at).line)
                    self._once(_as_built(found.value), kind, place, name, by)

    def _forms(self, found: KubeObject, kind: Kind, file: str, line: int) -> list[GraphObject]:
        name = self._repository.name(file)
        made = []
        for form in self._repository.surroundings_of(file).ask(ObjectForms(found.value)):
            by = None if form.by and _applies_itself(form, name, form.by) else form.by
            owner = self._applier(by) if by else None
            made.append(self._once(form.resource, kind, (file, line), name or file, owner))
        return made

    def _applier(self, instance: Instance) -> GraphObject | None:
        """The node of an applier, made after all above it; its object may be in any file."""
        owner: GraphObject | None = None
        for each in reversed([*instance.chain]):
            if each not in self._appliers:
                if each.template:
                    owner = self._of_another_file(*each.template, owner)
                self._appliers[each] = self._of_another_file(each.file_object, each.resource, owner)
            owner = self._appliers[each]
        return owner

    def _of_another_file(
        self, file_object: FileObject, resource: Resource, owner: GraphObject | None
    ) -> GraphObject | None:
        """The node of an object anywhere in the repository; its owner if it has no kind."""
        reference, file = _reference(resource), file_object.file
        kind = self._settings.catalog.find(reference.api_version, reference.kind)
        if kind is None:
            return owner
        manifest = self._repository.index.files.manifest(file)
        line = Locator(manifest).place(file_object.place.where).line
        return self._once(resource, kind, (self._shown(file), line), file, owner)

    def _once(
        self,
        resource: Resource,
        kind: Kind,
        place: tuple[str, int],
        name: str,
        owner: GraphObject | None,
    ) -> GraphObject:
        """The node of an object in a file, by its applier; created once."""
        named = (group_kind_of(resource.value), resource.identity)
        above = owner.node if owner else None
        key = (name, named, above)
        if key not in self._of:
            unapplied = owner is None and self._repository.index.is_unapplied(name)
            node = self._node(GraphNode(_reference(resource), *place, unapplied))
            cluster = owner.cluster if owner else posixpath.dirname(name)
            self._of[key] = GraphObject(node, kind, resource, cluster, owner, self._settings)
            self._names.add(node, named, cluster, above)
            self._objects.append(self._of[key])
        return self._of[key]

    def _node(self, node: GraphNode) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _edges(self, by: GraphObject) -> Iterator[Edge]:
        if by.owner:
            yield _applying(by.owner, by)
        for check in by.checked.doing("dependency"):
            yield self._dependency(by, check)
        yield from self._checks(by)

    def _seen(self, edge: Edge) -> Edge:
        """The edge; if its target counts as ready once it exists, it says so."""
        kind = self._nodes[edge.target].object.group_kind
        blind = edge.test == "ready" and existence_only(kind, self._settings.schemas)
        return replace(edge, test="exists") if blind else edge

    def _dependency(self, by: GraphObject, check: Check) -> Edge:
        """The identity that an entry means; by default of its own kind, in its own namespace."""
        named = {key: text_at(check.value, (key,)) for key in ("apiVersion", "kind", "name")}
        namespace = text_at(check.value, ("namespace",))
        if not named["kind"]:
            own = by.checked.object
            named |= {"apiVersion": own.api_version, "kind": own.kind}
            namespace = namespace or by.resource.identity.namespace
        target = self._target(by, ObjectRef(**_fields(named), namespace=namespace))
        return _edge(by, target, "depends on", check)

    def _checks(self, by: GraphObject) -> Iterator[Edge]:
        """The objects that an object waits for, except those that it is known to apply."""
        if by.waiting is None:
            return
        if by.waiting.everything:
            yield _edge(by, self._node(GraphNode(ObjectRef())), "waits for", None)
            for kind, check in by.entries.items():
                version = text_at(check.value, ("apiVersion",))
                every = self._node(GraphNode(ObjectRef(version, kind.kind)))
                yield _edge(by, every, "waits for", check)
            return
        for each in by.waiting.listed_objects:
            target = self._target(by, object_ref_of(each))
            yield _edge(by, target, "waits for", by.entry(group_kind_of(each)))

    def _target(self, by: GraphObject, reference: ObjectRef) -> int:
        """The node with a name; a new one for an object that is not in the files."""
        identity = Resource({"metadata": reference.fields()}).identity
        key = (reference.group_kind, identity)
        found = self._names.find(key, by.cluster, by.owner.node if by.owner else None)
        if found is None:
            found = self._named.get((key, by.cluster))
        if found is None:
            found = self._named[key, by.cluster] = self._node(GraphNode(reference))
        return found


def graph(manifests: Iterable[Manifest], settings: Settings, repository: Repository) -> Graph:
    """The graph of the objects in files, as their repository applies them."""
    builder = _Builder(settings, repository)
    for each in manifests:
        builder.add(each)
    return builder.graph()


def _as_built(value: dict[str, Value]) -> Resource:
    """The objects that a ResourceSet builds; unknown if a parent's variable is missing."""
    built = Resource(value)
    return built.with_unknown(("spec",)) if holds_text(value.get("spec"), "${") else built


def _applying(owner: GraphObject, applied: GraphObject) -> Edge:
    if owner.waiting is None or not owner.waiting.everything:
        return Edge(owner.node, applied.node, "applies")
    check = owner.entry(group_kind_of(applied.resource.value))
    return _edge(owner, applied.node, "applies", check)


def _edge(by: GraphObject, target: int, relation: Relation, check: Check | None) -> Edge:
    """An edge for a wait; without a check, by the controller's own test of readiness."""
    deadline = None if relation == "depends on" else by.timing.timeout
    if check is None or not (check.on and check.expressions):
        test: WaitTest = "ready" if check is None or check.on else "exists"
        return Edge(by.node, target, relation, test, deadline=deadline)
    texts = {role: program.text.strip() for role, program in check.programs.items()}
    reason = by.never.get(check.path, "")
    return Edge(by.node, target, relation, "expression", texts, deadline, reason)


def _reference(resource: Resource) -> ObjectRef:
    return object_ref_of(resource.value)


def _applies_itself(form: ObjectForm, file: str, by: Instance) -> bool:
    same = (by.resource.identity, by.file_object.file) == (form.resource.identity, file)
    return same and group_kind_of(by.resource.value) == group_kind_of(form.resource.value)


def _fields(named: Mapping[str, str]) -> dict[str, str]:
    return {"api_version": named["apiVersion"], "kind": named["kind"], "name": named["name"]}
