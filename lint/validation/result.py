"""The result of validating an object."""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.model import Path, Severity
from celvet.lint.rule_ids import SCHEMA_VIOLATION
from celvet.lint.validation.keyword_result import Item, KeywordResult
from celvet.record import field, record
from celvet.schemas import Dialect


@record
class Site:
    """A text that a controller reads as an expression.

    `role` is what the controller uses the result for. In the built-in kinds it
    is the name of the field; a user's kind gives it to a field of another name.
    """

    path: Path
    text: str
    dialect: Dialect
    role: str


@record
class Mark:
    """A mapping that the catalogue marks as a check (`x-check`).

    `strategy` is what the controller does with it, in the catalogue's word.
    `objects` says where the kind of the objects under check is named, as
    `celvet.lint.checks.object_kind` reads it. `dialect` is that of its expressions,
    None if the catalogue leaves it to them. `switch` is the field of the mapping that
    switches the check on, empty if it is always on. `namespace` is the field without which
    the controller looks for an object in no namespace, empty if it then knows one.
    """

    path: Path
    strategy: str
    objects: str
    dialect: Dialect | None
    switch: str = ""
    namespace: str = ""


@record(kw_only=True)
class Violation:
    """Something that the controller refuses, or with a lower `severity` misreads.

    `path` leads to the value at fault; with `on_key` its key is meant, as where
    the value lacks a field. `keyword` is the schema keyword that it breaks,
    `rule` the id of the rule that reports it. `related` is a second place,
    like the entry that this one repeats.
    """

    path: Path
    message: str
    help: str
    keyword: str
    on_key: bool = False
    rule: str = SCHEMA_VIOLATION
    severity: Severity = Severity.ERROR
    related: Path | None = None


@record(kw_only=True)
class UnknownField:
    """A key that is dropped in silence, although it seems to matter.

    `path` ends with the key itself, which is `name`. `suggestion` is the field
    of the same mapping that was probably meant, or empty.
    """

    path: Path
    name: str
    suggestion: str
    message: str
    help: str


@record
class Part:
    """What the schema says about a part of an object.

    `others` are the results that the object as a whole turns into violations and unknown fields.
    """

    sites: tuple[Site, ...]
    marks: tuple[Mark, ...]
    others: tuple[KeywordResult, ...]


@record
class Validation:
    """All that the schema says about one object, each part in document order.

    `items` has what is said of the items of lists, by path, where it is kept for a later version
    of the object.
    """

    sites: tuple[Site, ...]
    marks: tuple[Mark, ...]
    violations: tuple[Violation, ...]
    unknown: tuple[UnknownField, ...]
    items: Mapping[Path, Item[Part]] = field(default_factory=dict, compare=False)
