"""Objects on which expressions are true or false, built from the expressions themselves.

A goal is an expression and the answer that it is to give. Each comparison offers the values at its
own place that give the answer; places are reached through macros, indices and optional selections.
The results are only proposals: the caller evaluates them. If the search was complete and no
proposal works, no object does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from celvet.lint.cel.syntax.tree import Call, Literal, Macro, Node
from celvet.lint.cel.syntax.vocabulary import COMPARISONS
from celvet.lint.model import Path, Value
from celvet.lint.predict.reads.reader import MATCHING
from celvet.lint.predict.reads.reading import Reading
from celvet.lint.predict.reads.terms import (
    At,
    Constant,
    ElementSelection,
    FirstMatch,
    Steps,
    Term,
    TermsByName,
    Test,
    selection,
    term,
)
from celvet.lint.predict.search.candidates import Candidates, compares
from celvet.lint.predict.search.progress import Progress
from celvet.lint.predict.search.relations import Relations
from celvet.lint.predict.states.building import get
from celvet.lint.values import ABSENT, drop
from celvet.record import record

_ELEMENTS = 6
"""A list gets no more elements than this, or than there are loops that may each want one."""

_OPPOSITE = {"_==_": "_!=_", "_!=_": "_==_", "_<_": "_>=_", "_>=_": "_<_", "_>_": "_<=_"}
_OPPOSITE["_<=_"] = "_>_"


@record
class Goal:
    """An expression and the answer it is to give; the variables of macros stand for `names`."""

    node: Node
    answer: bool
    names: TermsByName


class Search:
    """One search; its `progress` says whether it was complete.

    `sees_copies` is whether the expressions see typed copies, which leave empty lists out.
    """

    def __init__(
        self, reading: Reading, candidates: Candidates, *, sees_copies: bool = False
    ) -> None:
        self.progress = Progress(complete=reading.complete)
        self._sees_copies = sees_copies
        self._most_elements = max(_ELEMENTS, reading.loops)
        self._candidates = candidates
        self._relations = Relations(
            self._candidates, self.progress, self._places, self._selection_counts
        )

    def satisfy_all(self, goals: Sequence[Goal], obj: Value) -> Iterator[Value]:
        """Objects on which all goals may hold, grown from `obj`."""
        if not goals:
            yield obj
            return
        for candidate in self.satisfy(goals[0], obj):
            yield from self.satisfy_all(goals[1:], candidate)

    def satisfy(self, goal: Goal, obj: Value) -> Iterator[Value]:
        """Objects on which the goal may hold, grown from `obj`."""
        if not self.progress.step():
            return
        node = goal.node
        if isinstance(node, Literal):
            if node.value is goal.answer:
                yield obj
        elif isinstance(node, Macro):
            yield from self._macro(goal, node, obj)
        elif isinstance(node, Call):
            yield from self._call(goal, node, obj)
        else:
            yield from self._boolean_field(goal, obj)

    def _boolean_field(self, goal: Goal, obj: Value) -> Iterator[Value]:
        """A field that is a boolean."""
        field = term(goal.node, goal.names)
        yield from self._relations.comparison("_==_", field, Constant(goal.answer), obj)

    def _call(self, goal: Goal, node: Call, obj: Value) -> Iterator[Value]:
        name, answer, names = node.function, goal.answer, goal.names
        # Logic: all parts must hold for a true `&&` or a false `||`, else one of them.
        if name in ("_&&_", "_||_"):
            parts = [Goal(part, answer, names) for part in node.args]
            if answer == (name == "_&&_"):
                yield from self.satisfy_all(parts, obj)
            else:
                for part in parts:
                    yield from self.satisfy(part, obj)
        elif name == "!_":
            yield from self.satisfy(Goal(node.args[0], not answer, names), obj)
        elif name == "_?_:_":
            # Either branch may give the answer, each with its own value of the condition.
            for choice, branch in ((True, node.args[1]), (False, node.args[2])):
                goals = [Goal(node.args[0], choice, names), Goal(branch, answer, names)]
                yield from self.satisfy_all(goals, obj)
        elif name in ("_[_]", "orValue"):
            yield from self._boolean_field(goal, obj)
        elif len(node.children) == 2:
            left, right = (term(child, names) for child in node.children)
            yield from self._operation(name, answer, left, right, obj)
        else:
            yield from self.progress.guess(obj)

    def _operation(
        self, name: str, answer: bool, left: Term, right: Term, obj: Value
    ) -> Iterator[Value]:
        if name in COMPARISONS:
            operator = name if answer else _OPPOSITE[name]
            yield from self._relations.comparison(operator, left, right, obj)
        elif name == "@in":
            yield from self._relations.membership(answer, left, right, obj)
        elif name in MATCHING:
            yield from self._relations.matching(name, answer, left, right, obj)
        else:
            yield from self.progress.guess(obj)

    # places

    def _places(self, path: Steps, obj: Value) -> Iterator[tuple[Path, Value]]:
        """The ways to make a path definite, with the object that each needs."""
        for index, step in enumerate(path):
            if isinstance(step, FirstMatch):
                path_before, path_behind = path[:index], path[index + 1 :]
                for element, grown in self._first_matches(path_before, step.tests, obj):
                    yield from self._places((*element, *path_behind), grown)
                return
        yield tuple(step for step in path if isinstance(step, str | int)), obj

    def _first_matches(
        self, path: Steps, tests: tuple[Test, ...], obj: Value
    ) -> Iterator[tuple[Path, Value]]:
        """The elements of a list that can pass the tests, each with an object in which it does."""
        for place, base in self._places(path, obj):
            for element in self._elements(place, base):
                for obj_with_element in self._with_element(element, base):
                    for grown in self.satisfy_all(_tests(tests, element), obj_with_element):
                        yield element, grown

    def _with_element(self, element: Path, obj: Value) -> Iterator[Value]:
        """The object with an element, which may be empty."""
        if get(obj, element) is ABSENT:
            yield from self._relations.write(obj, element, {})
        else:
            yield obj

    def _elements(self, place: Path, obj: Value) -> Iterator[Path]:
        """A new element of a list, then the existing ones."""
        items = get(obj, place)
        count = len(items) if isinstance(items, list) else 0
        self.progress.only_if(count < self._most_elements)
        yield from (
            (*place, index) for index in reversed(range(min(count + 1, self._most_elements)))
        )

    # macros

    def _macro(self, goal: Goal, node: Macro, obj: Value) -> Iterator[Value]:
        if node.name == "has":
            yield from self._present(goal, node, obj)
            return
        source = selection(node.target, goal.names)
        if source is None or len(node.variables) != 1 or len(node.args) != 1:
            yield from self.progress.guess(obj)
            return
        # `all` is false where an element fails the test: the same search as `exists`, with both
        # answers turned.
        holds = Test(node.variables[0], node.args[0], goal.names)
        if node.name == "all":
            yield from self._quantifier(source, (holds,), not goal.answer, obj, negated=True)
        elif node.name in ("exists", "exists_one"):
            self.progress.only_if(node.name == "exists")
            yield from self._quantifier(source, (holds,), goal.answer, obj)
        else:
            yield from self.progress.guess(obj)

    def _present(self, goal: Goal, node: Macro, obj: Value) -> Iterator[Value]:
        place_term = term(node.args[0], goal.names)
        if not isinstance(place_term, At) or place_term.through:
            yield from self.progress.guess(obj)
            return
        for place, base in self._places(place_term.path, obj):
            present = get(base, place) is not ABSENT
            if present and goal.answer:
                yield base
            elif present:
                yield drop(base, place)
            elif goal.answer:
                for value in self._candidates.of(place, None)[:1]:
                    yield from self._relations.write(base, place, value)
            else:
                # The field may be missing, but not the object that has it.
                parent = get(base, place[:-1])
                yield from self._relations.write(
                    base, place[:-1], {} if parent is ABSENT else parent
                )

    def _quantifier(
        self,
        source: ElementSelection,
        tests: tuple[Test, ...],
        exists: bool,
        obj: Value,
        *,
        negated: bool = False,
    ) -> Iterator[Value]:
        """Objects on which some element, or none, passes the selection and the tests.

        With `negated`, the element must fail the tests.
        """
        for place, base in self._places(source.path, obj):
            if exists:
                for element in self._elements(place, base):
                    goals = _tests(source.tests, element)
                    goals += _quantifier_tests(source, tests, element, not negated)
                    for grown in self._with_element(element, base):
                        yield from self.satisfy_all(goals, grown)
            else:
                yield from self._no_element(source, tests, place, base, negated)

    def _selection_counts(
        self, operator: str, selection: ElementSelection, limit: Value, obj: Value
    ) -> Iterator[Value]:
        """Objects on which a selection has none or one element; more are not tried."""
        comparisons = (compares(operator, size, limit) for size in range(2, _ELEMENTS))
        self.progress.only_if(
            all(comparison == compares(operator, 1, limit) for comparison in comparisons)
        )
        if compares(operator, 0, limit):
            yield from self._quantifier(selection, (), False, obj)
        if compares(operator, 1, limit):
            yield from self._quantifier(selection, (), True, obj)
        else:
            self.progress.only_if(False)

    def _no_element(
        self,
        source: ElementSelection,
        tests: tuple[Test, ...],
        place: Path,
        obj: Value,
        negated: bool,
    ) -> Iterator[Value]:
        """Objects on which no element of the list at a place passes the selection and the tests."""
        items = get(obj, place)
        if not isinstance(items, list):
            # No list has no such element either; but typed copies leave an empty one out, and an
            # expression may need it, so a list of one is tried as well.
            yield from self._relations.write(obj, place, [])
            for grown in self._relations.write(obj, place, [{}]) if self._sees_copies else ():
                yield from self._no_element(source, tests, place, grown, negated)
            return
        # Each element has to fail one of its goals; which one is tried in turn.
        pending: list[list[Goal]] = []
        for index in range(len(items)):
            element = (*place, index)
            goals = _tests(source.tests, element) + _quantifier_tests(
                source, tests, element, not negated
            )
            pending.append([Goal(goal.node, not goal.answer, goal.names) for goal in goals])
        yield from self._one_of_each(pending, obj)

    def _one_of_each(self, pending: Sequence[Sequence[Goal]], obj: Value) -> Iterator[Value]:
        """Objects on which one goal of each group may hold."""
        if not pending:
            yield obj
            return
        for goal in pending[0]:
            for grown in self.satisfy(goal, obj):
                yield from self._one_of_each(pending[1:], grown)


def _tests(tests: Sequence[Test], element: Path) -> list[Goal]:
    return [Goal(test.body, True, {**test.names, test.variable: At(element)}) for test in tests]


def _quantifier_tests(
    source: ElementSelection, tests: Sequence[Test], element: Path, answer: bool
) -> list[Goal]:
    """The tests of a quantifier, whose variable is what the selection's view makes of it."""
    element_term: Term = At(element)
    if source.view:
        view = source.view
        element_term = term(view.body, {**view.names, view.variable: element_term})
    return [Goal(test.body, answer, {**test.names, test.variable: element_term}) for test in tests]
