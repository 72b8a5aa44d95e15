"""Objects on which a comparison holds: sets values at its places that make it true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from celvet.lint.model import Path, Value
from celvet.lint.predict.reads.terms import (
    At,
    Constant,
    ElementSelection,
    Otherwise,
    Size,
    Steps,
    Term,
)
from celvet.lint.predict.search.candidates import Candidates, compares, invert_conversions
from celvet.lint.predict.search.progress import Progress
from celvet.lint.predict.states.building import CannotBuildError, get, put
from celvet.lint.values import ABSENT, drop

Places: TypeAlias = Callable[[Steps, Value], Iterator[tuple[Path, Value]]]
"""The ways to make a path definite, with the object that each needs."""

SelectionCounts: TypeAlias = Callable[[str, ElementSelection, Value, Value], Iterator[Value]]
"""Objects on which a selection has so many elements: operator, selection, number, object."""

_FLIPPED = {"_<_": "_>_", "_<=_": "_>=_", "_>_": "_<_", "_>=_": "_<=_"}


class Relations:
    """Sets values so that terms have a relation, for one search."""

    def __init__(
        self,
        candidates: Candidates,
        progress: Progress,
        places: Places,
        selection_counts: SelectionCounts,
    ) -> None:
        self._candidates = candidates
        self._progress = progress
        self._places = places
        self._selection_counts = selection_counts

    def comparison(self, operator: str, left: Term, right: Term, obj: Value) -> Iterator[Value]:
        """Objects on which `left operator right` holds."""
        # A constant is put on the right, so that only the left side can be a place.
        if isinstance(left, Constant) and not isinstance(right, Constant):
            left, right, operator = right, left, _FLIPPED.get(operator, operator)
        if isinstance(left, Constant) and isinstance(right, Constant):
            if compares(operator, left.value, right.value):
                yield obj
        elif isinstance(left, Otherwise):
            yield from self._or_else(operator, left, right, obj)
        elif isinstance(left, Size) and isinstance(right, Constant):
            yield from self._size_comparison(operator, left, right.value, obj)
        elif isinstance(left, At) and isinstance(right, Constant):
            literal = right.value
            # Only the candidates of a place are tried: of lists there are too many to say that none
            # does.
            self._progress.only_if(not isinstance(literal, list))
            yield from self._set(left, lambda value: compares(operator, value, literal), obj, right)
        elif isinstance(left, At) and isinstance(right, At):
            yield from self._peers(operator, left, right, obj)
        else:
            yield from self._progress.guess(obj)

    def _set(
        self,
        at: At,
        suits: Callable[[Value], bool],
        obj: Value,
        further_value: Constant = Constant(None),  # noqa: B008 - frozen
    ) -> Iterator[Value]:
        """The unchanged object if its value fits, then the object with each value that fits."""
        self._progress.only_if(not at.through)
        for place, base in self._places(at.path, obj):
            present = get(base, place)
            if present is not ABSENT and not at.through and suits(present):
                yield base
                if self._progress.mending:
                    continue
            for value in self._candidates.of(place, further_value.value):
                if suits(value) and (at.through or value is not present):
                    yield from self.write(base, place, invert_conversions(value, at.through))

    def write(self, obj: Value, place: Path, value: Value) -> Iterator[Value]:
        """The object with a value at a place, if the place can have it."""
        if value is ABSENT or not self._candidates.allows(place, value):
            return
        try:
            yield put(obj, place, value)
        except CannotBuildError:
            self._progress.only_if(False)

    def _peers(self, operator: str, left: At, right: At, obj: Value) -> Iterator[Value]:
        # Two fields may have to differ within one gap, but each gap gives only one value.
        apart = operator == "_!=_" and not self._candidates.is_ordered(left.path)
        self._progress.only_if((operator == "_==_" or apart) and not left.through)
        for place, base in self._places(left.path, obj):
            present = get(base, place)
            values = self._candidates.peers(left.path, right.path)
            for value in [*([] if present is ABSENT else [present]), *values]:
                for grown in self.write(base, place, value):
                    suits = _suitor(operator, value)
                    yield from self._set(right, suits, grown, Constant(value))

    def _or_else(self, operator: str, left: Otherwise, right: Term, obj: Value) -> Iterator[Value]:
        yield from self.comparison(operator, left.at, right, obj)
        for place, base in self._places(left.at.path, obj):
            base_without = drop(base, place)
            yield from self.comparison(operator, left.default, right, base_without)

    def _size_comparison(
        self, operator: str, left: Size, limit: Value, obj: Value
    ) -> Iterator[Value]:
        if isinstance(left.operand, ElementSelection):
            yield from self._selection_counts(operator, left.operand, limit, obj)
            return
        self._progress.only_if(False)
        for place, base in self._places(left.operand.path, obj):
            for value in self._candidates.values_of_size(place, get(base, place), limit):
                if compares(operator, len(value), limit):
                    yield from self.write(base, place, value)

    def membership(self, answer: bool, left: Term, right: Term, obj: Value) -> Iterator[Value]:
        """Objects on which `left in right` gives the answer."""
        # Either the item is a field and the list is written out, or the other way round.
        if isinstance(right, Constant) and isinstance(right.value, list):
            items = right.value

            def suits(value: Value) -> bool:
                return any(compares("_==_", value, item) for item in items) is answer

            if isinstance(left, At):
                yield from self._set(left, suits, obj)
            else:
                yield from self._progress.guess(obj)
        elif isinstance(left, Constant) and isinstance(right, At):
            self._progress.only_if(False)
            for place, base in self._places(right.path, obj):
                for value in self._candidates.containers(
                    get(base, place), left.value, has_item=answer
                ):
                    yield from self.write(base, place, value)
        else:
            yield from self._progress.guess(obj)

    def matching(
        self, name: str, answer: bool, left: Term, right: Term, obj: Value
    ) -> Iterator[Value]:
        """Objects on which a method such as `startsWith` gives the answer."""
        if not (isinstance(left, At) and isinstance(right, Constant) and type(right.value) is str):
            yield from self._progress.guess(obj)
            return
        text = right.value
        self._progress.only_if(False)

        def suits(value: Value) -> bool:
            # Regular expressions are not analysed: the evaluation decides what matches.
            return isinstance(value, str) and (
                name == "matches" or compares(name, value, text) is answer
            )

        yield from self._set(left, suits, obj, right)


def _suitor(operator: str, value: Value) -> Callable[[Value], bool]:
    return lambda other: compares(operator, value, other)
