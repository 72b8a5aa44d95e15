"""Holds schemas against objects: finds their expressions, checks and violations.

`keywords` has what the schemas can say, `validate` what the results mean for an object.
"""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.model import Path, Value
from celvet.lint.validation.inspection import Inspection, Mark, Site, UnknownField, Violation
from celvet.lint.validation.validate import collect
from celvet.schemas import Catalog, Kind

__all__ = ["Inspection", "Mark", "Site", "UnknownField", "Violation", "inspect"]


def _skip_nothing(_: Path) -> bool:
    return False


def inspect(  # noqa: PLR0913 - most of them named
    value: Value,
    kind: Kind,
    catalog: Catalog,
    *,
    partial: bool = False,
    skip: Callable[[Path], bool] = _skip_nothing,
    earlier: Inspection | None = None,
) -> Inspection:
    """Hold the schema of a kind against an object, in one pass.

    Expressions are found wherever they stand, also in an object that is
    otherwise wrong. With `partial` the object is a patch: a missing field is no
    violation. `skip` returns true for a path whose text is not known yet, like
    that of an unsubstituted `${VAR}`; such texts, and values encrypted by SOPS,
    are neither sites nor violations. Items of lists that are the same objects as in an `earlier`
    inspection, be it an empty one, are not looked at again. Never raises, however strange the
    object.
    """
    return collect(value, kind, catalog, partial, skip, earlier)
