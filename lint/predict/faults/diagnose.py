"""All faults of a check, one diagnosis for each cause."""

from __future__ import annotations

from collections.abc import MutableMapping
from weakref import WeakKeyDictionary

from celvet.lint.predict.check_model import CheckModel
from celvet.lint.predict.faults.diagnosis import Diagnosis
from celvet.lint.predict.faults.life import buried, explained, known, outdated
from celvet.lint.predict.faults.premature import premature, stale, unguarded
from celvet.lint.predict.faults.shadowed import blocked, hidden, negation, never, vacuous
from celvet.lint.predict.faults.unwritten import unwritten
from celvet.lint.predict.truth_table import Table, table


def diagnose(model: CheckModel) -> tuple[Diagnosis, ...]:
    """The diagnoses, most severe first; of two for one cause, only the more severe.

    An expression that is never true has no other fault, and one that fails an
    object too early is not reported as the negation of the other as well.
    """
    of = table(model)
    if of not in _KNOWN:
        _KNOWN[of] = _diagnosed(of)
    return _KNOWN[of]


_KNOWN: MutableMapping[Table, tuple[Diagnosis, ...]] = WeakKeyDictionary()
"""The diagnoses of the tables that are remembered."""


def _diagnosed(of: Table) -> tuple[Diagnosis, ...]:
    purpose, failed = of.model.dialect.purpose, of.model.role("Failed")
    impossible = () if purpose == "text" else tuple(never(of))
    facts = known(of)
    if facts:
        silent = {each.role for each in impossible}
        impossible += tuple(each for each in unwritten(of, facts) if each.role not in silent)
    if purpose not in ("health", "readiness"):
        return impossible
    dead = {each.role for each in impossible if each.how != "sometimes stuck"}
    early = tuple(premature(of))
    found = [*impossible, *early]
    if not dead:
        early_roles = {each.role for each in early if each.how != "stage"}
        covered = tuple(buried(of)) or tuple(hidden(of))
        # a known life has already shown which verdicts come too early
        told = facts or failed in early_roles or any(each.role == failed for each in covered)
        between = () if told else tuple(negation(of))
        if between:
            found = [each for each in found if each.role != failed]
        empty = tuple(vacuous(of))
        waits = {each.role for each in empty}
        found = [x for x in found if not (x.how == "sometimes stuck" and x.role in waits)]
        found += [*between, *covered, *empty, *blocked(of)]
    # The entry for a known kind compares the generations as well.
    reported = impossible or [each for each in early if each.how != "hidden"]
    # Where only conditions have a generation, what an expression reads of them shows more.
    in_conditions = facts is not None and facts.generation_in == ("conditions",)
    first, second = (stale, outdated) if in_conditions else (outdated, stale)
    old = () if facts and reported else tuple(first(of)) or tuple(second(of))
    return tuple(explained(of, each) for each in (*found, *old, *unguarded(of)))
