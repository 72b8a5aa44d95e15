"""Words of an expression: variables, fields, their values, functions and macros."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types as lsp

from celvet.lint.cel.syntax.lexer import Unparsable, scan
from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import (
    Call,
    Ident,
    ListExpr,
    Node,
    Select,
    dotted_path,
    parents,
    walk,
)
from celvet.lint.crds import Structural
from celvet.lint.lsp.features.completion.proposal import Proposal, Proposals
from celvet.lint.lsp.features.fields import COMPARING, KnownFields, Steps, bindings, steps
from celvet.lint.lsp.features.function_docs import FunctionDoc, function_docs
from celvet.regex import regex
from celvet.schemas import Dialect

_MARK = "celvetCursor"
_WORD = regex(r"(?:[A-Za-z_]\w*)?\Z")
_PATH = regex(r"[{$]*\.?((?:\w+\.)*)(\w*)")
_PLAIN = regex(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029'\"\\]+")
"""A text that needs no escapes between quotes, in CEL and in YAML."""
_LONGEST = 4_096
_MOST_TRIED = 8
"""How many levels outwards to look for a `?` that lacks its `:`."""
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LOOPED = frozenset({"array", "object", ""})
_OF_OPTIONAL = frozenset({"hasValue", "optFlatMap", "optMap", "or", "orValue", "value"})
_OF_LISTS = frozenset({"first", "last", "size"})


def in_expression(text: str, dialect: Dialect, known_fields: KnownFields) -> Proposals:
    """What can follow the beginning of an expression; nothing if that is very long."""
    try:
        return _proposals(text, dialect, known_fields) if len(text) <= _LONGEST else Proposals([])
    except RecursionError:
        return Proposals([])


def in_path(text: str, known_fields: KnownFields) -> Proposals:
    """The fields that can follow the beginning of a path of plain keys."""
    match = _PATH.fullmatch(text)
    names = known_fields.names(tuple(match[1].split(".")[:-1])) if match else {}
    return Proposals([_field(*item) for item in names.items()], len(match[2]) if match else 0)


def _proposals(text: str, dialect: Dialect, known_fields: KnownFields) -> Proposals:
    quote = next((token for token in scan(text) if token.text in ("'", '"')), None)
    if quote and quote.kind == "unknown":
        word = text[quote.end :]
        tree = _parse_with_mark(text[: quote.start])
        items = _texts(*tree, dialect, known_fields) if tree else ()
        return Proposals([item for item in items if _PLAIN.fullmatch(item.label)], len(word))
    match = _WORD.search(text)
    word = match[0] if match else ""
    tree = _parse_with_mark(text[: len(text) - len(word)])
    return Proposals(list(_proposed_names(*tree, dialect, known_fields)) if tree else [], len(word))


def _parse_with_mark(expression: str) -> tuple[Node, Node] | None:
    """The tree of an expression with a mark at its end, and the mark's node."""
    for text in _with_closers(f"{expression}{_MARK}"):
        try:
            root = parse(text)
        except Unparsable:
            continue
        for node in walk(root):
            if (isinstance(node, Ident) and node.name == _MARK) or (
                isinstance(node, Select) and node.field == _MARK
            ):
                return root, node
    return None


def _with_closers(text: str) -> Iterator[str]:
    """The text with its open brackets and quotes closed; a `?` may need its `:`."""
    closers = ""
    for token in scan(text):
        if token.kind in _CLOSING:
            closers = _CLOSING[token.kind] + closers
        elif closers.startswith(token.kind):
            closers = closers[1:]
    yield text + closers
    for size in range(min(len(closers), _MOST_TRIED) + 1):
        yield f"{text}{closers[:size]} : true{closers[size:]}"


def _texts(
    root: Node, mark: Node, dialect: Dialect, known_fields: KnownFields
) -> Iterator[Proposal]:
    """The values of a string in quotes: one that a field is compared with, or a key."""
    parent_of = parents(root)
    parent = parent_of.get(mark)
    argument = parent if isinstance(parent, ListExpr) else mark
    call = parent_of.get(argument)
    if not isinstance(call, Call):
        return
    other_arguments = [node for node in call.args if node is not argument]
    path = steps(other_arguments[0], root, dialect) if other_arguments else None
    if path is None:
        return
    if call.function in COMPARING:
        for text, meaning in known_fields.values(path).items():
            yield Proposal(text, lsp.CompletionItemKind.EnumMember, documentation=meaning)
    elif call.function in ("_[_]", "_[?_]"):
        yield from (_field(name, node) for name, node in known_fields.names(path).items())


def _proposed_names(
    root: Node, mark: Node, dialect: Dialect, known_fields: KnownFields
) -> Iterator[Proposal]:
    docs = function_docs(dialect).values()
    if isinstance(mark, Ident):
        yield from _variables(root, mark, dialect, known_fields)
        yield from (_word(doc) for doc in docs if doc.style in ("function", "either"))
        yield from (_word(doc) for doc in docs if doc.name == "has")
        return
    if not isinstance(mark, Select):
        return
    # `math.` and the like look like a field of a variable, but no object can have their functions.
    namespace = f"{dotted_path(mark.operand)}."
    docs_in_namespace = [doc for doc in docs if doc.name.startswith(namespace)]
    if docs_in_namespace:
        yield from (_word(doc, doc.name.removeprefix(namespace)) for doc in docs_in_namespace)
        return
    path = steps(mark.operand, root, dialect)
    yield from _fields(path, known_fields) if path is not None else ()
    if _is_optional(mark.operand):
        yield from (_word(doc) for doc in docs if doc.name in _OF_OPTIONAL)
    elif not mark.optional:
        nodes = known_fields.at(path) if path is not None else []
        yield from _methods(dialect, {str(node.type) for node in nodes} or {""})


def _is_optional(node: Node) -> bool:
    """Whether a value is wrapped in an optional, like everything below a `.?`."""
    while isinstance(node, Select):
        if node.optional:
            return True
        node = node.operand
    return isinstance(node, Call) and (
        node.function == "_[?_]" or node.function in ("first", "last", "optional.of")
    )


def _variables(
    root: Node, mark: Node, dialect: Dialect, known_fields: KnownFields
) -> Iterator[Proposal]:
    for macro in bindings(mark, root):
        yield from (Proposal(name, lsp.CompletionItemKind.Variable) for name in macro.variables)
    if not dialect.variables:
        yield from _fields((), known_fields)
    for name, kind in dialect.variables.items():
        yield Proposal(name, lsp.CompletionItemKind.Variable, kind)


def _fields(at: Steps, known_fields: KnownFields) -> Iterator[Proposal]:
    """The fields that can be selected by a dot."""
    for name, node in known_fields.names(at).items():
        if name.isidentifier():
            yield _field(name, node)


def _field(name: str, node: Structural) -> Proposal:
    text = node.schema.get("description")
    description = text if isinstance(text, str) else ""
    return Proposal(name, lsp.CompletionItemKind.Field, node.type, description)


def _methods(dialect: Dialect, types: set[str]) -> Iterator[Proposal]:
    """Macros on lists and mappings, methods on the rest; both where the type is not known."""
    for doc in function_docs(dialect).values():
        loops = doc.style == "macro" and doc.name != "has" and doc.name not in _OF_OPTIONAL
        method = doc.style in ("method", "either") and doc.name not in _OF_OPTIONAL
        if (
            (loops and types & _LOOPED)
            or (method and types - {"array", "object"})
            or (doc.name in _OF_LISTS and "array" in types)
            or (doc.name == "size" and "object" in types)
        ):
            yield _word(doc)


def _word(doc: FunctionDoc, name: str = "") -> Proposal:
    label = name or doc.name
    return Proposal(
        label=label,
        kind=lsp.CompletionItemKind.Function,
        detail=doc.signature,
        documentation=doc.meaning,
        insert=label + doc.snippet.removeprefix(doc.name),
        snippet=True,
        rank=1 if doc.style == "macro" else 2,
    )
