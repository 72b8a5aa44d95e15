"""One pass of the validator over an object, and what it found, sorted out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, TypeVar, cast

from celvet.lint.model import Path, Severity, Value
from celvet.lint.validation.annotations import NOTES
from celvet.lint.validation.duplicates import repetitions, worded
from celvet.lint.validation.inspection import Inspection, Mark, Site, Unknown, Violation
from celvet.lint.validation.remark import Fault
from celvet.lint.validation.unknown_fields import judge
from celvet.lint.validation.validator import validator_of
from celvet.lint.validation.wording import violation

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

    from celvet.schemas import Catalog, Kind
    from celvet.schemas.kind import Schema

Hidden = Callable[[Path, Value], bool]
PlacedT = TypeVar("PlacedT", Mark, Site, Violation, Unknown)

_ENCRYPTED = "ENC[AES256_GCM,"

_MOST_FAULTS = 10_000
"""So much is collected of one object, so that a hostile one costs a second, not minutes."""

_UNFINISHED = Violation(
    path=(),
    message=f"over {_MOST_FAULTS} expressions and mistakes here; the rest is not checked",
    help="Split the object.",
    keyword="",
    severity=Severity.WARNING,
)


def collect(
    value: Value, kind: Kind, catalog: Catalog, partial: bool, skip: Callable[[Path], bool]
) -> Inspection:
    """The inspection of an object; see `celvet.lint.validation.inspect`."""

    def hidden(path: Path, text: Value) -> bool:
        return (isinstance(text, str) and text.startswith(_ENCRYPTED)) or skip(path)

    errors = list(islice(validator_of(kind, partial).iter_errors(value), _MOST_FAULTS))
    faults = [fault for fault in map(_fault, errors) if not hidden(fault.path, fault.value)]
    order = _DocumentOrder(value)
    unknown = order.of(_unknown(faults, kind, value))
    dropped = {key.path for key in unknown}
    violations = islice(_violations(faults, kind, hidden, dropped), _MOST_FAULTS)
    return Inspection(
        sites=order.of(_sites(faults, catalog)),
        marks=order.of(_marks(faults, catalog)),
        violations=(*order.of(violations), *(_UNFINISHED,) * (len(errors) == _MOST_FAULTS)),
        unknown=unknown,
    )


def _fault(error: ValidationError) -> Fault:
    return Fault(
        path=tuple(error.absolute_path),
        keyword=str(error.validator),
        expected=error.validator_value,
        value=error.instance,
        schema=cast("Schema", error.schema),
        detail=error.message,
    )


def _sites(faults: list[Fault], catalog: Catalog) -> Iterator[Site]:
    for fault in faults:
        if fault.keyword == "x-expression":
            dialect = catalog.dialects[fault.expected["dialect"]]
            yield Site(fault.path, fault.value, dialect, fault.expected["role"])


def _marks(faults: list[Fault], catalog: Catalog) -> Iterator[Mark]:
    for fault in faults:
        if fault.keyword == "x-check":
            given = fault.expected
            dialect = catalog.dialects[given["dialect"]] if "dialect" in given else None
            strategy, objects = given.get("strategy", ""), given.get("objects", "")
            yield Mark(fault.path, strategy, objects, dialect)


def _violations(
    faults: list[Fault], kind: Kind, hidden: Hidden, dropped: Set[Path]
) -> Iterator[Violation]:
    of_wrong_type = {fault.path for fault in faults if fault.keyword == "type"}
    for fault in faults:
        within = _dropped_field(fault.path, dropped)
        if fault.keyword == "x-unique":
            yield from _repetitions(fault, kind, hidden, within)
        # What else is said of a value of the wrong type has the same cause.
        elif fault.keyword not in NOTES and (
            fault.keyword == "type" or fault.path not in of_wrong_type
        ):
            yield violation(fault, kind, within)


def _dropped_field(path: Path, dropped: Set[Path]) -> str:
    starts = (path[: length + 1] for length in range(len(path)))
    return next((str(start[-1]) for start in starts if start in dropped), "")


def _repetitions(fault: Fault, kind: Kind, hidden: Hidden, within: str) -> Iterator[Violation]:
    for repetition in repetitions(fault, hidden):
        entry = replace(
            fault, path=(*fault.path, repetition.index), detail=worded(fault, repetition)
        )
        yield replace(violation(entry, kind, within), related=(*fault.path, repetition.first))


def _unknown(faults: list[Fault], kind: Kind, value: Value) -> Iterator[Unknown]:
    api_version = value.get("apiVersion") if isinstance(value, dict) else None
    version = str(api_version).rpartition("/")[2]
    for fault in faults:
        if fault.keyword in ("x-fields", "x-mistaken", "x-versions"):
            found = judge(fault, kind, version)
            if found:
                yield found


class _DocumentOrder:
    """Sorts what has a path by where it stands, without what is there twice."""

    def __init__(self, value: Value) -> None:
        self._value = value
        self._positions: dict[int, dict[str, int]] = {}

    def of(self, items: Iterable[PlacedT]) -> tuple[PlacedT, ...]:
        """The items in document order, each once."""
        return tuple(sorted(_once(items), key=lambda item: self._rank(item.path)))

    def _rank(self, path: Path) -> tuple[int, ...]:
        node, rank = self._value, []
        for step in path:
            if isinstance(step, int):
                rank.append(step)
            else:
                rank.append(self._position(node, step))
            node = node[step]
        return tuple(rank)

    def _position(self, node: dict[str, Value], key: str) -> int:
        positions = self._positions.get(id(node))
        if positions is None:
            positions = {name: index for index, name in enumerate(node)}
            self._positions[id(node)] = positions
        return positions[key]


def _once(items: Iterable[PlacedT]) -> Iterator[PlacedT]:
    seen = set()
    for item in items:
        key = (item.path, getattr(item, "message", None))
        if key not in seen:
            seen.add(key)
            yield item
