r"""The file is not valid YAML.

## What

A document of a kind that celvet knows cannot be read as written: it breaks a rule of YAML, refers
to an undefined anchor, or has a key that is not a string. A tag such as `!has(dep.status)` is a
warning: YAML drops it together with its value. So is a `<<` that repeats a key above it, which
kubectl and Flux read differently. celvet also reports what kubectl and kustomize do not read:
text after `...` without a `---`, text behind `---`, the escape `\/`, a `%` directive. It still
checks the other documents of the file.

celvet guesses the kind of an unreadable document from its text. It reports the document if the
text contains the API group and version of a known kind, such as
`kustomize.toolkit.fluxcd.io/v1`, or `kind:` with the name of one. A kind name that other groups
use as well, such as `Kustomization`, counts only together with an API group or a distinctive
field like `healthCheckExprs` elsewhere in the document.

## Why

An unreadable document cannot be checked, and neither `kubectl` nor Flux can apply it: one such
file fails the reconciliation of its whole directory.

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
  - name: infrastructure
    readyExpr: dep.metadata.generation == 1: true
```

## Good

```yaml
  dependsOn:
  - name: infrastructure
    readyExpr: "dep.metadata.generation == 1"
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.manifest import Manifest
from celvet.lint.model import Finding, Severity
from celvet.record import replace

SEVERITY = Severity.ERROR

KINDS = frozenset(
    {
        "after-end",
        "alias-cycle",
        "bad-value",
        "key-text",
        "key-type",
        "undefined-alias",
        "yaml-syntax",
    }
)
"""The kinds of problem of `celvet.lint.manifest` that this rule reports."""

MISREAD = frozenset({"merge-order", "unknown-tag"})
"""The kinds that are warnings, since the document can be read."""


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Report what is not YAML, or YAML that Kubernetes refuses."""
    yield from manifest.findings(KINDS)
    for finding in manifest.findings(MISREAD):
        yield replace(finding, severity=Severity.WARNING)
