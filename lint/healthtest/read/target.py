"""Finds the target of a health test: an object in a file, and one of its evaluators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from operator import getitem

from celvet.lint.checks import check_found
from celvet.lint.controllers import evaluators
from celvet.lint.healthtest.health_test import Target, UnusableTestError
from celvet.lint.healthtest.read.declarations import Declaration, declarations
from celvet.lint.manifest import KubeObject, Manifest
from celvet.lint.model import GroupKind, ObjectRef, Value
from celvet.lint.values import object_ref_of
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.schemas import Catalog

_AT = ("target",)


def target(given: Mapping[str, Value], manifest: Manifest, catalog: Catalog) -> Target:
    """The target that a test describes, looked up in the manifest of its file.

    Raises `UnusableTestError` if there is no match, or more than one.
    """
    declaration = find_declaration(given, manifest)
    candidates = evaluators(check_found(declaration.obj, catalog))
    evaluator = find_evaluator(given, declaration.value, candidates)
    assure_known(declaration.obj, evaluator)
    reference = object_ref_of(declaration.value)
    return Target(manifest.name, manifest, declaration.place, reference, evaluator)


def find_declaration(given: Mapping[str, Value], manifest: Manifest) -> Declaration:
    """The one object in a manifest that a test describes; raises `UnusableTestError`."""
    candidates = list(declarations(manifest))
    matching = [
        candidate for candidate in candidates if _is_meant(object_ref_of(candidate.value), given)
    ]
    if len(matching) == 1:
        return matching[0]
    words = " ".join(str(given[key]) for key in ("kind", "namespace", "name") if key in given)
    if not matching:
        titles = [object_ref_of(candidate.value).title for candidate in candidates]
        choice = f"it has {_some(titles)}" if titles else "it has no objects"
        raise UnusableTestError(f"`{manifest.name}` has no `{words}`; {choice}", _AT)
    several = f"`{manifest.name}` has {len(matching)} objects that are `{words}`"
    raise UnusableTestError(several, _AT, "Add `name`, `namespace` or `apiVersion`.")


def _is_meant(reference: ObjectRef, given: Mapping[str, Value]) -> bool:
    return all(given.get(key, fact) == fact for key, fact in reference.fields().items())


def find_evaluator(
    given: Mapping[str, Value], declaration: Value, candidates: Sequence[Evaluator]
) -> Evaluator:
    """The evaluator of the entry that a test describes, or without one that of the whole object.

    Raises `UnusableTestError`.
    """
    if not candidates:
        raise UnusableTestError(f"`{given['kind']}` has no health checks", (*_AT, "kind"))
    if "entry" not in given:
        object_evaluators = [
            evaluator for evaluator in candidates if not evaluator.path
        ] or candidates
        return _only(object_evaluators, candidates, _AT)
    parts = [evaluator for evaluator in candidates if evaluator.path]
    fitting = [
        evaluator for evaluator in parts if _fits(value_of(declaration, evaluator), given["entry"])
    ]
    return _only(fitting, parts, (*_AT, "entry"))


def _only(
    fitting: Sequence[Evaluator], candidates: Sequence[Evaluator], path: tuple[str, ...]
) -> Evaluator:
    if len(fitting) == 1:
        return fitting[0]
    titles = _some([evaluator.title for evaluator in fitting or candidates]) or "none"
    if not fitting:
        raise UnusableTestError(f"no entry matches; there is {titles}", path)
    message = f"{len(fitting)} entries match: {titles}"
    raise UnusableTestError(message, path, "Name the fields in `entry` that distinguish them.")


def value_of(declaration: Value, evaluator: Evaluator) -> Value:
    """The part of the declaring object that an evaluator reads."""
    return reduce(getitem, evaluator.path, declaration)


def _fits(part: Value, entry: Mapping[str, Value]) -> bool:
    """Whether a part of the declaration has all the fields given."""
    return isinstance(part, Mapping) and all(
        _comparable(key, part.get(key)) == _comparable(key, value) for key, value in entry.items()
    )


def _comparable(key: str, value: Value) -> Value:
    """Only the group of an `apiVersion` counts, as for the controllers."""
    return GroupKind.of(str(value), "").group if key == "apiVersion" else value


def assure_known(declaration: KubeObject, evaluator: Evaluator) -> None:
    """Ensure that no expression has an unresolved variable.

    Raises `UnusableTestError`.
    """
    for expression in evaluator.expressions:
        for name in declaration.unresolved.get(expression.path, ()):
            message = f"`{expression.role}` waits for the variable `{name}`"
            raise UnusableTestError(message, _AT, f"Set it with `--substitute {name}=VALUE`.")


_SHOWN = 5


def _some(names: Sequence[str]) -> str:
    return ", ".join(_marked(names))


def _marked(names: Sequence[str]) -> Iterator[str]:
    yield from (f"`{name}`" for name in names[:_SHOWN])
    if len(names) > _SHOWN:
        yield f"and {len(names) - _SHOWN} more"
