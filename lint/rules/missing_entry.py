"""Flux counts an object as ready too early, and no entry covers its kind.

## What

- `healthChecks` lists an object of a kind that kstatus misjudges while it comes up, such as
  PostgresCluster of Crunchy Data, and no entry of `healthCheckExprs` covers the kind. For a kind
  that is ready in each state, see [existence-only](existence-only.md).
- A Kustomization with `wait: true` applies an object of such a kind, or of one whose status means
  nothing to kstatus, and either other Kustomizations depend on it or `healthChecks` lists the
  object. What else it applies does not matter. Kinds that are only misjudged until their own
  controller has seen the object are left out unless they are listed.

celvet knows [these kinds](../kinds/README.md) from the code of their controllers. The finding shows
a state in which the object counts as ready, and its fix adds the entry of the catalogue.
`celvet suggest --missing` prints the entries for the same kinds.

## Why

Without an entry, Flux asks kstatus, which reads the conditions `Ready`, `Reconciling` and
`Stalled`, and `status.observedGeneration`. An object that has none of them, or not yet, counts as
ready. Flux looks at once after it has applied the object, so dependants start too early.

## Bad

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: database, namespace: flux-system}
spec:
  interval: 1h
  timeout: 5m
  prune: true
  path: ./database
  sourceRef: {kind: GitRepository, name: flux-system}
  healthChecks:
    - {apiVersion: postgresql.cnpg.io/v1, kind: Cluster, name: db, namespace: database}
```

## Good

```yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: database, namespace: flux-system}
spec:
  interval: 1h
  timeout: 5m
  prune: true
  path: ./database
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: >-
        has(status.phase) && status.phase in
        ['Cluster is unrecoverable and needs manual intervention', 'Invalid cluster definition',
        'Cluster cannot execute instance online upgrade due to missing architecture binary',
        'Not enough disk space']
      current: has(status.phase) && status.phase == 'Cluster in healthy state'
  healthChecks:
    - {apiVersion: postgresql.cnpg.io/v1, kind: Cluster, name: db, namespace: database}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.advice import insertion
from celvet.lint.model import Counterexample, Finding, Related, Severity
from celvet.lint.rules.shared.missing_entries import Harm, MissingEntry, missing_entries
from celvet.schemas import kind_facts

SEVERITY = Severity.INFO


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the kinds that lack an entry, each once, the most harmful first."""
    for entry in missing_entries(checked):
        in_used_list = entry.is_listed and not checked.waiting.everything
        if not (in_used_list and entry.harm is Harm.ALWAYS):  # `existence-only` reports these
            yield _finding(checked, entry)


def _finding(checked: CheckedObject, entry: MissingEntry) -> Finding:
    kind, state, where = entry.kind, entry.state, checked.place(entry.path)
    field = entry.path[:-1] if entry.is_listed else entry.path
    facts = kind_facts(kind.group, kind.kind, checked.directories)
    note = facts.content["kstatus"].get("says", "") if facts else ""
    kstatus = [f"kstatus: {note}"] if note else []
    return Finding(
        message=f"without an entry for `{kind.kind}`, {checked.controller} counts it as ready"
        f" {entry.when}",
        where=where,
        help=f"Add the entry that `celvet suggest {kind}` prints.",
        related=tuple(Related(text, where) for text in (*_then(entry), *kstatus)),
        counterexample=Counterexample(
            state.name, f"in the state `{state.name}`", dict(state.object), "Current"
        ),
        fix=insertion(checked, kind, field),
    )


def _then(entry: MissingEntry) -> Iterator[str]:
    """What the objects do that depend on the one that waits."""
    if entry.dependants:
        more = len(entry.dependants) - 1
        suffix = f" and {more} more" if more else ""
        yield f"then `{entry.dependants[0].name}`{suffix} may start too early"
