"""The CEL library: environments, parsing, type checking and programs.

`cel_expr_python` is a binding of cel-cpp. Only this module imports it, and
importing it takes some ten milliseconds, so nothing imports this one before an
expression is compiled. Environments are built once for a dialect's libraries
and variables.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from cel_expr_python import cel  # type: ignore[import-untyped]

from celvet.lint.cel.engine import proto as wire
from celvet.lint.cel.engine.configuration import configuration, own_functions
from celvet.lint.cel.engine.outcome import NESTED
from celvet.lint.cel.engine.structs import as_messages, descriptor_pool
from celvet.lint.cel.functions.go_functions import CUT, IMPLEMENTATIONS, LONG, Implementation
from celvet.lint.cel.functions.library_functions import OWN, PAIR_FUNCTIONS, implementation
from celvet.regex import regex
from celvet.schemas.dialect import Dialect, Struct
from celvet.schemas.library import library

_COMPLAINT = regex(r"^(?:INVALID_ARGUMENT: )?ERROR: <input>:(-?\d+):(-?\d+): (.*)", re.MULTILINE)
_RAW = regex(r"[bB]?[rR](?P<quote>\"{3}|'{3}|[\"']).*?\\(?P=quote)", re.DOTALL)
_STATUS = regex(r"^[A-Z_]+: | \[[A-Z_]+\]$")
_LIMITS = regex(r"recursion depth|recursion limit|node count exceeded")


View: TypeAlias = Any
"""The engine's view of variables: it converts each when it is first read."""


class BeyondLimits(Exception):  # noqa: N818 - not an error of the expression
    """A limit of the engine, lower than cel-go's, prevents an answer; the message says which."""


class Failed(Exception):  # noqa: N818 - the expected end of many an evaluation
    """An evaluation failed; the text is the engine's."""


class TooManyIterations(Exception):  # noqa: N818 - not an error of the expression
    """An evaluation exceeded the engine's limit on iterations."""


class EngineIssue(NamedTuple):
    """An error that the engine reports for a text; `offset` in code points."""

    offset: int
    message: str


class EngineProgram:
    """A tree ready to be evaluated."""

    def __init__(self, expression: cel.Expression) -> None:
        self._expression = expression

    def run(self, view: View) -> Any:
        """The value, plain, as `celvet.lint.cel.engine.outcome.Outcome` has it.

        Raises `Failed`, and `TooManyIterations` for loops beyond the engine's limit.
        """
        try:
            value = self._expression.eval(activation=view)
        except (RuntimeError, ValueError, TypeError) as error:
            raise _failure(str(error)) from None
        if value.type() == cel.Type.ERROR and not _is_optional(value):
            raise _failure(str(value.value()))
        return _plain_value(value)


def _is_optional(value: cel.Value) -> bool:
    """Whether this is an optional, which the binding can neither name nor convert."""
    try:
        value.value()
    except TypeError:
        return True
    return False


def _plain_value(value: cel.Value) -> Any:
    # `value()` of a null releases a reference to None that the binding does not own. Before Python
    # 3.12, which made None immortal, the process dies once they are used up.
    if value.type() == cel.Type.NULL:
        return None
    # `plain_value()` of the binding ends the process on an optional within a map.
    try:
        content = value.value()
    except TypeError:
        return "optional"
    if isinstance(content, list):
        return [_plain_value(item) for item in content]
    if isinstance(content, dict):
        # The engine's maps have no order of their own.
        items = sorted(content.items(), key=lambda item: repr(item[0]))
        return {key: _plain_value(item) for key, item in items}
    if isinstance(content, bytearray):
        return bytes(content)
    return str(content) if isinstance(content, cel.Type) else content


def _failure(message: str) -> Failed | TooManyIterations:
    """The message as an exception, without the status codes around it."""
    reason = _STATUS.sub("", message)
    return TooManyIterations(reason) if reason == LONG else Failed(reason)


def parse(text: str, dialect: Dialect) -> list[EngineIssue]:
    """The syntax errors of `text`; raises `BeyondLimits`."""
    outcome = _compile(text, _environment(dialect.libraries, ()), checked=False)
    return outcome if isinstance(outcome, list) else []


def check(text: str, dialect: Dialect) -> wire.Message | list[EngineIssue]:
    """The type-checked `CheckedExpr`, or the errors; raises `BeyondLimits`."""
    cross_type = "CrossTypeNumericComparisons" in dialect.options
    variables = tuple(dialect.variables.items())
    environment = _environment(dialect.libraries, variables, dialect.structs, cross_type=cross_type)
    outcome = _compile(text, environment, checked=True)
    if isinstance(outcome, list):
        return outcome
    try:
        return wire.unpack(outcome.serialize())
    except wire.TooDeep:
        raise BeyondLimits(NESTED) from None


def load(expr: wire.Message, libraries: tuple[str, ...]) -> EngineProgram:
    """The program of a tree without types; raises `Failed`, `TooDeep`."""
    message = wire.pack(wire.parsed(expr))
    try:
        return EngineProgram(_environment(libraries, ()).deserialize(message))
    except RuntimeError as error:
        raise _failure(str(error)) from None


def view(variables: Mapping[str, Any], libraries: tuple[str, ...]) -> View:
    """Variables in the form for programs with these libraries; it keeps the values they make."""
    return _environment(libraries, ()).Activation(variables)


@functools.lru_cache(maxsize=128)
def _environment(
    libraries: tuple[str, ...],
    variables: tuple[tuple[str, str], ...],
    structs: tuple[Struct, ...] = (),
    *,
    cross_type: bool = True,
) -> cel.Env:
    declarations = configuration(libraries, cross_type=cross_type, checks=bool(variables))
    return cel.NewEnv(
        descriptor_pool=descriptor_pool(structs) if structs else None,
        config=cel.NewEnvConfigFromYaml(declarations),
        variables={name: _variable_type(kind) for name, kind in variables},
        extensions=[_extension(), *_library_extension(libraries)],
    )


def _variable_type(text: str) -> cel.Type:
    """The type of a variable; `cel.Type` takes a list or map for the name of a message."""
    for opening, make in (("list(", cel.Type.List), ("map(string, ", _map_of)):
        if text.startswith(opening):
            return make(_variable_type(text[len(opening) : -1]))
    return cel.Type(text)


def _map_of(kind: cel.Type) -> cel.Type:
    return cel.Type.Map(cel.Type("string"), kind)


def _library_extension(libraries: tuple[str, ...]) -> Iterator[cel.CelExtension]:
    """The functions of the libraries, under names that an expression cannot spell."""
    functions = own_functions(libraries)
    counts = {
        name: {len(kinds) - 2 for kinds in overloads} for name, overloads in functions.items()
    }
    if any(
        function.binds == 2 for name in libraries for function in library(name).functions.values()
    ):
        counts |= {name: {1} for name in PAIR_FUNCTIONS}
    if not counts:
        return
    # By number of arguments only: types are checked in the functions, with cel-go's messages.
    declarations = []
    for name, sizes in counts.items():
        run = _refuse_cut_texts(implementation(name))
        dyn = cel.Type("dyn")
        declarations.append(
            cel.FunctionDecl(
                OWN + name,
                [
                    cel.Overload(f"{OWN}{name}_{n}", dyn, [dyn] * n, False, run)
                    for n in sorted(sizes)
                ],
            )
        )
    # The engine refuses a second declaration of its own function, but not in an extension.
    for name in functions.keys() & {
        name for source in map(library, libraries) if source.in_engine for name in source.functions
    }:
        rows = [
            cel.Overload(
                f"{OWN}{name}({', '.join(kinds)})",
                _extension_type(result),
                [_extension_type(kind) for kind in kinds],
                style == "method",
                implementation(name),
            )
            for style, *kinds, result in functions[name]
        ]
        declarations.append(cel.FunctionDecl(name, rows))
    yield cel.CelExtension("celvet-libraries", declarations)


def _extension_type(text: str) -> cel.Type:
    """A type without its parameters, which extensions do not take."""
    name = text.partition("(")[0]
    return cel.Type.LIST if name == "list" else cel.Type("dyn" if len(name) == 1 else name)


def _extension() -> cel.CelExtension:
    """Our own functions; an expression cannot spell their names."""
    by_name = itertools.groupby(IMPLEMENTATIONS, lambda function: function.name)
    declarations = [cel.FunctionDecl(name, [*map(_overload, group)]) for name, group in by_name]
    return cel.CelExtension("celvet", declarations)


def _overload(function: Implementation) -> cel.Overload:
    takes = [cel.Type(kind) for kind in function.takes]
    name = f"{function.name}_{'_'.join(function.takes)}"
    run = _refuse_cut_texts(function.run) if "string" in function.gives else function.run
    return cel.Overload(name, cel.Type(function.gives), takes, False, run)


def _refuse_cut_texts(run: Callable[..., Any]) -> Callable[..., Any]:
    """The function with an error for strings that the binding would cut."""

    def checked_run(*args: object) -> Any:
        result = run(*args)
        texts = result if isinstance(result, list) else [result]
        if any(isinstance(text, str) and "\0" in text for text in texts):
            raise ValueError(CUT)
        return as_messages(result)

    return checked_run


def _compile(
    text: str, environment: cel.Env, *, checked: bool
) -> cel.Expression | list[EngineIssue]:
    try:
        return environment.compile(text, disable_check=not checked)
    except RuntimeError as error:
        issues = _issues(str(error), text)
    accepted_text = _respell(text, issues)
    if accepted_text != text:
        return _compile(accepted_text, environment, checked=checked)
    return issues


def _respell(text: str, issues: list[EngineIssue]) -> str:
    """The text, at the same length, without syntax that cel-go accepts and cel-cpp refuses.

    This affects raw strings that end with a backslash, and a dot before the variable of a macro.
    """
    letters = list(text)
    for offset, message in issues:
        raw = _RAW.match(text, offset)
        if message.startswith("Invalid ") and raw:
            letters[raw.end() - len(raw["quote"]) - 1] = "x"
        elif "() variable name" in message and text[offset - 1 : offset] == ".":
            letters[offset - 1] = " "
    return "".join(letters)


def _issues(report: str, text: str) -> list[EngineIssue]:
    """The errors in a report; raises `BeyondLimits`.

    An error without a place is about a limit or follows from another error, so it counts only if it
    is the only one.
    """
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    complaints = _COMPLAINT.findall(report)
    issues = [
        EngineIssue(starts[int(line) - 1] + int(column) - 1, message)
        for line, column, message in complaints
        if 0 < int(line) <= len(starts)
    ]
    other_messages = " ".join(message for line, _, message in complaints if int(line) > len(starts))
    if _LIMITS.search(other_messages if complaints else report):
        raise BeyondLimits(NESTED)
    return issues or [EngineIssue(0, report)]
