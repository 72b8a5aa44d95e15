"""The values of the variables in a file: those of its parents, and the configured ones."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.engine.detect import may_hold_checks
from celvet.lint.engine.settings import Settings
from celvet.regex import regex

_VARIABLE = regex(r"\$\{(\w+)")


def substitutions(data: bytes | str, settings: Settings) -> Mapping[str, str]:
    """The values with which a file is read; the configured ones override those of its parents.

    The parents are asked only about a file that may have an expression with a variable.
    """
    if (b"${" if isinstance(data, bytes) else "${") not in data:  # type: ignore[operator]
        return settings.substitutions
    text = data.decode(errors="replace") if isinstance(data, bytes) else data
    if not may_hold_checks(text, settings.catalog):
        return settings.substitutions
    known = settings.surroundings.variables(sorted({*_VARIABLE.findall(text)}))
    return {**known, **settings.substitutions}
