"""The result of one keyword of a schema for one value, and names of values in messages."""

from __future__ import annotations

from typing import Any

from celvet.lint.model import Path, Value
from celvet.lint.safe_text import quoted
from celvet.record import record
from celvet.schemas.kind import Schema


@record
class KeywordResult:
    """The result of a keyword for a value: an annotation or a violation.

    `expectation` is the value of the keyword in the schema, `schema` the mapping
    around it. `detail` is the field that it is about, if any: a missing field, an
    unknown one, or the alternatives that were chosen.
    """

    path: Path
    keyword: str
    expectation: Any
    value: Value
    schema: Schema
    detail: str = ""


def name_of(path: Path) -> str:
    """The name of the value at a path in a message: `current`, `steps[2]`, the document."""
    positions = [index for index, step in enumerate(path) if isinstance(step, str)]
    if not positions:
        return "the document"
    name, *indices = path[positions[-1] :]
    return quoted(f"{name}{''.join(f'[{index}]' for index in indices)}")


def listed(names: list[str]) -> str:
    """Names in backquotes, separated by commas."""
    return ", ".join(map(quoted, names))
