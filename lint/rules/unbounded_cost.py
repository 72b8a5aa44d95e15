"""An expression may take far too much memory or time.

## What

An evaluation may take far too much time or memory on a large object: macros nested three deep over
one list, a search for one text of the object in another, a pattern that the object chooses, a
`replace` that makes a text longer with each call. It is an error if the smallest object is enough,
and a warning if it takes a large one.

## Why

Flux does not limit the cost of an expression. 200 bytes of `.replace` take gigabytes, and the
controller runs out of memory, together with everything that it reconciles. celvet computes an upper
bound of the cost for an object of 1.5 MB, which is what etcd stores, with 1,000 elements in its
lists. It reports an expression whose bound is more than ten times what celvet itself would spend on
an evaluation, and grows at least with the square of the object's size. Lists nested in one object
share its size: loops over `a.b` for each `a` are cheap at any depth, while loops that read the same
list again for each element multiply. Conditions are not considered, so the real cost may be lower.
[What an expression costs a controller](../cost.md) has the details.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Example
      failed: status.phase == 'Broken'
      current: >-
        'x'.replace('', 'xxxxxxxxxx').replace('', 'xxxxxxxxxx').replace('', 'xxxxxxxxxx')
        .replace('', 'xxxxxxxxxx').replace('', 'xxxxxxxxxx').replace('', 'xxxxxxxxxx')
        .replace('', 'xxxxxxxxxx').replace('', 'xxxxxxxxxx').replace('', 'xxxxxxxxxx')
        == status.phase
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Example
      failed: status.phase == 'Broken'
      current: status.phase.replace('-', '') == 'Ready'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.cel import Excess
from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR

_POWERS = {2: "square", 3: "cube"}


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report expressions that cost too much to evaluate."""
    for expression in checked.cel:
        excess = expression.program.excess
        if excess:
            yield Finding(
                message=f"{_cost(excess)}, without a limit",
                where=checked.at(expression, excess.node.span),
                help="Rewrite this part without the calls or loops that multiply.",
                severity=Severity.ERROR if excess.always else Severity.WARNING,
            )


def _cost(excess: Excess) -> str:
    resource = "memory" if excess.memory else "time"
    if excess.always:
        return f"an evaluation may take far too much {resource} on any object"
    power = _POWERS.get(excess.power, f"{excess.power}th power")
    return f"the {resource} for an evaluation may grow with the {power} of the object's size"
