"""An expression always takes precedence over another one of the same entry.

## What

- `inProgress` or `failed` is true whenever `current` is true.
- `inProgress` is true whenever `failed` is true, except for ready objects; or whenever one of
  the operands of `||` in `failed` is.
- `failed` is true whenever `current` is not.

An entry is reported only if a complete search found no counterexample.

## Why

Flux tries `inProgress`, `failed` and `current` in this order, and the first true one
decides. An expression never decides if an earlier one is always true as well: the object never
becomes ready, or Flux waits for a failed object until the timeout. And a `failed` that is
the opposite of `current` fails the reconciliation in every state in between.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: databases}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: status.phase != 'Ready'
      current: status.phase == 'Ready'
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: status.phase == 'Failed'
      current: status.phase == 'Ready'
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.checks.advice import sources
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import advice, diagnoses, fix, rule_diagnoses
from celvet.lint.predict.faults.diagnosis import (
    AllHidden,
    BothInLife,
    Negation,
    OperandHidden,
    Shadowed,
    known_state,
)
from celvet.lint.rules.shared.timing import retry_note, timeout_note
from celvet.lint.safe_text import one_line

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report expressions that keep another one from its verdict."""
    entries: tuple[tuple[Check, Shadowed | Negation], ...] = (
        *diagnoses(checked, Shadowed),
        *diagnoses(checked, Negation),
    )
    for entry, diagnosis in entries:
        fact, consequence, help_ = _explanation(diagnosis, entry)
        # Nothing is lost where the kind never fails.
        is_idle = False
        if isinstance(diagnosis, Shadowed) and entry.role(diagnosis.hidden_role).answer == "Failed":
            facts = checked.facts_of(entry)
            is_idle = facts is not None and not facts.fails
            consequence = f"`{diagnosis.hidden_role}` has no effect" if is_idle else consequence
        where = checked.at_role(entry, diagnosis.role)
        is_failure = entry.role(diagnosis.role).answer == "Failed"  # ends the wait at once
        note = retry_note if is_failure else timeout_note
        yield Finding(
            message=f"{fact}, so {consequence}",
            where=where,
            help=advice(checked, entry, diagnosis) or help_,
            related=(
                *(() if is_idle else note(checked, where)),
                *sources(checked, entry, diagnosis.role, known_state(diagnosis)),
            ),
            counterexample=diagnosis.row.counterexample,
            severity=Severity.INFO if is_idle else None,
            fix=fix(checked, entry, diagnosis),
            cause=diagnosis.cause,
        )
    yield from _rule_findings(checked)


def _explanation(diagnosis: Shadowed | Negation, entry: Check) -> tuple[str, str, str]:
    """What is wrong, the consequence, and help."""
    role = diagnosis.role
    if isinstance(diagnosis, Negation):
        fact = f"`{role}` is true whenever `{diagnosis.current_role}` is not"
        consequence = "every state in between fails the reconciliation"
        help_ = f"List the values that mean failure; if the kind has none, remove `{role}`."
        return fact, consequence, help_
    hidden_role = diagnosis.hidden_role
    help_ = f"Make `{role}` false for the objects that `{hidden_role}` describes."
    match diagnosis.proof:
        case BothInLife():
            fact = f"`{role}` is true of a failed `{entry.named.kind}`, as `{hidden_role}` is"
            return fact, "only the timeout reports it", ""
        case OperandHidden(operand=operand):
            fact = f"`{role}` is true whenever `{one_line(operand)}` of `{hidden_role}` is"
            return fact, "only the timeout tells", f"Make `{role}` false for these objects."
        case AllHidden(unless=""):
            fact = f"`{role}` is true whenever `{hidden_role}` is"
            return fact, "no object ever becomes ready", help_
        case AllHidden(unless=unless):
            fact = f"`{role}` is true whenever `{hidden_role}` is true and `{unless}` is not"
            return fact, "only the timeout tells", help_
        case _:
            assert_never(diagnosis.proof)


def _rule_findings(checked: CheckedObject) -> Iterator[Finding]:
    for place, diagnosis in rule_diagnoses(checked, "never healthy"):
        yield Finding(
            message="no object is ever Healthy: each satisfies an unhealthy matcher as well",
            where=checked.place(place),
            help="Change the unhealthy matchers so that a healthy object does not satisfy them.",
            counterexample=diagnosis.counterexample,
        )
