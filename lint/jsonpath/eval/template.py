"""A parsed template: finds results in a value, and prints them.

Written after the behaviour of `k8s.io/client-go/util/jsonpath/jsonpath.go` (v0.36.4). Objects keep
their order; client-go reads a map in random order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from celvet.lint.jsonpath.errors import EvaluationError, LimitExceededError
from celvet.lint.jsonpath.eval.path_values import (
    NOTHING,
    OPERATORS,
    BoundsError,
    ComparisonError,
    children_of,
    compare,
    indices,
    type_name,
)
from celvet.lint.jsonpath.eval.printing import go_text, join_pieces, kubectl_text, valid_text
from celvet.lint.jsonpath.parse.nodes import (
    ArrayNode,
    BoolNode,
    FieldNode,
    FilterNode,
    FloatNode,
    IdentifierNode,
    IntNode,
    ListNode,
    PathNode,
    RecursiveNode,
    TextNode,
    UnionNode,
    WildcardNode,
)
from celvet.lint.jsonpath.parse.parser import parse_groups
from celvet.lint.model import Value
from celvet.lint.values import kubernetes_number
from celvet.record import record

_MAX_STEPS = 500_000
"""Values that one evaluation may visit, about half a second of work."""
_MAX_LOOPS = 50
_SHOWN = 200

_Values: TypeAlias = list[Value]


class _FailedError(Exception):
    """An error of client-go, with the results that it returns together with the error.

    They matter: a filter that tests for existence only uses the results.
    """

    def __init__(self, message: str, results: _Values) -> None:
        super().__init__(message)
        self.results = results


class _PathEvaluation:
    """One evaluation of one template; its state is that of the `range` loops."""

    __slots__ = (
        "_allow_missing",
        "_groups",
        "_last_end",
        "_loops",
        "_loops_to_end",
        "_loops_to_open",
        "_steps",
    )

    def __init__(self, groups: Sequence[TextNode | ListNode], *, allow_missing: bool) -> None:
        self._groups = groups
        self._allow_missing = allow_missing
        self._steps = _MAX_STEPS
        self._loops_to_open = 0
        self._loops = 0
        self._loops_to_end = 0
        self._last_end = -1

    def run(self, value: Value) -> list[_Values]:
        """The results of each group, in loops once for each element.

        Raises `EvaluationError`.
        """
        try:
            return self._run(0, NOTHING if value is None else value)
        except _FailedError as error:
            raise EvaluationError(str(error)) from None

    def _run(self, first: int, value: Value) -> list[_Values]:
        """The groups from `first` on; `{end}` of the innermost loop stops it.

        A loop without `{end}` is run to the last group, and then what follows
        its `{range}` is run once more on the outer value.
        """
        output: list[_Values] = []
        index = first
        while index < len(self._groups):
            results = self._walk([value], self._groups[index])
            # The node just walked was `end`: the caller goes on behind it.
            if 0 < self._loops_to_end <= self._loops:
                self._loops_to_end -= 1
                self._last_end = index
                break
            # The node just walked was `range`: the groups behind it are the body of the loop.
            if self._loops_to_open:
                output += self._loop(index + 1, results)
                index = max(index, self._last_end)
            else:
                output.append(results)
            index += 1
        return output

    def _loop(self, body: int, values: _Values) -> list[_Values]:
        self._loops_to_open -= 1
        self._loops += 1
        if self._loops > _MAX_LOOPS:
            raise LimitExceededError(f"more than {_MAX_LOOPS} loops inside one another")
        output: list[_Values] = []
        for value in values:
            if value is NOTHING:
                raise EvaluationError("client-go panics: `range` over the null of an outer `range`")
            output += self._run(body, NOTHING if value is None else value)
        if not values:
            # client-go walks the body once, on nothing, to find the end of the loop
            self._run(body, NOTHING)
        self._loops -= 1
        return output

    def _walk(self, values: _Values, node: PathNode) -> _Values:
        self._spend(1 + len(values))
        return _STEPS[type(node)](self, values, node)

    def _list(self, values: _Values, node: ListNode) -> _Values:
        for step in node.nodes:
            values = self._walk(values, step)
        return values

    def _text(self, values: _Values, node: TextNode) -> _Values:
        return [node.text]

    def _constant(self, values: _Values, node: IntNode | FloatNode | BoolNode) -> _Values:
        return [node.value] * len(values)

    def _identifier(self, values: _Values, node: IdentifierNode) -> _Values:
        if node.name == "range":
            self._loops_to_open += 1
            return values
        if node.name != "end":
            raise _FailedError(f"unrecognized identifier {node.name}", values)
        if not self._loops:
            raise _FailedError("not in range, nothing to end", [])
        self._loops_to_end += 1
        return []

    def _field(self, values: _Values, node: FieldNode) -> _Values:
        fields = [value[node.name] for value in values if _has(value, node.name)]
        if not fields and values and not self._allow_missing:
            raise _FailedError(f"{node.name} is not found", [])
        return fields

    def _wildcard(self, values: _Values, node: WildcardNode) -> _Values:
        items: _Values = []
        for value in values:
            self._spend(len(value) if isinstance(value, (dict, list, str)) else 0)
            items += children_of(value)
        return items

    def _recursive(self, values: _Values, node: RecursiveNode) -> _Values:
        """The values and all inside them, each before what it contains."""
        descendants: _Values = []
        todo = values[::-1]
        while todo:
            value = todo.pop()
            if not isinstance(value, (dict, list, str)) or not value:
                continue
            descendants.append(value)
            if not isinstance(value, str):
                children = children_of(value)
                self._spend(1 + len(children))
                todo += reversed(children)
        return descendants

    def _union(self, values: _Values, node: UnionNode) -> _Values:
        results: _Values = []
        for branch in node.branches:
            try:
                results += self._list(values, branch)
            except _FailedError as error:
                raise _FailedError(str(error), values) from None
        return results

    def _array(self, values: _Values, node: ArrayNode) -> _Values:
        elements: _Values = []
        for value in values:
            if value is None:
                continue
            if value is NOTHING:
                raise EvaluationError("client-go panics: an index into the null that `range` gave")
            if not isinstance(value, list):
                raise _FailedError(f"{type_name(value)} is not array or slice", values)
            try:
                positions = indices(len(value), node)
            except BoundsError as error:
                raise _FailedError(str(error), values) from None
            if not positions:
                # a slice without elements ends the step for all remaining values
                return elements
            self._spend(len(positions))
            elements += (value[index] for index in positions)
        return elements

    def _filter(self, values: _Values, node: FilterNode) -> _Values:
        elements: _Values = []
        for value in values:
            if not isinstance(value, list):
                raise _FailedError(_not_filtered(value), values)
            for element in value:
                holds = self._holds if node.right is not None else self._exists
                try:
                    passes = holds(element, node)
                except (ComparisonError, _FailedError) as error:
                    raise _FailedError(str(error), values) from None
                if passes:
                    elements.append(element)
        return elements

    def _exists(self, element: Value, node: FilterNode) -> bool:
        try:
            return bool(self._walk([element], node.left))
        except _FailedError as error:
            return bool(error.results)

    def _holds(self, element: Value, node: FilterNode) -> bool:
        sides = []
        for side in (node.left, node.right):
            assert side is not None  # noqa: S101  (existence is `_exists`)
            results = self._walk([element], side)
            if not results:
                return False
            if len(results) > 1:
                raise _FailedError("can only compare one element at a time", [])
            sides.append(results[0])
        if node.operator not in OPERATORS:
            raise ComparisonError(f"unrecognized filter operator {node.operator}")
        self._spend(sum(len(side) // 256 for side in sides if isinstance(side, str)))
        return compare(sides[0], node.operator, sides[1])

    def _spend(self, steps: int) -> None:
        self._steps -= steps
        if self._steps < 0:
            message = f"looks at more than {_MAX_STEPS} values, which is celvet's limit"
            raise LimitExceededError(message)


def _has(value: Value, name: str) -> bool:
    return isinstance(value, dict) and name in value


def _not_filtered(value: Value) -> str:
    text = "<invalid reflect.Value>" if value is NOTHING else go_text(value, _SHOWN)
    return f"{text} is not array or slice and cannot be filtered"


_STEPS: Mapping[type, Callable[[_PathEvaluation, _Values, Any], _Values]] = {
    ListNode: _PathEvaluation._list,
    TextNode: _PathEvaluation._text,
    FieldNode: _PathEvaluation._field,
    ArrayNode: _PathEvaluation._array,
    FilterNode: _PathEvaluation._filter,
    IntNode: _PathEvaluation._constant,
    FloatNode: _PathEvaluation._constant,
    BoolNode: _PathEvaluation._constant,
    WildcardNode: _PathEvaluation._wildcard,
    RecursiveNode: _PathEvaluation._recursive,
    UnionNode: _PathEvaluation._union,
    IdentifierNode: _PathEvaluation._identifier,
}


@record
class PathTemplate:
    """A text that client-go accepts: its `{}` groups and the texts between them."""

    source: str
    groups: tuple[TextNode | ListNode, ...]

    def find(self, value: Value, allow_missing: bool = False) -> list[list[Value]]:
        """The results of each group, and in a loop of each group for each element.

        `allow_missing` makes a key that is not there an empty result instead
        of an error. Raises `EvaluationError`, also where client-go's caller
        would panic on a result (a null that `range` went over), and
        `LimitExceededError` where values or template are out of proportion.
        """
        groups = _PathEvaluation(self.groups, allow_missing=allow_missing).run(value)
        return [[_result(result) for result in results] for results in groups]

    def text(self, value: Value, allow_missing: bool = False) -> str:
        """The output of `kubectl get -o jsonpath`; raises as `find`."""
        groups = _PathEvaluation(self.groups, allow_missing=allow_missing).run(value)
        return valid_text(join_pieces(_printed_groups(groups)))


def parse(text: str) -> PathTemplate:
    """Parse a template as client-go does; raises `JSONPathError`."""
    return PathTemplate(text, parse_groups(text))


def _result(result: Value) -> Value:
    if result is NOTHING:
        raise EvaluationError("client-go panics: the result is a null that `range` went over")
    return valid_text(result) if isinstance(result, str) else kubernetes_number(result)


def _printed_groups(groups: list[list[Value]]) -> Iterator[str]:
    for results in groups:
        for position, result in enumerate(results):
            if position:
                yield " "
            yield "<no value>" if result is NOTHING else kubectl_text(result)
