"""PyYAML's loaders, with the habits of go-yaml v2 that matter here."""

from __future__ import annotations

import re
from typing import Any

import yaml
from yaml.scanner import ScannerError

from celvet.lint.resourceset.scalars import PLAIN
from celvet.regex import regex

# Go-yaml knows this escape too.
_ESCAPES = {**yaml.SafeLoader.ESCAPE_REPLACEMENTS, "'": "'"}
_BREAKS = "\0\r\n\x85\u2028\u2029"


_PECULIAR = regex("[\t\ufeff]|^%|^ {200}|(?:[-?] +){40}", re.MULTILINE)
_MOST_BRACKETS = 200


def first_node(text: str) -> yaml.Node | None:
    """The node of the first document, None of an empty text; raises `yaml.YAMLError`.

    libyaml is ten times as fast, and of 76,000 random texts that it takes reads all as the loader
    below does, but those with tabs or with a `%` at the start of a line. It does not say in the
    same words what is wrong, and takes no bound of nesting.
    """
    if not _PECULIAR.search(text) and text.count("[") + text.count("{") < _MOST_BRACKETS:
        try:
            return _first(_QuickLoader(text))
        except yaml.YAMLError:
            pass
    return _first(Loader(text))


def _first(loader: Any) -> yaml.Node | None:
    try:
        return loader.get_node() if loader.check_node() else None
    finally:
        loader.dispose()


class _QuickLoader(yaml.CSafeLoader):
    """Composes nodes by libyaml."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        """The tag of a node that has none of its own."""
        return _tag(kind, implicit)


def _tag(kind: Any, implicit: Any) -> str:
    return PLAIN if kind is yaml.ScalarNode and implicit[0] else "!"


class Loader(yaml.SafeLoader):
    """Composes nodes. A plain scalar without a tag has the tag `PLAIN`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
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
        """Skip spaces, comments and line breaks; go-yaml skips tabs too, where no key begins."""
        if self.index == 0 and self.peek() == "\ufeff":
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

    def scan_block_scalar_indentation(self) -> tuple[list[str], int, Any]:
        """Find out how far a block scalar is indented; go-yaml takes no tab there."""
        found = super().scan_block_scalar_indentation()
        if self.peek() == "\t":
            problem = "found a tab character where an indentation space is expected"
            raise ScannerError("while scanning a block scalar", None, problem, self.get_mark())
        return found

    def _tab_separates(self) -> bool:
        return bool(self.flow_level or not self.allow_simple_key)
