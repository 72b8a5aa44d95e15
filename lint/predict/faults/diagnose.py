"""All faults of a check, one diagnosis for each cause."""

from __future__ import annotations

from functools import lru_cache

from celvet.lint.predict.faults.diagnosis import Diagnosis
from celvet.lint.predict.faults.life import buried, known, unwritten
from celvet.lint.predict.faults.premature import premature
from celvet.lint.predict.faults.shadowed import blocked, hidden, negation, never, vacuous
from celvet.lint.predict.faults.stale import stale, unguarded
from celvet.lint.predict.model import CheckModel
from celvet.lint.predict.truth_table import Table, table


def diagnose(model: CheckModel) -> tuple[Diagnosis, ...]:
    """The diagnoses, the gravest first; of two for one cause, only the graver.

    An expression that is never true has no other fault, and one that fails an
    object too early is not reported as the negation of the other as well.
    """
    return _diagnosed(table(model))


@lru_cache(maxsize=64)
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
        # Where the life is known it has said already what comes too early.
        between = () if facts or failed in early_roles else tuple(negation(of))
        if between:
            found = [each for each in found if each.role != failed]
        covered = tuple(buried(of, facts) if facts else ()) or tuple(hidden(of))
        found += [*between, *covered, *vacuous(of), *blocked(of)]
    return (*found, *stale(of), *unguarded(of))
