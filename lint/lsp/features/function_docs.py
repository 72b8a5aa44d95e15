"""A line of documentation for each function and macro of CEL, for hover and completion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from celvet.lint.cel.check.foreign_functions import look_up
from celvet.lint.cel.syntax.tree import MACROS
from celvet.lint.cel.syntax.vocabulary import functions
from celvet.record import record
from celvet.schemas import Dialect

_TABLE = """
has(x.field) | whether the field is there; the way to it has to be
all(e, test) | whether the test holds for every element; true of an empty list
exists(e, test) | whether the test holds for some element; false of an empty list
exists_one(e, test) | whether the test holds for exactly one element
filter(e, test) | the elements for which the test holds
map(e, value) | the value for each element
optMap(v, value) | the value made of what the optional holds, as an optional
optFlatMap(v, optional) | the optional made of what the optional holds
bool(x) | a text such as "true" as a bool
bytes(text) | a text as bytes
double(x) | a number or a text as a floating-point number
duration(text) | a text such as "1h30m" as a duration
dyn(x) | the value, its type left open
int(x) | a number, a text or a timestamp as an integer
string(x) | a value as a text
timestamp(text) | a text in RFC 3339 as a point in time
type(x) | the type of a value
uint(x) | a number or a text as an unsigned integer
size(x) | the length of a text, list or map
matches(pattern) | whether a regular expression (RE2) is found in the text
contains(part) | whether the text contains another
endsWith(end) | whether the text ends with another
startsWith(start) | whether the text starts with another
getDate() | the day of the month, from 1
getDayOfMonth() | the day of the month, from 0
getDayOfWeek() | the day of the week, 0 for Sunday
getDayOfYear() | the day of the year, from 0
getFullYear() | the year
getHours() | the hour, or a duration in whole hours
getMilliseconds() | the milliseconds within the second
getMinutes() | the minute, or a duration in whole minutes
getMonth() | the month, from 0
getSeconds() | the second, or a duration in whole seconds
lowerAscii() | the text with A to Z in lower case
reverse() | the text backwards
trim() | the text without white space around it
upperAscii() | the text with a to z in upper case
charAt(index) | the character at an index, from 0
format(list) | the text with %s, %d and their like replaced by the elements
indexOf(part) | where another text is found first, or -1
join(separator) | the texts of a list as one
lastIndexOf(part) | where another text is found last, or -1
replace(old, new) | the text with one part replaced by another wherever it is found
split(separator) | the text cut into a list
substring(start, end) | a part of the text, the end left out
strings.quote(text) | the text in double quotes, with escapes
sets.contains(list, part) | whether all elements of the second list are in the first
sets.equivalent(a, b) | whether both lists have the same elements
sets.intersects(a, b) | whether the lists have an element in common
base64.decode(text) | the bytes that a text in Base64 stands for
base64.encode(bytes) | bytes as a text in Base64
json.encode(x) | a value as JSON
optional.none() | an optional that holds nothing
optional.of(x) | an optional that holds a value
optional.ofNonZeroValue(x) | an optional that holds a value unless it is empty or zero
optional.unwrap(list) | what the optionals of a list hold
first() | the first element of a list, as an optional
last() | the last element of a list, as an optional
hasValue() | whether the optional holds something
value() | what the optional holds; an error where that is nothing
unwrapOpt() | what the optionals of a list hold
or(optional) | the optional, or another where it holds nothing
orValue(x) | what the optional holds, or a value where that is nothing
"""
"""The form of a call without a target, and its result."""


@record
class FunctionDoc:
    """A function or macro; `style` is `macro`, `function`, `method` or `either` of the latter."""

    name: str
    parameters: str
    meaning: str
    style: str

    @property
    def signature(self) -> str:
        """The form of a call with its target."""
        has_target = self.style == "method" or (self.style == "macro" and self.name != "has")
        return f"{'x.' if has_target else ''}{self.name}({self.parameters})"

    @property
    def snippet(self) -> str:
        """The text to insert, with a place to fill for each parameter."""
        names = self.parameters.split(", ") if self.parameters else []
        places = ", ".join(f"${{{number}:{name}}}" for number, name in enumerate(names, start=1))
        return f"{self.name}({places})"


def function_docs(dialect: Dialect) -> Mapping[str, FunctionDoc]:
    """The functions and macros of a dialect, by name."""
    return _docs(dialect.libraries)


@cache
def _docs(libraries: tuple[str, ...]) -> Mapping[str, FunctionDoc]:
    vocabulary = functions(libraries)
    docs = {}
    for name, parameters, meaning in _rows():
        if name in vocabulary or name in MACROS:
            style = vocabulary[name].style if name in vocabulary else "macro"
            docs[name] = FunctionDoc(name, parameters, meaning, style)
    return docs


def _rows() -> Iterator[tuple[str, str, str]]:
    for line in _TABLE.strip().splitlines():
        call, _, meaning = line.partition(" | ")
        name, _, parameters = call.partition("(")
        yield name, parameters.removesuffix(")"), meaning


def describe_function(name: str, dialect: Dialect) -> str:
    """The documentation of a function or macro as Markdown; empty for an unknown name."""
    word = function_docs(dialect).get(name)
    if word:
        return f"`{word.signature}`\n\n{word.meaning[0].upper()}{word.meaning[1:]}."
    foreign_function = look_up(name)
    if name in functions(dialect.libraries):
        return f"`{name}` is a function of {foreign_function.library}."
    if not foreign_function.library and not foreign_function.instead:
        return ""
    owner = f": it belongs to {foreign_function.library}" if foreign_function.library else ""
    remedy = (
        f" {foreign_function.instead[0].upper()}{foreign_function.instead[1:]}."
        if foreign_function.instead
        else ""
    )
    return f"The controller has no function `{name}`{owner}.{remedy}"
