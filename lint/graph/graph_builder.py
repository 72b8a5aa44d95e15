"""Builds the graph from files."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Hashable, Iterable, Iterator, Sequence

from celvet.lint.checks import Check
from celvet.lint.controllers.kstatus.misjudged import existence_only
from celvet.lint.engine import Settings
from celvet.lint.graph.faults import with_cycles
from celvet.lint.graph.nodes import Edge, Graph, GraphNode, Relation, WaitTest
from celvet.lint.graph.objects import GraphObject, Key, NodeNames, clusters_of
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


class _ObjectCollector:
    """Collects the objects of files, then connects them."""

    def __init__(self, settings: Settings, repository: Repository) -> None:
        self._settings, self._repository = settings, repository
        self._nodes: list[GraphNode] = []
        self._names = NodeNames()
        self._objects: list[GraphObject] = []
        self._object_of_node: dict[int, GraphObject] = {}
        self._object_by_key: dict[Hashable, GraphObject] = {}
        self._appliers: dict[Instance, GraphObject | None] = {}
        self._node_by_name: dict[tuple[Key, str], int] = {}
        self._absolute = False

    def add(self, manifest: Manifest) -> None:
        """Add the objects of a file."""
        locator, name = Locator(manifest), self._name(manifest.name)
        self._absolute = os.path.isabs(manifest.name)  # noqa: PTH117 - it is not a path yet
        # An object that another one holds is applied by it, so the holders come first.
        holders: list[tuple[KubeObject, list[GraphObject]]] = []
        for obj in whole_objects(manifest):
            holders = [holder for holder in holders if holder[0].holds(obj)]
            graph_objects: list[GraphObject] = []
            if kind := self._kind(obj):
                line = locator.place(obj.where).line
                if obj.nesting == "held":
                    place, resource = (manifest.name, line), Resource(obj.value)
                    owners = holders[-1][1] if holders else ()
                    graph_objects = [
                        self._object(resource, kind, place, name, owner) for owner in owners
                    ]
                else:
                    graph_objects = self._forms(obj, kind, manifest.name, line)
            holders.append((obj, graph_objects))
            if is_resource_set(obj.value):
                self._add_rendered(obj, graph_objects, locator)

    def graph(self) -> Graph:
        """The graph of all added objects, without those that have no edge and cannot wait."""
        # Edges create nodes for objects that are not in the files, so the objects are copied first.
        objects = list(self._objects)
        edges = [self._with_true_test(edge) for obj in objects for edge in self._edges(obj)]
        numbers = {number for edge in edges for number in (edge.source, edge.target)}
        numbers |= {obj.node for obj in self._objects if obj.kind.waits or obj.kind.clock}
        # The nodes that are left out leave no gaps.
        number = {old: new for new, old in enumerate(sorted(numbers))}
        edges = [
            replace(edge, source=number[edge.source], target=number[edge.target])
            for edge in with_cycles(edges)
        ]
        working = [obj for obj in objects if obj.kind.queue and obj.node in number]
        return Graph(
            tuple(self._nodes[index] for index in sorted(numbers)),
            tuple(edges),
            clusters_of(working, edges, number),
        )

    def _name(self, file: str) -> str:
        return self._repository.name(file) or file

    def _path(self, name: str) -> str:
        """The path of a file of the repository, in the form of the paths on the command line."""
        path = self._repository.root / name
        return str(path) if self._absolute else os.path.relpath(path)

    def _kind(self, obj: KubeObject) -> Kind | None:
        reference = object_ref_of(obj.value)
        kind = self._settings.catalog.find(reference.api_version, reference.kind)
        return kind if kind and reference.api_version and kind.scope != "None" else None

    def _add_rendered(
        self, resource_set: KubeObject, forms: Sequence[GraphObject], locator: Locator
    ) -> None:
        """Add the objects that the templates of a ResourceSet render in each of its forms.

        Its inputs may come from providers in other files. One that cannot be built adds nothing;
        `celvet lint` reports why. If a parent changes the template, its objects have the place of
        its beginning.
        """
        from celvet.lint.engine.resourceset.renderings import render_resource_sets, rendered_objects

        name = self._name(locator.name)
        surroundings = self._repository.surroundings_of(locator.name)
        providers = surroundings.ask(InputProviders()) if takes_inputs(resource_set.value) else ()
        for owner in forms:
            # With an unknown top-level field, it is not known which templates there are.
            if any(not path[1:] for path in owner.resource.unknown):
                continue
            is_unchanged = ObjectForm(owner.resource).keeps("spec", resource_set.value)
            form = replace(resource_set, value=dict(owner.resource.value))
            for obj, text in rendered_objects(render_resource_sets([form], providers)):
                kind = self._kind(obj)
                if kind and obj.nesting != "held":
                    if is_unchanged:
                        where = text.place(obj.where)
                    else:
                        where = resource_set.place(text.origin.where)
                    place = (locator.name, locator.place(where).line)
                    self._object(_rendered_resource(obj.value), kind, place, name, owner)

    def _forms(self, obj: KubeObject, kind: Kind, file: str, line: int) -> list[GraphObject]:
        name = self._repository.name(file)
        graph_objects = []
        for form in self._repository.surroundings_of(file).ask(ObjectForms(obj.value)):
            applier = None if form.by and _applies_itself(form, name, form.by) else form.by
            owner = self._applier(applier) if applier else None
            place = (file, line)
            graph_objects.append(self._object(form.resource, kind, place, name or file, owner))
        return graph_objects

    def _applier(self, instance: Instance) -> GraphObject | None:
        """The node of an applier, made after all above it; its object may be in any file."""
        owner: GraphObject | None = None
        for applier in reversed([*instance.chain]):
            if applier not in self._appliers:
                if applier.template:
                    owner = self._of_another_file(*applier.template, owner)
                self._appliers[applier] = self._of_another_file(
                    applier.file_object, applier.resource, owner
                )
            owner = self._appliers[applier]
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
        return self._object(resource, kind, (self._path(file), line), file, owner)

    def _object(
        self,
        resource: Resource,
        kind: Kind,
        place: tuple[str, int],
        name: str,
        owner: GraphObject | None,
    ) -> GraphObject:
        """The node of an object in a file, by its applier; created once."""
        object_key = (group_kind_of(resource.value), resource.identity)
        owner_node = owner.node if owner else None
        key = (name, object_key, owner_node)
        if key not in self._object_by_key:
            is_unapplied = owner is None and self._repository.index.is_unapplied(name)
            node = self._node(GraphNode(_reference(resource), *place, is_unapplied))
            cluster = owner.cluster if owner else posixpath.dirname(name)
            obj = GraphObject(node, kind, resource, cluster, owner, self._settings)
            self._object_by_key[key] = obj
            self._names.add(node, object_key, cluster, owner_node)
            self._objects.append(obj)
            self._object_of_node[node] = obj
        return self._object_by_key[key]

    def _node(self, node: GraphNode) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _edges(self, obj: GraphObject) -> Iterator[Edge]:
        """The edge from the owner of an object, then its own: dependencies and waits."""
        if obj.owner:
            yield _applies_edge(obj.owner, obj)
        for check in obj.checked.doing("dependency"):
            yield self._dependency(obj, check)
        yield from self._waits(obj)

    def _with_true_test(self, edge: Edge) -> Edge:
        """The edge; its test may end before what its target applies is ready.

        Some objects count as ready once they exist, others once they have applied what they do not
        wait for.
        """
        kind = self._nodes[edge.target].object.group_kind
        if edge.test == "ready" and existence_only(kind, self._settings.schemas):
            return replace(edge, test="exists")
        target = self._object_of_node.get(edge.target)
        waits_for_nothing = target and target.waiting and target.waiting.is_empty
        return replace(edge, test="applied") if edge.test == "ready" and waits_for_nothing else edge

    def _dependency(self, obj: GraphObject, check: Check) -> Edge:
        """The edge to the object that an entry names.

        By default, it is of the same kind and in the same namespace.
        """
        keys = ("apiVersion", "kind", "namespace", "name")
        reference = ObjectRef(*(text_at(check.value, (key,)) for key in keys))
        if not reference.kind:
            reference = replace(
                reference,
                api_version=obj.checked.object.api_version,
                kind=obj.checked.object.kind,
                namespace=reference.namespace or obj.resource.identity.namespace,
            )
        target = self._target(obj, reference)
        return _wait_edge(obj, target, "depends on", check)

    def _waits(self, obj: GraphObject) -> Iterator[Edge]:
        """The edges to what an object waits for, except to objects that it is known to apply."""
        if obj.waiting is None:
            return
        # A wait for everything that it applies goes to nodes that stand for many objects.
        if obj.waiting.everything:
            yield _wait_edge(obj, self._node(GraphNode(ObjectRef())), "waits for", None)
            for kind, check in obj.entries.items():
                version = text_at(check.value, ("apiVersion",))
                whole_kind = self._node(GraphNode(ObjectRef(version, kind.kind)))
                yield _wait_edge(obj, whole_kind, "waits for", check)
            return
        for entry in obj.waiting.listed_objects:
            target = self._target(obj, object_ref_of(entry))
            yield _wait_edge(obj, target, "waits for", obj.entry(group_kind_of(entry)))

    def _target(self, obj: GraphObject, reference: ObjectRef) -> int:
        """The node with a name; a new one for an object that is not in the files."""
        identity = Resource({"metadata": reference.fields()}).identity
        key = (reference.group_kind, identity)
        node = self._names.find(key, obj.cluster, obj.owner.node if obj.owner else None)
        if node is None:
            node = self._node_by_name.get((key, obj.cluster))
        if node is None:
            node = self._node(GraphNode(reference))
            self._node_by_name[key, obj.cluster] = node
        return node


def graph(manifests: Iterable[Manifest], settings: Settings, repository: Repository) -> Graph:
    """The graph of the objects in files, as their repository applies them."""
    builder = _ObjectCollector(settings, repository)
    for manifest in manifests:
        builder.add(manifest)
    return builder.graph()


def _rendered_resource(value: dict[str, Value]) -> Resource:
    """An object that a ResourceSet builds, without its spec if that lacks a parent's variable."""
    resource = Resource(value)
    return resource.with_unknown(("spec",)) if holds_text(value.get("spec"), "${") else resource


def _applies_edge(owner: GraphObject, target: GraphObject) -> Edge:
    """The edge to an object that another one applies, with the test if the owner waits for it."""
    if owner.waiting is None or not owner.waiting.everything:
        return Edge(owner.node, target.node, "applies")
    check = owner.entry(group_kind_of(target.resource.value))
    return _wait_edge(owner, target.node, "applies", check)


def _wait_edge(source: GraphObject, target: int, relation: Relation, check: Check | None) -> Edge:
    """An edge for a wait; without a check, by the controller's own test of readiness."""
    deadline = None if relation == "depends on" else source.timing.timeout
    if check is None or not (check.on and check.expressions):
        test: WaitTest = "ready" if check is None or check.on else "exists"
        return Edge(source.node, target, relation, test, deadline=deadline)
    texts = {role: program.text.strip() for role, program in check.programs.items()}
    reason = source.failure_reasons.get(check.path, "")
    return Edge(source.node, target, relation, "expression", texts, deadline, reason)


def _reference(resource: Resource) -> ObjectRef:
    return object_ref_of(resource.value)


def _applies_itself(form: ObjectForm, file: str, applier: Instance) -> bool:
    own_name, applier_name = form.resource.identity, applier.resource.identity
    if (applier_name, applier.file_object.file) != (own_name, file):
        return False
    return group_kind_of(applier.resource.value) == group_kind_of(form.resource.value)
