"""Composes a rendered text with libyaml, within bounds."""

from __future__ import annotations

from typing import Any

import yaml

from celvet.lint.resourceset.errors import TooLargeError, UnreadError
from celvet.lint.resourceset.yaml_nodes import PLAIN

_MARK = "\ufeff"

MOST_VALUES = 10_000
"""The values that one text may have; those of 90 public ResourceSets have up to 250."""

_MOST_DEPTH = 200


class ValueBudget:
    """Counts the values of a text, including those that aliases repeat.

    For a bound below `MOST_VALUES`, `beyond` says whose it is.
    """

    __slots__ = ("_beyond", "_most", "used")

    def __init__(self, most: int = MOST_VALUES, beyond: str = "") -> None:
        self._most = most
        message = f"the text has more than {MOST_VALUES} values"
        self._beyond = message if most >= MOST_VALUES else beyond
        self.used = 0

    def spend(self) -> None:
        """Count a value; raises `TooLargeError` after the last allowed one."""
        self.used += 1
        self.allow(self.used)

    def allow(self, count: int) -> None:
        """Raise `TooLargeError` if a text has too many values."""
        if count > self._most:
            raise TooLargeError(self._beyond)


def first_node(text: str, budget: ValueBudget) -> yaml.Node | None:
    """The node of the first document, None of an empty text.

    Go-yaml is a port of libyaml: of 84,000 random texts that libyaml takes, go-yaml reads all but
    a few alike.

    Raises:
        yaml.YAMLError: it is not YAML.
        TooLargeError: it has too many nodes, or nodes too deep.
        UnreadError: go-yaml reads it in another way than libyaml.
    """
    # libyaml skips a byte order mark at the start of any line, go-yaml at that of the text only.
    if _MARK in text.removeprefix(_MARK).removeprefix(_MARK):
        raise UnreadError("the text has a byte order mark on a later line")
    loader = _Loader(text, budget)
    try:
        return loader.get_node() if loader.check_node() else None
    except yaml.MarkedYAMLError as error:
        # go-yaml takes the last of several anchors, and the escape `\'` in double quotes.
        if (error.context or "").startswith("found duplicate anchor"):
            raise UnreadError("the text has two anchors of one name") from None
        if error.problem == "exceeded maximum nesting depth":  # libyaml 0.2.6, beyond 1,000
            raise _too_deep() from None
        if (mark := error.problem_mark) and text.startswith("\\'", mark.index):
            raise UnreadError("the text has the escape `\\'`", mark.line + 1) from None
        raise
    finally:
        loader.dispose()


def _too_deep() -> TooLargeError:
    return TooLargeError("the text is nested too deeply")


class _Loader(yaml.CSafeLoader):
    """Composes nodes with libyaml, which reads no more than is composed."""

    def __init__(self, text: str, budget: ValueBudget) -> None:
        super().__init__(text)
        self._budget = budget
        self._nodes = 0
        self._depth = 0

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        """The tag of a node that has none of its own."""
        return PLAIN if kind is yaml.ScalarNode and implicit[0] else "!"

    def descend_resolver(self, parent: Any, index: Any) -> None:
        """Count a node that begins."""
        self._nodes += 1
        self._depth += 1
        self._budget.allow(self._nodes // 2)  # a key is a node too
        if self._depth > _MOST_DEPTH:
            raise _too_deep()

    def ascend_resolver(self) -> None:
        """Count a node that ends."""
        self._depth -= 1
