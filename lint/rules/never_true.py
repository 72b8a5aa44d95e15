"""No object can make this expression true.

## What

- A condition is compared with a value that no condition has: its `status` is one of the
  strings `True`, `False` and `Unknown`, never a boolean and never in lower case.
- Comparisons contradict each other, such as one field with two values.
- A text in lower case, such as what `lowerAscii()` gives, is compared with one that has an
  upper-case letter; or a test, which is true or false, with a text or a number.
- The expression reads nothing and is false, such as `1 == 2`. A plain `false` is reported
  for `current` only.
- The controller of the kind never, or no longer, writes the phase, condition or field; or the
  expression fails on a ready object. celvet knows the values of many kinds from the code of their
  controllers.

An expression is reported only if a complete search found no object for which it is true.
If the CRD of the kind is known, it decides which values a field may have, and `crd-enum`
and `crd-type` report what contradicts it.

## Why

A `current` or `readyExpr` that is never true makes every reconciliation wait until its
timeout. A `failed` that is never true has no effect.

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
      failed: status.conditions.exists(e, e.type == 'Synced' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Synced' && e.status == true)
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

from celvet.lint.cel.syntax.tree import Literal
from celvet.lint.checks import Check, CheckedObject
from celvet.lint.checks.advice import sources
from celvet.lint.checks.conventions import find_oddities, never_equal
from celvet.lint.checks.objections import mismatches
from celvet.lint.model import Change, Finding, Fix, Severity, Where
from celvet.lint.predict import Diagnosis, advice, diagnoses, fix
from celvet.lint.predict.truth_table import Row
from celvet.lint.rule_ids import CRD_ENUM, CRD_TYPE
from celvet.lint.safe_text import enumerated
from celvet.record import replace
from celvet.schemas.dialect import Role

SEVERITY = Severity.WARNING


_HELP = {
    "text": "Compare with the string.",
    "number": "Compare with a number.",
    "bytes": "Write the string without the `b`.",
    "case": "Compare with a text in the same case.",
    "boolean": "Use the test alone; put `!` before it if it has to be false.",
    "choice": "Use `||` if either value will do.",
    "range": "Leave room for a value between the bounds.",
}


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report expressions for which a complete search found no object."""
    for entry, found in diagnoses(checked, "never"):
        if found.row:
            errs = found.row.error(found.role)
            if not (errs and _is_unconventional(checked, entry, found.role)):
                yield _stuck(checked, entry, found, found.row)
            continue
        where = checked.at_role(entry, found.role)
        help_ = _HELP.get(found.how, "Remove the comparison that contradicts the others.")
        mending = None
        if found.how == "unwritten":
            help_, mending = advice(checked, entry, found), fix(checked, entry, found)
        elif found.how == "text" and (respelt := _respelt(checked, entry, found.role)):
            help_, mending = respelt.title, respelt
        if _is_reported(checked, entry, where):
            continue
        role = entry.role(found.role)
        facts = checked.facts_of(entry)
        idle = role.answer == "Failed" and facts is not None and not facts.fails
        why = f", since {found.detail}" if found.detail else ""
        yield Finding(
            message=f"`{found.role}` is never true{why}{_consequence(checked, role, idle=idle)}",
            where=where,
            help=help_,
            severity=Severity.INFO if idle else _severity(role),
            fix=mending,
        )
    yield from _constants(checked)


def _stuck(checked: CheckedObject, entry: Check, found: Diagnosis, row: Row) -> Finding:
    """A ready object that does not count as ready by the entry."""
    verb = "is true for" if row.true(found.role) else "is not true for"
    if row.error(found.role):
        verb = "gives an error on"
    return Finding(
        message=f"`{found.role}` {verb} an object {found.state}: {checked.controller} waits for"
        f" it until the timeout{checked.timing.timeout_text}",
        where=checked.at_role(entry, found.role),
        help=advice(checked, entry, found),
        related=sources(checked, entry, found.role, found.detail, found.says),
        counterexample=row.counterexample,
        fix=fix(checked, entry, found),
        severity=Severity.INFO if found.how == "sometimes stuck" else None,
    )


def _constants(checked: CheckedObject) -> Iterator[Finding]:
    """Expressions that read nothing and are false; `failed: "false"` is intended."""
    for entry in checked.checks:
        for name, program in entry.programs.items():
            role = entry.role(name)
            intended = isinstance(program.tree, Literal) and role.answer != "Current"
            if role.never and not intended and entry.constant(name) is False:
                yield Finding(
                    message=f"`{name}` is never true, since it reads no field"
                    f"{_consequence(checked, role)}",
                    where=checked.at_role(entry, name),
                    help="Compare a field of the object.",
                    severity=_severity(role),
                )


def _severity(role: Role) -> Severity | None:
    """An info if nothing depends on the expression."""
    return Severity.INFO if role.answer == "InProgress" else None


def _consequence(checked: CheckedObject, role: Role, *, idle: bool = False) -> str:
    if idle:
        return ": it has no effect"
    after = checked.timing.timeout_text if role.answer == "Current" else ""
    end = f", and the wait fails at the timeout{after}" if after else ""
    return f": {role.never}{end}" if role.never else ""


def _is_unconventional(checked: CheckedObject, entry: Check, role: str) -> bool:
    """Whether `api-convention` says why an expression errs."""
    odd = find_oddities(checked, entry)
    return any(expression.role == role and not found.value for expression, found in odd)


def _respelt(checked: CheckedObject, entry: Check, role: str) -> Fix | None:
    """The expression with the states of conditions as they are spelt, if one is not."""
    expression = next(each for each in entry.cel if each.role == role)
    wrong = never_equal(expression)
    if not wrong:
        return None
    changes = tuple(Change(checked.at(expression, each.span), each.correction) for each in wrong)
    return Fix(f"Write {enumerated(sorted({each.correction for each in wrong}), 'and')}.", changes)


def _is_reported(checked: CheckedObject, entry: Check, where: Where) -> bool:
    """Whether the rules on the CRD report the same place, and say what to write."""
    found = mismatches(replace(checked, checks=(entry,)), CRD_ENUM, CRD_TYPE)
    return any(each.where.path == where.path for each in found)
