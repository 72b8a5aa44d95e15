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
    found = evaluators(check_found(declaration.found, catalog))
    evaluator = find_evaluator(given, declaration.value, found)
    assure_known(declaration.found, evaluator)
    reference = object_ref_of(declaration.value)
    return Target(manifest.name, manifest, declaration.place, reference, evaluator)


def find_declaration(given: Mapping[str, Value], manifest: Manifest) -> Declaration:
    """The one object in a manifest that a test describes; raises `UnusableTestError`."""
    candidates = list(declarations(manifest))
    matching = [found for found in candidates if _is_meant(object_ref_of(found.value), given)]
    if len(matching) == 1:
        return matching[0]
    wanted = " ".join(str(given[key]) for key in ("kind", "namespace", "name") if key in given)
    if not matching:
        there = [object_ref_of(found.value).title for found in candidates]
        listed = f"it has {_some(there)}" if there else "it has no objects"
        raise UnusableTestError(f"`{manifest.name}` has no `{wanted}`; {listed}", _AT)
    several = f"`{manifest.name}` has {len(matching)} objects that are `{wanted}`"
    raise UnusableTestError(several, _AT, "Add `name`, `namespace` or `apiVersion`.")


def _is_meant(reference: ObjectRef, given: Mapping[str, Value]) -> bool:
    return all(given.get(key, fact) == fact for key, fact in reference.fields().items())


def find_evaluator(
    given: Mapping[str, Value], declaration: Value, found: Sequence[Evaluator]
) -> Evaluator:
    """The evaluator of the entry that a test describes, or without one that of the whole object.

    Raises `UnusableTestError`.
    """
    if not found:
        raise UnusableTestError(f"`{given['kind']}` has no health checks", (*_AT, "kind"))
    if "entry" not in given:
        whole = [evaluator for evaluator in found if not evaluator.path] or found
        return _only(whole, found, _AT)
    parts = [evaluator for evaluator in found if evaluator.path]
    fitting = [
        evaluator for evaluator in parts if _fits(value_of(declaration, evaluator), given["entry"])
    ]
    return _only(fitting, parts, (*_AT, "entry"))


def _only(
    fitting: Sequence[Evaluator], found: Sequence[Evaluator], path: tuple[str, ...]
) -> Evaluator:
    if len(fitting) == 1:
        return fitting[0]
    there = _some([evaluator.title for evaluator in fitting or found]) or "none"
    if not fitting:
        raise UnusableTestError(f"no entry matches; there is {there}", path)
    what = f"{len(fitting)} entries match: {there}"
    raise UnusableTestError(what, path, "Name the fields in `entry` that distinguish them.")


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
            what = f"`{expression.role}` waits for the variable `{name}`"
            raise UnusableTestError(what, _AT, f"Set it with `--substitute {name}=VALUE`.")


_SHOWN = 5


def _some(names: Sequence[str]) -> str:
    return ", ".join(_marked(names))


def _marked(names: Sequence[str]) -> Iterator[str]:
    yield from (f"`{name}`" for name in names[:_SHOWN])
    if len(names) > _SHOWN:
        yield f"and {len(names) - _SHOWN} more"
