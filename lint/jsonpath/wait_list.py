"""What Pulumi waits for, in the words of an annotation: `waits`.

Mirrors `ReadyCondition` of pulumi-kubernetes (v4.32.0, `provider/pkg/metadata/overrides.go`), and
its packages `jsonpath` and `await/condition`. Paths are of RFC 9535. Those of keys, indices and
comparisons with a text, which client-go can write as well, are read; no other one is analysed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from celvet.lint.jsonpath.errors import EvaluationError, JSONPathError, PathErrorCause
from celvet.lint.jsonpath.eval.printing import go_text
from celvet.lint.jsonpath.eval.template import PathTemplate, parse
from celvet.lint.model import Span, Value
from celvet.lint.values import get, list_at, text_at
from celvet.record import record
from celvet.regex import regex

WAITS: Final = "waits"

HINTS: Final[Mapping[PathErrorCause, str]] = {
    "invalid-wait": "write `condition=NAME` or `jsonpath={.PATH}=VALUE`, or a JSON array of these",
}
"""The way out, by the cause."""

_BRACES = regex(r"\{\s*(.*?)\s*\}")
_NAME = r"[A-Za-z_\u0080-\U0010ffff][\w\u0080-\U0010ffff]*"
_QUOTED = r"'[^'\\]*'|\"[^\"\\]*\""
_STEP = regex(
    rf"\s*(?:\.(?P<name>{_NAME})|\.\*|\[\s*(?:(?P<index>-?[1-9]\d*|0)|\*|(?P<key>{_QUOTED}))\s*\]"
    rf"|\[\s*\?\s*\(?\s*(?P<left>@(?:\.{_NAME})+)\s*==\s*(?P<right>{_QUOTED})\s*\)?\s*\])"
)
_PLAIN_KEY = regex(r"[\w./-]+")
_ELSE = regex(r"[?,:\\]|\.\.")
"""A part of a path that means more than a step here."""


@record
class ReadyCondition:
    """A condition of the status, by `name`, or a path; either with the `value` it must have.

    `template` is the path as client-go writes it.
    """

    name: str
    template: PathTemplate | None
    value: str
    span: Span
    steps: tuple[re.Match[str], ...] = ()

    def matches(self, obj: Value) -> bool:
        """Whether an object is as waited for; raises `EvaluationError` where the wait ends."""
        condition = self._condition(obj) if self.template is None else {}
        observed = get(condition, ("observedGeneration",), get(obj, _OBSERVED))
        generation = get(obj, ("metadata", "generation"))
        if type(observed) is int and type(generation) is int and observed < generation:
            return False
        if self.template is None:
            return text_at(condition, ("status",)).casefold() == self.value.casefold()
        results = [obj]
        for step in self.steps:
            results = [part for value in results for part in _parts(value, step)]
        if not results or not self.value:
            return bool(results)
        if isinstance(results[0], dict | list):
            raise EvaluationError(f'"{self.template.source}" has a non-primitive value')
        return go_text(results[0]) == self.value

    def _condition(self, obj: Value) -> Value:
        conditions = list_at(obj, ("status", "conditions"))
        names = (text_at(condition, ("type",)).casefold() for condition in conditions)
        name = self.name.casefold()
        return next(
            (pair[0] for pair in zip(conditions, names, strict=True) if pair[1] == name), {}
        )


_OBSERVED = ("status", "observedGeneration")


def wait_list(text: str) -> tuple[ReadyCondition, ...]:
    """The waits of an annotation, all of which must be met; raises `JSONPathError` as refused."""
    if "${" in text:  # as in a program of Pulumi
        raise JSONPathError("computed", "the text is interpolated first", Span(0, len(text)))
    items = list(_items(text))
    if not items:
        raise _refused("at least one condition must be specified", Span(0, len(text)))
    return tuple(_wait(item, span) for item, span in items)


def template(text: str, waits: Sequence[ReadyCondition]) -> PathTemplate:
    """The template of client-go that reads the same fields."""
    groups = (group for wait in waits if wait.template for group in wait.template.groups)
    return PathTemplate(text, tuple(groups))


def _items(text: str) -> Iterator[tuple[str, Span]]:
    """The elements of a JSON array of strings, or else the whole text."""
    try:
        items = json.loads(text)
    except (ValueError, RecursionError):
        items = text
    if items is None:
        return
    if not isinstance(items, list) or not all(isinstance(item, str | None) for item in items):
        items = [text]
    end = 0
    for item in items:
        start = text.find(item or "", end)
        span = Span(0, len(text)) if start < 0 or not item else Span(start, start + len(item))
        end = span.end if start >= 0 else end
        yield item or "", span


def _wait(text: str, span: Span) -> ReadyCondition:
    form, sign, rest = text.partition("=")
    if sign and form == "condition":
        name, sign, status = rest.partition("=")
        return ReadyCondition(name, None, status if sign else "True", span)
    if sign and form == "jsonpath":
        return _path(rest, span)
    raise _refused('expected a "jsonpath=" or "condition=" prefix', span)


def _path(text: str, span: Span) -> ReadyCondition:
    """A path with its value (`Parse`); `==` does not part them, and braces may be anywhere."""
    path, *values = text.replace("==", "\ufffd").split("=")
    if len(values) > 1:
        raise _refused("format should be {.path}=value or {.path}", span)
    if values == [""]:
        raise _refused("the sign `=` requires a value", span)
    if path.startswith("'") and path.endswith("'"):
        raise _refused("a path should omit shell quotes", span)
    braces = _BRACES.search(path.replace("\ufffd", "=="))
    if not braces:
        raise _refused("a path should be wrapped in brackets { ... }", span)
    value = "".join(values).replace("\ufffd", "==")
    steps = tuple(_steps(braces[1].removeprefix("$"), span))
    return ReadyCondition("", _template(steps), value, span, steps)


def _steps(path: str, span: Span) -> Iterator[re.Match[str]]:
    end = 0
    while end < len(path):
        step = _STEP.match(path, end)
        if not step or (step["key"] and not _PLAIN_KEY.fullmatch(step["key"][1:-1])):
            is_more = step or _ELSE.search(path, end)
            wording = f"there is no such step: {path[end : end + 20]}"
            raise JSONPathError("too-large" if is_more else "invalid-wait", wording, span)
        yield step
        end = step.end()


def _parts(value: Value, step: re.Match[str]) -> list[Value]:
    """What a step selects of a value; nothing where client-go has an error."""
    items = value if isinstance(value, list) else []
    if step["name"] or step["key"]:
        name = step["name"] or step["key"][1:-1]
        return [value[name]] if isinstance(value, dict) and name in value else []
    if step["index"]:
        index = int(step["index"])
        return [items[index]] if -len(items) <= index < len(items) else []
    items = list(value.values()) if isinstance(value, dict) else items
    if step["left"]:
        names, text = step["left"].split(".")[1:], step["right"][1:-1]
        return [item for item in items if get(item, names) == text]
    return items


def _template(steps: Iterable[re.Match[str]]) -> PathTemplate:
    """The path as client-go writes it, which parts a key in brackets at its dots."""
    text = ""
    for step in steps:
        if step["left"]:
            text += f"[?({step['left']}=={json.dumps(step['right'][1:-1])})]"
        elif name := step["name"] or (step["key"] or "")[1:-1]:
            text += "." + name.replace(".", r"\.")
        else:
            text += f"[{step['index'] or '*'}]"
    return parse("{" + (text or "$") + "}")


def _refused(wording: str, span: Span) -> JSONPathError:
    return JSONPathError("invalid-wait", wording, span)
