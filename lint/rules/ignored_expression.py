"""The controller never evaluates this expression.

## What

- A ResourceSet dependency has `readyExpr` but not `ready: true`.
- A Kustomization has an entry in `healthCheckExprs`, but neither `wait: true` nor an
  object of that group and kind in `healthChecks`.
- A HelmRelease has `healthCheckExprs`, but waiting is disabled for install and upgrade,
  or left to Helm (`waitStrategy.name: legacy`).
- An annotation switches off the probes of a rukpak BundleDeployment.

## Why

The manifest looks as if the controller waited for something, but it does not: dependants
start at once, and the expression can be wrong for years.

## Bad

```yaml
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  dependsOn:
    - apiVersion: v1
      kind: Secret
      name: gate
      readyExpr: string(base64.decode(data.gate)) == 'opened'
  resources: []
```

## Good

```yaml
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: tenants, namespace: flux-system}
spec:
  dependsOn:
    - apiVersion: v1
      kind: Secret
      name: gate
      ready: true
      readyExpr: string(base64.decode(data.gate)) == 'opened'
  resources: []
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.model import Change, Finding, Fix, GroupKind, Severity, Value, Where

SEVERITY = Severity.WARNING


_OFF = (None, False)
"""Values that switch a boolean field off; an unresolved `${VAR}` does not."""


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report the expressions that another field of the object switches off."""
    if not checked.partial:
        kind = checked.kind.kind if checked.kind else ""
        yield from _CHECKS.get(kind, _nothing)(checked)


def _nothing(_: CheckedObject) -> Iterator[Finding]:
    return iter(())


def _resourceset(checked: CheckedObject) -> Iterator[Finding]:
    """`checkDependencies` of the operator tests `dep.Ready` before `dep.ReadyExpr`."""
    for entry in checked.checks:
        if "readyExpr" in entry and entry.value.get("ready") in _OFF:
            where = checked.place((*entry.path, "readyExpr"), None, True)
            yield Finding(
                message="`readyExpr` is never evaluated: the operator uses it only together with"
                " `ready: true`",
                where=where,
                help="Add `ready: true` to this dependency.",
                fix=_fix(entry, where),
            )


def _fix(entry: Check, where: Where) -> Fix | None:
    """Insert the field before the expression, unless it is there with another value."""
    change = Change(where, "ready: true", entry=True)
    return None if "ready" in entry.value else Fix("Add `ready: true`.", (change,), safe=False)


def _kustomization(checked: CheckedObject) -> Iterator[Finding]:
    """Without `wait`, the objects listed in `healthChecks` are all that is assessed."""
    value = checked.get("spec", "wait")
    if value not in _OFF:
        return
    wait = "false" if value is False else "not set"
    listed = set(_listed(checked.get("spec", "healthChecks")))
    for entry in checked.health():
        if "current" in entry and not _covers(entry.named, listed):
            yield Finding(
                message=f"Flux never uses this entry: `wait` is {wait}, and `healthChecks` lists"
                f" no {entry.named.kind or 'object'} of group `{entry.named.group}`",
                where=checked.place(entry.path),
                help="List the objects in `healthChecks`, or set `wait: true`.",
            )


def _listed(checks: Value) -> Iterator[GroupKind]:
    for check_ in checks if isinstance(checks, list) else ():
        if isinstance(check_, dict):
            yield GroupKind.of(str(check_.get("apiVersion", "")), str(check_.get("kind", "")))


def _covers(entry: GroupKind, listed: set[GroupKind]) -> bool:
    """An entry without a kind covers its group; what holds a `${VAR}` may cover anything."""
    unknown = any("${" in each.group + each.kind for each in (*listed, entry))
    return unknown or any(
        entry.group == each.group and entry.kind in ("", each.kind) for each in listed
    )


def _helm_release(checked: CheckedObject) -> Iterator[Finding]:
    """Helm's own waiting must be on, and be done by the poller."""
    actions = ("install", "upgrade")
    if checked.get("spec", "waitStrategy", "name") == "legacy":
        reason, help_ = "the wait strategy is `legacy`", "Set `waitStrategy.name: poller`."
    elif all(checked.get("spec", action, "disableWait") is True for action in actions):
        reason = "`disableWait` is set for install and upgrade"
        help_ = "Remove `disableWait` from `install` or `upgrade`."
    else:
        return
    for entry in checked.health():
        if "current" in entry:
            message = f"Flux never uses this entry: {reason}"
            yield Finding(message=message, where=checked.place(entry.path), help=help_)


def _bundle_deployment(checked: CheckedObject) -> Iterator[Finding]:
    """The annotation is the design's escape hatch; only the text `false` counts."""
    annotation = "plain.core.rukpak.io/enable-probes"
    probes = checked.get("spec", "probes", "health", "ref")
    if probes and checked.get("metadata", "annotations", annotation) == "false":
        yield Finding(
            message=f"the annotation `{annotation}` switches these probes off",
            where=checked.place(("spec", "probes", "health", "ref")),
            help="Remove the annotation, or the probes.",
        )


_CHECKS: dict[str, Callable[[CheckedObject], Iterator[Finding]]] = {
    "ResourceSet": _resourceset,
    "Kustomization": _kustomization,
    "HelmRelease": _helm_release,
    "BundleDeployment": _bundle_deployment,
}
