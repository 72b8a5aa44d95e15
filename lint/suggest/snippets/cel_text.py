"""CEL for a dialect that has the object in a variable."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import Call, names
from celvet.lint.suggest.snippets.reading import STATUS, Reading

_LOOSE = ("_||_", "_?_:_")


def alone(reading: Reading, variable: str) -> Iterator[dict[str, str]]:
    """The expressions by role, each alone enough for its verdict; the shortest form first.

    Flux tries the roles in order, so a role counts only if those before it are false. Often that
    needs no words, since they exclude each other.
    """
    guard = _guard(reading, variable)
    texts = {role: _about(text, variable) for role, text in reading.roles.items()}
    under_way, failed = texts.get("inProgress"), texts.get("failed")
    failures = [part for part in (failed, under_way and f"!({under_way})") if part]
    failure = {"failed": _conjunction([*guard, *failures])} if failed else {}
    before = [f"!({text})" for text in (failed, under_way) if text]
    ready = [text for text in (texts["current"],) if text != "true" or not guard]
    yield {"current": _conjunction([*guard, *ready]), **failure}
    if before:
        yield {"current": _conjunction([*guard, *ready, *before]), **failure}


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


def _guard(reading: Reading, variable: str) -> list[str]:
    """The tests before all others: there is a status, and it is of the newest generation."""
    status = f"{variable}.{STATUS}"
    guard = [f"has({status})"] if reading.needs_status else []
    if reading.observes:
        observed = f"{status}.observedGeneration"
        guard.append(f"!has({observed}) || {observed} == {variable}.metadata.generation")
    return guard
