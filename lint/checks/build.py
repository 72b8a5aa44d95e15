"""From an object to its checks: validates it against its schema, compiles its expressions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from celvet.lint.cel import compile_expression
from celvet.lint.checks.check import AnyExpression, Check, Expression
from celvet.lint.checks.checked_object import CheckedObject
from celvet.lint.checks.object_kind import kind_of_objects
from celvet.lint.checks.typed import TypedCopies
from celvet.lint.crds.schema import NOTHING, Schemas
from celvet.lint.manifest import KubeObject
from celvet.lint.model import Path, Value
from celvet.lint.validation import Mark, Site, Validation, validate
from celvet.lint.values import get, mapping_at, object_ref_of
from celvet.record import replace
from celvet.schemas import Catalog, Dialect, Kind

_NO_KIND = Validation((), (), (), ())


def check_object(
    obj: KubeObject,
    kind: Kind | None,
    catalog: Catalog,
    crds: Schemas = NOTHING,
    *,
    fixes: bool = True,
) -> CheckedObject:
    """An object of a manifest with its checks; a kind without a schema has none.

    A text with an unresolved variable is not an expression yet.
    """
    validation = _NO_KIND
    if kind:
        validation = validate(
            obj.value, kind, catalog, partial=obj.partial, skip=obj.unresolved.__contains__
        )
    return CheckedObject(
        object=object_ref_of(obj.value),
        value=obj.value,
        kind=kind,
        validation=validation,
        checks=checks(obj.value, validation, kind),
        place=obj.place,
        partial=obj.partial,
        schemas=crds,
        fixes=fixes,
        directories=catalog.directories,
        targets=catalog.targets,
    )


def check_value(value: Value, catalog: Catalog) -> CheckedObject:
    """An object that is not in a file, with its checks; `value` may be any JSON."""
    mapping = value if isinstance(value, dict) else {}
    return check_found(KubeObject.of(mapping), catalog)


def check_found(obj: KubeObject, catalog: Catalog) -> CheckedObject:
    """An object of a manifest with its checks, its kind looked up in the catalogue.

    A text with an unresolved variable counts as an expression as it stands.
    """
    reference = object_ref_of(obj.value)
    kind = None
    if reference.api_version:
        kind = catalog.kind_of(obj.value, reference.api_version, reference.kind)
    return check_object(replace(obj, unresolved={}), kind, catalog)


def checks(
    value: Mapping[str, Value], validation: Validation, kind: Kind | None
) -> tuple[Check, ...]:
    """The checks of an object of a kind: one for each mapping that the catalogue marks.

    Expressions outside of such a mapping form a check of the mapping around them.
    """
    marks = {mark.path: mark for mark in validation.marks}
    sites: dict[Path, list[Site]] = {path: [] for path in marks}
    for site in validation.sites:
        home = site.path if site.path in marks else site.path[:-1]
        if home not in marks:
            home = _home(site.path, marks, value)
        sites.setdefault(home, []).append(site)
    return tuple(
        _check(marks.get(path) or Mark(path, "", "", None), path_sites, value, kind)
        for path, path_sites in sites.items()
    )


def _home(path: Path, marks: Mapping[Path, Mark], root: Value) -> Path:
    """The mapping whose check an expression belongs to, if the mapping around it is not marked."""
    marked_path = next((ancestor for ancestor in _above(path) if ancestor in marks), None)
    if marked_path is not None:
        return marked_path
    return next(ancestor for ancestor in _above(path) if isinstance(get(root, ancestor), Mapping))


def _above(path: Path) -> Iterator[Path]:
    return (path[:size] for size in range(len(path) - 1, -1, -1))


def _check(mark: Mark, sites: list[Site], root: Value, kind: Kind | None) -> Check:
    path = mark.path
    value = mapping_at(root, path)
    dialect = mark.dialect or (sites[0].dialect if sites else None)
    dialect = dialect.for_object(root, value) if dialect else None
    objects = kind_of_objects(mark.objects, path, root)
    return Check(
        path,
        value,
        mark.strategy,
        objects,
        dialect,
        tuple(
            _expression(site, objects, site.dialect.for_object(root, value, site.path[len(path) :]))
            for site in sites
        ),
        _copies(dialect, kind),
        mark.switch,
        mark.namespace,
    )


def _copies(dialect: Dialect | None, kind: Kind | None) -> TypedCopies:
    go_type = kind.go_type if kind else None
    return TypedCopies(go_type, dialect.typed) if dialect and go_type else TypedCopies()


def _expression(site: Site, objects: tuple[str, str], dialect: Dialect) -> AnyExpression:
    if dialect.language != "cel":
        from celvet.lint.jsonpath import compile_path

        return Expression(site.path, site.role, compile_path(site.text, dialect), objects)
    inner = site.text.strip()
    if dialect.wrap == "${}" and inner.startswith("${") and inner.endswith("}"):
        offset = site.text.index("${") + 2
        program = compile_expression(inner[2:-1], dialect)
        return Expression(site.path, site.role, program, objects, offset)
    return Expression(site.path, site.role, compile_expression(site.text, dialect), objects)
