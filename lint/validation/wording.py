"""Turns a broken keyword into a violation, with message and severity.

A message is a fact and what follows from it: "`current` is missing; the API
server refuses the object". A schema can give either part, and the help, in its
`x-refusal`; what it leaves out comes from `phrases`.
"""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.model import Severity
from celvet.lint.rule_ids import SCHEMA_VIOLATION
from celvet.lint.validation.inspection import Violation
from celvet.lint.validation.keyword_result import KeywordResult, quoted
from celvet.lint.validation.phrases import fact_of, help_of
from celvet.schemas import Kind

_ABOUT_THE_WHOLE = frozenset(
    ("required", "anyOf", "oneOf", "not", "minItems", "maxItems", "minProperties", "maxProperties")
)
"""Keywords that miss or count something in a value, which may be long: its key is shown."""


def violation(result: KeywordResult, kind: Kind, dropped: str = "") -> Violation:
    """The violation for a result.

    `dropped` is the field around it that the API server drops in silence, if there
    is one: then nothing refuses the value, and it is only a warning.
    """
    given: Mapping[str, str] = result.schema.get("x-refusal", {}).get(result.keyword, {})
    severity = Severity[given.get("severity", "error").upper()]
    then = given.get("then") or f"{kind.refused_by} refuses the object"
    if dropped and severity is Severity.ERROR:
        severity, then = Severity.WARNING, f"a version that has {quoted(dropped)} refuses it"
    return Violation(
        path=result.path,
        message=f"{given.get('fact') or fact_of(result)}; {then}",
        help=given.get("help") or help_of(result),
        keyword=result.keyword,
        on_key=_is_key_meant(result),
        rule=given.get("rule", SCHEMA_VIOLATION),
        severity=severity,
    )


def _is_key_meant(result: KeywordResult) -> bool:
    return (
        result.keyword in _ABOUT_THE_WHOLE
        and result.path != ()
        and isinstance(result.path[-1], str)
    )
