"""An expression accepts a status that belongs to an older generation of the object.

## What

- One expression of an entry compares the `observedGeneration` of a condition with
  `metadata.generation`, and the one that decides does not.
- The kind has no `status.observedGeneration`, but its conditions have one, and the expression
  does not compare it. celvet knows this for the kinds of the catalogue, and for others with a
  CRD.
- `current` is true for a known kind just after a change, though its status has an older generation
  that Flux does not compare. For a kind that is ready again as soon as its controller has seen the
  change, such as ClusterIssuer, only `celvet explain` reports it.
- A `readyExpr` of a Kustomization or HelmRelease does not compare the generations.

## Why

After a change, the conditions still describe the object as it was, until its controller has
processed the change. Flux compares `status.observedGeneration` with `metadata.generation`
before it tries an expression, so this matters only if the kind has no such field. A
`readyExpr` replaces Flux's own check, including the generations.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps}
spec:
  interval: 1h
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn:
    - name: infra
      readyExpr: dep.status.conditions.exists(e, e.type == 'Healthy' && e.status == 'True')
```

## Good

```yaml
  dependsOn:
    - name: infra
      readyExpr: >-
        dep.metadata.generation == dep.status.observedGeneration &&
        dep.status.conditions.exists(e, e.type == 'Healthy' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from celvet.lint.checks import CelExpression, Check, CheckedObject
from celvet.lint.model import Finding, Related, Severity
from celvet.lint.predict import advice, diagnoses, fix
from celvet.lint.predict.faults.diagnosis import ChangedInLife, OldCondition, OpenGate, Stale

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report verdicts that may rest on an outdated status."""
    for entry, diagnosis in diagnoses(checked, Stale):
        if _is_certain(checked, entry, diagnosis):
            compares = entry.strategy == "dependency"
            fact, help_, note = _fact_help_and_note(
                diagnosis, checked.controller, compares=compares
            )
            if not isinstance(diagnosis.proof, OpenGate):
                help_ = advice(checked, entry, diagnosis) or help_
            where = checked.at_role(entry, diagnosis.role)
            yield Finding(
                message=f"just after a change, `{diagnosis.role}` {fact}",
                where=where,
                help=help_,
                related=(Related(note, where),) if note else (),
                counterexample=diagnosis.row.counterexample,
                fix=fix(checked, entry, diagnosis),
                confidence=diagnosis.confidence,
                cause=diagnosis.cause,
            )


def _is_certain(checked: CheckedObject, entry: Check, diagnosis: Stale) -> bool:
    """Whether the controller cannot compare the generations itself."""
    match diagnosis.proof:
        case OpenGate() if entry.strategy != "dependency":
            return _has_generation(checked, entry)
        case OpenGate() | ChangedInLife():
            return True
        case OldCondition(compared_by=compared_by):
            if facts := checked.facts_of(entry):
                return facts.generation_in == ("conditions",)
            expression = entry.find(diagnosis.role)[0]
            return compared_by != "none" or _only_in_conditions(checked, expression)
        case _:
            assert_never(diagnosis.proof)


def _has_generation(checked: CheckedObject, entry: Check) -> bool:
    """Whether the objects are known to have an `observedGeneration` in their status."""
    facts, schema = checked.facts_of(entry), checked.schema_of(*entry.objects)
    if facts:
        return "status" in facts.generation_in
    return bool(schema and schema.at("status", "observedGeneration"))


def _only_in_conditions(checked: CheckedObject, expression: CelExpression) -> bool:
    """Whether the CRD has `observedGeneration` in the conditions only."""
    schema = checked.schema_of(*expression.objects)
    field = "observedGeneration"
    inner = schema and schema.at("status", "conditions", None, field)
    return bool(schema and inner and not schema.at("status", field))


def _fact_help_and_note(
    diagnosis: Stale, controller: str, *, compares: bool
) -> tuple[str, str, str]:
    """What an expression does just after a change, what to do about it, and the circumstances.

    `compares`: without an expression, the controller compares the generations itself.
    """
    compare = "Compare the condition's `observedGeneration` with `metadata.generation`."
    match diagnosis.proof:
        case OpenGate(test=test) if not compares:
            return "is true of the old status, so the object counts as ready", f"Add `{test}`.", ""
        case OpenGate(test=test):
            note = f"`{diagnosis.role}` replaces {controller}'s own comparison of the generations"
            return "is true of the old status, so dependants start", f"Add `{test}`.", note
        case ChangedInLife():
            return "is true of the old status, so the object counts as ready", "", ""
        case OldCondition(compared_by="itself"):
            help_ = "Let it be true only of conditions of the present generation."
            return "judges the old status: it accepts an older `observedGeneration`", help_, ""
        case OldCondition(compared_by=compared_by):
            note = "another expression of this entry compares it"
            if compared_by == "none":
                note = f"the kind has no `status.observedGeneration` that {controller} could check"
            return "judges the old status: it ignores `observedGeneration`", compare, note
        case _:
            assert_never(diagnosis.proof)
