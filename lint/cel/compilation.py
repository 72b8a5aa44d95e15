"""Compiles expressions, and remembers the results."""

from __future__ import annotations

from celvet.lint.cel.check.syntax_errors import too_long
from celvet.lint.cel.compiled import Compiled
from celvet.lint.lru_cache import CachedFunction
from celvet.record import record
from celvet.schemas.dialect import Dialect

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


def _compiled(request: _CompilationKey) -> Compiled:
    text, dialect = request.text, request.dialect
    if refusals := too_long(text):
        return Compiled(text, dialect, refusals)
    from celvet.lint.cel.gates import run_gates  # loads the engine, which many runs do not need

    return run_gates(text, dialect)


def _bytes(compiled: Compiled) -> int:
    return 2_048 + _BYTES_A_CHARACTER * len(compiled.text)


_remembered = CachedFunction(_compiled, _bytes, _MOST_BYTES)
