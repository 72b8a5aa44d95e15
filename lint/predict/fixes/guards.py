"""Rewrites that put a test before what fails without it."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel import explain_error
from celvet.lint.cel.syntax.tree import Call, Macro, Node, always_evaluated, parents, walk
from celvet.lint.model import Span
from celvet.lint.predict.check_model import CheckModel
from celvet.lint.predict.faults.diagnosis import Replacement, Rewrite
from celvet.lint.predict.truth_table import Row
from celvet.record import record

_AND, _OR = "_&&_", "_||_"


def guarding_rewrites(model: CheckModel, role: str, row: Row) -> Iterator[Rewrite]:
    """A guard against the error on a state; none if no operand certainly fails without it."""
    program, variables = model.programs[role], row.state.variables
    trace = program.trace(variables)
    explanation = explain_error(trace, variables)
    if program.tree is None or explanation is None or not explanation.test:
        return
    missing_node = _missing_node(trace.deciding_steps()[-1].node)
    missing_text = program.text[slice(*missing_node.span)]
    guards = _guards(program.text, program.tree, missing_text, explanation.test)
    replacements = tuple(Replacement(role, span, text) for span, text in guards)
    if replacements:
        yield Rewrite(f"Ask for `{explanation.test}` first.", replacements)


def _missing_node(node: Node) -> Node:
    """The node that has no value, or not one that a macro can loop over."""
    return node.target if isinstance(node, Macro) and node.target else node


def guard_replacements(model: CheckModel, role: str, test: str) -> tuple[Replacement, ...]:
    """The replacements that put a guard before the whole expression."""
    root = model.programs[role].tree
    if root is None:
        return ()
    start = Span(root.span.start, root.span.start)
    end = Span(root.span.end, root.span.end)
    if not _calls(root, _OR, "_?_:_"):
        return (Replacement(role, start, f"{test} && "),)
    return Replacement(role, start, f"{test} && ("), Replacement(role, end, ")")


def _guards(text: str, root: Node, missing_text: str, test: str) -> Iterator[tuple[Span, str]]:
    """The insertions of `test` wherever the missing text, an error without it, is evaluated.

    The guard goes before the smallest operand that fails: `A || B` is true if `A` is, even if `B`
    is an error, and a guard before the whole would change that. It may only come before a part that
    is never true if the guard is false.
    """
    parent_by_node = parents(root)
    for node in _Operands(text, missing_text).of(root):
        start, end = node.span
        # Within `||`, brackets are for the reader; `||` and `?:` need them, for `&&` binds more.
        needs_outer = _calls(parent_by_node.get(node), _OR) and not _is_bracketed(text, node.span)
        needs_inner = _calls(node, _OR, "_?_:_")
        closing = ")" * (needs_outer + needs_inner)
        yield Span(start, start), f"{'(' * needs_outer}{test} && {'(' * needs_inner}"
        if closing:
            yield Span(end, end), closing


@record
class _Operands:
    """Finds the operands of `&&` and `||` that the missing text keeps from having a value."""

    text: str
    missing_text: str

    def of(self, node: Node) -> list[Node]:
        """The operands to guard; for those of one `&&`, only the first."""
        if not _calls(node, _AND, _OR):
            return [node] if self._errs(node) else []
        failing_operands = [child for child in node.children if self._errs(child)]
        if _calls(node, _OR) and len(failing_operands) == len(node.children):
            return [node]
        # A guard before the first operand of an `&&` keeps the others from being evaluated.
        if _calls(node, _AND) and failing_operands:
            return self.of(failing_operands[0])
        return [operand for child in node.children for operand in self.of(child)]

    def _errs(self, node: Node) -> bool:
        """Whether a node is certainly not true if the missing text is an error."""
        if _calls(node, _AND):
            return any(map(self._errs, node.children))
        if _calls(node, _OR):
            return all(map(self._errs, node.children))
        return any(
            self.text[slice(*part.span)] == self.missing_text and always_evaluated(node, part)
            for part in walk(node)
        )


def _calls(node: Node | None, *functions: str) -> bool:
    return isinstance(node, Call) and node.function in functions


def _is_bracketed(text: str, span: Span) -> bool:
    return text[: span.start].endswith("(") and text[span.end :].startswith(")")
