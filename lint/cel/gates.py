"""All checks of a controller that an expression must pass, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel.check.program_check import plan
from celvet.lint.cel.check.syntax_errors import parser_refusals, too_deep
from celvet.lint.cel.compat.macros import without_bindings
from celvet.lint.cel.compiled import Compiled, readable, source_tree
from celvet.lint.cel.engine import environment as engine
from celvet.lint.cel.syntax.dotted_names import unambiguous_text
from celvet.lint.cel.syntax.refusal import Refusal, refusal_message
from celvet.lint.cel.syntax.tree import Call, ListExpr, Macro, MapExpr, Node, dotted_path, walk
from celvet.lint.cel.syntax.vocabulary import ORDERS, unevaluated_call
from celvet.lint.model import Span
from celvet.record import replace
from celvet.schemas.dialect import Dialect, Option


def run_gates(text: str, dialect: Dialect) -> Compiled:
    """An expression that is not too long, compiled."""
    try:
        return _gate_in_order(text, dialect)
    except engine.BeyondLimits as limit:
        root = source_tree(readable(text), dialect)
        refusals = too_deep(readable(text), root)
        return Compiled(
            text, dialect, refusals, analysed=bool(refusals), parsed=root, limit=str(limit)
        )


def _gate_in_order(text: str, dialect: Dialect) -> Compiled:
    """The checks in order; each runs only if the one before accepts the text."""
    shown_text = readable(text)
    refusals = parser_refusals(shown_text, engine.parse(shown_text, dialect), dialect.cel_go)
    root = source_tree(shown_text, dialect)
    if root is None:
        return Compiled(text, dialect, refusals, analysed=bool(refusals))
    if refusals:
        return Compiled(text, dialect, refusals, parsed=root)
    # The checker of the engine knows only what the engine evaluates; of other functions it would
    # claim that they do not exist.
    unevaluated_name = unevaluated_call(root, dialect.libraries)
    if dialect.checked:
        compiled = _run_checker(text, dialect, root, typed=not unevaluated_name)
    else:
        compiled = Compiled(text, dialect, plan(root, dialect), parsed=root)
    if unevaluated_name and not compiled.refusals:
        return Compiled(text, dialect, analysed=False, parsed=root, unevaluated=unevaluated_name)
    return compiled


def _run_checker(text: str, dialect: Dialect, root: Node, *, typed: bool) -> Compiled:
    """Run the type checker, whose types are right only if the engine has every function."""
    from celvet.lint.cel.check.type_check import result_type, type_issues
    from celvet.lint.cel.check.type_errors import checker_refusals, review_refusals

    plain_text = _with_known_names(unambiguous_text(readable(text), root), root)
    checked_expr = engine.check(plain_text, dialect)
    if isinstance(checked_expr, list) and (marks := _marks_to_join(root, dialect)):
        joined_expr = engine.check(_with_marks(plain_text, marks), dialect)
        checked_expr = checked_expr if isinstance(joined_expr, list) else joined_expr
    if isinstance(checked_expr, list):
        refusals = checker_refusals(root, checked_expr, dialect)
        # The engine refuses some orders of two types of numbers that cel-go forgets to refuse.
        # The others count; without any, the text is checked again with all of them allowed.
        spans = set() if _CROSS_TYPE in dialect.options else _late_orders(root)
        if spans and any(refusal.span in spans for refusal in refusals):
            remaining = tuple(refusal for refusal in refusals if refusal.span not in spans)
            if not remaining:
                return _run_checker(text, _with_cross_type(dialect), root, typed=typed)
            refusals = remaining
        return Compiled(text, dialect, refusals, analysed=bool(refusals), parsed=root)
    if not typed:
        return Compiled(text, dialect, plan(root, dialect), parsed=root)
    refusals = review_refusals(root, [*type_issues(checked_expr, dialect)])
    if refusals:
        return Compiled(text, dialect, refusals, parsed=root)
    kind = result_type(checked_expr)
    refusals = (*_result_refusals(kind, dialect, root), *plan(root, dialect))
    root = without_bindings(root, dialect.libraries)
    return Compiled(text, dialect, refusals, parsed=root, result_type=kind)


def _with_known_names(text: str, root: Node) -> str:
    """The text with a macro under the name that the engine has, of the two that cel-go has."""
    for node in walk(root):
        if isinstance(node, Call) and node.function == "exists_one" and _is_comprehension(node):
            text = text[: node.at.start] + "existsOne " + text[node.at.end :]
    return text


def _marks_to_join(root: Node, dialect: Dialect) -> list[tuple[int, str]]:
    """What gives literals such as `[1, object.a]` elements of any type, as `object.a` is, by place.

    That is the type that cel-go gives them (`joinTypes` of `checker/checker.go`); the engine takes
    that of the first element.
    """
    marks: list[tuple[int, str]] = []
    for node in walk(root):
        values: tuple[Node, ...] = ()
        if isinstance(node, ListExpr):
            values = node.elements
        elif isinstance(node, MapExpr):
            values = tuple(entry.value for entry in node.entries)
        names = (dotted_path(value).partition(".")[0] for value in values)
        reads = [dialect.variables.get(name) == "dyn" for name in names]
        if any(reads) and not reads[0]:
            marks += [(values[0].span.start, "dyn("), (values[0].span.end, ")")]
    return marks


def _with_marks(text: str, marks: list[tuple[int, str]]) -> str:
    for place, mark in sorted(marks, reverse=True):
        text = text[:place] + mark + text[place:]
    return text


_TWO_VARIABLES = frozenset(
    {"all", "exists", "exists_one", "existsOne"}
    | {"transformList", "transformMap", "transformMapEntry"}
)
"""The macros of two variables, which are calls in the source tree."""

_CROSS_TYPE: Option = "CrossTypeNumericComparisons"


def _with_cross_type(dialect: Dialect) -> Dialect:
    return replace(dialect, options=(*dialect.options, _CROSS_TYPE))


def _is_comprehension(node: Macro | Call) -> bool:
    if isinstance(node, Macro):
        return bool(node.variables)
    return node.function in _TWO_VARIABLES and len(node.args) > 2


def _late_orders(root: Node) -> set[Span]:
    """The spans of the orders that are checked after a comprehension has begun.

    Entering a scope, the checker of cel-go (`checker/env.go`) forgets that numbers of two types
    have no order, and never remembers: `[1].all(x, x < 2.0)` is accepted where `1 < 2.0` is not.
    """
    spans: set[Span] = set()
    has_begun = False

    def visit(node: Node) -> None:
        nonlocal has_begun
        if isinstance(node, Macro | Call) and _is_comprehension(node):
            if node.target is not None:
                visit(node.target)
            has_begun = True
            children: tuple[Node, ...] = node.args
        elif isinstance(node, Call) and node.target is not None:
            children = (*node.args, node.target)  # in the order of `checkCall`
        else:
            children = node.children
        for child in children:
            visit(child)
        if has_begun and isinstance(node, Call) and node.function in ORDERS:
            spans.update((node.span, node.at))

    visit(root)
    return spans


def _result_refusals(kind: str, dialect: Dialect, root: Node) -> Iterator[Refusal]:
    if dialect.result and not dialect.late and kind not in (dialect.result, *dialect.results):
        reason = f"the result has type `{kind}`, and must be `{dialect.result}`"
        hint = (
            "compare it, as in `... == true`" if (kind, dialect.result) == ("dyn", "bool") else ""
        )
        yield Refusal("type", "result-type", refusal_message(reason), root.span, hint)
