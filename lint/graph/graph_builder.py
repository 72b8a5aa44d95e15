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
from celvet.lint.repository.files import Declared
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.object_form import ObjectForm
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
        for obj in whole_objects(manifest):
            outer = [holder for holder in outer if holder[0].holds(obj)]
            graph_objects: list[GraphObject] = []
            if kind := self._kind(obj):
                line = locator.place(obj.where).line
                if obj.nesting == "held":
                    place, resource = (manifest.name, line), Resource(obj.value)
                    holders = outer[-1][1] if outer else ()
                    graph_objects = [self._once(resource, kind, place, name, by) for by in holders]
                else:
                    graph_objects = self._forms(obj, kind, manifest.name, line)
            outer.append((obj, graph_objects))
            if is_resource_set(obj.value):
                self._built(obj, graph_objects, locator)

    def graph(self) -> Graph:
        """The graph of all added objects, without those that have no edge and cannot wait."""
        objects = list(self._objects)
        edges = [self._seen(edge) for obj in objects for edge in self._edges(obj)]
        numbers = {number for edge in edges for number in (edge.source, edge.target)}
        numbers |= {obj.node for obj in self._objects if obj.kind.waits or obj.kind.clock}
        number = {old: new for new, old in enumerate(sorted(numbers))}
        return Graph(
            tuple(self._nodes[index] for index in sorted(numbers)),
            tuple(
                replace(edge, source=number[edge.source], target=number[edge.target])
                for edge in with_cycles(edges)
            ),
        )

    def _name(self, file: str) -> str:
        return self._repository.name(file) or file

    def _shown(self, name: str) -> str:
        """The path of a file of the repository, in the form of the paths on the command line."""
        path = self._repository.root / name
        return str(path) if self._absolute else os.path.relpath(path)

    def _kind(self, obj: KubeObject) -> Kind | None:
        reference = object_ref_of(obj.value)
        kind = self._settings.catalog.find(reference.api_version, reference.kind)
        return kind if kind and reference.api_version and kind.scope != "None" else None

    def _built(self, owner: KubeObject, forms: Sequence[GraphObject], locator: Locator) -> None:
        """Add the objects that the templates of a ResourceSet render in each of its forms.

        Its inputs may come from providers in other files. One that cannot be built adds nothing;
        `celvet lint` reports why. If a parent changes the template, its objects have the place of
        its beginning.
        """
        from celvet.lint.engine.resourceset.renderings import rendered_objects, renderings

        name = self._name(locator.name)
        surroundings = self._repository.around(locator.name)
        providers = surroundings.providers() if takes_inputs(owner.value) else ()
        for by in forms:
            if any(not path[1:] for path in by.resource.unknown):
                continue
            is_unchanged = ObjectForm(by.resource).keeps("spec", owner.value)
            form = replace(owner, value=dict(by.resource.value))
            for obj, text in rendered_objects(renderings([form], providers)):
                kind = self._kind(obj)
                if kind and obj.nesting != "held":
                    at = text.place(obj.where) if is_unchanged else owner.place(text.origin.where)
                    place = (locator.name, locator.place(at).line)
                    self._once(_as_built(obj.value), kind, place, name, by)

    def _forms(self, obj: KubeObject, kind: Kind, file: str, line: int) -> list[GraphObject]:
        name = self._repository.name(file)
        graph_objects = []
        for form in self._repository.around(file).effective(obj.value):
            by = None if form.by and _applies_itself(form, name, form.by) else form.by
            owner = self._applier(by) if by else None
            graph_objects.append(self._once(form.resource, kind, (file, line), name or file, owner))
        return graph_objects

    def _applier(self, instance: Instance) -> GraphObject | None:
        """The node of an applier, made after all above it; its object may be in any file."""
        owner: GraphObject | None = None
        for applier in reversed([*instance.chain]):
            if applier not in self._appliers:
                if applier.template:
                    owner = self._of_another_file(*applier.template, owner)
                self._appliers[applier] = self._of_another_file(
                    applier.declared, applier.resource, owner
                )
            owner = self._appliers[applier]
        return owner

    def _of_another_file(
        self, declared: Declared, resource: Resource, owner: GraphObject | None
    ) -> GraphObject | None:
        """The node of an object anywhere in the repository; its owner if it has no kind."""
        reference, file = _reference(resource), declared.file
        kind = self._settings.catalog.find(reference.api_version, reference.kind)
        if kind is None:
            return owner
        line = Locator(self._repository.index.files.manifest(file)).place(declared.place.where).line
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
        object_key = (group_kind_of(resource.value), resource.identity)
        above = owner.node if owner else None
        key = (name, object_key, above)
        if key not in self._of:
            is_unapplied = owner is None and self._repository.index.is_unapplied(name)
            node = self._node(GraphNode(_reference(resource), *place, is_unapplied))
            cluster = owner.cluster if owner else posixpath.dirname(name)
            self._of[key] = GraphObject(node, kind, resource, cluster, owner, self._settings)
            self._names.add(node, object_key, cluster, above)
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
        fields = {key: text_at(check.value, (key,)) for key in ("apiVersion", "kind", "name")}
        namespace = text_at(check.value, ("namespace",))
        if not fields["kind"]:
            reference = by.checked.object
            fields |= {"apiVersion": reference.api_version, "kind": reference.kind}
            namespace = namespace or by.resource.identity.namespace
        target = self._target(by, ObjectRef(**_fields(fields), namespace=namespace))
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
        for entry in by.waiting.listed:
            target = self._target(by, object_ref_of(entry))
            yield _edge(by, target, "waits for", by.entry(group_kind_of(entry)))

    def _target(self, by: GraphObject, reference: ObjectRef) -> int:
        """The node with a name; a new one for an object that is not in the files."""
        identity = Resource({"metadata": reference.fields()}).identity
        key = (reference.group_kind, identity)
        node = self._names.find(key, by.cluster, by.owner.node if by.owner else None)
        if node is None:
            node = self._named.get((key, by.cluster))
        if node is None:
            node = self._named[key, by.cluster] = self._node(GraphNode(reference))
        return node


def graph(manifests: Iterable[Manifest], settings: Settings, repository: Repository) -> Graph:
    """The graph of the objects in files, as their repository applies them."""
    builder = _Builder(settings, repository)
    for manifest in manifests:
        builder.add(manifest)
    return builder.graph()


def _as_built(value: dict[str, Value]) -> Resource:
    """The objects that a ResourceSet builds; unknown if a parent's variable is missing."""
    resource = Resource(value)
    return resource.not_known(("spec",)) if holds_text(value.get("spec"), "${") else resource


def _applying(owner: GraphObject, target: GraphObject) -> Edge:
    if owner.waiting is None or not owner.waiting.everything:
        return Edge(owner.node, target.node, "applies")
    check = owner.entry(group_kind_of(target.resource.value))
    return _edge(owner, target.node, "applies", check)


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
    is_same_object = (by.resource.identity, by.declared.file) == (form.resource.identity, file)
    return is_same_object and group_kind_of(by.resource.value) == group_kind_of(form.resource.value)


def _fields(fields: Mapping[str, str]) -> dict[str, str]:
    return {"api_version": fields["apiVersion"], "kind": fields["kind"], "name": fields["name"]}
