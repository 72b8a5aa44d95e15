"""Reads rendered text as the operator does: sigs.k8s.io/yaml and apimachinery's YAML reader."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import yaml

from celvet.lint.go.floats import through_json
from celvet.lint.go.json_stream import object_ends
from celvet.lint.gotemplate.formats.json_text import JsonError, decode, encode
from celvet.lint.gotemplate.template_limits import Meter, TemplateLimits
from celvet.lint.resourceset.errors import ReadError
from celvet.lint.resourceset.loader import ValueBudget, first_node
from celvet.lint.resourceset.yaml_nodes import resolve
from celvet.lint.values import text_at
from celvet.record import record
from celvet.regex import regex

_MERGE = "<<"
_BAD_ESCAPE = "error converting YAML to JSON: yaml: found invalid Unicode character escape code"
_SURROGATE = regex("[\ud800-\udfff]")


@record
class RenderedDocument:
    """One document of a text: its value, and where it begins in the text."""

    value: Any
    start: int


def read_objects(text: str, budget: ValueBudget) -> list[RenderedDocument]:
    """The Kubernetes objects in a text of several documents, including those in lists.

    A value that is not an object (such as one without a name) is left out, as in the operator.

    Raises:
        ReadError: a document is not YAML, or has no kind, or the text is too large.
    """
    objects = []
    for start, value in _objects(text, budget):
        if value is None:
            continue
        if isinstance(value.get("items"), list):
            objects += [RenderedDocument(item, start) for item in _items(value)]
        elif _is_object(value):
            objects.append(RenderedDocument(value, start))
    return objects


def read_object(text: str, budget: ValueBudget) -> list[RenderedDocument]:
    """The object in a text of one document.

    Raises:
        ReadError: it is not YAML, or has no kind, or the text is too large.
    """
    for start, value in _objects(text, budget):
        return [RenderedDocument(value or {}, start)]
    raise ReadError("EOF")


def _objects(text: str, budget: ValueBudget) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """The value of each document, with where it begins; None for an empty one.

    A stream of JSON objects needs nothing between them. After the first, the text may go on as
    YAML, after the second it may not (`YAMLOrJSONDecoder.Decode` of apimachinery 0.37).
    """
    ends = object_ends(text)
    start = 0
    for end in ends:
        budget.spend()
        yield start, _with_kind(_json_object(text[start:end], budget), "")
        start = end
    text_after = text[start:]
    if ends and not text_after.strip():
        return
    if len(ends) > 1:
        raise ReadError(f"invalid JSON after {len(ends)} objects")
    for offset, part in _split(text_after):
        budget.spend()
        yield start + offset, _object(part, budget)


def _items(value: dict[str, Any]) -> list[Any]:
    if not all(isinstance(item, dict) for item in value["items"]):
        raise ReadError("items member is not an object")
    return list(value["items"])


def _is_object(value: dict[str, Any]) -> bool:
    kind, version = text_at(value, ("kind",)), text_at(value, ("apiVersion",))
    if not (kind and version and text_at(value, ("metadata", "name"))):
        return False
    return not (kind.lower() == "kustomization" and version.startswith("kustomize.config.k8s.io/"))


def _split(text: str) -> Iterator[tuple[int, str]]:
    """The documents, between lines that begin with `---`; line breaks are those of Unix."""
    start = offset = 0
    lines: list[str] = []
    for line in text.removesuffix("\n").split("\n") if text else ():
        offset += len(line) + 1
        if line.startswith("---"):
            remark = line[3:].strip()
            if remark and not remark.startswith("#"):
                raise ReadError(f"invalid Yaml document separator: {remark}")
            if lines:
                yield start, "\n".join([*lines, ""])
                start, lines = offset, []
                continue
        lines.append(line.removesuffix("\r"))
    if lines:
        yield start, "\n".join([*lines, ""])


def read_value(text: str, budget: ValueBudget | None = None) -> Any:
    """The JSON value of the first document of a text.

    Raises:
        ReadError: it is not YAML, or has no JSON, or is too large.
    """
    try:
        return _DocumentReader(budget or ValueBudget()).read(text)
    except yaml.MarkedYAMLError as error:
        raise _syntax(error) from None
    except yaml.YAMLError as error:
        problem = getattr(error, "reason", str(error))
        raise ReadError(f"error converting YAML to JSON: yaml: {problem}") from None
    except (ValueError, OverflowError):  # PyYAML makes a character of any escaped number
        raise ReadError(_BAD_ESCAPE) from None


def _object(text: str, budget: ValueBudget) -> dict[str, Any] | None:
    value = read_value(text, budget)
    if value is None:
        return None
    prefix = "error unmarshaling JSON: while decoding JSON: "
    if not isinstance(value, dict):
        raise ReadError(f"{prefix}the document is not an object")
    return _with_kind(value, prefix)


def _with_kind(value: dict[str, Any], prefix: str) -> dict[str, Any]:
    kind = value.get("kind")
    if not isinstance(kind, str) or not kind:
        json_text = encode(value, Meter(TemplateLimits(steps=10**7, value=10**7)))
        raise ReadError(f"{prefix}Object 'Kind' is missing in '{json_text}'")
    return value


def _json_object(text: str, budget: ValueBudget) -> dict[str, Any]:
    """The object of a JSON text, in which each value counts."""
    try:
        value: dict[str, Any] = decode(text, integers=True)
    except JsonError as error:
        raise ReadError(str(error)) from None
    values: list[Any] = [value]
    while values:
        part = values.pop()
        budget.spend()
        if isinstance(part, dict | list):
            values += part.values() if isinstance(part, dict) else part
    return value


def _syntax(error: yaml.MarkedYAMLError) -> ReadError:
    mark = error.problem_mark or error.context_mark
    line = mark.line + 1 if mark else 0
    place = f"line {line}: " if line else ""
    return ReadError(f"error converting YAML to JSON: yaml: {place}{error.problem}", line)


class _DocumentReader:
    """Makes a JSON value of the first document of a text."""

    def __init__(self, budget: ValueBudget) -> None:
        self._budget = budget

    def read(self, text: str) -> Any:
        node = first_node(text, self._budget)
        return None if node is None else self._value(node)

    def _value(self, node: yaml.Node) -> Any:
        self._budget.spend()
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(entry) for entry in node.value]
        if _SURROGATE.search(node.value):
            raise ReadError(_BAD_ESCAPE)
        return _json(resolve(node)) if isinstance(node, yaml.ScalarNode) else None

    def _mapping(self, node: yaml.MappingNode) -> dict[str, Any]:
        value: dict[str, Any] = {}
        defaults: dict[str, Any] = {}
        for key, entry in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value == _MERGE and not key.style:
                defaults = {**self._merge(entry), **defaults}
            else:
                value[self._key(key)] = self._value(entry)
        return {**defaults, **value}

    def _merge(self, node: yaml.Node) -> dict[str, Any]:
        maps = node.value if isinstance(node, yaml.SequenceNode) else [node]
        values: dict[str, Any] = {}
        for entry in reversed(maps):
            if not isinstance(entry, yaml.MappingNode):
                raise ReadError(
                    "error converting YAML to JSON: yaml: map merge requires map or sequence of "
                    "maps as the value"
                )
            values |= self._mapping(entry)
        return values

    def _key(self, node: yaml.Node) -> str:
        key = resolve(node) if isinstance(node, yaml.ScalarNode) else None
        if isinstance(key, str):
            return key
        if isinstance(key, bool):
            return "true" if key else "false"
        if isinstance(key, int | float):
            return str(_json(key))
        raise ReadError("error converting YAML to JSON: unsupported map key")


def _json(value: Any) -> Any:
    """A scalar after the conversion to JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        name = "NaN" if math.isnan(value) else "+Inf" if value > 0 else "-Inf"
        raise ReadError(f"error converting YAML to JSON: json: unsupported value: {name}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return through_json(value)
    return value
