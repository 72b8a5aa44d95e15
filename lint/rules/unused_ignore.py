"""A suppression that suppresses nothing.

## What

A comment `# celvet: ignore[rule]` or an annotation `celvet.dev/ignore` whose
rule reports nothing there, or is no rule at all.

## Why

What was wrong has been mended, or the name is misspelt and the finding is still
there. Either way the next reader is misled, and the next mistake at this place
goes unseen.

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
  dependsOn:
    # celvet: ignore[result-type] this was `dep.status.ready` once
    - name: infrastructure
      readyExpr: dep.status.ready == true
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  dependsOn:
    - name: infrastructure
      readyExpr: dep.status.ready == true
```
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from lint.model import Finding, Severity
from lint.rules import ids
from lint.suppression import Suppression

SEVERITY = Severity.WARNING


def check_unused(suppression: Suppression) -> Iterator[Finding]:
    """Report each rule that a suppression names in vain."""
    for rule in suppression.rules:
        if rule in ids():
            message, help_ = f"`{rule}` reports nothing here", "Remove it from the suppression."
        else:
            near = difflib.get_close_matches(rule, ids(), n=1)
            message = f"there is no rule `{rule}`"
            help_ = f"Write `{near[0]}`." if near else "Choose one that `celvet rules` lists."
        yield Finding(message=message, where=suppression.where, help=help_)
