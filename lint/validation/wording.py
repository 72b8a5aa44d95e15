"""A broken keyword as a violation: what it says to the user, and how bad it is.

A message is a fact and what follows from it: "`current` is missing; the API
server refuses the object". A schema can give either part, and the help, in its
`x-refusal`; what it leaves out comes from `phrases`.
"""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.model import Severity
from celvet.lint.rule_ids import SCHEMA_VIOLATION
from celvet.lint.validation.inspection import Violation
from celvet.lint.validation.phrases import fact_of, help_of
from celvet.lint.validation.remark import Fault, quoted
from celvet.schemas import Kind

_ABOUT_THE_WHOLE = frozenset(
    ("required", "anyOf", "oneOf", "not", "minItems", "maxItems", "minProperties", "maxProperties")
)
"""Keywords that miss or count something in a value, which may be long: its key is shown."""


def violation(fault: Fault, kind: Kind, dropped: str = "") -> Violation:
    """The violation that a fault is, worded.

    `dropped` is the field around it that is dropped in silence, if there is
    one: then nobody gets to refuse the value, and it is only a warning.
    """
    given: Mapping[str, str] = fault.schema.get("x-refusal", {}).get(fault.keyword, {})
    severity = Severity[given.get("severity", "error").upper()]
    then = given.get("then") or f"{kind.refused_by} refuses the object"
    if dropped and severity is Severity.ERROR:
        severity, then = Severity.WARNING, f"a version that has {quoted(dropped)} refuses it"
    return Violation(
        path=fault.path,
        message=f"{given.get('fact') or fact_of(fault)}; {then}",
        help=given.get("help") or help_of(fault),
        keyword=fault.keyword,
        on_key=_is_key_meant(fault),
        rule=given.get("rule", SCHEMA_VIOLATION),
        severity=severity,
    )


def _is_key_meant(fault: Fault) -> bool:
    return (
        fault.keyword in _ABOUT_THE_WHOLE and fault.path != () and isinstance(fault.path[-1], str)
    )
