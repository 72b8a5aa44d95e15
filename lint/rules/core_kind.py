"""A health check entry replaces Flux's own check for a kind that it knows.

## What

An entry for a group of Kubernetes itself (the core group, `apps`, `batch`,
`networking.k8s.io` and so on) or for one of Flux's own kinds, such as `HelmRelease`. It is not
reported if the kind is known to be judged wrongly without an entry, such as `Ingress`.

## Why

Flux checks these kinds with kstatus, which knows about rollouts, replicas and
progress deadlines, and about `Reconciling` and `Stalled` of Flux's own kinds. An entry
replaces that check for the whole kind. RFC-0009 lists core kinds as a non-goal of custom
health checks. If such an entry gives a wrong verdict, only that is reported.

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
    - apiVersion: apps/v1
      kind: Deployment
      current: status.availableReplicas == spec.replicas
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: secrets}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: bitnami.com/v1alpha1
      kind: SealedSecret
      failed: status.conditions.exists(e, e.type == 'Synced' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.advice import well_judged
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report entries whose group is one of Kubernetes' own."""
    for entry in checked.health():
        subject, role = entry.named, entry.answering("Current")
        judges = role in entry and entry.constant(role) is not True  # `true` switches it off
        if judges and subject.kind and (sort := well_judged(checked, entry)):
            yield Finding(
                message=f"`{subject.kind}` is {sort}: this entry replaces"
                f" {checked.controller}'s own health check for it",
                where=checked.place((*entry.path, "kind")),
                help="Remove the entry, unless it checks something that"
                f" {checked.controller} does not.",
            )
