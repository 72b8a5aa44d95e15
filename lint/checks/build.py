"""From an object to its checks: its schema held against it, its expressions compiled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from celvet.lint.cel import compile_expression
from celvet.lint.checks.check import AnyExpression, Check, Expression
from celvet.lint.checks.checked_object import CheckedObject
from celvet.lint.checks.objects import kind_of_objects
from celvet.lint.checks.typed import TypedCopies
from celvet.lint.crds.schema import NOTHING, Schemas
from celvet.lint.manifest import KubeObject
from celvet.lint.model import Path, Value
from celvet.lint.validation import Inspection, Mark, Site, inspect
from celvet.lint.values import get, mapping_at, object_ref_of
from celvet.schemas import Catalog, Dialect, Kind

_NO_KIND = Inspection((), (), (), ())


def check_object(
    found: KubeObject,
    kind: Kind | None,
    catalog: Catalog,
    crds: Schemas = NOTHING,
    *,
    fixes: bool = True,
) -> CheckedObject:
    """An object of a manifest with its checks; without any for a kind that no schema describes.

    A text that waits for a variable is no expression yet.
    """
    inspection = _NO_KIND
    if kind:
        skip = found.unresolved.__contains__
        inspection = inspect(found.value, kind, catalog, partial=found.partial, skip=skip)
    return CheckedObject(
        object=object_ref_of(found.value),
        value=found.value,
        kind=kind,
        inspection=inspection,
        checks=checks(found.value, inspection, kind),
        place=found.place,
        partial=found.partial,
        schemas=crds,
        fixes=fixes,
        directories=catalog.directories,
    )


def check_value(value: Value, catalog: Catalog) -> CheckedObject:
    """An object that comes without a text, with its checks; any value that JSON can hold."""
    given = value if isinstance(value, dict) else {}
    return check_found(KubeObject.of(given), catalog)


def check_found(found: KubeObject, catalog: Catalog) -> CheckedObject:
    """An object of a manifest with its checks, its kind looked up in the catalogue.

    A text that waits for a variable counts as an expression as it stands.
    """
    reference = object_ref_of(found.value)
    kind = catalog.find(reference.api_version, reference.kind) if reference.api_version else None
    return check_object(replace(found, unresolved={}), kind, catalog)


def checks(
    value: Mapping[str, Value], inspection: Inspection, kind: Kind | None
) -> tuple[Check, ...]:
    """The checks of an object of a kind: one for each mapping that the catalogue marks.

    Expressions outside of such a mapping make a check of the mapping in which
    they stand.
    """
    marks = {mark.path: mark for mark in inspection.marks}
    sites: dict[Path, list[Site]] = {path: [] for path in marks}
    for site in inspection.sites:
        sites.setdefault(_home(site.path, marks, value), []).append(site)
    return tuple(
        _check(path, marks.get(path) or Mark(path, "", "", None), found, value, kind)
        for path, found in sites.items()
    )


def _home(path: Path, marks: Mapping[Path, Mark], root: Value) -> Path:
    """The mapping to whose check an expression belongs."""
    above = [path[:size] for size in range(len(path) - 1, -1, -1)]
    marked = next((each for each in above if each in marks), None)
    if marked is not None:
        return marked
    return next(each for each in above if isinstance(get(root, each), Mapping))


def _check(path: Path, mark: Mark, sites: list[Site], root: Value, kind: Kind | None) -> Check:
    value = mapping_at(root, path)
    dialect = mark.dialect or (sites[0].dialect if sites else None)
    dialect = dialect.for_object(root, value) if dialect else None
    objects = kind_of_objects(mark.objects, path, root)
    expressions = tuple(_expression(site, objects, root) for site in sites)
    copies = _copies(dialect, kind)
    return Check(path, value, mark.strategy, objects, dialect, expressions, copies, mark.switch)


def _copies(dialect: Dialect | None, kind: Kind | None) -> TypedCopies:
    typed = kind.typed if kind else None
    return TypedCopies(typed, dialect.typed) if dialect and typed else TypedCopies()


def _expression(site: Site, objects: tuple[str, str], root: Value) -> AnyExpression:
    dialect = site.dialect.for_object(root, _beside(site.path, root))
    if dialect.language == "jsonpath":
        from celvet.lint.jsonpath import compile_path

        return Expression(site.path, site.role, compile_path(site.text, dialect), objects)
    inner = site.text.strip()
    if dialect.wrap == "${}" and inner.startswith("${") and inner.endswith("}"):
        offset = site.text.index("${") + 2
        program = compile_expression(inner[2:-1], dialect)
        return Expression(site.path, site.role, program, objects, offset)
    return Expression(site.path, site.role, compile_expression(site.text, dialect), objects)


def _beside(path: Path, root: Value) -> Value:
    """The mapping around an expression, which may be an element of a list."""
    while path:
        path = path[:-1]
        value = get(root, path)
        if isinstance(value, Mapping):
            return value
    return root
