"""Errors that cel-go reports while it plans the program of an expression that parses.

It plans the whole tree, so it refuses even what evaluation would never reach.
Mirrors `interpreter/planner.go` of cel-go 0.26.1, and `interpreter/decorators.go` for a dialect
with the option `cel.EvalOptions(cel.OptOptimize)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from celvet.lint.cel.check.unknown_functions import explain
from celvet.lint.cel.compat.builder import TreeBuilder
from celvet.lint.cel.compat.messages import regex_error
from celvet.lint.cel.cost.regex_size import instructions
from celvet.lint.cel.engine import environment as engine
from celvet.lint.cel.functions.constants import BadConversion, ConstantValue, convert
from celvet.lint.cel.syntax.refusal import Refusal, RefusalCause, refusal_message
from celvet.lint.cel.syntax.tree import (
    Call,
    ListExpr,
    Literal,
    MapExpr,
    Node,
    Select,
    StructExpr,
    dotted_path,
    names,
    walk,
    within_has,
)
from celvet.lint.cel.syntax.vocabulary import (
    CONVERSIONS,
    MESSAGES,
    TYPES,
    VALUED,
    functions,
    is_operator,
    resolve,
)
from celvet.lint.model import Span
from celvet.regex import regex
from celvet.schemas.cel_go import changes
from celvet.schemas.dialect import Dialect

_KEYS = frozenset({"string", "int", "uint", "double", "bool"})
_MAX_INSTRUCTIONS = 500_000
"""Instructions of all regular expressions in one text; compiling that many takes 1.5 s."""

_KINDS = {"null": "null_type"}

_PART = regex(
    r"\\Q.*?(?:\\E|\Z)|\\(?P<escape>.)|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\(\?P?<(?P<group>\w*)>",
    re.DOTALL,
)
_RE2_ONLY = regex(r"pattern too large|invalid character class range: \\[pP]")
"""Errors of RE2's library that Go's may not have."""


def plan(root: Node, dialect: Dialect) -> tuple[Refusal, ...]:
    """Why the controller refuses to plan the tree, in source order."""
    planner = _Planner(root, dialect)
    # `walk` yields a node before its parts, but its parts decide whether it is constant
    refusals = [refusal for node in reversed([*walk(root)]) for refusal in planner.plan(node)]
    return tuple(sorted(refusals, key=lambda refusal: refusal.span))


class _Planner:
    """Plans the nodes one by one, parts first, and remembers which are constant."""

    def __init__(self, root: Node, dialect: Dialect) -> None:
        self._known = functions(dialect.libraries)
        self._checked = dialect.checked
        self._optimized = "OptOptimize" in dialect.options
        self._changes = changes(dialect.cel_go)
        self._constants: dict[Node, ConstantValue] = {}
        self._patterns = 0
        if dialect.checked:
            types = (node for name, node in names(root) if name in TYPES)
            self._constants.update((node, ConstantValue("type")) for node in types)

    def plan(self, node: Node) -> Iterator[Refusal]:
        """The errors of this node, without those of its parts."""
        match node:
            case Literal():
                kind = _KINDS.get(node.kind, node.kind)
                self._constants[node] = ConstantValue(kind, node.value)
            # With `cel.EvalOptions(cel.OptOptimize)`, cel-go folds a list of constants while it
            # plans, so conversions of it fail already here.
            case ListExpr() | MapExpr() if self._optimized and all(
                part in self._constants for part in node.children
            ):
                self._constants[node] = ConstantValue(
                    "map" if isinstance(node, MapExpr) else "list"
                )
            case Select() if self._checked:
                yield from _type_name(node)
            case StructExpr():
                yield from _message(node.name.removeprefix("."), MESSAGES, node.at)
            case Call() if is_operator(node.function):
                yield from self._operator(node)
            case Call():
                yield from self._check_call(node)

    def _operator(self, node: Call) -> Iterator[Refusal]:
        if node.function not in ("_[_]", "_[?_]"):
            return
        index = self._constants.get(node.args[1])
        if index is None and within_has(node.args[0]):
            reason = "the result of `has` has no elements"
            yield _refusal("bad-index", reason, node.span)
        if index and index.kind not in _KEYS:
            yield _refusal("bad-index", f"a {index.kind} cannot be an index", node.args[1].span)

    def _check_call(self, node: Call) -> Iterator[Refusal]:
        name, args = resolve(node, self._known)
        function = self._known.get(name)
        if function is None and not args:
            name, reason, hint = explain(node, self._known)
            yield _refusal("unknown-function", reason, node.at, hint, name)
        # The planner looks only at the number of arguments; types are dispatched at run time.
        elif function and not function.can_plan(len(args)):
            reason = f"`{name}` does not take {len(args)} arguments (the target counts as one)"
            yield _refusal("no-overload", reason, node.at, name=name)
        elif function and function.pattern and len(args) > 1:
            yield from self._pattern(args[1])
        elif not self._optimized:
            return
        elif len(args) == 1 and name in CONVERSIONS:
            yield from self._conversion(name, args[0], node)
        elif len(args) == 2 and name == "matches":
            yield from self._pattern(args[1])

    def _conversion(self, name: str, argument: Node, node: Call) -> Iterator[Refusal]:
        constant = self._constants.get(argument)
        if constant is None:
            return
        try:
            self._constants[node] = convert(name, constant, self._changes)
        except BadConversion as error:
            reason = str(error)
            yield _refusal("bad-conversion", reason, node.span, name=name)

    def _pattern(self, node: Node) -> Iterator[Refusal]:
        constant = self._constants.get(node)
        if constant is None or constant.kind != "string":
            return
        self._patterns += instructions(constant.value)
        if self._patterns > _MAX_INSTRUCTIONS:
            raise engine.BeyondLimits("its regular expressions take too long to compile")
        if error := _pattern_error(constant.value):
            reason = f"the regular expression does not compile: {error}"
            yield _refusal("bad-regex", reason, node.span, hint="write it in RE2's syntax")


def _type_name(node: Select) -> Iterator[Refusal]:
    """The name of a message is not a value, except for messages that are CEL types."""
    name = dotted_path(node).removeprefix(".")
    if name in MESSAGES:
        yield from _message(name, VALUED, node.span)


def _message(name: str, allowed: frozenset[str], span: Span) -> Iterator[Refusal]:
    if name not in allowed:
        reason = f"the controller has no message `{name}`"
        yield _refusal("unknown-message", reason, span, name=name)


def _refusal(
    cause: RefusalCause, reason: str, span: Span, hint: str = "", name: str = ""
) -> Refusal:
    return Refusal("program", cause, refusal_message(reason), span, hint, name)


@lru_cache(maxsize=256)
def _pattern_error(pattern: str) -> str:
    r"""Why Go refuses a regular expression; the engine uses RE2's own library.

    Go's package (`regexp/syntax`, Go 1.26) has the same syntax, but no `\C`, and only ASCII in the
    names of groups. The result is empty if it compiles.

    Raises `BeyondLimits` if that depends on the Go release of the controller: from Go 1.25 on,
    there are more names of classes, and the limits on size differ.
    """
    for part in _PART.finditer(pattern):
        if part["escape"] == "C":
            return "invalid escape sequence: `\\C`"
        if part["group"] and not part["group"].isascii():
            return f"invalid named capture: `{part[0]}`"
    build = TreeBuilder()
    call = build.call("matches", build.text(""), build.text(pattern))
    try:
        engine.load(call, ()).run(engine.view({}, ()))
    except engine.Failed as error:
        if _RE2_ONLY.search(str(error)):
            raise engine.BeyondLimits("Go may compile its regular expressions") from None
        return regex_error(str(error))
    return ""
