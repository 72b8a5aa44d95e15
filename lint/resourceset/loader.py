"""PyYAML's composers within bounds, with the behaviour of go-yaml v2 where it matters here."""

from __future__ import annotations

from typing import Any

import yaml
from yaml.scanner import ScannerError

from celvet.lint.resourceset.errors import TooLargeError
from celvet.lint.resourceset.scalars import PLAIN

# go-yaml also has this escape
_ESCAPES = {**yaml.SafeLoader.ESCAPE_REPLACEMENTS, "'": "'"}
_MARK = "\ufeff"
_DIRECTIVES = ("YAML", "TAG")
_BREAKS = "\0\r\n\x85\u2028\u2029"

MOST_VALUES = 10_000
"""The values that one text may have; those of 90 public ResourceSets have up to 250."""

_MOST_DEPTH = 200
_MOST_READ_AGAIN = 3_000
_HABITS = ("found duplicate anchor", "found unknown escape character")


class ValueBudget:
    """Counts the values of a text, including those that aliases repeat.

    For a bound below `MOST_VALUES`, `beyond` says whose it is.
    """

    __slots__ = ("_beyond", "_most", "used")

    def __init__(self, most: int = MOST_VALUES, beyond: str = "") -> None:
        self._most = most
        own = f"the text has more than {MOST_VALUES} values"
        self._beyond = own if most >= MOST_VALUES else beyond
        self.used = 0

    def spend(self) -> None:
        """Count a value."""
        self.used += 1
        self.allow(self.used)

    def allow(self, count: int) -> None:
        """Raise `TooLargeError` if a text has too many values."""
        if count > self._most:
            raise TooLargeError(self._beyond)


def first_node(text: str, budget: ValueBudget) -> yaml.Node | None:
    """The node of the first document, None of an empty text.

    Go-yaml is a port of libyaml: of 84,000 random texts that libyaml takes, go-yaml reads all but
    a few alike. It also takes some that libyaml refuses, as `slow_node` does, which is a
    hundred times slower: a long text is not read again. A byte order mark at the start of any line
    is skipped by libyaml; go-yaml skips it only at the start of the text.

    Raises:
        yaml.YAMLError: it is not YAML.
        TooLargeError: it has too many nodes, or nodes too deep, or is too long to be read again.
    """
    error: yaml.YAMLError | None = None
    if _MARK not in text.removeprefix(_MARK).removeprefix(_MARK):
        try:
            return _first(_QuickLoader(text, budget))
        except yaml.YAMLError as refusal:
            error = refusal
    if len(text) > _MOST_READ_AGAIN:
        if error and not any(each in str(error) for each in _HABITS):
            raise error
        raise TooLargeError("the text is too long for what libyaml does not read")
    return slow_node(text)


def slow_node(text: str) -> yaml.Node | None:
    """The same, with all the behaviour of go-yaml, without bounds."""
    return _first(_SlowLoader(text))


def _first(loader: Any) -> yaml.Node | None:
    try:
        return loader.get_node() if loader.check_node() else None
    finally:
        loader.dispose()


class _QuickLoader(yaml.CSafeLoader):
    """Composes nodes with libyaml, which reads no more than is composed."""

    def __init__(self, text: str, budget: ValueBudget) -> None:
        super().__init__(text)
        self._budget = budget
        self._nodes = 0
        self._depth = 0

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        """The tag of a node that has none of its own."""
        return _tag(kind, implicit)

    def descend_resolver(self, parent: Any, index: Any) -> None:
        """Count a node that begins."""
        self._nodes += 1
        self._depth += 1
        self._budget.allow(self._nodes // 2)  # a key is a node too
        if self._depth > _MOST_DEPTH:
            raise TooLargeError("the text is nested too deeply")

    def ascend_resolver(self) -> None:
        """Count a node that ends."""
        self._depth -= 1


def _tag(kind: Any, implicit: Any) -> str:
    return PLAIN if kind is yaml.ScalarNode and implicit[0] else "!"


class _SlowLoader(yaml.SafeLoader):
    """Composes nodes. A plain scalar without a tag has the tag `PLAIN`."""

    def __init__(self, text: str) -> None:
        super().__init__(text.removeprefix(_MARK))
        vars(self)["ESCAPE_REPLACEMENTS"] = _ESCAPES

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        """The tag of a node that has none of its own."""
        return _tag(kind, implicit)

    def compose_node(self, parent: Any, index: Any) -> Any:
        """Compose a node; an anchor may be given again."""
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if not isinstance(event, yaml.AliasEvent):
            self.anchors.pop(getattr(event, "anchor", None), None)
        return super().compose_node(parent, index)

    def scan_to_next_token(self) -> None:
        """Skip spaces, comments and line breaks.

        Where no key begins, go-yaml skips tabs too. It skips two byte order marks at the start of
        a text: its reader takes one, and yaml_parser_scan_to_next_token another.
        """
        if self.index == 0 and self.peek() == _MARK:
            self.forward()
        found = False
        while not found:
            while self.peek() == " " or (self.peek() == "\t" and self._tab_separates()):
                self.forward()
            if self.peek() == "#":
                while self.peek() not in _BREAKS:
                    self.forward()
            if self.scan_line_break():  # type: ignore[no-untyped-call]
                if not self.flow_level:
                    self.allow_simple_key = True
            else:
                found = True

    def scan_plain_spaces(self, indent: Any, start_mark: Any) -> list[str] | None:
        """Read the spaces in a plain scalar; for PyYAML a tab ends it."""
        length = 0
        while self.peek(length) in (" ", "\t"):
            length += 1
        spaces = self.prefix(length)
        self.forward(length)
        if spaces and self.peek() not in _BREAKS:
            return [spaces]
        return super().scan_plain_spaces(indent, start_mark)

    def scan_directive_name(self, start_mark: Any) -> str:
        """Read the name of a directive; PyYAML skips unknown ones."""
        name = str(super().scan_directive_name(start_mark))  # type: ignore[no-untyped-call]
        if name not in _DIRECTIVES:
            problem = "found unknown directive name"
            raise ScannerError("while scanning a directive", start_mark, problem, self.get_mark())
        return name

    def scan_block_scalar_indentation(self) -> tuple[list[str], int, Any]:
        """Find out how far a block scalar is indented; go-yaml takes no tab there."""
        found = super().scan_block_scalar_indentation()
        if self.peek() == "\t":
            problem = "found a tab character where an indentation space is expected"
            raise ScannerError("while scanning a block scalar", None, problem, self.get_mark())
        return found

    def _tab_separates(self) -> bool:
        return bool(self.flow_level or not self.allow_simple_key)
