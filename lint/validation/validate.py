"""One pass of the validator over an object, and its results by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from celvet.lint.model import GroupKind, Path, Severity, Value
from celvet.lint.safe_text import quoted
from celvet.lint.validation.keyword_result import KeywordResult, name_of
from celvet.lint.validation.keywords import MOST_RESULTS, NOTES, Items, results
from celvet.lint.validation.result import (
    Mark,
    Part,
    Site,
    UnknownField,
    Validation,
    Violation,
)
from celvet.lint.validation.unknown_fields import unknown_field
from celvet.lint.validation.wording import violation
from celvet.lint.values import text_at
from celvet.record import record, replace

if TYPE_CHECKING:
    from celvet.schemas import Catalog, Kind

IsHidden = Callable[[Path, Value], bool]
PlacedT = TypeVar("PlacedT", Mark, Site, Violation, UnknownField)

_WORDS = ("strategy", "objects", "switch", "namespace")
"""The texts of an `x-check`."""
_CHECKED = ("x-check", "x-expression")
_ENCRYPTED = "ENC[AES256_GCM,"

_UNFINISHED = Violation(
    path=(),
    message=f"over {MOST_RESULTS} expressions and mistakes here; the rest is not checked",
    help="Split the object.",
    keyword="",
    severity=Severity.WARNING,
)


def _skip_nothing(_: Path) -> bool:
    return False


def validate(  # noqa: PLR0913 - most of them named
    value: Value,
    kind: Kind,
    catalog: Catalog,
    *,
    partial: bool = False,
    skip: Callable[[Path], bool] = _skip_nothing,
    earlier: Validation | None = None,
) -> Validation:
    """Validate an object against the schema of its kind, in one pass.

    Finds all expressions, even in an object that is otherwise wrong. With `partial` the object is a
    patch, in which a missing field is not a violation. `skip` returns true for a path whose text is
    not known yet, such as an unsubstituted `${VAR}`; such texts, and values encrypted by SOPS, are
    neither sites nor violations. List items that are the same objects as in an `earlier` validation
    are not validated again. Never raises, however strange the object is.
    """

    def hidden(path: Path, text: Value) -> bool:
        return (isinstance(text, str) and text.startswith(_ENCRYPTED)) or skip(path)

    order = _DocumentOrder(value)

    def ordered(found: Sequence[KeywordResult]) -> Part:
        made = _part(found, catalog, hidden)
        return Part(order.of(made.sites), order.of(made.marks), made.others)

    items = Items(ordered, earlier.items) if earlier else None
    found = results(kind.schema, value, partial=partial, items=items)
    own, known = _part(found, catalog, hidden), items.now if items else {}
    parts = [(order.rank(path), each.made) for path, each in known.items()]
    others = [*own.others, *chain.from_iterable([each.others for _, each in parts])]
    unknown = order.of(_unknown(others, kind, value))
    dropped = {key.path for key in unknown}
    violations = islice(_violations(others, kind, hidden, dropped), MOST_RESULTS)
    unfinished = len(found) == MOST_RESULTS or bool(items and items.size >= MOST_RESULTS)
    return Validation(
        sites=order.of(own.sites, [(rank, each.sites) for rank, each in parts]),
        marks=order.of(own.marks, [(rank, each.marks) for rank, each in parts]),
        violations=(*order.of(violations), *(_UNFINISHED,) * unfinished),
        unknown=unknown,
        items=known,
    )


def _part(found: Sequence[KeywordResult], catalog: Catalog, hidden: IsHidden) -> Part:
    shown = [result for result in found if not hidden(result.path, result.value)]
    others = tuple(result for result in shown if result.keyword not in _CHECKED)
    return Part(tuple(_sites(shown, catalog)), tuple(_marks(shown, catalog)), others)


def _sites(found: list[KeywordResult], catalog: Catalog) -> Iterator[Site]:
    for result in found:
        if result.keyword == "x-expression":
            dialect = catalog.dialects[result.expected["dialect"]]
            yield Site(result.path, result.value, dialect, result.expected["role"])


def _marks(found: list[KeywordResult], catalog: Catalog) -> Iterator[Mark]:
    for result in found:
        if result.keyword == "x-check":
            given = result.expected
            dialect = catalog.dialects[given["dialect"]] if "dialect" in given else None
            strategy, objects, switch, namespace = (given.get(each, "") for each in _WORDS)
            yield Mark(result.path, strategy, objects, dialect, switch, namespace)


def _violations(
    found: list[KeywordResult], kind: Kind, hidden: IsHidden, dropped: Set[Path]
) -> Iterator[Violation]:
    of_wrong_type = {result.path for result in found if result.keyword == "type"}
    for result in found:
        if result.keyword == "x-unique":
            within = _dropped_field(result.path, dropped)
            yield from _repetitions(result, kind, hidden, within)
        # Other violations of a value of the wrong type have the same cause.
        elif result.keyword not in NOTES and (
            result.keyword == "type" or result.path not in of_wrong_type
        ):
            yield violation(result, kind, _dropped_field(result.path, dropped))


def _dropped_field(path: Path, dropped: Set[Path]) -> str:
    starts = (path[: length + 1] for length in range(len(path)))
    return next((str(start[-1]) for start in starts if start in dropped), "")


def _repetitions(
    result: KeywordResult, kind: Kind, hidden: IsHidden, within: str
) -> Iterator[Violation]:
    for repetition in repetitions(result, hidden):
        entry = replace(
            result, path=(*result.path, repetition.index), detail=_worded(result, repetition)
        )
        yield replace(violation(entry, kind, within), related=(*result.path, repetition.first))


def _unknown(found: list[KeywordResult], kind: Kind, value: Value) -> Iterator[UnknownField]:
    version = text_at(value, ("apiVersion",)).rpartition("/")[2]
    for result in found:
        about_fields = result.keyword in ("x-fields", "x-mistaken", "x-versions")
        if about_fields and (field := unknown_field(result, kind, version)):
            yield field


_Rank: TypeAlias = tuple[int, ...]


@record
class _Collection:
    """A mapping or list, its rank, and the places of the keys of a mapping."""

    value: Value
    rank: _Rank
    places: Mapping[str, int]

    def rank_of(self, step: str | int) -> _Rank:
        """The rank of a child."""
        return (*self.rank, step if isinstance(step, int) else self.places[step])


class _DocumentOrder:
    """Sorts items by the place of their path in the document, and drops duplicates."""

    def __init__(self, value: Value) -> None:
        self._collections: dict[Path, _Collection] = {(): _collection(value, ())}

    def of(
        self, items: Iterable[PlacedT], parts: Iterable[tuple[_Rank, Sequence[PlacedT]]] = ()
    ) -> tuple[PlacedT, ...]:
        """The items in document order, each once; a part has them in it, and they stay together."""
        groups: list[tuple[_Rank, Sequence[PlacedT]]] = [
            (self.rank(each.path), (each,)) for each in items
        ]
        groups += parts
        firsts: dict[tuple[Path, str], PlacedT] = {}
        for _, group in sorted(groups, key=lambda each: each[0]):
            for item in group:
                firsts.setdefault((item.path, getattr(item, "message", "")), item)
        return tuple(firsts.values())

    def rank(self, path: Path) -> _Rank:
        """The rank of what is at a path."""
        if not path:
            return ()
        above = self._collections.get(path[:-1]) or self._at(path[:-1])
        return above.rank_of(path[-1])

    def _at(self, path: Path) -> _Collection:
        found = self._collections.get(path)
        if found is None:
            above = self._at(path[:-1])
            found = _collection(above.value[path[-1]], above.rank_of(path[-1]))
            self._collections[path] = found
        return found


def _collection(value: Value, rank: _Rank) -> _Collection:
    named = value if isinstance(value, dict) else {}
    return _Collection(value, rank, {name: index for index, name in enumerate(named)})


@record
class _Repetition:
    """An entry of a list that repeats an earlier one; both are indices."""

    index: int
    first: int
    identity: str


def repetitions(result: KeywordResult, hidden: IsHidden) -> Iterator[_Repetition]:
    """The entries of the list that repeat an earlier entry.

    The identity consists of the fields that `x-unique` names; the first is required, the others
    count as empty if they are absent. `FIELD/group` means the group of an `apiVersion`. An entry
    with a `hidden` value has no identity.
    """
    fields: list[str] = result.expected
    parts = [(name, part) for name, _, part in (field.partition("/") for field in fields)]
    alike: dict[tuple[str, ...], list[int]] = {}
    for index, entry in enumerate(result.value):
        identity = _identity(entry, parts)
        if identity is not None:
            alike.setdefault(identity, []).append(index)
    for identity, indices in alike.items():
        if len(indices) > 1:
            shown = [index for index in indices if not _hides(result, index, parts, hidden)]
            for index in shown[1:]:
                yield _Repetition(index, shown[0], _described(fields, identity))


def _worded(result: KeywordResult, repetition: _Repetition) -> str:
    """The fact: `steps[1]` repeats the name `a` of `steps[0]`."""
    one, other = (name_of((*result.path, i)) for i in (repetition.index, repetition.first))
    return f"{one} repeats the {repetition.identity} of {other}"


def _identity(entry: Value, fields: Sequence[tuple[str, str]]) -> tuple[str, ...] | None:
    if not isinstance(entry, dict):
        return None
    identity: list[str] = []
    for name, part in fields:
        value = entry.get(name)
        if value is None and identity:
            value = ""
        if not isinstance(value, str):
            return None
        identity.append(GroupKind.of(value, "").group if part else value)
    return tuple(identity)


def _hides(
    result: KeywordResult, index: int, fields: Sequence[tuple[str, str]], hidden: IsHidden
) -> bool:
    """Whether an entry has a hidden value in one of the fields; tested only for equal entries."""
    entry = result.value[index]
    return any(hidden((*result.path, index, name), entry.get(name)) for name, _ in fields)


def _described(fields: list[str], identity: tuple[str, ...]) -> str:
    words = [field.rpartition("/")[2] for field in fields]
    parts = [f"{word} {quoted(text)}" for word, text in zip(words, identity, strict=True) if text]
    return " and ".join(parts) or "empty " + " and ".join(words)
