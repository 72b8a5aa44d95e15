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
_PLAIN = regex(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029'\"\\]+")
"""A text that needs no escapes between quotes, in CEL and in YAML."""
_LONGEST = 4_096
_MOST_TRIED = 8
"""How many levels outwards to look for a `?` that lacks its `:`."""
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_LOOPED = frozenset({"array", "object", ""})
_OF_OPTIONAL = frozenset({"hasValue", "optFlatMap", "optMap", "or", "orValue", "value"})
_OF_LISTS = frozenset({"first", "last", "size"})


def in_expression(before: str, dialect: Dialect, known_fields: KnownFields) -> Proposals:
    """What can follow the beginning of an expression; nothing if that is very long."""
    try:
        return (
            _proposals(before, dialect, known_fields) if len(before) <= _LONGEST else Proposals([])
        )
    except RecursionError:
        return Proposals([])


def _proposals(before: str, dialect: Dialect, known_fields: KnownFields) -> Proposals:
    quote = next((token for token in scan(before) if token.text in ("'", '"')), None)
    if quote and quote.kind == "unknown":
        typed = before[quote.end :]
        found = _marked(before[: quote.start])
        items = _texts(*found, dialect, known_fields) if found else ()
        return Proposals([item for item in items if _PLAIN.fullmatch(item.label)], len(typed))
    word = _WORD.search(before)
    typed = word[0] if word else ""
    found = _marked(before[: len(before) - len(typed)])
    return Proposals(list(_named(*found, dialect, known_fields)) if found else [], len(typed))


def _marked(before: str) -> tuple[Node, Node] | None:
    """The tree of an expression with a mark at its end, and the mark's node."""
    for text in _completed(f"{before}{_MARK}"):
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


def _completed(text: str) -> Iterator[str]:
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
    up = parents(root)
    above = up.get(mark)
    around = above if isinstance(above, ListExpr) else mark
    call = up.get(around)
    if not isinstance(call, Call):
        return
    others = [each for each in call.args if each is not around]
    found = steps(others[0], root, dialect) if others else None
    if found is None:
        return
    if call.function in COMPARING:
        for text, meaning in known_fields.values(found).items():
            yield Proposal(text, lsp.CompletionItemKind.EnumMember, documentation=meaning)
    elif call.function in ("_[_]", "_[?_]"):
        yield from (_field(name, node) for name, node in known_fields.names(found).items())


def _named(
    root: Node, mark: Node, dialect: Dialect, known_fields: KnownFields
) -> Iterator[Proposal]:
    known = function_docs(dialect).values()
    if isinstance(mark, Ident):
        yield from _variables(root, mark, dialect, known_fields)
        yield from (_word(each) for each in known if each.style in ("function", "either"))
        yield from (_word(each) for each in known if each.name == "has")
        return
    if not isinstance(mark, Select):
        return
    space = f"{dotted_path(mark.operand)}."
    spaced = [each for each in known if each.name.startswith(space)]
    if spaced:
        yield from (_word(each, each.name.removeprefix(space)) for each in spaced)
        return
    found = steps(mark.operand, root, dialect)
    yield from _fields(found, known_fields) if found is not None else ()
    if _is_optional(mark.operand):
        yield from (_word(each) for each in known if each.name in _OF_OPTIONAL)
    elif not mark.optional:
        at = known_fields.at(found) if found is not None else []
        yield from _methods(dialect, {str(node.type) for node in at} or {""})


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
    for each in function_docs(dialect).values():
        loops = each.style == "macro" and each.name != "has" and each.name not in _OF_OPTIONAL
        method = each.style in ("method", "either") and each.name not in _OF_OPTIONAL
        if (
            (loops and types & _LOOPED)
            or (method and types - {"array", "object"})
            or (each.name in _OF_LISTS and "array" in types)
            or (each.name == "size" and "object" in types)
        ):
            yield _word(each)


def _word(word: FunctionDoc, name: str = "") -> Proposal:
    shown = name or word.name
    return Proposal(
        label=shown,
        kind=lsp.CompletionItemKind.Function,
        detail=word.signature,
        documentation=word.meaning,
        insert=shown + word.snippet.removeprefix(word.name),
        snippet=True,
        rank=1 if word.style == "macro" else 2,
    )
