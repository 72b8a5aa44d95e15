"""One pass of the validator over an object, and its results by kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

from celvet.lint.model import GroupKind, Path, Severity, Value
from celvet.lint.safe_text import in_backquotes
from celvet.lint.validation.keywords import MOST_RESULTS, NOTES, keyword_results
from celvet.lint.validation.result import (
    KeywordResult,
    Mark,
    Site,
    UnknownField,
    Validation,
    Violation,
    name_of,
)
from celvet.lint.validation.unknown_fields import unknown_field
from celvet.lint.validation.wording import violation
from celvet.lint.values import get, text_at
from celvet.record import replace

if TYPE_CHECKING:
    from celvet.schemas import Catalog, Kind

IsHidden = Callable[[Path, Value], bool]
PlacedT = TypeVar("PlacedT", Mark, Site, Violation, UnknownField)

_ENCRYPTED = "ENC[AES256_GCM,"

_CUT_OFF = Violation(
    path=(),
    message=f"over {MOST_RESULTS} expressions and mistakes here; the rest is not checked",
    help="Split the object.",
    keyword="",
    severity=Severity.WARNING,
)


def _skip_nothing(_: Path) -> bool:
    return False


def validate(
    value: Value,
    kind: Kind,
    catalog: Catalog,
    *,
    partial: bool = False,
    skip: Callable[[Path], bool] = _skip_nothing,
) -> Validation:
    """Validate an object against the schema of its kind, in one pass.

    Finds all expressions, even in an object that is otherwise wrong. With `partial` the object is a
    patch, in which a missing field is not a violation. `skip` returns true for a path whose text is
    not known yet, such as an unsubstituted `${VAR}`; such texts, and values encrypted by SOPS, are
    neither sites nor violations. Never raises, however strange the object is.
    """

    def hidden(path: Path, text: Value) -> bool:
        return (isinstance(text, str) and text.startswith(_ENCRYPTED)) or skip(path)

    results = keyword_results(kind.schema, value, partial=partial)
    cut_off = len(results) == MOST_RESULTS
    results = [result for result in results if not hidden(result.path, result.value)]
    order = _DocumentOrder(value)
    unknown_fields = order.sort(_unknown_fields(results, kind, value))
    # A version without a field neither reads nor refuses what is below it.
    dropped_paths = {field.path for field in unknown_fields}
    violations = islice(_violations(results, kind, hidden, dropped_paths), MOST_RESULTS)
    return Validation(
        sites=order.sort(_sites(results, catalog)),
        marks=order.sort(_marks(results, catalog)),
        violations=(*order.sort(violations), *(_CUT_OFF,) * cut_off),
        unknown_fields=unknown_fields,
        unread=sum(result.keyword == "x-unread" for result in results),
    )


def misplaced_texts(value: Value, kind: Kind) -> Iterator[Path]:
    """The paths of the texts of an object where its kind has booleans."""
    for result in keyword_results(kind.schema, value, partial=False):
        is_boolean = result.keyword == "type" and result.expectation == "boolean"
        if is_boolean and isinstance(result.value, str):
            yield result.path


def _sites(results: list[KeywordResult], catalog: Catalog) -> Iterator[Site]:
    for result in results:
        if result.keyword == "x-expression":
            dialect = catalog.dialects[result.expectation["dialect"]]
            yield Site(result.path, result.value, dialect, result.expectation["role"])


def _marks(results: list[KeywordResult], catalog: Catalog) -> Iterator[Mark]:
    for result in results:
        if result.keyword == "x-check":
            texts = result.expectation
            yield Mark(
                path=result.path,
                strategy=texts.get("strategy", ""),
                objects=texts.get("objects", ""),
                dialect=catalog.dialects[texts["dialect"]] if "dialect" in texts else None,
                switch=texts.get("switch", ""),
                namespace=texts.get("namespace", ""),
            )


def _violations(
    results: list[KeywordResult], kind: Kind, hidden: IsHidden, dropped_paths: Set[Path]
) -> Iterator[Violation]:
    wrong_types = {result.path for result in results if result.keyword == "type"}
    for result in results:
        field = _dropped_field(result.path, dropped_paths)
        if result.keyword == "x-unique":
            for repetition, first_entry in _repetitions(result, hidden):
                yield replace(violation(repetition, kind, field), repeated_entry=first_entry)
        # Other violations of a value of the wrong type have the same cause.
        elif result.keyword not in NOTES and (
            result.keyword == "type" or result.path not in wrong_types
        ):
            yield violation(result, kind, field)


def _dropped_field(path: Path, dropped_paths: Set[Path]) -> str:
    """The name of the outermost dropped field on a path, empty without one."""
    if not dropped_paths:
        return ""
    starts = (path[: length + 1] for length in range(len(path)))
    return next((str(start[-1]) for start in starts if start in dropped_paths), "")


def _unknown_fields(
    results: list[KeywordResult], kind: Kind, value: Value
) -> Iterator[UnknownField]:
    version = text_at(value, ("apiVersion",)).rpartition("/")[2]
    for result in results:
        about_fields = result.keyword in ("x-fields", "x-mistaken", "x-versions")
        if about_fields and (field := unknown_field(result, kind, version)):
            yield field


class _DocumentOrder:
    """Sorts items by the place of their path in the document, and drops duplicates."""

    def __init__(self, root: Value) -> None:
        self._root = root
        self._ranks: dict[Path, tuple[int, ...]] = {(): ()}

    def sort(self, items: Iterable[PlacedT]) -> tuple[PlacedT, ...]:
        """The items in document order, each once."""
        unsorted_items = tuple(items)
        if len(unsorted_items) < 2:
            return unsorted_items
        first_items: dict[tuple[Path, str], PlacedT] = {}
        for item in sorted(unsorted_items, key=lambda item: self._rank(item.path)):
            first_items.setdefault((item.path, getattr(item, "message", "")), item)
        return tuple(first_items.values())

    def _rank(self, path: Path) -> tuple[int, ...]:
        """The positions of the steps of a path among their siblings."""
        if path not in self._ranks:
            parent = path[:-1]
            rank, value = self._rank(parent), get(self._root, parent)
            keys = value if isinstance(value, dict) else range(len(value))
            self._ranks |= {(*parent, key): (*rank, index) for index, key in enumerate(keys)}
        return self._ranks[path]


def _repetitions(result: KeywordResult, hidden: IsHidden) -> Iterator[tuple[KeywordResult, Path]]:
    """The entries of a list that repeat an earlier entry, each with the path of that entry.

    The identity consists of the fields that `x-unique` names; the first is required, the others
    count as empty if they are absent. `FIELD/group` means the group of an `apiVersion`. An entry
    with a `hidden` value has no identity.
    """
    fields = [(name, part) for name, _, part in (f.partition("/") for f in result.expectation)]
    entries: dict[tuple[str, ...], list[int]] = {}
    for index, entry in enumerate(result.value):
        identity = _identity(entry, fields)
        if identity is not None:
            entries.setdefault(identity, []).append(index)
    for identity, indices in entries.items():
        if len(indices) > 1:  # only then ask what is hidden, which takes longer
            visible = [
                index
                for index in indices
                if not any(
                    hidden((*result.path, index, name), result.value[index].get(name))
                    for name, _ in fields
                )
            ]
            for index in visible[1:]:
                entry, first_entry = (*result.path, index), (*result.path, visible[0])
                words = _identity_words(fields, identity)
                fact = f"{name_of(entry)} repeats the {words}"
                yield replace(result, path=entry, detail=fact), first_entry


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


def _identity_words(fields: Sequence[tuple[str, str]], identity: tuple[str, ...]) -> str:
    words = [part or name for name, part in fields]
    parts = [
        f"{word} {in_backquotes(text)}" for word, text in zip(words, identity, strict=True) if text
    ]
    return " and ".join(parts) or "empty " + " and ".join(words)
