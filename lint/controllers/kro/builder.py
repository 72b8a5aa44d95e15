"""Builds the graph of a ResourceGraphDefinition, and tells why kro refuses it.

Mirrors `NewResourceGraphDefinition` of kro (0302e659, `pkg/graph/{builder,validation}.go`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from celvet.lint.controllers.kro.compiler import (
    Compiler,
    GraphTooLargeError,
    is_omitting,
    result_of,
)
from celvet.lint.controllers.kro.graph import EACH, SCHEMA, ResourceGraph, ResourceNode, Term
from celvet.lint.controllers.kro.names import ID, name_refusals
from celvet.lint.controllers.kro.simple_schema import SimpleSchema
from celvet.lint.controllers.kro.status import status_terms
from celvet.lint.controllers.kro.templates import parts
from celvet.lint.controllers.kro.types import compatible, object_schema
from celvet.lint.model import Path, Value
from celvet.lint.safe_text import enumeration
from celvet.lint.values import get, list_at, mapping_at, text_at
from celvet.record import record, replace
from celvet.schemas import Dialect

__all__ = ["GraphTooLargeError", "Kinds", "build"]

_BOOLEANS = ("bool", "wrapper(bool)", "optional_type(bool)")
_NAME, _NAMESPACE = ("metadata", "name"), ("metadata", "namespace")


@record
class Kinds:
    """What is known about a kind, each by `apiVersion` and `kind`: its schema and its scope."""

    schema_of: Callable[[str, str], Mapping[str, Value] | None]
    scope_of: Callable[[str, str], str]


def build(spec: Value, dialect: Dialect, kinds: Kinds, at: tuple[Path, Path]) -> ResourceGraph:
    """The graph of a definition; `at` are the places of its schema and of its resources.

    Raises `GraphTooLargeError`, and `RecursionError` for an object that is nested too deep.
    """
    return _Builder(spec, dialect, kinds, *at).graph()


class _Builder:
    def __init__(
        self, spec: Value, dialect: Dialect, kinds: Kinds, schema_at: Path, nodes_at: Path
    ) -> None:
        self._schema = mapping_at(get(spec, (SCHEMA,)))
        self._schema_at, self._nodes_at = schema_at, nodes_at
        self._kinds = kinds
        self._cluster_wide = self._schema.get("scope") == "Cluster"
        self._compiler = Compiler(dialect)
        self._nodes = [
            self._node(index, mapping_at(item))
            for index, item in enumerate(list_at(spec, ("resources",)))
        ]
        self._ids = {node.id for node in self._nodes}
        self._simple_schema = SimpleSchema(
            self._schema.get("spec") or {},
            mapping_at(self._schema, ("types",)),
            (*schema_at, "spec"),
            (*schema_at, "types"),
        )
        self._instance = object_schema(
            {"properties": {"spec": self._simple_schema.schema}}, namespaced=not self._cluster_wide
        )
        types = self._compiler.types
        variables = {node.id: self._type(node) for node in self._nodes if ID.fullmatch(node.id)}
        self._variables = {**variables, SCHEMA: types.of(self._instance, SCHEMA)}
        self._compiler.variables = self._variables
        self._compiler.typed = {node.id for node in self._nodes if node.schema is not None}
        self._compiler.unsure = {SCHEMA} if self._simple_schema.problems else ()

    def graph(self) -> ResourceGraph:
        """The graph with the refusals in the order in which kro looks for them."""
        self._compiler.refusals += name_refusals(
            self._schema.get("kind"), self._schema_at, self._nodes, cluster_wide=self._cluster_wide
        )
        for problem in self._simple_schema.problems:
            self._compiler.refuse(problem.path, problem.message)
        nodes = tuple(map(self._compiled, self._nodes))
        self._check_cycles(nodes)
        status_at = (*self._schema_at, "status")
        status = tuple(status_terms(self._schema.get("status"), status_at, self._compiler))
        return ResourceGraph(nodes, status, self._instance, tuple(self._compiler.refusals))

    def _node(self, index: int, value: Mapping[str, Value]) -> ResourceNode:
        node = ResourceNode(text_at(value, ("id",)), index, (*self._nodes_at, index), value, None)
        kind_names = (text_at(node.object, ("apiVersion",)), text_at(node.object, ("kind",)))
        schema = self._kinds.schema_of(*kind_names)
        return replace(
            node,
            schema=object_schema(schema) if schema is not None else None,
            scope=self._kinds.scope_of(*kind_names),
        )

    def _type(self, node: ResourceNode) -> str:
        types = self._compiler.types
        kind = types.of(node.schema, node.id) if node.schema is not None else "dyn"
        return f"list({kind})" if node.collection else kind

    def _compiled(self, node: ResourceNode) -> ResourceNode:
        """The node with its expressions and dependencies."""
        dimensions = tuple(self._dimension_terms(node))
        iterators = {term.name: _element(result_of(term)) for term in dimensions}
        template = tuple(self._template_terms(node, iterators))
        include = tuple(self._conditions(node, "includeWhen", self._variables))
        types = {node.id: self._variables.get(node.id, "dyn")}
        if node.dimensions:
            kind = types[node.id].removeprefix("list(")[:-1]
            types = {EACH: kind if types[node.id].startswith("list(") else types[node.id]}
        # `readyWhen` sees nothing but the resource itself, or one item of a collection.
        ready = tuple(self._conditions(node, "readyWhen", types))
        # What the other expressions read makes the edges of the graph.
        names = [name for term in (*template, *dimensions, *include) for name in sorted(term.names)]
        dependencies = tuple(dict.fromkeys(name for name in names if name in self._ids))
        if node.id in dependencies:
            term = next(
                term for term in (*template, *dimensions, *include) if node.id in term.names
            )
            self._compiler.refuse(term.path, f"`{node.id}` reads itself here")
        self._check_identity(node, template, iterators)
        return replace(
            node,
            ready=ready,
            include=include,
            each=dimensions,
            template=template,
            dependencies=tuple(name for name in dependencies if name != node.id),
        )

    def _dimension_terms(self, node: ResourceNode) -> Iterator[Term]:
        for index, name, text in node.dimensions:
            path = (*node.path, "forEach", index, name)
            term = self._compiler.standalone(text, path, self._variables)
            if term is None:
                continue
            kind = result_of(term)
            is_list = kind.startswith("list(")
            if kind and not is_list and (kind != "dyn" or self._compiler.knows(term)):
                worded_kind = self._compiler.worded(kind)
                words = f"`forEach` needs a list, and this is of type `{worded_kind}`"
                self._compiler.refuse(path, words)
            yield replace(term, name=name)

    def _template_terms(self, node: ResourceNode, iterators: Mapping[str, str]) -> Iterator[Term]:
        types = self._compiler.types
        # kro knows no schema for what it only reads, and none for the kind that a graph itself
        # defines.
        schema = None if node.external or node.defines_kind else node.schema
        variables = {**self._variables, **iterators}
        for part in parts(node.object, schema):
            path = (*node.path, node.field, *part.path)
            if part.refusal:
                self._compiler.refuse(path, part.refusal, by_schema=schema is not None)
                continue
            offset = part.offset if part.whole else None
            term = replace(self._compiler.term(part.text, path, variables, offset), part=part)
            yield term
            if node.defines_kind and not node.external and part.path[0] != "metadata":
                words = "a CustomResourceDefinition has expressions in its metadata only"
                self._compiler.refuse(path, words)
            self._check_omission(node, term)
            kind = result_of(term)
            needed_type = types.of(part.schema, _place(node.id, part.path)) if part.schema else ""
            # As the API server would refuse the object, kro refuses the graph.
            if kind and needed_type and not compatible(kind, needed_type, types):
                kind_text = "an object" if needed_type in types.schemas else f"`{needed_type}`"
                worded_kind = self._compiler.worded(kind)
                words = f"the field needs {kind_text}, and this is of type `{worded_kind}`"
                self._compiler.refuse(path, words, by_schema=True)

    def _check_omission(self, node: ResourceNode, term: Term) -> None:
        """`omit()` is behind a feature gate, and cannot take the identity of an object away."""
        if not is_omitting(term):
            return
        path = term.part.path if term.part else ()
        needs_namespace = node.scope == "Namespaced" and self._cluster_wide
        if path == _NAME or (path == _NAMESPACE and needs_namespace):
            self._compiler.refuse(term.path, "`omit()` cannot leave out the identity of an object")
            return
        words = "`omit()` needs the feature gate `CELOmitFunction`, which is off by default"
        self._compiler.refuse(term.path, words, by_schema=True)

    def _conditions(
        self, node: ResourceNode, field: str, variables: Mapping[str, str]
    ) -> Iterator[Term]:
        for index, text in enumerate(list_at(node.value, (field,))):
            path = (*node.path, field, index)
            term = self._compiler.standalone(text, path, variables)
            if term is None:
                continue
            kind = result_of(term)
            term = replace(term, raw=field == "readyWhen")
            if kind and kind not in _BOOLEANS and (kind != "dyn" or self._compiler.knows(term)):
                words = f"the result has type `{self._compiler.worded(kind)}`, and must be `bool`"
                self._compiler.refuse(path, words)
            yield term

    def _check_identity(
        self, node: ResourceNode, template: Sequence[Term], iterators: Mapping[str, str]
    ) -> None:
        fields = (_NAME,) if node.scope == "Cluster" else (_NAME, _NAMESPACE)
        terms = (term for term in template if term.part and term.part.path in fields)
        used_names = {name for term in terms for name in term.names}
        if missing := [name for name in iterators if name not in used_names]:
            words = f"the name of the objects does not contain {enumeration(missing, 'and')}"
            self._compiler.refuse((*node.path, "forEach"), f"{words}, so they are not distinct")

    def _check_cycles(self, nodes: Sequence[ResourceNode]) -> None:
        graph = ResourceGraph(tuple(nodes), (), {}, ())
        ids = {node.id for node in graph.order}
        for node in nodes:
            if node.id not in ids and set(node.dependencies) <= self._ids:
                dependencies = enumeration(node.dependencies, "and")
                words = f"`{node.id}` depends on {dependencies} in a cycle"
                self._compiler.refuse(node.path, words)
                return


def _place(name: str, path: Path) -> str:
    """The name of the struct at a path, as the type of the variable names it."""
    return "_".join((name, *("item" if isinstance(step, int) else step for step in path)))


def _element(kind: str) -> str:
    return kind.removeprefix("list(")[:-1] if kind.startswith("list(") else "dyn"
