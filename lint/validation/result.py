"""The result of validating an object, and of one keyword for one value."""

from __future__ import annotations

from typing import Any

from celvet.lint.model import Path, Severity, Value
from celvet.lint.rule_ids import SCHEMA_VIOLATION
from celvet.lint.safe_text import in_backquotes
from celvet.record import record
from celvet.schemas import Dialect
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


@record
class Site:
    """A text that a controller reads as an expression.

    `role` is the controller's use of the result. In built-in kinds it is the name of the field; in
    a user's kind the field may have another name.
    """

    path: Path
    text: str
    dialect: Dialect
    role: str


@record
class Mark:
    """A mapping that the catalogue marks as a check (`x-check`).

    `strategy` is what the controller does with it, in the catalogue's word. `objects` says where
    the kind of the objects under check is named, as read by `celvet.lint.checks.object_kind`.
    `dialect` is that of its expressions, None if they name it themselves. `switch` is the field of
    the mapping that switches the check on, empty if it is always on. `namespace` is the field that
    must name a namespace, empty if the controller has a default.
    """

    path: Path
    strategy: str
    objects: str
    dialect: Dialect | None
    switch: str = ""
    namespace: str = ""


@record(kw_only=True)
class Violation:
    """A part that the controller refuses or, with a lower `severity`, misreads.

    `path` leads to the value at fault; with `on_key` its key is meant, as for a value that lacks a
    field. `keyword` is the schema keyword that it breaks, `rule` the id of the rule that reports
    it. `repeated_entry` is the path of the entry that this one repeats, if it does.
    """

    path: Path
    message: str
    help: str
    keyword: str
    on_key: bool = False
    rule: str = SCHEMA_VIOLATION
    severity: Severity = Severity.ERROR
    repeated_entry: Path | None = None


@record(kw_only=True)
class UnknownField:
    """A key that is silently dropped, although it seems to matter.

    `path` ends with the key itself, which is `name`. `suggestion` is the field
    of the same mapping that was probably meant, or empty.
    """

    path: Path
    name: str
    suggestion: str
    message: str
    help: str


@record
class Validation:
    """Everything that the schema says about one object, each part in document order.

    `unread` counts the texts in a language that celvet does not read.
    """

    sites: tuple[Site, ...]
    marks: tuple[Mark, ...]
    violations: tuple[Violation, ...]
    unknown_fields: tuple[UnknownField, ...]
    unread: int = 0


def name_of(path: Path) -> str:
    """The name of the value at a path in a message: `current`, `steps[2]`, the document."""
    positions = [index for index, step in enumerate(path) if isinstance(step, str)]
    if not positions:
        return "the document"
    name, *indices = path[positions[-1] :]
    return in_backquotes(f"{name}{''.join(f'[{index}]' for index in indices)}")


def listed(names: list[str]) -> str:
    """Names in backquotes, separated by commas."""
    return ", ".join(map(in_backquotes, names))
