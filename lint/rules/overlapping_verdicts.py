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
      failed: status.phase == 'Failed'
      current: status.phase == 'Ready'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.advice import sources
from celvet.lint.checks.timing import Timing
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import Diagnosis, advice, diagnoses, fix, rule_diagnoses
from celvet.lint.safe_text import one_line

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report expressions that keep another one from its verdict."""
    for entry, found in (
        *diagnoses(checked, "hidden"),
        *diagnoses(checked, "negation"),
    ):
        fact, consequence, help_ = _explained(found, checked.timing)
        facts = checked.facts_of(entry)
        failed = found.fault == "hidden" and entry.role(found.other).answer == "Failed"
        idle = failed and facts is not None and not facts.fails
        if idle:
            consequence = f"`{found.other}` has no effect"
        shown = found.counterexample
        yield Finding(
            message=f"{fact}: {consequence}",
            where=checked.at_role(entry, found.role),
            help=advice(checked, entry, found) or help_,
            related=sources(checked, entry, found.role, found.detail, found.says) if shown else (),
            counterexample=shown,
            severity=Severity.INFO if idle else None,
            fix=fix(checked, entry, found),
        )
    yield from _rules(checked)


def _explained(found: Diagnosis, timing: Timing) -> tuple[str, str, str]:
    """What is wrong, the consequence, and help."""
    role, other = found.role, found.other
    if found.fault == "negation":
        fact = f"`{role}` is true whenever `{other}` is not"
        consequence = f"every state in between fails the reconciliation{timing.retry_text}"
        help_ = f"List the values that mean failure; if the kind has none, remove `{role}`."
        return fact, consequence, help_
    if found.how == "life":
        fact = f"`{role}` is true for an object {found.state} as well as `{other}`"
        return fact, "it is reported only at the timeout", ""
    if found.how == "part":
        fact = f"`{role}` is true whenever `{one_line(found.detail)}` of `{other}` is"
        consequence = "such an object is reported only at the timeout"
        return fact, consequence, f"Make `{role}` false for these objects."
    help_ = f"Make `{role}` false for the objects that `{other}` describes."
    if found.detail:
        fact = f"`{role}` is true whenever `{other}` is true and `{found.detail}` is not"
        consequence = f"a broken object is reported only at the timeout{timing.timeout_text}"
        return fact, consequence, help_
    return f"`{role}` is true whenever `{other}` is", "no object ever becomes ready", help_


def _rules(checked: CheckedObject) -> Iterator[Finding]:
    for place, found in rule_diagnoses(checked, "never healthy"):
        yield Finding(
            message="every object that satisfies the healthy matchers also satisfies an unhealthy"
            " one, which is tried first: no object is ever Healthy",
            where=checked.place(place),
            help="Change the unhealthy matchers so that a healthy object does not satisfy them.",
            counterexample=found.counterexample,
        )
