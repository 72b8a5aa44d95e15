"""A parsed template: finds results in a value, and prints them."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.jsonpath.errors import EvaluationError
from celvet.lint.jsonpath.eval.evaluate import PathEvaluation
from celvet.lint.jsonpath.eval.printing import joined, printed, valid_text
from celvet.lint.jsonpath.eval.values import NOTHING
from celvet.lint.jsonpath.parse.nodes import ListNode, TextNode
from celvet.lint.jsonpath.parse.parser import parse_groups
from celvet.lint.model import Value
from celvet.lint.values import decoded
from celvet.record import record


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
        found = PathEvaluation(self.groups, allow_missing=allow_missing).run(value)
        return [[_result(result) for result in results] for results in found]

    def text(self, value: Value, allow_missing: bool = False) -> str:
        """The output of `kubectl get -o jsonpath`; raises as `find`."""
        found = PathEvaluation(self.groups, allow_missing=allow_missing).run(value)
        return valid_text(joined(_printed(found)))


def parse(text: str) -> PathTemplate:
    """Parse a template as client-go does; raises `JSONPathError`."""
    return PathTemplate(text, parse_groups(text))


def _result(result: Value) -> Value:
    if result is NOTHING:
        raise EvaluationError("client-go panics: the result is a null that `range` went over")
    return valid_text(result) if isinstance(result, str) else decoded(result)


def _printed(groups: list[list[Value]]) -> Iterator[str]:
    for results in groups:
        for position, result in enumerate(results):
            if position:
                yield " "
            yield "<no value>" if result is NOTHING else printed(result)
