"""Composes one document: turns the parser's events into nodes and values, without recursion."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import yaml

from celvet.lint.go.plain_scalars import SURELY_TEXT
from celvet.lint.manifest.file_limits import MAX_ALIASED, MAX_DEPTH, MAX_NODES, Budget
from celvet.lint.manifest.problem import Problems, Refused
from celvet.lint.manifest.source.document_text import DocumentText
from celvet.lint.manifest.yaml.mappings import MappingBuilder
from celvet.lint.manifest.yaml.node import Entries, NodeKind, NodeStyle, YamlNode, is_merge
from celvet.lint.manifest.yaml.resolve import KNOWN_TAGS, TAG_PREFIX, BadValueError, scalar_value
from celvet.lint.model import Span, Value
from celvet.lint.safe_text import one_line
from celvet.regex import regex

# libyaml, or PyYAML's own parser without it. The loader classes are parsers too.
PARSER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_STYLES: dict[str, NodeStyle] = {"'": "single", '"': "double", "|": "literal", ">": "folded"}
_PROPERTIES = regex(
    r"(?:(?:&[\w-]+|!<[^>\s]*>|![^\s,\[\]{}]*)(?:\s+(?:#[^\r\n\x85\u2028\u2029]*)?)*+)+"
)
_ESCAPE = regex(r"\\(.)", re.DOTALL)

_TOO_DEEP = "exceeded maximum nesting depth"
"""What libyaml 0.2.6 says of more than 1,000 collections inside each other."""

_NONE: Entries = {}
"""The entries of a scalar."""

NodeRewriter = Callable[[YamlNode, Value], tuple[YamlNode, Value]]
"""Changes a scalar as it is composed: Flux's substitution."""


class _Frame:
    """A collection that is still open; `size` counts nodes with aliases expanded."""

    __slots__ = ("event", "kind", "nodes", "size", "values")

    def __init__(self, kind: NodeKind, event: Any) -> None:
        self.kind = kind
        self.event = event
        self.nodes: list[YamlNode] = []
        self.values: list[Value] = []
        self.size = 1


class Composer:
    """Composes one document; `compose` fills in `root`, `value`, `problems` and `aliased`."""

    def __init__(
        self, source: DocumentText, budget: Budget, rewrite: NodeRewriter | None = None
    ) -> None:
        self.problems = Problems(source.index)
        self.root: YamlNode | None = None
        self.value: Value = None
        self._source = source
        self._budget = budget
        self._rewrite = rewrite
        self._json = source.content.lstrip()[:1] in ("{", "[")
        self._mappings = MappingBuilder(self.problems)
        self._stack: list[_Frame] = []
        self._anchors: dict[str, tuple[YamlNode, Value, int]] = {}
        self.aliased = False

    def compose(self) -> None:
        """Parse the text and compose its content.

        Reads one event at a time: stopping at a certain depth spares libyaml a run whose time grows
        with the square of the depth (100,000 open brackets: 26 s).

        Raises:
            Refused: for problems that end the reading: depth, size, wrong aliases. yaml.YAMLError:
            where the text is not YAML.

        """
        self._separator()
        parser = PARSER(self._source.parser_text)
        next_event, handler_of = parser.get_event, _HANDLERS.get  # looked up once: this is hot
        try:
            while (event := next_event()) is not None:
                if handler := handler_of(type(event)):
                    handler(self, event)
        except yaml.MarkedYAMLError as error:
            # libyaml 0.2.6 looks for the end of a key before it gives its first event.
            if error.problem == _TOO_DEEP and error.problem_mark:
                raise _too_deep(error.problem_mark.index + self._source.start) from None
            raise
        finally:
            parser.dispose()

    def _scalar(self, event: Any) -> None:
        base = self._source.start
        start, end = event.start_mark.index + base, event.end_mark.index + base
        tag, anchor, text = event.tag or "", event.anchor or "", event.value
        if tag or anchor:
            start = self._content(start, end)
        style = _STYLES.get(event.style, "plain")
        # libyaml does not know JSON's `\/`, so such texts were patched before parsing and are
        # decoded again here.
        if style == "double":
            self._json_escapes(start, end)
            if self._source.patched:
                from celvet.lint.manifest.yaml.scalars import decode_double  # rarely needed

                text = decode_double(self._source.text, start, end).text
        node = YamlNode("scalar", style, start, end, tag, anchor, text, (), (), _NONE)
        if tag and tag.startswith(("!", TAG_PREFIX)) and tag not in KNOWN_TAGS:
            self._unknown_tag(node, event)
        # Most scalars begin with a letter that no number, boolean or null has, so only few are
        # resolved.
        plain = style == "plain" and text[:1] not in SURELY_TEXT
        value = self._value(node) if plain or tag else text
        if self._rewrite and "${" in text:
            node, value = self._rewrite(node, value)
        self._add(node, value, 1)

    def _separator(self) -> None:
        """Note a line in which text follows `---`."""
        if line := self._source.misused_separator:
            message = "kubectl and Flux refuse a file with text behind `---`"
            self.problems.add("bad-value", message, "Begin a new line after `---`.", line)

    def _document(self, event: Any) -> None:
        r"""Note a `%` directive: no reader in Kubernetes finds a document with one."""
        if event.version or event.tags:
            start, end = self._bounds(event)
            message = "kubectl and Flux refuse a document with a `%` directive"
            self.problems.add("bad-value", message, "Remove the line.", Span(start, end))

    def _json_escapes(self, start: int, end: int) -> None:
        r"""Note `\/`, which JSON and libyaml allow, but YAML 1.1 does not."""
        if self._json or self._source.text.find("\\/", start, end) < 0:
            return
        for escape in _ESCAPE.finditer(self._source.text, start, end):
            if escape[1] == "/":
                message = (
                    "`\\/` is not an escape in YAML 1.1, so kubectl and Flux refuse the document"
                )
                self.problems.add("bad-value", message, "Write `/`.", Span(*escape.span()))
                return

    def _question_marks(self, nodes: Sequence[YamlNode]) -> None:
        """Note a `?` in a plain text between brackets, where it begins a key for go-yaml."""
        for node in nodes:
            if node.style == "plain" and "?" in node.text:
                message = (
                    "`?` ends a text in `{}` and `[]`, so kubectl and Flux refuse the document"
                )
                self.problems.add("bad-value", message, "Put the text in quotes.", node.span)
                return

    def _unknown_tag(self, node: YamlNode, event: Any) -> None:
        """Note a tag that means nothing to Kubernetes: most are a `!` meant as a negation."""
        tag = one_line(node.tag.replace(TAG_PREFIX, "!!", 1))
        value = f"`{one_line(node.text)}`" if node.text else '`""`'
        message = f"`{tag}` is a tag of YAML, which is dropped: the value is {value}"
        start, end = self._bounds(event)
        place = Span(start, start + len(self._source.text[start:end].rstrip()))
        self.problems.add("unknown-tag", message, "Put the value in quotes.", place)

    def _value(self, node: YamlNode) -> Value:
        if is_merge(node):
            return node.text
        try:
            return scalar_value(node.text, node.style, node.tag)
        except BadValueError as error:
            help_ = "Put the value in quotes, or write one that JSON has."
            self.problems.add("bad-value", str(error), help_, node.span)
            return None

    def _bounds(self, event: Any) -> tuple[int, int]:
        """The offsets of an event in the file's text."""
        base = self._source.start
        return event.start_mark.index + base, event.end_mark.index + base

    def _content(self, start: int, end: int) -> int:
        """The start of the content, after anchor, tag and comments."""
        properties = _PROPERTIES.match(self._source.text, start, end)
        return properties.end() if properties else start

    def _open(self, event: Any) -> None:
        kind: NodeKind = "mapping" if isinstance(event, yaml.MappingStartEvent) else "sequence"
        if len(self._stack) >= MAX_DEPTH:
            start = event.start_mark.index + self._source.start
            raise _too_deep(start)
        self._stack.append(_Frame(kind, event))

    def _close(self, event: Any) -> None:
        frame = self._stack.pop()
        opening, nodes = frame.event, tuple(frame.nodes)
        start = opening.start_mark.index + self._source.start
        end = event.end_mark.index + self._source.start
        style: NodeStyle = "flow" if opening.flow_style else "block"
        if opening.tag or opening.anchor:
            start = self._content(start, end)
        if style == "block":  # libyaml's end is the start of what follows
            end = nodes[-1].end if nodes else start
        else:
            self._question_marks(nodes)
        shape = (style, start, end, opening.tag or "", opening.anchor or "", "")
        if frame.kind == "sequence":
            self._add(YamlNode("sequence", *shape, items=nodes), frame.values, frame.size)
            return
        pairs = tuple(zip(nodes[::2], nodes[1::2], strict=True))
        mapping = self._mappings.build(pairs, frame.values[::2], frame.values[1::2])
        node = YamlNode("mapping", *shape, pairs=pairs, entries=mapping.entries)
        self._add(node, mapping.value, frame.size)

    def _alias(self, event: Any) -> None:
        name = event.anchor
        start, end = self._bounds(event)
        if name not in self._anchors:
            raise self._alias_refusal(name, Span(start, end))
        self.aliased = True
        target, value, size = self._anchors[name]
        node = YamlNode("alias", "plain", start, end, target=target)
        self._charge(size, node)
        self._add(node, value, size)

    def _alias_refusal(self, name: str, place: Span) -> Refused:
        is_open = any(frame.event.anchor == name for frame in self._stack)
        name = one_line(name)
        if is_open:
            message = f"`*{name}` is inside `&{name}`, so the value contains itself"
            return Refused("alias-cycle", message, "Write the value out.", place)
        message = f"`*{name}` refers to an anchor `&{name}` that is not defined above it"
        help_ = "Add the anchor, or put the value in quotes if it is a text."
        return Refused("undefined-alias", message, help_, place)

    def _charge(self, size: int, node: YamlNode) -> None:
        """Count the nodes that an alias adds, before they are merged or walked."""
        self._budget.aliased -= size
        if self._budget.aliased < 0:
            message = f"aliases make more than {MAX_ALIASED} nodes of this file when expanded"
            raise Refused("alias-bomb", message, "Write fewer aliases.", node.span)

    def _add(self, node: YamlNode, value: Value, size: int) -> None:
        self._budget.nodes -= 1
        if self._budget.nodes < 0:
            message = f"the file holds more than {MAX_NODES} values"
            raise Refused("too-large", message, "Split the file.", node.span)
        if node.kind != "alias" and node.anchor:
            self._name(node, value, size)
        if self._stack:
            frame = self._stack[-1]
            frame.nodes.append(node)
            frame.values.append(value)
            frame.size += size
        else:
            self.root, self.value = node, value

    def _name(self, node: YamlNode, value: Value, size: int) -> None:
        """Record the node of an anchor: of two with the same name, the one that begins last."""
        previous = self._anchors.get(node.anchor)
        if previous is None or previous[0].start < node.start:
            self._anchors[node.anchor] = (node, value, size)


def _too_deep(start: int) -> Refused:
    """The refusal of a document that nests too many collections, from an offset in the file on."""
    message = f"collections are nested more than {MAX_DEPTH} deep"
    return Refused("too-deep", message, "Flatten the document.", Span(start, start + 1))


_HANDLERS: dict[type, Callable[[Composer, Any], None]] = {
    yaml.DocumentStartEvent: Composer._document,
    yaml.ScalarEvent: Composer._scalar,
    yaml.AliasEvent: Composer._alias,
    yaml.SequenceStartEvent: Composer._open,
    yaml.MappingStartEvent: Composer._open,
    yaml.SequenceEndEvent: Composer._close,
    yaml.MappingEndEvent: Composer._close,
}
