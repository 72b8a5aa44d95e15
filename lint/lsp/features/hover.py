"""Hover: what is known about the place under the cursor, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel import Compiled
from celvet.lint.cel.engine.structs import PACKAGE
from celvet.lint.cel.syntax.lexer import Token, scan
from celvet.lint.cel.syntax.tree import Call, Ident, Macro, Node, Select, dotted_path, walk
from celvet.lint.cel.syntax.vocabulary import functions, resolve
from celvet.lint.crds import Structural
from celvet.lint.explain.output import FORMATS
from celvet.lint.list_item import item
from celvet.lint.lsp.features.fields import Steps, comparisons, steps
from celvet.lint.lsp.features.function_docs import describe_function, function_docs
from celvet.lint.lsp.features.key_docs import describe_key
from celvet.lint.lsp.features.kind_words import words_of
from celvet.lint.lsp.features.trials import check_pages_of
from celvet.lint.lsp.state.analysis import Analysis, Spot
from celvet.lint.model import Span, field_pattern
from celvet.lint.suggest.from_catalog import of_facts
from celvet.lint.suggest.suggestion import Suggestion
from celvet.record import record

_MOST_VALUES = 12
_OF_KIND = frozenset({"apiVersion", "kind"})


@record
class Hover:
    """A text in Markdown and what it is about, as offsets in the document."""

    markdown: str
    extent: Span


def hover(analysis: Analysis, offset: int) -> Hover | None:
    """The text for an offset of a document, or None.

    In an expression: the word under the cursor, then the verdicts of the check over the life of an
    object. At the kind of an entry: what the catalogue knows of it. At a key: what it is for.
    """
    spot = analysis.spot_at(offset)
    if spot is None:
        key = describe_key(analysis, offset)
        return Hover(*key) if key else _hover_kind(analysis, offset)
    program = spot.expression.program
    word = None
    if isinstance(program, Compiled):
        token = _token_at(program.text, spot.index_in_text(offset))
        word = _WordHover(spot, program).hover(token) if token else None
    parts = [*([word.markdown] if word else []), *_table(spot)]
    if not parts:
        return None
    return Hover("\n\n---\n\n".join(parts), word.extent if word else spot.extent)


def _hover_kind(analysis: Analysis, offset: int) -> Hover | None:
    """What the catalogue says of the kind that a check names at an offset."""
    for obj in analysis.result.checked:
        for check in obj.checks:
            for key in _OF_KIND & check.value.keys():
                extent = analysis.extent(obj.place((*check.path, key)))
                if extent.start <= offset <= extent.end and (facts := obj.facts_of(check)):
                    return Hover(_describe_kind(of_facts(facts)), extent)
    return None


def _describe_kind(suggestion: Suggestion) -> str:
    entry = "\n".join(item(suggestion.fields))
    code_blocks = (f"```yaml\n{entry}\n```",) if suggestion.entry else ()
    return "\n\n".join(
        (f"{suggestion.kind}, {suggestion.basis}", *code_blocks, *suggestion.reasons)
    )


def _token_at(text: str, index: int) -> Token | None:
    words = (token for token in scan(text) if token.kind in ("ident", "quoted", "string"))
    return next((token for token in words if token.start <= index <= token.end), None)


@record
class _WordHover:
    """Explains the words of an expression."""

    spot: Spot
    program: Compiled

    def hover(self, token: Token) -> Hover | None:
        """A function, a macro, a field or a value that it is compared with.

        In a text that cannot be parsed, only the first two; nothing for nesting deeper than anybody
        writes.
        """
        try:
            text = self._text(token)
        except RecursionError:
            return None
        return Hover(text, self.spot.offsets_of(Span(token.start, token.end))) if text else None

    def _text(self, token: Token) -> str:
        dialect = self.program.dialect
        if self.program.tree is None:
            return (
                describe_function(token.text, dialect)
                if token.text in function_docs(dialect)
                else ""
            )
        if token.kind == "string":
            return self._describe_value(token)
        node = _node_named(self.program.tree, token)
        if isinstance(node, Macro):
            return describe_function(node.name, dialect)
        if isinstance(node, Call):
            return self._describe_function(node)
        path = steps(node, self.program.tree, dialect) if node else None
        return self._describe_field(path) if path else ""

    def _describe_function(self, call: Call) -> str:
        dialect = self.program.dialect
        name = resolve(call, functions(dialect.libraries))[0]
        full = f"{dotted_path(call.target)}.{name}" if call.target else name
        return describe_function(full, dialect) or describe_function(name, dialect)

    def _describe_value(self, token: Token) -> str:
        """The meaning of a value in the status of a kind in the catalogue."""
        facts = self.spot.checked_object.facts_of(self.spot.check)
        if facts is None or self.program.tree is None:
            return ""
        for path, text, span in comparisons(self.program.tree, self.program.dialect):
            meaning = words_of(facts).get(path, {}).get(text, "")
            if meaning and span.start == token.start:
                title = f"`{text}` of {facts.title}, {facts.project} {facts.release}"
                return f"{title}\n\n{meaning}"
        return ""

    def _describe_field(self, path: Steps) -> str:
        schema = self.spot.checked_object.schema_of(*self.spot.expression.objects)
        nodes = schema.at(*path) if schema else ()
        if schema is None or not nodes:
            return ""
        title = f"`{field_pattern(path)}` of {schema.group_kind}: {_type(nodes[0])}"
        return "\n\n".join([title, *_description(nodes[0])])


def _node_named(root: Node, token: Token) -> Node | None:
    """The node whose name a token is."""
    span = Span(token.start, token.end)
    for node in walk(root):
        if isinstance(node, Select | Call | Macro) and node.at == span:
            return node
        if isinstance(node, Ident) and node.span.end == span.end and node.name.endswith(token.text):
            return node
    return None


def _type(node: Structural) -> str:
    of = f" of {node.items.type}" if node.type == "array" and node.items.type else ""
    return f"{node.type}{of}" if node.type else "of any type"


def _description(node: Structural) -> Iterator[str]:
    description = node.schema.get("description")
    if isinstance(description, str) and description.strip():
        yield description.strip()
    if node.values:
        values = ", ".join(f"`{text}`" for text in node.values[:_MOST_VALUES])
        yield f"One of {values}{', ...' if len(node.values) > _MOST_VALUES else ''}."


def _table(spot: Spot) -> Iterator[str]:
    """The page of the check, or what its dialect is; the type of an expression in no check."""
    if spot.expression not in spot.check.expressions:
        program = spot.expression.program
        if isinstance(program, Compiled) and program.result_type:
            yield f"`{program.text}`: `{program.result_type.replace(f'{PACKAGE}.', '')}`"
        return
    alone = check_pages_of(spot.analysis, spot.checked_object, spot.check)
    check_pages = [page for page in alone if page.lines]
    if check_pages:
        yield FORMATS.renderer("markdown")(check_pages, False)
    elif not isinstance(spot.expression.program, Compiled):
        yield spot.expression.dialect.description
