"""A path does not parse.

## What

The path is parsed as the controller parses it, braces completed: Cartographer
puts `{.` before a path and `}` after it where they are missing. The dialect is
that of `kubectl -o jsonpath`, not RFC 9535: filters take one comparison, keys
with dots want a backslash, there is no `&&`.

## Why

Cartographer's own webhook parses the path without the braces, and so takes
nearly anything for plain text. The mistake shows when the first object is
stamped out: the resource never gets healthy, or the output is never read.

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
