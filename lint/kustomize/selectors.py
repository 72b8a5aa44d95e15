"""Selects the objects of a patch: the `target` of kustomize.

Mirrors `api/types/selector.go` and `resWrangler.Select` of kustomize 5.8: regular expressions
that must match as a whole, against the first names of an object or those it has now.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from operator import itemgetter

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.resource import ObjectName, Resource
from celvet.lint.model import Path, Value
from celvet.lint.values import mapping_at, text_at
from celvet.record import record
from celvet.regex import regex

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
Requirements = tuple[tuple[str, Matches], ...]
"""The tests of a selector of labels, each with the key of its label."""

_FIELDS: Mapping[str, Path] = {
    "group": ("apiVersion",),
    "version": ("apiVersion",),
    "kind": ("kind",),
    "name": ("metadata", "name"),
    "namespace": ("metadata", "namespace"),
}
_PARTS = (*_FIELDS, "labelSelector", "annotationSelector")
_LABELS: Path = ("metadata", "labels")
_ANNOTATIONS: Path = ("metadata", "annotations")


@record
class Selector:
    """The conditions of a target; all of them must hold.

    `texts` has those for the kind and the names, each by its field in a target.
    """

    texts: tuple[tuple[str, Callable[[str], bool]], ...]
    labels: Requirements
    annotations: Requirements

    def selects(self, resource: Resource) -> bool:
        """Whether the patch is for an object; raises `KustomizeError` if this is not known."""
        return _all_hold(resource, self._answers(resource))

    def selects_target(self, resource: Resource) -> bool:
        """Whether a target of a replacement is meant: name and namespace are of the same time."""
        return _all_hold(resource, self._metadata_answers(resource)) and self._matches_names(
            resource
        )

    def rejects_target(self, resource: Resource) -> bool:
        """Whether a target of a replacement is left out, for its names or for its metadata."""
        reads_metadata = self.labels or self.annotations
        if reads_metadata and _all_hold(resource, self._metadata_answers(resource)):
            return True
        return bool(self.texts) and self._matches_names(resource)

    def _matches_names(self, resource: Resource) -> bool:
        bare = text_at(resource.value, _FIELDS["namespace"])
        names = (*resource.earlier_names, ObjectName(bare, resource.identity.name))
        return any(_all_hold(resource, self._name_answers(resource, name)) for name in names)

    def _name_answers(self, resource: Resource, names: ObjectName) -> Iterator[tuple[Path, bool]]:
        own_names: Mapping[str, str] = names._asdict()
        for part, matches in self.texts:
            texts = (own_names[part],) if part in own_names else _texts(resource, part)
            yield _FIELDS[part], any(map(matches, texts))

    def _answers(self, resource: Resource) -> Iterator[tuple[Path, bool]]:
        """The fields that the conditions read, each with whether its condition holds."""
        for part, matches in self.texts:
            yield _FIELDS[part], any(map(matches, _texts(resource, part)))
        yield from self._metadata_answers(resource)

    def _metadata_answers(self, resource: Resource) -> Iterator[tuple[Path, bool]]:
        for path, tests in ((_LABELS, self.labels), (_ANNOTATIONS, self.annotations)):
            for key, test in tests:
                yield (*path, key), test(mapping_at(resource.value, path))


_HOLDS = itemgetter(1)


def _all_hold(resource: Resource, answers: Iterator[tuple[Path, bool]]) -> bool:
    """Whether all conditions hold; raises `KustomizeError` if this is not known."""
    if not resource.unknown:
        return all(map(_HOLDS, answers))
    pairs = [*answers]
    known_answers = [holds for path, holds in pairs if resource.knows(*path)]
    if all(known_answers) and len(known_answers) < len(pairs):
        raise KustomizeError("a target asks for a field that is not known")
    return all(known_answers)


def _texts(resource: Resource, part: str) -> tuple[str, ...]:
    """The texts of an object of which one has to match a part of a target."""
    if part == "name":
        return resource.original_name.name, resource.identity.name
    if part == "namespace":
        return resource.original_name.namespace, resource.identity.namespace
    text = text_at(resource.value, _FIELDS[part])
    if part == "kind":
        return (text,)
    group, _, version = text.rpartition("/")
    return (group if part == "group" else version,)


def selector(target: Mapping[str, Value]) -> Selector:
    """The selector of a target; raises `KustomizeError` for one that kustomize refuses."""
    return _selector(tuple(text_at(target, (part,)) for part in _PARTS))


@lru_cache(maxsize=1_024)
def _selector(texts: tuple[str, ...]) -> Selector:
    """A parent may write the same patches into all its children."""
    *_, labels, annotations = texts
    return Selector(
        tuple(
            (part, _full_match(text)) for part, text in zip(_FIELDS, texts, strict=False) if text
        ),
        _requirements(labels),
        _requirements(annotations),
    )


def _full_match(pattern: str) -> Callable[[str], bool]:
    """Whether a text matches as a whole."""
    if not _SPECIAL.intersection(pattern):
        return pattern.__eq__
    if _PLAIN.fullmatch(pattern):
        plain = re.compile(pattern)
        return lambda text: plain.fullmatch(text) is not None
    return _go_match(pattern)


def _go_match(pattern: str) -> Callable[[str], bool]:
    """Whether a text matches any other pattern as a whole."""
    from celvet.lint.go.regexp.regex import Regex, RegexError
    from celvet.lint.go.step_meter import LimitError, StepMeter, UnsupportedError

    def meter() -> StepMeter:
        return StepMeter("it", _MOST_STEPS)

    try:
        regex = Regex(f"^(?:{pattern})$", meter())
    except RegexError as error:
        raise KustomizeError(f"a target has a wrong expression: {error}") from None
    except (LimitError, UnsupportedError) as error:
        raise KustomizeError(f"celvet cannot match the expression of a target: {error}") from None

    def matches(text: str) -> bool:
        try:
            return regex.search(text, meter()) is not None
        except LimitError as error:
            message = f"a target has an expression that takes too long: {error}"
            raise KustomizeError(message) from None

    return matches


def _requirements(text: str) -> Requirements:
    """A selector of labels, as `labels.Parse` of apimachinery reads it."""
    tests: list[tuple[str, Matches]] = []
    at = 0
    while at < len(text):
        match = _REQUIREMENT.match(text, at)
        if match is None:
            raise KustomizeError(f"a target has a wrong selector: `{text}`")
        tests.append((match["absent"] or match["key"], _requirement(match)))
        at = match.end()
    return tuple(tests)


def _requirement(match: re.Match[str]) -> Matches:
    if key := match["absent"]:
        return lambda labels: key not in labels
    key = match["key"]
    if match["sign"] is None and match["in"] is None:
        return lambda labels: key in labels
    if match["in"]:
        values = {value.strip() for value in match["set"].split(",")}
    else:
        values = {match["value"]}
    if match["in"] == "notin" or match["sign"] == "!=":
        return lambda labels: labels.get(key) not in values
    return lambda labels: labels.get(key) in values
