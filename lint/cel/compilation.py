"""Compiles expressions, and remembers the results."""

from __future__ import annotations

from celvet.lint.cel.check.outline import outline
from celvet.lint.cel.check.syntax_errors import too_long
from celvet.lint.cel.compiled import Compiled
from celvet.lint.lru_cache import CachedFunction
from celvet.record import field, record, replace
from celvet.schemas.dialect import Dialect

_OPTIONAL = "optional_type("
_MOST_BYTES = 32 * 2**20
_BYTES_A_CHARACTER = 100
"""Bytes of a tree and its cached results, per character of its text; measured."""


def compile_expression(text: str, dialect: Dialect) -> Compiled:
    """Compile `text` as the controller of `dialect` does; never raises.

    The most recent results are cached.
    """
    return _remembered(_CompilationKey(text, dialect))


@record
class _CompilationKey:
    text: str
    dialect: Dialect

    def __hash__(self) -> int:
        return hash((self.text, self.dialect.name))


@record
class _OutlineKey:
    """Equal for all texts of an outline; `text` is the first of them."""

    text: str = field(compare=False)
    outline: str
    dialect: Dialect

    def __hash__(self) -> int:
        return hash((self.outline, self.dialect.name))


def _compiled(key: _CompilationKey) -> Compiled:
    """The compiled text, with the value in an optional where the controller takes it.

    That mirrors `Optional.Value` of cel-go, which is null of one that is empty.
    """
    compiled, dialect = _compiled_alone(key), key.dialect
    takes_optionals = any(kind.startswith(_OPTIONAL) for kind in dialect.results)
    if not (compiled.result_type.startswith(_OPTIONAL) and takes_optionals):
        return compiled
    text = f"({key.text}\n).orValue(dyn(null))"
    content = _compiled_alone(_CompilationKey(text, replace(dialect, late=True)))
    return replace(compiled, content=content)


def _compiled_alone(key: _CompilationKey) -> Compiled:
    """Accepted like the first text of the outline, or else compiled on its own."""
    text, dialect = key.text, key.dialect
    if refusals := too_long(text):
        return Compiled(text, dialect, refusals)
    if dialect.structs:  # the names of fields matter, which an outline leaves out
        return _gated(key)
    outline_result = _first(_OutlineKey(text, outline(text, dialect.libraries), dialect))
    if outline_result.text == text:
        return outline_result
    if outline_result.refusals or not outline_result.analysed:
        return _gated(key)
    return Compiled(text, dialect, result_type=outline_result.result_type, first=outline_result)


def _gated(key: _CompilationKey | _OutlineKey) -> Compiled:
    from celvet.lint.cel.gates import run_gates  # loads the engine, which many runs do not need

    return run_gates(key.text, key.dialect)


def _bytes(compiled: Compiled) -> int:
    return 2_048 + _BYTES_A_CHARACTER * len(compiled.text)


_first: CachedFunction[_OutlineKey, Compiled] = CachedFunction(_gated, _bytes, _MOST_BYTES)
_remembered = CachedFunction(_compiled, _bytes, _MOST_BYTES)
