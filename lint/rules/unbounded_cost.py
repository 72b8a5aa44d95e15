"""An expression may take far too much memory or time.

## What

The controller's cel-go may take more than five seconds of CPU time or 256 MB for one evaluation:
chains of `replace`, macros nested three deep over one list, regular expressions that explode. It is
an error if this happens on any object, and a warning if it takes a large one.

## Why

Flux does not limit the cost of an expression. 200 bytes of `.replace` take two gigabytes, and
the controller runs out of memory, together with everything that it reconciles. celvet computes
what an evaluation takes on the worst object that it finds for the expression, of 1.5 MB with 1,000
elements in its lists; nothing is said if the bound for all objects is far higher. Lists nested in
one object share its size: loops over `a.b` for each `a` are cheap at any depth, while loops that
read the same list again for each element multiply. A cost above ten hours or 100 GB is told as
"more than an hour" or "more than 10 GB".
[What an expression costs a controller](../cost.md) compares the claims with cel-go.

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
        .replace('', 'xxxxxxxxxx').replace('', 'xxxxxxxxxx') == status.phase
```

## Good

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
      current: status.phase.replace('-', '') == 'Ready'
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report expressions that cost too much to evaluate."""
    for expression in checked.cel:
        excess = expression.program.excess
        if excess is None:
            continue
        cost = f"an evaluation takes {excess.amount} on the worst object that celvet finds"
        if excess.always:
            cost = f"an evaluation may take {excess.amount}"
        yield Finding(
            message=f"{cost}, and the controller sets no limit",
            where=checked.at(expression, excess.node.span),
            help="Rewrite this part without the calls or loops that multiply.",
            severity=Severity.ERROR if excess.always else Severity.WARNING,
        )
