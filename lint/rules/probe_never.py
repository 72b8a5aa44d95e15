"""No object can pass this probe, readiness check or condition of a step.

## What

- A path starts with a field that the kind does not have. Only Kubernetes' own kinds are
  checked.
- The `status` of a condition is compared with a string that no condition has, such as
  `true`, also in probes of Package Operator and in readiness checks of Crossplane.
- A condition of a step of Argo Workflows, or the annotation `pulumi.com/waitFor`, asks for a
  condition, a phase or a field that the kind never has.

## Why

The probe never succeeds, so the BundleDeployment, the phase or the composite resource never
becomes healthy, even if everything in it is.

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
from itertools import product

from celvet.lint.checks import Check, CheckedObject, PathExpression
from celvet.lint.model import Finding, Path, Severity
from celvet.lint.predict import status_fields
from celvet.lint.rules.shared.conditions import impossible_conditions
from celvet.lint.similar import closest_name
from celvet.lint.values import list_at, text_at

SEVERITY = Severity.WARNING

_STATUSES = ("True", "False", "Unknown")
_STRATEGIES = (
    "availability-assertion",
    "availability-probe",
    "progression-probe",
    "readiness-checks",
)
_CONDITIONS = ("condition", "conditionEqual", "matchCondition")
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
    for entry in (item for name in _STRATEGIES for item in checked.doing(name)):
        yield from _of_entry(checked, entry)
    yield from impossible_conditions(checked)


def _of_entry(checked: CheckedObject, entry: Check) -> Iterator[Finding]:
    """The paths and conditions of a list of probes, of whatever fields."""
    kind = entry.group_kind
    for expression in entry.paths:
        yield from _missing(checked, expression, *kind)
    for field, name in product(entry.value, _CONDITIONS):
        for index, item in enumerate(list_at(entry.value, (field,))):
            path = (*entry.path, field, index, name, "status")
            yield from _misspelt(checked, text_at(item, (name, "status")), path)


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
    if ends == ("conditions", None, "status"):
        yield from _misspelt(checked, value, (*expression.path[:-1], "value"))


def _misspelt(checked: CheckedObject, value: str, path: Path) -> Iterator[Finding]:
    if value not in _STATUSES and value.title() in _STATUSES:
        yield Finding(
            message=f"the `status` of a condition is never `{value}`: the probe never succeeds",
            where=checked.place(path),
            help=f'Write `"{value.title()}"`.',
        )


def _path(path: tuple[str | int | None, ...]) -> str:
    return ".".join(str(step) for step in path)
