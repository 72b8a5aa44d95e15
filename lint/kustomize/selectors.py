"""Selects the objects of a patch: the `target` of kustomize.

Mirrors `api/types/selector.go` and `resWrangler.Select` of kustomize 5.8: regular expressions
that must match as a whole, against the first names of an object or those it has now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.resource import Resource
from celvet.lint.model import Value
from celvet.lint.values import mapping_at, text_at
from celvet.record import record
from celvet.regex import regex

_PARTS = ("group", "version", "kind", "name", "namespace", "labelSelector", "annotationSelector")
_WORD = r"[A-Za-z0-9._-]*(?:\.[*+][A-Za-z0-9._-]*)?"
_PLAIN = regex(rf"(\()?{_WORD}(?:\|{_WORD})*(?(1)\))")
"""Patterns with at most one repeated part in each alternative, which any engine matches fast."""
_SPECIAL = frozenset(r"\^$.|?*+()[]{}")
_MOST_STEPS = 1_000_000
_REQUIREMENT = regex(
    r"\s*(?:(?P<not>!)\s*(?P<absent>[\w./-]+)"
    r"|(?P<key>[\w./-]+)\s*(?:(?P<in>in|notin)\s*\((?P<set>[^()]*)\)"
    r"|(?P<sign>==?|!=)\s*(?P<value>[\w.-]*))?)\s*(?:,|\Z)"
)

Matches = Callable[[Mapping[str, Value]], bool]


@record
class Selector:
    """The conditions of a target; all of them must hold."""

    kind: tuple[tuple[str, Callable[[str], bool]], ...]
    name: Callable[[str], bool]
    namespace: Callable[[str], bool]
    labels: Matches
    annotations: Matches

    def selects(self, resource: Resource) -> bool:
        """Whether the patch is for an object."""
        first, now = resource.original, resource.identity
        group, _, version = text_at(resource.value, ("apiVersion",)).rpartition("/")
        kind = text_at(resource.value, ("kind",))
        texts = {"group": group, "version": version, "kind": kind}
        return (
            (self.namespace(first.namespace) or self.namespace(now.namespace))
            and (self.name(first.name) or self.name(now.name))
            and all(matches(texts[part]) for part, matches in self.kind)
            and self.labels(mapping_at(resource.value, ("metadata", "labels")))
            and self.annotations(mapping_at(resource.value, ("metadata", "annotations")))
        )


def selector(target: Mapping[str, Value]) -> Selector:
    """The selector of a target; raises `KustomizeError` for one that kustomize refuses."""
    return _selector(tuple(text_at(target, (part,)) for part in _PARTS))


@lru_cache(maxsize=1_024)
def _selector(texts: tuple[str, ...]) -> Selector:
    """A parent may write the same patches into all its children."""
    group, version, kind, name, namespace, labels, annotations = texts
    return Selector(
        (("group", _whole(group)), ("version", _whole(version)), ("kind", _whole(kind))),
        _whole(name),
        _whole(namespace),
        _requirements(labels),
        _requirements(annotations),
    )


def _whole(pattern: str) -> Callable[[str], bool]:
    """Whether a text matches as a whole; an empty pattern matches anything."""
    if not pattern:
        return lambda _: True
    if not _SPECIAL.intersection(pattern):
        return pattern.__eq__
    if _PLAIN.fullmatch(pattern):
        plain = re.compile(pattern)
        return lambda text: plain.fullmatch(text) is not None
    return _matching(pattern)


def _matching(pattern: str) -> Callable[[str], bool]:
    """Whether a text matches any other pattern as a whole."""
    from celvet.lint.gotemplate.errors import LimitError  # loads the engine of templates
    from celvet.lint.gotemplate.limits import Meter, TemplateLimits
    from celvet.lint.gotemplate.regexps.regex import Regex, RegexError

    try:
        regex = Regex(f"^(?:{pattern})$", Meter(TemplateLimits(steps=_MOST_STEPS)))
    except RegexError as error:
        raise KustomizeError(f"a target has a wrong expression: {error}") from None

    def matches(text: str) -> bool:
        try:
            return regex.search(text) is not None
        except LimitError as error:
            message = f"a target has an expression that takes too long: {error}"
            raise KustomizeError(message) from None

    return matches


def _requirements(text: str) -> Matches:
    """A selector of labels, as `labels.Parse` of apimachinery reads it."""
    tests: list[Matches] = []
    at = 0
    while at < len(text):
        found = _REQUIREMENT.match(text, at)
        if found is None:
            raise KustomizeError(f"a target has a wrong selector: `{text}`")
        tests.append(_requirement(found))
        at = found.end()
    return lambda given: all(test(given) for test in tests)


def _requirement(found: re.Match[str]) -> Matches:
    if key := found["absent"]:
        return lambda given: key not in given
    key = found["key"]
    if found["sign"] is None and found["in"] is None:
        return lambda given: key in given
    if found["in"]:
        values = {value.strip() for value in found["set"].split(",")}
    else:
        values = {found["value"]}
    if found["in"] == "notin" or found["sign"] == "!=":
        return lambda given: given.get(key) not in values
    return lambda given: given.get(key) in values
