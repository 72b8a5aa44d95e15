"""A path does not parse.

## What

celvet parses the path as the controller does, which adds missing braces: Cartographer puts
`{.` before a path and `}` after it. The dialect is that of `kubectl -o jsonpath`, not RFC
9535: a filter has one comparison, dots in keys need a backslash, and there is no `&&`.

## Why

Cartographer's own webhook parses the path without the braces and therefore accepts nearly
anything as plain text. The mistake shows only when the first object is created: the
resource never becomes healthy, or the output is never read.

## Bad

```yaml
apiVersion: carto.run/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: source}
spec:
  urlPath: .status.conditions[?(@.type=="Ready"].message
  revisionPath: .status.artifact.revision
  template: {}
```

## Good

```yaml
apiVersion: carto.run/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: source}
spec:
  urlPath: .status.conditions[?(@.type=="Ready")].message
  revisionPath: .status.artifact.revision
  template: {}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject, sentence
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the paths that client-go refuses."""
    for expression in checked.paths:
        refusal = expression.program.refusal
        if refusal and expression.program.analysed:
            where = checked.at(expression, refusal.span)
            yield Finding(message=refusal.message, where=where, help=sentence(refusal.hint))
