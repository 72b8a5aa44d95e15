"""An expression may take memory or time out of all proportion.

## What

An expression whose evaluation may take more than about a second or 256 MB: chains of `replace`,
macros within macros over literals, `format` with enormous widths, regular expressions that explode.
An error if it does so on any object, a warning if only a large object can make it.

## Why

Flux sets no limit on what an expression may cost. 200 bytes of `.replace` take two gigabytes, and
it is the controller that runs out of memory, with all that it reconciles. The bounds are worked out
from the expression, without evaluating it. A large object is one of 1.5 MB, with 1,000 elements in
its lists. Lists nested in one object share its size, so that loops over `a.b` for each `a` are
cheap however deep; loops that read the same list again for each element multiply.

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
    """Report expressions that no controller should evaluate."""
    for expression in checked.cel:
        excess = None if expression.program.refusals else expression.program.excess()
        if excess is None:
            continue
        when = "" if excess.always else " on a large object"
        cost = f"an evaluation may take {excess.amount}{when}"
        yield Finding(
            message=f"{cost}, and the controller sets no limit",
            where=checked.at(expression, excess.node.span),
            help="Write it without what multiplies there.",
            severity=Severity.ERROR if excess.always else Severity.WARNING,
        )
