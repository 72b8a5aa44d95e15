"""The expressions of a kind by role, as Flux has them, also where Flux needs no entry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from celvet.lint.suggest.suggestion import Suggestion
from celvet.schemas import KindFacts
from celvet.schemas.facts import meaning_of

_CONDITION = "has(status.conditions) && status.conditions.exists(c, {})"
_TRUE = "c.type == '{}' && c.status == 'True'"
_UNREADY = "!(has(status.conditions) && status.conditions.exists(c, {}))"
_CONVENTIONS = {
    "inProgress": _CONDITION.format(_TRUE.format("Reconciling")),
    "failed": _CONDITION.format(_TRUE.format("Stalled")),
}
_READY = {"current": _CONDITION.format(_TRUE.format("Ready"))}
_NOT_UNREADY = {"current": _UNREADY.format("c.type == 'Ready' && c.status != 'True'")}
"""What kstatus makes of the conditions of the API conventions; no `Ready` is ready as well."""


def role_choices(suggestion: Suggestion, facts: KindFacts) -> Iterator[Mapping[str, str]]:
    """Expressions by role, the best first.

    They are the entry; without one, that an object is ready at once,
    if it is never seen coming up, and the conditions of the API
    conventions; then the conditions and phases that mean that an object is ready: all, any, and
    each alone.
    """
    if suggestion.entry:
        yield suggestion.entry
    else:
        if all(state.stage != "coming" for state in suggestion.life):
            yield {"current": "true"}
        if "Ready" in facts.conditions:
            yield {**_CONVENTIONS, **_READY}
            yield {**_CONVENTIONS, **_NOT_UNREADY}
    ready, suspended = ([*_meaning(facts, word)] for word in ("current", "suspended"))
    failures = _either([*_meaning(facts, "failed")])
    failed = {"failed": failures} if failures else {}
    for texts in (ready, [_either(ready)], *([text] for text in ready)):
        if ready:
            yield {"current": " && ".join(texts), **failed}
            yield {"current": _either([" && ".join(texts), *suspended]), **failed}


def _either(texts: list[str]) -> str:
    return " || ".join(f"({text})" if len(texts) > 1 else text for text in texts)


def _meaning(facts: KindFacts, meaning: str) -> Iterator[str]:
    """An expression for each condition and phase with a value of this meaning."""
    for kind, claim in facts.conditions.items():
        for status in ("True", "False"):
            if test := _status_test(claim.get(status), meaning):
                is_so = f"c.type == '{kind}' && c.status == '{status}'"
                yield _CONDITION.format(f"{is_so}{test.rstrip()}")
    for phase in facts.phases:
        values = [*map(repr, phase.values_for(meaning))]
        if values and "[" not in phase.path:
            yield f"has({phase.path}) && {phase.path} in [{', '.join(values)}]"


def _status_test(claim: Any, meaning: str) -> str:
    """How to tell a status of a condition with this meaning: `true` is enough, or by its reason."""
    if meaning_of(claim) == meaning:
        return " "
    words = claim.get("reasons", {}) if isinstance(claim, Mapping) else {}
    reasons = [reason for reason, word in words.items() if meaning_of(word) == meaning]
    texts = ", ".join(map(repr, reasons))
    return f" && has(c.reason) && c.reason in [{texts}]" if reasons else ""
