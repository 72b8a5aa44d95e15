"""Strategies: expressions as users write them, expressions of every shape, and broken ones."""

from __future__ import annotations

from hypothesis import strategies as st

_NAMES = st.sampled_from(["status", "spec", "metadata", "a", "x", "int", "self", "e1"])
_FIELDS = st.sampled_from(["phase", "conditions", "x", "type", "size", "for", "in_"])
_NUMBERS = ["0", "1", "-1", "2u", "0x1F", "1.5", "-.5e3", "true", "false", "null"]
_TEXTS = ["'a'", '"é😀"', "''", "b'ab'", r"r'a\d'", "'''x\ny'''", r"'\u00e9\n'", r'b"\x00"']
_LITERALS = st.sampled_from([*_NUMBERS, *_TEXTS])
_BINARY = st.sampled_from(
    ["==", "!=", "<", "<=", ">", ">=", "in", "&&", "||", "+", "-", "*", "/", "%"]
)
_UNARY = st.sampled_from(["!", "!!", "!!!", "-", "--", "- "])
_METHODS = st.sampled_from(["startsWith", "size", "orValue", "unknown", "matches", "format"])
_FUNCTIONS = st.sampled_from(["int", "size", "timestamp", "string", ".f", "unknown", "type"])
_SPACES = st.sampled_from(["", "", " ", "\n", "  // note\n", "\t"])


def _over(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """One step up: every form of the grammar over given parts."""
    args = st.lists(inner, max_size=3).map(", ".join)
    elements = st.lists(st.builds("{}{}".format, st.sampled_from(["", "", "?"]), inner), max_size=3)
    entries = st.lists(
        st.builds("{}{}: {}".format, st.sampled_from(["", "", "?"]), inner, inner), max_size=2
    )
    return st.one_of(
        st.builds("{}{}{}{} {}".format, inner, _SPACES, st.just(" "), _BINARY, inner),
        st.builds("{}({})".format, _UNARY, inner),
        st.builds("{}{}".format, _UNARY, st.one_of(_NAMES, _LITERALS)),
        st.builds("({}{})".format, inner, _SPACES),
        st.builds("({}).{}".format, inner, _FIELDS),
        st.builds("{}.{}".format, _NAMES, _FIELDS),
        st.builds("({}).?{}".format, inner, _FIELDS),
        st.builds("({})[{}{}]".format, inner, st.sampled_from(["", "?"]), inner),
        st.builds("({}).{}({})".format, inner, _METHODS, args),
        st.builds("{}({})".format, _FUNCTIONS, args),
        st.builds("({}) ? ({}) : {}".format, inner, inner, inner),
        st.builds("[{}{}]".format, elements.map(", ".join), st.just("")),
        st.builds("{{{}}}".format, entries.map(", ".join)),
        st.builds("google.protobuf.Int32Value{{value: {}}}".format, inner),
        st.builds("has(({}).{})".format, inner, _FIELDS),
        st.builds("({}).exists(c, {})".format, inner, inner),
        st.builds("({}).map(c, {}, {})".format, inner, inner, inner),
        st.builds("({}).optMap(v, {})".format, inner, inner),
    )


EXPRESSIONS = st.recursive(st.one_of(_NAMES, _LITERALS), _over, max_leaves=8)
"""Texts that parse, nearly always."""

_NOISE = st.sampled_from(list("'\"()[]{},.?:&|!=<>-+*/%$`@#;\\ \n\t~^0ux😀é\x00\ud800“"))


@st.composite
def broken(draw: st.DrawFn) -> str:
    """An expression with a few characters put in, taken out or cut off."""
    text = draw(EXPRESSIONS)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        kept = draw(st.integers(0, 2))
        text = text[:place] + draw(st.one_of(_NOISE, st.just(""))) + text[place + kept :]
    return text


ANY_TEXT = st.one_of(broken(), st.text(max_size=40))
"""Whatever a manifest may hold."""

VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(2**80), 2**80),
        st.floats(),
        st.text(max_size=4),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from(["phase", "type", "x", "conditions"]), inner, max_size=3),
    ),
    max_leaves=6,
)
"""What JSON can hold, and what a YAML file puts in its place."""

OBJECTS = st.dictionaries(st.sampled_from(["status", "spec", "a", "x"]), VALUES, max_size=3)
