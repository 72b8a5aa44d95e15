"""Flux's expressions of a kind, with what Flux does before it tries them written out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import Ident, Macro, Node, Select, names, walk
from celvet.record import record
from celvet.schemas.facts import ROLES

STATUS = "status"


@record
class Reading:
    """Expressions by role, tried in the order of the roles, on the fields of an object.

    With `needs_status`, an object without a status is in progress whatever they say; with
    `observes`, also one whose status is of an older generation.
    """

    roles: Mapping[str, str]
    needs_status: bool
    observes: bool


def readings(choices: Iterator[Mapping[str, str]], *, observes: bool) -> Iterator[Reading]:
    """Each way to read each choice of expressions, the most faithful and shortest first.

    A choice may go without `failed`, and where a missing status must not hide the other fields,
    `has(status.phase)` tells of the status too.
    """
    for choice in choices:
        for roles in (choice, *_without_failure(choice)):
            lines = {role: " ".join(roles[role].split()) for role in ROLES if role in roles}
            needs_status = any(_reads_status(text) for text in lines.values()) or observes
            yield Reading(lines, needs_status, observes)
            if observes:
                yield Reading(lines, needs_status, False)
            if needs_status:
                inner = {role: _with_inner_guards(text) for role, text in lines.items()}
                yield Reading(inner, False, False)


def _without_failure(roles: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
    if "failed" in roles:
        yield {role: text for role, text in roles.items() if role != "failed"}


def _reads_status(text: str) -> bool:
    return any(name == STATUS for name, _ in names(parse(text)))


def _with_inner_guards(text: str) -> str:
    """The expression with a test for the status before each test for a field in it."""
    tests = [
        node
        for node in walk(parse(text))
        if isinstance(node, Macro) and node.name == "has" and _base(node.args[0]) == STATUS
    ]
    for node in sorted(tests, key=lambda node: node.span.start, reverse=True):
        start, end = node.span.start, node.span.end
        text = f"{text[:start]}(has({STATUS}) && {text[start:end]}){text[end:]}"
    return text


def _base(node: Node) -> str:
    """The variable of a chain of selections."""
    while isinstance(node, Select):
        node = node.operand
    return node.name if isinstance(node, Ident) else ""
