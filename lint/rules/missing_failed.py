"""A health check entry cannot report a failed object.

## What

An entry of `healthCheckExprs` has `current` but no `failed`. It is not reported if the kind is
known to have no state of failure, if `current` is constant, or if the wait ends within 5 minutes.

## Why

Without `failed`, a broken object looks like one that is not ready yet. The reconciliation
reports it only after `spec.timeout`; `failed` reports it at the next check.

## Bad

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
      current: status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')
```

## Good

```yaml
  healthCheckExprs:
    - apiVersion: bitnami.com/v1alpha1
      kind: SealedSecret
      failed: status.conditions.exists(e, e.type == 'Synced' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.checks.advice import plain, reads_messages, recommend
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import companions

SEVERITY = Severity.INFO

_SHORT = timedelta(minutes=5)
"""A timeout that tells soon enough."""


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report checks that say when an object is current, but not when it has failed."""
    for entry in () if checked.partial else checked.health():
        current, failed = entry.answering("Current"), entry.answering("Failed")
        if current not in entry or not failed or entry.value.get(failed) or failed in entry:
            continue
        # A kind whose recommended entry has no `failed` never fails for good.
        facts = checked.facts_of(entry)
        known_entry = facts.entry if facts else {}
        may_fail = not known_entry or failed in known_entry
        is_soon = (checked.timing.timeout or timedelta.max) <= _SHORT
        if may_fail and not is_soon and entry.constant(current) is None:
            path = entry.of(current)[0].path
            lack = f"has an empty `{failed}`" if failed in entry.value else f"has no `{failed}`"
            subject = entry.named.kind or "object"
            yield Finding(
                message=f"a broken `{subject}` is reported only at the timeout"
                f"{checked.timing.timeout_text}: the entry {lack}",
                where=checked.place(path, None, isinstance(path[-1], str)),
                help=_help(checked, entry, failed, known_entry),
            )


def _help(checked: CheckedObject, entry: Check, failed: str, known_entry: Mapping[str, str]) -> str:
    if not known_entry:
        condition = "the kind has a state that it cannot recover from"
        return f"Add `{failed}` if {condition}; otherwise set a short `timeout`."
    if reads_messages(known_entry[failed]):
        variant = f"the `{failed}` that `celvet suggest {entry.named}` prints"
        return f"Set a short `timeout`, or add {variant}: it reads messages."
    if other_roles := companions(checked, entry, failed):
        return recommend(checked, entry, (failed, *other_roles), {})
    return f"Add `{failed}: {plain(known_entry[failed])}`."
