"""No object can pass this rukpak probe.

## What

- A path starts with a field that the kind does not have. Only Kubernetes' own kinds are
  checked.
- The `status` of a condition is compared with a string that no condition has, such as
  `true`.

## Why

The probe never succeeds, so the BundleDeployment never becomes healthy, even if everything
that it deployed is.

## Bad

```yaml
apiVersion: bundles.rukpak.io/v1alpha1
kind: Plain
metadata: {name: operator.v1}
spec:
  health:
    - name: operator
      group: apps
      version: v1
      kind: Deployment
      path: .status.conditions[?(@.type=="Available")].status
      value: "true"
```

## Good

```yaml
  health:
    - name: operator
      group: apps
      version: v1
      kind: Deployment
      path: .status.conditions[?(@.type=="Available")].status
      value: "True"
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject, PathExpression
from celvet.lint.model import Finding, Severity
from celvet.lint.predict import status_fields
from celvet.lint.similar import closest_name

SEVERITY = Severity.WARNING

_STATUSES = ("True", "False", "Unknown")
_TOP = ("apiVersion", "kind", "metadata", "spec", "status")


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report probes that never hold."""
    probes = (probe for probe in checked.doing("probe") if isinstance(probe.value, dict))
    for probe in probes:
        group, kind = (str(probe.value.get(key) or "") for key in ("group", "kind"))
        value = probe.value.get("value")
        for expression in probe.paths:
            yield from _missing(checked, expression, group, kind)
            if isinstance(value, str):
                yield from _status(checked, expression, value)


def _missing(
    checked: CheckedObject, expression: PathExpression, group: str, kind: str
) -> Iterator[Finding]:
    status_names = status_fields(group, kind)
    for step in expression.program.fields() if status_names else ():
        *above, name = step.path
        fields = _TOP if not above else tuple(sorted(status_names)) if above == ["status"] else ()
        if fields and name not in fields:
            near = closest_name(str(name), fields)
            yield Finding(
                message=f"a `{kind}` has no `{_path(step.path)}`: the probe never succeeds",
                where=checked.at(expression, step.span),
                help=f"Write `{near}`." if near else "Probe a field that the kind has.",
            )
            return


def _status(checked: CheckedObject, expression: PathExpression, value: str) -> Iterator[Finding]:
    """Only other spellings of what there is: the conditions of some kinds have more."""
    steps = expression.program.fields()
    ends = tuple(steps[-1].path[-3:]) if steps else ()
    misspelt = value not in _STATUSES and value.title() in _STATUSES
    if ends == ("conditions", None, "status") and misspelt:
        yield Finding(
            message=f"the `status` of a condition is never `{value}`: the probe never succeeds",
            where=checked.place((*expression.path[:-1], "value")),
            help=f'Write `"{value.title()}"`.',
        )


def _path(path: tuple[str | int | None, ...]) -> str:
    return ".".join(str(step) for step in path)
