"""The variables with which a Flux Kustomization substitutes in what it applies.

Mirrors `SubstituteVariables` and `LoadVariables` of fluxcd/pkg/kustomize (2026-07-22).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from celvet.lint.kustomize.resource import Resource
from celvet.lint.manifest.objects.held import holds_text
from celvet.lint.manifest.substitute.grammar import (
    BadSubstitutionError,
    FuncNode,
    SubstitutionNode,
    parse,
)
from celvet.lint.manifest.substitute.substitution import DEFAULTS, DISABLED_KEY, substitute
from celvet.lint.manifest.yaml.substituted import value_of
from celvet.lint.model import Path, Value
from celvet.lint.repository.files import Declared, Files
from celvet.lint.values import get, list_at, mapping_at, text_at
from celvet.record import record, replace


@record
class Variables:
    """Variables with values; those with `certain` values override unknown ones.

    If not `complete`, only names with `certain` values have a known value.
    """

    values: Mapping[str, str]
    certain: frozenset[str]
    complete: bool

    def knows(self, name: str) -> bool:
        """Whether the value of a name is known, or that it has none."""
        return self.complete or name in self.certain


_NOTHING_KNOWN = Variables({}, frozenset(), complete=False)


def variables(resource: Resource, path: Path, files: Files) -> Variables | None:
    """The variables of a `postBuild`; None if nothing is substituted."""
    build = get(resource.value, path)
    if not isinstance(build, Mapping) and resource.knows(*path):
        return None
    values: dict[str, str] = {}
    certain: set[str] = set()
    complete = resource.knows(*path)
    for source in sources(resource, path, files):
        if source is None:
            complete = False
            certain.clear()
        else:
            found = _one_line(mapping_at(source.value, ("data",)))
            values |= found
            certain |= found.keys()
    inline = _one_line(mapping_at(build, ("substitute",)))
    values |= inline
    certain |= inline.keys()
    always = get(build, ("substituteStrategy",)) == "Always"
    if complete and not values and not always:
        return None
    unknown = {name for name in certain if "${" in values[name] or "ENC[" in values[name]}
    return Variables(values, frozenset(certain - unknown), complete and not unknown)


def sources(resource: Resource, path: Path, files: Files) -> Iterator[Declared | None]:
    """The ConfigMaps that a `postBuild` takes variables from; None for an unknown source."""
    namespace = resource.identity.namespace
    for source in list_at(get(resource.value, path), ("substituteFrom",)):
        known = text_at(source, ("kind",)) == "ConfigMap"
        yield _config_map(files, namespace, text_at(source, ("name",))) if known else None


def _config_map(files: Files, namespace: str, name: str) -> Declared | None:
    """The ConfigMap that the repository has exactly once, unencrypted.

    Something else fills a ConfigMap without data.
    """
    found = [
        each
        for file in files.mentioning(b"ConfigMap", name)
        for each in files.objects(file)
        if each.value.get("kind") == "ConfigMap"
        and text_at(each.value, ("metadata", "name")) == name
        and text_at(each.value, ("metadata", "namespace")) in ("", namespace)
    ]
    if len(found) != 1 or "sops" in found[0].value or not mapping_at(found[0].value, ("data",)):
        return None
    return found[0]


def _one_line(values: Mapping[str, Value]) -> dict[str, str]:
    return {key: str(value).replace("\n", "") for key, value in values.items()}


def is_exempt(resource: Resource) -> bool:
    """Whether an object says that its variables are not replaced."""
    metadata = mapping_at(resource.value, ("metadata",))
    marks = (mapping_at(metadata, (field,)) for field in ("labels", "annotations"))
    return any(each.get(DISABLED_KEY) == "disabled" for each in marks)


def substituted(resource: Resource, known: Variables) -> Resource:
    """An object with its variables replaced; a text with one of unknown value is unknown."""
    if is_exempt(resource):
        return resource
    if not holds_text(resource.value, "${"):  # this test takes a fifth of the time
        return resource
    unknown: list[Path] = []
    value = _replaced(resource.value, known, (), unknown)
    return replace(resource, value=value).not_known(*unknown)


def reading(value: Mapping[str, Value]) -> Sequence[Path]:
    """The paths of the texts of an object that read a variable."""
    found: list[Path] = []
    _replaced(value, _NOTHING_KNOWN, (), found)
    return found


def with_defaults(value: Value, known: Mapping[str, str]) -> Any:
    """A value as when a file is read: variables of unknown value get their defaults, or stay."""
    if isinstance(value, str):
        return _with_default(value, known) if "${" in value else value
    if isinstance(value, Mapping):
        return {key: with_defaults(each, known) for key, each in value.items()}
    return [with_defaults(each, known) for each in value] if isinstance(value, list) else value


def _with_default(text: str, known: Mapping[str, str]) -> Value:
    found = substitute(text, known)
    return text if found.missing or found.refusal else value_of(found)


def _replaced(value: Value, known: Variables, path: Path, unknown: list[Path]) -> Any:
    if isinstance(value, str):
        return _text(value, known, path, unknown) if "${" in value else value
    if isinstance(value, Mapping):
        return {key: _replaced(each, known, (*path, key), unknown) for key, each in value.items()}
    if isinstance(value, list):
        return [_replaced(each, known, (*path, at), unknown) for at, each in enumerate(value)]
    return value


def _text(text: str, known: Variables, path: Path, unknown: list[Path]) -> Value:
    try:
        names = set(_names(parse(text)))
    except BadSubstitutionError:
        names = {""}
    if not all(map(known.knows, names)):
        unknown.append(path)
        return text
    return value_of(substitute(text, known.values))


def _names(parts: list[SubstitutionNode]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, FuncNode):
            yield part.name
            for argument in part.arguments:
                yield from _names(list(argument))


def required(value: Value, path: Path = ()) -> Iterator[tuple[str, Path]]:
    """The variables that a value reads and gives no default for, each with the path of its text.

    A text that Flux refuses anyway has none.
    """
    if isinstance(value, str) and "${" in value:
        try:
            parts = parse(value)
        except BadSubstitutionError:
            return
        yield from ((name, path) for name in _without_default(parts))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from required(each, (*path, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from required(each, (*path, at))


def _without_default(parts: Iterable[SubstitutionNode]) -> Iterator[str]:
    """The names that need a value; an argument is evaluated even if it is not used."""
    for part in parts:
        if isinstance(part, FuncNode):
            if part.operator not in DEFAULTS:
                yield part.name
            for argument in part.arguments:
                yield from _without_default(argument)
