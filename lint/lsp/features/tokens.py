"""Semantic tokens: the words of expressions, by what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias
from weakref import WeakKeyDictionary

from celvet.lint.cel import Compiled
from celvet.lint.cel.syntax.lexer import scan
from celvet.lint.cel.syntax.tree import MACROS
from celvet.lint.cel.syntax.vocabulary import functions
from celvet.lint.lru_cache import LruCache
from celvet.lint.lsp.state.analysis import Analysis, Spot
from celvet.lint.model import Span

LEGEND = (
    *("keyword", "macro", "function", "method", "namespace"),
    *("parameter", "variable", "property", "string", "number", "operator"),
)
"""The types of tokens, whose places here are their numbers in the protocol."""

_KINDS = {
    **dict.fromkeys(("in", "true", "false", "null"), "keyword"),
    **dict.fromkeys(("string", "bytes"), "string"),
    **dict.fromkeys(("int", "uint", "float"), "number"),
    **dict.fromkeys(("==", "!=", "<=", ">=", "<", ">", "&&", "||"), "operator"),
    **dict.fromkeys(("!", "?", ":", "+", "-", "*", "/", "%"), "operator"),
}
Token: TypeAlias = tuple[Span, str]
"""A word and its type."""

_latest: WeakKeyDictionary[Analysis, Sequence[Token]] = WeakKeyDictionary()
_placed_words: LruCache[tuple[str, str, tuple[str, ...]], Sequence[Token]] = LruCache(
    lambda words: 200 * (1 + len(words)), 16 * 2**20
)


def tokens(analysis: Analysis) -> Sequence[Token]:
    """The words of a document, each on one line, with their types; kept with the analysis."""
    if analysis not in _latest:
        _latest[analysis] = tuple(_tokens(analysis))
    return _latest[analysis]


def _tokens(analysis: Analysis) -> Iterator[Token]:
    end = 0
    for spot in sorted(analysis.spots(), key=lambda spot: spot.extent):
        program, start = spot.expression.program, spot.extent.start
        if not isinstance(program, Compiled):
            continue
        # To ask for the place of each word takes longest, and most expressions have not changed.
        key = (analysis.text[start : spot.extent.end], program.text, program.dialect.libraries)
        words = _placed_words.get(key)
        if words is None:
            words = tuple(_words_of_spot(spot, program))
            _placed_words.put(key, words)
        for (word_start, word_end), kind in words:
            # Text from a variable has the place of the variable, and some of it may overlap.
            if start + word_start >= end:
                end = start + word_end
                yield Span(start + word_start, end), kind


def _words_of_spot(spot: Spot, program: Compiled) -> Iterator[Token]:
    """The words of an expression by the places where they are written, from its start."""
    for inner_span, kind in _words(program.text, program.dialect.libraries):
        start, end = spot.offsets_of(inner_span)
        # A word may continue on the next line of a block, behind its indentation.
        for line in spot.analysis.text[start:end].splitlines(keepends=True):
            word = line.strip()
            if word:
                begin = start + line.index(word) - spot.extent.start
                yield Span(begin, begin + len(word)), kind
            start += len(line)


def _words(text: str, libraries: tuple[str, ...]) -> Sequence[Token]:
    """The words of an expression that say something, with their types, also of a broken one."""
    tokens = scan(text)
    kinds = ["", *(token.kind for token in tokens), "", ""]
    # `exists(e,` binds `e`
    bound_names = {
        name.text
        for macro, name in zip(tokens, tokens[2:], strict=False)
        if macro.text in MACROS - {"has"} and name.kind == "ident"
    }
    namespaces = {name.partition(".")[0] for name in functions(libraries) if "." in name}
    words = []
    for token, previous, following in zip(tokens, kinds, kinds[2:], strict=False):
        kind = _KINDS.get(token.kind, "")
        if token.kind in ("ident", "quoted"):
            is_member, is_called = previous in (".", "?"), following == "("
            if is_called:
                kind = "macro" if token.text in MACROS else "method" if is_member else "function"
            elif is_member:
                kind = "property"
            elif following == "." and token.text in namespaces:
                kind = "namespace"
            else:
                kind = "parameter" if token.text in bound_names else "variable"
        if kind:
            words.append((Span(token.start, token.end), kind))
    return words
