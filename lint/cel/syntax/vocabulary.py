"""The functions that Flux's CEL has, by library, and how cel-go dispatches them.

Read off the dispatcher that cel-go 0.26.1 builds for Flux's environment. At a
site that is only parsed, cel-go looks a function up by its name alone, whether
it is written `size(x)` or `x.size()`; what counts is how many arguments its
implementation takes, the target among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from celvet.lint.cel.syntax.tree import Call, Node, qualified

TYPES = frozenset(
    {"bool", "bytes", "double", "int", "list", "map", "null_type", "optional_type", "string"}
    | {"type", "uint"}
)
"""Names of types; a variable of the same name hides one."""

_WRAPPERS = ("Bool", "Bytes", "Double", "Float", "Int32", "Int64", "String", "UInt32", "UInt64")

VALUED = frozenset({f"google.protobuf.{name}" for name in ("Duration", "Empty", "Timestamp")})
"""The messages whose names are values, being types."""

MESSAGES = VALUED | {f"google.protobuf.{name}" for name in ("Any", "ListValue", "Struct", "Value")}
MESSAGES |= {f"google.protobuf.{name}Value" for name in _WRAPPERS}
"""The messages that `Name{}` may build; every other is refused at program time."""

CONVERSIONS = frozenset(
    {"bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"}
)
"""Functions that cel-go works out at program time when their argument is constant."""

_TABLE = """
base      function  any   bool bytes double duration int string timestamp uint
base      function  1     dyn type
base      either    1     size
base      either    2     matches
base      method    2     contains endsWith startsWith
base      method    any   getDate getDayOfMonth getDayOfWeek getDayOfYear getFullYear getHours
base      method    any   getMilliseconds getMinutes getMonth getSeconds
strings   method    1     lowerAscii reverse trim upperAscii
strings   method    2     charAt
strings   method    any   format indexOf join lastIndexOf replace split substring
strings   function  1     strings.quote
sets      function  2     sets.contains sets.equivalent sets.intersects
encoders  function  1     base64.decode base64.encode
optional  function  any   optional.none
optional  function  1     optional.of optional.ofNonZeroValue optional.unwrap
optional  method    1     first hasValue last unwrapOpt value
optional  method    some  or orValue
"""
"""Library, style in the engine, arguments (the target among them), names.

`some`: cel-go has no implementation of its own, and plans any call with arguments.
"""


@dataclass(frozen=True, slots=True)
class Function:
    """A function of a library; `style` is how it is declared, `takes` how it is planned."""

    name: str
    style: str
    takes: str

    def plannable(self, count: int) -> bool:
        """Whether cel-go plans a call with `count` arguments, the target among them."""
        if self.takes == "some":
            return count > 0
        return self.takes == "any" or count == int(self.takes)


@lru_cache(maxsize=16)
def functions(libraries: tuple[str, ...]) -> Mapping[str, Function]:
    """Every function of the standard library and of these libraries, by name."""
    rows = (line.split() for line in _TABLE.strip().splitlines())
    return {
        name: Function(name, style, takes)
        for library, style, takes, *names in rows
        if library in ("base", *libraries)
        for name in names
    }


def namespaces(libraries: tuple[str, ...]) -> frozenset[str]:
    """What stands before the dot of functions such as `sets.contains`."""
    return frozenset(name.partition(".")[0] for name in functions(libraries) if "." in name)


def resolve(call: Call, known: Mapping[str, Function]) -> tuple[str, tuple[Node, ...]]:
    """The name that cel-go looks up, and the arguments, a target first.

    `sets.contains(a, b)` is a function of that name, not a method of `sets`.
    """
    name = call.function.removeprefix(".")
    if call.target is None:
        return name, call.args
    prefix = qualified(call.target).removeprefix(".")
    if prefix and f"{prefix}.{name}" in known:
        return f"{prefix}.{name}", call.args
    return name, (call.target, *call.args)


def is_operator(function: str) -> bool:
    """Whether this is the CEL name of an operator, rather than of a function."""
    return not function.replace(".", "").isidentifier()
