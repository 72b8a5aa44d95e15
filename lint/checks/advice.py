"""The catalogue's facts about the kind under a check, as help and notes of findings."""

from __future__ import annotations

from celvet.lint.checks.check import Check
from celvet.lint.checks.checked_object import CheckedObject
from celvet.lint.model import Related
from celvet.schemas import KindFacts
from celvet.schemas.kind_files import BUILT_IN_GROUPS


def well_judged(checked: CheckedObject, check: Check) -> str:
    """Why kstatus is right about a kind without an entry; empty if it is not."""
    group = check.named.group
    # The core group has the version `v1` only.
    if group in BUILT_IN_GROUPS and (group or check.value.get("apiVersion") == "v1"):
        return "a built-in kind"
    facts = checked.facts_of(check)
    return "one of Flux's own kinds" if facts and facts.kstatus == "flux" else ""


def recommended(
    checked: CheckedObject, check: Check, role: str, other: str = "", *, doubtful: bool = False
) -> str:
    """The recommended expressions for one or two roles, as help.

    Empty for a kind without facts. A `doubtful` expression may be intended.
    """
    facts = checked.facts_of(check)
    if facts is None:
        return ""
    if not facts.entry:
        advice = (
            f"remove the entry: {checked.controller} judges a `{facts.kind}` correctly without one"
        )
    elif other:
        advice = f"{_put(facts, role, f'{role}: ')} and {_put(facts, other, f'{other}: ')}"
    elif role in facts.entry or facts.fails:
        advice = _put(facts, role)
    else:
        advice = f"remove `{role}`: the kind has no state of failure"
    return sentence(f"keep it if that is meant, or {advice}" if doubtful else advice)


def sources(
    checked: CheckedObject, check: Check, role: str, state: str, verdict: str
) -> tuple[Related, ...]:
    """Notes on a wrong verdict in a state of the kind's life: the reason and its source."""
    facts = checked.facts_of(check)
    if facts is None:
        return ()
    pitfall = facts.pitfall(state, verdict)
    notes = [pitfall.says] if pitfall and pitfall.says else []
    notes += [
        f"{each.repository} {each.release}, {each.path}: {each.says}"
        for each in facts.sources(state)
    ]
    where = checked.at_role(check, role)
    return tuple(Related(note, where) for note in notes)


def _put(facts: KindFacts, role: str, key: str = "") -> str:
    text = " ".join(facts.entry.get(role, "").split())
    return f"write `{key}{text}`" if text else f"remove `{role}`"


def sentence(hint: str) -> str:
    """A hint, `write x`, as the help of a finding: `Write x.`."""
    return f"{hint[0].upper()}{hint[1:]}." if hint else ""
