"""Builds the graph of a ResourceGraphDefinition, and tells why kro refuses it.

Mirrors `NewResourceGraphDefinition` of kro (0302e659, `pkg/graph/{builder,validation}.go`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from celvet.lint.cel import compile_expression
from celvet.lint.cel.engine.structs import PACKAGE, message_name
from celvet.lint.controllers.kro.conditions import condition_problem
from celvet.lint.controllers.kro.embedded import NestedError, standalone
from celvet.lint.controllers.kro.graph import EACH, SCHEMA, Graph, GraphNode, GraphRefusal, Term
from celvet.lint.controllers.kro.templates import parts
from celvet.lint.controllers.kro.types import Types, compatible, object_schema, simple_schema
from celvet.lint.model import Path, Span, Value
from celvet.lint.safe_text import enumeration
from celvet.lint.values import get, list_at, mapping_at, text_at
from celvet.record import replace
from celvet.regex import regex
from celvet.schemas import Dialect

_ID = regex(r"[a-z][a-zA-Z0-9]*")
_KIND = regex(r"[A-Z][a-zA-Z0-9]*")
_RESERVED = frozenset(
    {
        *("apiVersion", "context", "dependency", "dependencies", "each", "externalRef"),
        *("externalReference", "externalRefs", "externalReferences", "graph", "instance"),
        *("item", "items", "kind", "kro", "metadata", "namespace", "object", "resource"),
        *("resourcegraphdefinition", "resourceGraphDefinition", "resources", "root", "runtime"),
        *("schema", "self", "serviceAccountName", "spec", "status", "this", "variables"),
        *("vars", "version", "true", "false", "null", "in", "as", "break", "const", "continue"),
        *("else", "for", "function", "if", "import", "let", "loop", "package", "return", "var"),
        *("void", "while"),
    }
)
_MOST_DIMENSIONS = 10
_STANDALONE = "this must be exactly one expression, `${...}`, with nothing around it"
_BOOLEANS = ("bool", "optional_type(bool)")
FindSchema = Callable[[str, str], "Mapping[str, Value] | None"]


_MOST_TERMS = 2_000
"""More expressions are not compiled: each takes some milliseconds."""


class TooLargeError(Exception):
    """A graph has too many expressions to be checked."""


def build(spec: Value, dialect: Dialect, find_schema: FindSchema, at: tuple[Path, Path]) -> Graph:
    """The graph of a definition; `at` are the places of its schema and of its resources.

    Raises `TooLargeError`, and `RecursionError` for an object that is nested too deep.
    """
    return _Builder(spec, dialect, find_schema, *at).graph()


class _Builder:
    def __init__(
        self,
        spec: Value,
        dialect: Dialect,
        find_schema: FindSchema,
        schema_at: Path,
        nodes_at: Path,
    ) -> None:
        self._schema = mapping_at(get(spec, (SCHEMA,)))
        self._schema_at, self._nodes_at = schema_at, nodes_at
        self._dialect = replace(
            dialect, result="", results=(), dependent=(), object="", wrap="none"
        )
        self._types = Types()
        self._refusals: list[GraphRefusal] = []
        self._terms = 0
        self._nodes = [
            self._node(index, mapping_at(item), find_schema)
            for index, item in enumerate(list_at(spec, ("resources",)))
        ]
        self._ids = {node.id for node in self._nodes}
        types = mapping_at(self._schema, ("types",))
        spec_schema = simple_schema(self._schema.get("spec") or {}, types)
        self._instance = object_schema({"properties": {"spec": spec_schema}})
        self._variables = {
            node.id: self._type(node) for node in self._nodes if _ID.fullmatch(node.id)
        }
        self._variables[SCHEMA] = self._types.of(self._instance, SCHEMA)

    def graph(self) -> Graph:
        """The graph with the refusals in the order in which kro looks for them."""
        self._check_names()
        nodes = tuple(map(self._compiled, self._nodes))
        self._check_cycles(nodes)
        return Graph(nodes, tuple(self._status()), self._instance, tuple(self._refusals))

    def _refuse(
        self, path: Path, message: str, span: Span | None = None, *, by_schema: bool = False
    ) -> None:
        self._refusals.append(GraphRefusal(path, message, span, by_schema))

    def _node(self, index: int, value: Mapping[str, Value], find_schema: FindSchema) -> GraphNode:
        node = GraphNode(text_at(value, ("id",)), index, (*self._nodes_at, index), value, None)
        version, kind = (text_at(node.object, (key,)) for key in ("apiVersion", "kind"))
        schema = find_schema(version, kind)
        return replace(node, schema=object_schema(schema) if schema is not None else None)

    def _type(self, node: GraphNode) -> str:
        kind = self._types.of(node.schema, node.id) if node.schema is not None else "dyn"
        return f"list({kind})" if node.collection else kind

    def _check_names(self) -> None:
        kind = self._schema.get("kind")
        if isinstance(kind, str) and not _KIND.fullmatch(kind):
            self._refuse((*self._schema_at, "kind"), f"the kind `{kind}` is not in UpperCamelCase")
        seen: set[str] = set()
        for node in self._nodes:
            at = (*node.path, "id")
            if problem := _name_problem(node.id):
                self._refuse(at, f"the id {problem}")
            elif node.id in seen:
                self._refuse(at, f"two resources have the id `{node.id}`")
            seen.add(node.id)
            self._check_combination(node)
            self._check_dimensions(node)

    def _check_combination(self, node: GraphNode) -> None:
        has_template = node.value.get("template") is not None
        has_reference = node.value.get("externalRef") is not None
        if has_template == has_reference:
            self._refuse(node.path, "a resource has exactly one of `template` and `externalRef`")
        elif has_reference and node.dimensions:
            self._refuse((*node.path, "forEach"), "`externalRef` takes no `forEach`")
        for key, kind in (("apiVersion", str), ("kind", str), ("metadata", Mapping)):
            if not isinstance(node.object.get(key), kind):
                field = "externalRef" if node.external else "template"
                self._refuse((*node.path, field), f"the object has no `{key}`")

    def _check_dimensions(self, node: GraphNode) -> None:
        at = (*node.path, "forEach")
        if len(list_at(node.value, ("forEach",))) > _MOST_DIMENSIONS:
            self._refuse(at, f"`forEach` has more than {_MOST_DIMENSIONS} dimensions")
        seen: set[str] = set()
        for index, name, _ in node.dimensions:
            place = (*at, index, name)
            if problem := _name_problem(name):
                self._refuse(place, f"the iterator {problem}")
            elif name in self._ids or name in seen:
                owner = "a resource" if name in self._ids else "another iterator"
                self._refuse(place, f"{owner} has the name `{name}` as well")
            seen.add(name)

    def _compiled(self, node: GraphNode) -> GraphNode:
        """The node with its expressions and dependencies."""
        each = tuple(self._dimension_terms(node))
        iterators = {term.name: _element(_result(term)) for term in each}
        template = tuple(self._template_terms(node, iterators))
        include = tuple(self._conditions(node, "includeWhen", self._variables))
        own = {node.id: self._variables.get(node.id, "dyn")}
        if node.dimensions:
            kind = own[node.id].removeprefix("list(")[:-1]
            own = {EACH: kind if own[node.id].startswith("list(") else own[node.id]}
        ready = tuple(self._conditions(node, "readyWhen", own))
        names = [name for term in (*template, *each, *include) for name in sorted(term.names)]
        dependencies = tuple(dict.fromkeys(name for name in names if name in self._ids))
        if node.id in dependencies:
            term = next(term for term in (*template, *each, *include) if node.id in term.names)
            self._refuse(term.path, f"`{node.id}` reads itself here")
        self._check_identity(node, template, iterators)
        return replace(
            node,
            ready=ready,
            include=include,
            each=each,
            template=template,
            dependencies=tuple(name for name in dependencies if name != node.id),
        )

    def _dimension_terms(self, node: GraphNode) -> Iterator[Term]:
        for index, name, text in node.dimensions:
            path = (*node.path, "forEach", index, name)
            term = self._standalone(text, path, self._variables)
            if term is None:
                continue
            kind = _result(term)
            is_list = kind.startswith("list(")
            if kind and not is_list and (kind != "dyn" or self._knows(term)):
                self._refuse(path, f"`forEach` needs a list, and this is of type `{kind}`")
            yield replace(term, name=name)

    def _template_terms(self, node: GraphNode, iterators: Mapping[str, str]) -> Iterator[Term]:
        field = "externalRef" if node.external else "template"
        schema = None if node.external else node.schema
        variables = {**self._variables, **iterators}
        for part in parts(node.object, schema):
            path = (*node.path, field, *part.path)
            if part.refusal:
                self._refuse(path, part.refusal, by_schema=schema is not None)
                continue
            term = self._term(part.text, path, variables, part.offset if part.whole else None)
            yield replace(term, part=part)
            kind = _result(term)
            wanted = self._types.of(part.schema, _place(node.id, part.path)) if part.schema else ""
            if kind and wanted and not compatible(kind, wanted, self._types):
                shown = "an object" if wanted in self._types.schemas else f"`{wanted}`"
                words = f"the field needs {shown}, and this is of type `{kind}`"
                self._refuse(path, words, by_schema=True)

    def _conditions(
        self, node: GraphNode, field: str, variables: Mapping[str, str]
    ) -> Iterator[Term]:
        for index, text in enumerate(list_at(node.value, (field,))):
            path = (*node.path, field, index)
            term = self._standalone(text, path, variables)
            if term is None:
                continue
            kind = _result(term)
            term = replace(term, raw=field == "readyWhen")
            if kind and kind not in _BOOLEANS and (kind != "dyn" or self._knows(term)):
                self._refuse(path, f"the result has type `{kind}`, and must be `bool`")
            yield term

    def _standalone(self, text: Value, path: Path, variables: Mapping[str, str]) -> Term | None:
        """The only expression of a text; None with a refusal for any other text."""
        if not isinstance(text, str):
            return None
        span = _only_expression(text)
        if span is None:
            self._refuse(path, _STANDALONE)
            return None
        return self._term(text[span.start : span.end], path, variables, span.start)

    def _term(
        self, text: str, path: Path, variables: Mapping[str, str], offset: int | None
    ) -> Term:
        """An expression, compiled; without an `offset`, spans are not those of the text."""
        self._terms += 1
        if self._terms > _MOST_TERMS:
            raise TooLargeError
        declared = {name: _variable_type(kind, self._types) for name, kind in variables.items()}
        dialect = replace(self._dialect, variables=declared, structs=self._types.structs)
        program = compile_expression(text, dialect)
        for refusal in program.refusals[:1]:
            span = None
            if offset is not None:
                span = Span(refusal.span.start + offset, refusal.span.end + offset)
            reads_kind = any(self._has_schema(name) for name in program.names)
            words = refusal.message.partition(", so ")[0]
            words = words.replace("the message has", "the object has")
            self._refuse(path, words, span, by_schema=reads_kind and refusal.stage == "check")
        return Term(path, program, frozenset(program.names))

    def _has_schema(self, name: str) -> bool:
        return name == EACH or any(node.id == name and node.schema for node in self._nodes)

    def _knows(self, term: Term) -> bool:
        """Whether the types of all variables of an expression are known."""
        return all(
            self._variables.get(name, "dyn") not in ("dyn", "list(dyn)") for name in term.names
        )

    def _check_identity(
        self, node: GraphNode, template: Sequence[Term], iterators: Mapping[str, str]
    ) -> None:
        used = {
            name
            for term in template
            if term.part and term.part.path in (("metadata", "name"), ("metadata", "namespace"))
            for name in term.names
        }
        if missing := [name for name in iterators if name not in used]:
            words = f"the name of the objects does not contain {enumeration(missing, 'and')}"
            self._refuse((*node.path, "forEach"), f"{words}, so they are not distinct")

    def _check_cycles(self, nodes: Sequence[GraphNode]) -> None:
        graph = Graph(tuple(nodes), (), {}, ())
        ordered = {node.id for node in graph.order}
        for node in nodes:
            if node.id not in ordered and set(node.dependencies) <= self._ids:
                others = enumeration(node.dependencies, "and")
                self._refuse(node.path, f"`{node.id}` depends on {others} in a cycle")
                return

    def _status(self) -> Iterator[Term]:
        status = self._schema.get("status")
        at = (*self._schema_at, "status")
        fields = {key: part for key, part in mapping_at(status).items() if key != "conditions"}
        for part in parts(fields, None):
            if part.refusal:
                self._refuse((*at, *part.path), part.refusal)
                continue
            term = self._term(
                part.text, (*at, *part.path), self._variables, part.offset if part.whole else None
            )
            if not term.names and not term.program.refusals:
                self._refuse(term.path, "a field of the status must read a resource or `schema`")
            yield replace(term, part=part)
        self._check_status(fields, at)
        conditions = mapping_at(status).get("conditions")
        if conditions is not None and not isinstance(conditions, list):
            words = "`conditions` is a list of conditions in kro after v0.9.3"
            self._refuse((*at, "conditions"), words, by_schema=True)
        for index, text in enumerate(conditions if isinstance(conditions, list) else ()):
            yield from self._condition(text, (*at, "conditions", index))

    def _check_status(self, value: Value, path: Path) -> None:
        """Every field of the status needs an expression."""
        if isinstance(value, Mapping):
            for key, item in value.items():
                self._check_status(item, (*path, key))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                self._check_status(item, (*path, index))
        elif not (isinstance(value, str) and [*parts(value, None)]):
            self._refuse(path, "a field of the status needs an expression")

    def _condition(self, text: Value, path: Path) -> Iterator[Term]:
        # `runtime.newCondition` is a macro whose keys are no variables, so it is not compiled.
        if isinstance(text, str) and "runtime." in text:
            span = _only_expression(text)
            problem = condition_problem(text[span.start : span.end]) if span else None
            if span and problem:
                message, part = problem
                self._refuse(path, message, Span(part.start + span.start, part.end + span.start))
            return
        term = self._standalone(text, path, self._variables)
        if term is None:
            return
        kind = _result(term)
        if kind not in ("", "dyn", "list(dyn)"):
            self._refuse(
                path, f"a condition is made by `runtime.newCondition`, not of type `{kind}`"
            )
        yield term


def _only_expression(text: str) -> Span | None:
    """The expression that is all of the text."""
    try:
        return standalone(text)
    except NestedError:
        return None


def _place(name: str, path: Path) -> str:
    """The name of the struct at a path, as the type of the variable names it."""
    return "_".join((name, *("item" if isinstance(step, int) else step for step in path)))


def _name_problem(name: str) -> str:
    if name in _RESERVED:
        return f"`{name}` is a word that kro reserves"
    return "" if _ID.fullmatch(name) else f"`{name}` is not in lowerCamelCase"


def _result(term: Term) -> str:
    """The type of an expression, with the structs of the graph; empty if it is not known."""
    return term.program.result_type.replace(f"{PACKAGE}.", "")


def _element(kind: str) -> str:
    return kind.removeprefix("list(")[:-1] if kind.startswith("list(") else "dyn"


def _variable_type(kind: str, types: Types) -> str:
    """The type as the engine writes it, which has structs in its own package."""
    for opening in ("list(", "map(string, ", "optional_type("):
        if kind.startswith(opening):
            return f"{opening}{_variable_type(kind[len(opening) : -1], types)})"
    return message_name(kind) if kind in types.schemas else kind
