"""An object fails the reconciliation before anything has happened to it.

## What

A `failed` is true in one of these states, which celvet builds from the fields that the
expressions read:

- the status is empty, or there is no condition, or only a condition of another type.
  The usual cause is `filter(...).all(...)`, which is true when nothing matches
- the counters that it compares are still 0
- every phase that it does not name

For many kinds, celvet knows the states from the code of their controllers, and uses those instead.
The finding is an info if the state is an error that the controller retries, or a suspended
object, since the author of the entry may intend that; and for a kind that celvet does not know,
since its objects may never be in the state. Where failing at once is a usual choice for the kind,
as for a ClusterIssuer, an error that is retried is reported only if Flux itself retries later than
it would give up.

## Why

Flux looks at an object right after the apply and then every 5 seconds, and fails the whole
reconciliation at the first `Failed`. An object that would have become healthy a moment
later fails it as well: Flux sends an alert, holds back dependants, and retries after
`retryInterval` (by default, `interval`), or at the next revision. A state that lasts 1 second
fails one rollout in five; one that lasts 5 seconds fails them all.

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
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: has(status.phase) && status.phase == 'Not enough disk space'
      current: has(status.phase) && status.phase == 'Cluster in healthy state'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.model import Confidence, Finding, Related, Severity
from celvet.lint.predict import diagnoses, rule_diagnoses
from celvet.lint.predict.faults.diagnosis import InLife, Premature
from celvet.lint.rules.shared.conditions import early_conditions
from celvet.lint.rules.shared.premature import PrematureWords, premature_finding
from celvet.lint.rules.shared.timing import retry_note
from celvet.record import replace

SEVERITY = Severity.WARNING

_WORDS = PrematureWords(
    in_life={
        "starting": "while the {} is still starting, so a rollout can fail",
        "updating": "while the {} is being updated, so an update can fail",
        "ready": "of a ready {}, so the reconciliation fails",
        "suspended": "while the {} is suspended, so the reconciliation fails",
        "retried": "for an error that its controller retries",
    },
    nothing_matches="so an object can fail while it is starting",
    counters_at_zero=(
        "while nothing is ready yet, so an object fails while it is starting",
        "Name a condition or phase that means failure: every counter starts at 0.",
    ),
    unnamed_stage="even if it is no failure",
    nothing_happened=(
        "before anything has failed, so an object can fail while it is starting",
        "Name the states that mean failure, not the absence of success.",
    ),
    meaning="failure",
)


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report what ends the wait before anything has failed."""
    for entry, diagnosis in diagnoses(checked, Premature):
        if entry.role(diagnosis.role).answer != "Failed":
            continue  # a case for `premature-current`
        is_dear = _is_dear_choice(checked, diagnosis)
        fault = replace(diagnosis, confidence=Confidence.MEDIUM) if is_dear else diagnosis
        finding = premature_finding(checked, entry, fault, _WORDS)
        if is_dear and (field := checked.timing.instead_of):
            help_ = f"Add `{field}: 2m`, or remove `{diagnosis.role}` to await the next try."
            finding = replace(finding, help=help_, fix=None)
        notes = (
            *_other_true(checked, entry, diagnosis),
            *retry_note(checked, finding.where),
            *finding.related,
        )
        yield replace(finding, related=notes)
    yield from _rule_findings(checked)
    yield from early_conditions(checked, failed=True)


def _is_dear_choice(checked: CheckedObject, diagnosis: Premature) -> bool:
    """Whether failing at once costs more time than waiting for what the controller retries."""
    is_retried = isinstance(diagnosis.proof, InLife) and diagnosis.proof.stage == "retried"
    timing = checked.timing
    is_late = bool(timing.retry and timing.timeout and timing.retry > timing.timeout)
    return is_retried and is_late and diagnosis.confidence is Confidence.LOW


def _other_true(checked: CheckedObject, entry: Check, diagnosis: Premature) -> tuple[Related, ...]:
    """A note on the other expression that is true for the same object."""
    if not (diagnosis.also and diagnosis.row.true(diagnosis.also)):
        return ()
    where = checked.at_role(entry, diagnosis.also)
    return (Related(f"`{diagnosis.also}` is true for this object as well", where),)


def _rule_findings(checked: CheckedObject) -> Iterator[Finding]:
    for place, diagnosis in rule_diagnoses(checked, "unhealthy early"):
        yield Finding(
            message="this matcher calls an object unhealthy that has just been created",
            where=checked.place(place),
            help="Match a state that means failure: an object without a match is Unknown.",
            severity=Severity.INFO,
            counterexample=diagnosis.counterexample,
        )
