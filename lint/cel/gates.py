"""All checks of a controller that an expression must pass, in their order."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel.check.program_check import plan
from celvet.lint.cel.check.syntax_errors import parser_refusals, too_deep
from celvet.lint.cel.compiled import Compiled, readable, source_tree
from celvet.lint.cel.engine import environment as engine
from celvet.lint.cel.syntax.dotted_names import undoubtful
from celvet.lint.cel.syntax.refusal import Refusal, refused
from celvet.lint.cel.syntax.tree import Node
from celvet.lint.cel.syntax.vocabulary import unevaluated_call
from celvet.schemas.cel_go import changes
from celvet.schemas.dialect import Dialect


def gated(text: str, dialect: Dialect) -> Compiled:
    """An expression that is not too long, compiled."""
    try:
        return _gated(text, dialect)
    except engine.BeyondLimits as limit:
        root = source_tree(readable(text), dialect)
        refusals = too_deep(readable(text), root)
        return Compiled(
            text, dialect, refusals, analysed=bool(refusals), tree=root, limit=str(limit)
        )


def _gated(text: str, dialect: Dialect) -> Compiled:
    """The checks in order; each runs only if the one before accepts the text."""
    shown = readable(text)
    refusals = parser_refusals(shown, engine.parse(shown, dialect), dialect.cel_go)
    root = source_tree(shown, dialect)
    if root is None:
        return Compiled(text, dialect, refusals, analysed=bool(refusals))
    if refusals:
        return Compiled(text, dialect, refusals, tree=root)
    unevaluated = unevaluated_call(root, dialect.libraries)
    if dialect.checked:
        compiled = _checked(text, dialect, root, typed=not unevaluated)
    else:
        compiled = Compiled(text, dialect, plan(root, dialect), tree=root)
    if unevaluated and not compiled.refusals:
        return Compiled(text, dialect, analysed=False, tree=root, unevaluated=unevaluated)
    return compiled


def _checked(text: str, dialect: Dialect, root: Node, *, typed: bool) -> Compiled:
    """Run the type checker, whose types are right only if the engine has every function."""
    from celvet.lint.cel.check.type_check import result_type, type_issues
    from celvet.lint.cel.check.type_errors import checker_refusals, review_refusals

    checked = engine.check(undoubtful(readable(text), root), dialect)
    if isinstance(checked, list):
        refusals = checker_refusals(root, checked, dialect)
        return Compiled(text, dialect, refusals, analysed=bool(refusals), tree=root)
    if not typed:
        return Compiled(text, dialect, plan(root, dialect), tree=root)
    refusals = review_refusals(root, [*type_issues(checked, changes(dialect.cel_go))])
    if refusals:
        return Compiled(text, dialect, refusals, tree=root)
    kind = result_type(checked)
    refusals = (*_result(kind, dialect, root), *plan(root, dialect))
    return Compiled(text, dialect, refusals, tree=root, result_type=kind)


def _result(kind: str, dialect: Dialect, root: Node) -> Iterator[Refusal]:
    if dialect.result and kind != dialect.result:
        reason = f"the result has type `{kind}`, and must be `{dialect.result}`"
        hint = (
            "compare it, as in `... == true`" if (kind, dialect.result) == ("dyn", "bool") else ""
        )
        yield Refusal("type", "result-type", refused(reason), root.span, hint)
