"""Flux's expressions of a kind, with what Flux does before it tries them written out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import Call, Ident, Macro, Node, Select, names, walk
from celvet.record import record
from celvet.schemas.facts import ROLES

STATUS = "status"
_LOOSE = ("_||_", "_?_:_")


@record
class SnippetReading:
    """Expressions by role, tried in the order of the roles, on the fields of an object.

    With `needs_status`, an object without a status is in progress whatever they say; with
    `observes`, also one whose status is of an older generation.
    """

    roles: Mapping[str, str]
    needs_status: bool
    observes: bool


def readings(choices: Iterator[Mapping[str, str]], *, observes: bool) -> Iterator[SnippetReading]:
    """Each way to read each choice of expressions, the most faithful and shortest first.

    A choice may go without `failed`, and where a missing status must not hide the other fields,
    `has(status.phase)` tells of the status too.
    """
    for choice in choices:
        for roles in (choice, *_without_failure(choice)):
            lines = {role: " ".join(roles[role].split()) for role in ROLES if role in roles}
            needs_status = any(_reads_status(text) for text in lines.values()) or observes
            yield SnippetReading(lines, needs_status, observes)
            if observes:
                yield SnippetReading(lines, needs_status, False)
            if needs_status:
                inner = {role: _with_inner_guards(text) for role, text in lines.items()}
                yield SnippetReading(inner, False, False)


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


def alone(reading: SnippetReading, variable: str) -> Iterator[dict[str, str]]:
    """The expressions by role, each alone enough for its verdict; the shortest form first.

    Flux tries the roles in order, so a role counts only if those before it are false. Often that
    needs no words, since they exclude each other.
    """
    guard = _guard(reading, variable)
    texts = {role: _about(text, variable) for role, text in reading.roles.items()}
    under_way, failed = texts.get("inProgress"), texts.get("failed")
    failures = [part for part in (failed, under_way and f"!({under_way})") if part]
    failure = {"failed": _conjunction([*guard, *failures])} if failed else {}
    conditions = [f"!({text})" for text in (failed, under_way) if text]
    ready = [text for text in (texts["current"],) if text != "true" or not guard]
    yield {"current": _conjunction([*guard, *ready]), **failure}
    if conditions:
        yield {"current": _conjunction([*guard, *ready, *conditions]), **failure}


def _about(text: str, variable: str) -> str:
    """An expression on the top-level fields of an object as one on those of a variable."""
    for place in sorted({node.span.start for _, node in names(parse(text))}, reverse=True):
        text = f"{text[:place]}{variable}.{text[place:]}"
    return text


def _conjunction(parts: list[str]) -> str:
    """All parts, in brackets where they need some."""
    return " && ".join(_bracketed(part) if len(parts) > 1 else part for part in parts)


def _bracketed(text: str) -> str:
    tree = parse(text)
    return f"({text})" if isinstance(tree, Call) and tree.function in _LOOSE else text


def _guard(reading: SnippetReading, variable: str) -> list[str]:
    """The tests before all others: there is a status, and it is of the newest generation."""
    status = f"{variable}.{STATUS}"
    guard = [f"has({status})"] if reading.needs_status else []
    if reading.observes:
        generation = f"{status}.observedGeneration"
        guard.append(f"!has({generation}) || {generation} == {variable}.metadata.generation")
    return guard
