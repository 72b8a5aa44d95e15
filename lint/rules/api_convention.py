"""An expression contradicts the API conventions for conditions.

## What

For kinds whose CRD is not known (otherwise see `crd-field` and `crd-enum`):

- a misspelt field of a condition, such as `e.staus`; the fields are `type`, `status`, `reason`,
  `message`, `lastTransitionTime` and `observedGeneration`
- a misspelt `status.conditions` or `status.observedGeneration`
- a condition, or `status.conditions`, that is compared with a string
- a `status` other than `True`, `False` or `Unknown`
- a `type` in lower case: `ready` for `Ready`

The last two are not reported for a kind whose conditions celvet knows.

For every kind, a field that `metadata` does not have, such as `metadata.generaton`.

## Why

Without a CRD, nothing else notices the mistake: the controller accepts the name, every evaluation
fails or is false, and the reconciliation hangs until its timeout.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: status.conditions.exists(e, e.type == 'Failed' && e.staus == 'True')
      current: status.conditions.exists(e, e.type == 'Ready' && e.staus == 'True')
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: status.conditions.exists(e, e.type == 'Failed' && e.status == 'True')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.causes import Cause
from celvet.lint.checks import CheckedObject
from celvet.lint.checks.conventions import find_oddities
from celvet.lint.model import Change, Finding, Fix, Severity

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report fields and values that conditions do not have by the conventions."""
    for entry in checked.checks:
        for expression, oddity in find_oddities(checked, entry):
            where = checked.at(expression, oddity.span)
            places = (where, *(checked.at(expression, span) for span in oddity.other_places))
            changes = tuple(Change(place, oddity.correction) for place in places)
            title = f"Write `{oddity.correction}`."
            yield Finding(
                message=oddity.message,
                where=where,
                help=title if oddity.correction else oddity.help,
                fix=Fix(title, changes, safe=False) if oddity.correction else None,
                cause=Cause.ODD_VALUE if oddity.value else Cause.ODD_NAME,
            )
