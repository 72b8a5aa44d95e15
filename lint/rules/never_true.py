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
  healthCheckExprs:
    - apiVersion: bitnami.com/v1alpha1
      kind: SealedSecret
      failed: status.conditions.exists(e, e.type == 'Synced' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from celvet.lint.cel.syntax.tree import Literal
from celvet.lint.checks import Check, CheckedObject
from celvet.lint.checks.advice import sources
from celvet.lint.checks.conventions import never_equal
from celvet.lint.model import Change, Finding, Fix, Related, Severity, Where
from celvet.lint.predict import advice, diagnoses, fix
from celvet.lint.predict.faults.diagnosis import (
    ComparedParts,
    Contradiction,
    NeverTrue,
    OddValue,
    SortOfValue,
    Stuck,
    Unwritten,
)
from celvet.lint.safe_text import enumeration
from celvet.schemas.dialect import Role

SEVERITY = Severity.WARNING

_HELP_ON_VALUES: Mapping[SortOfValue, str] = {
    "text": "Compare with the string.",
    "number": "Compare with a number.",
    "bytes": "Write the string without the `b`.",
    "case": "Compare with a text in the same case.",
    "boolean": "Use the test alone; put `!` before it if it has to be false.",
}
_HELP_ON_CONTRADICTIONS: Mapping[ComparedParts, str] = {
    "values": "Use `||` if either value will do.",
    "bounds": "Leave room for a value between the bounds.",
    "comparisons": "Remove the comparison that contradicts the others.",
}


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report expressions for which a complete search found no object."""
    for entry, diagnosis in diagnoses(checked, NeverTrue):
        match diagnosis.proof:
            case Stuck():
                yield _stuck_finding(checked, entry, diagnosis, diagnosis.proof)
            case OddValue(reason=reason) | Unwritten(reason=reason):
                yield _dead_finding(checked, entry, diagnosis, reason)
            case Contradiction():
                reason = "its comparisons contradict each other"
                yield _dead_finding(checked, entry, diagnosis, reason)
            case _:
                assert_never(diagnosis.proof)
    yield from _constants(checked)


def _stuck_finding(
    checked: CheckedObject, entry: Check, diagnosis: NeverTrue, proof: Stuck
) -> Finding:
    """A ready object that does not count as ready by the entry."""
    role, row = diagnosis.role, proof.row
    verb = "is true of" if row.true(role) else "is not true of"
    if row.error(role):
        verb = "gives an error on"
    return Finding(
        message=f"`{role}` {verb} a ready `{entry.named.kind}`, so {checked.controller} waits"
        f" until the timeout{checked.timing.timeout_text}",
        where=checked.at_role(entry, role),
        help=advice(checked, entry, diagnosis),
        related=sources(checked, entry, role, proof.state),
        counterexample=row.counterexample,
        fix=fix(checked, entry, diagnosis),
        severity=None if proof.always else Severity.INFO,
        cause=diagnosis.cause,
    )


def _dead_finding(
    checked: CheckedObject, entry: Check, diagnosis: NeverTrue, reason: str
) -> Finding:
    """An expression that no object makes true."""
    help_, change = _help(checked, entry, diagnosis)
    role = entry.role(diagnosis.role)
    facts = checked.facts_of(entry)
    is_idle = role.answer == "Failed" and facts is not None and not facts.fails
    where = checked.at_role(entry, diagnosis.role)
    was_true = isinstance(diagnosis.proof, Unwritten) and diagnosis.proof.was_written
    never = "no longer" if was_true else "never"
    return Finding(
        message=f"`{diagnosis.role}` is {never} true: {reason}",
        where=where,
        help=help_,
        related=_consequences(checked, role, where, is_idle=is_idle),
        severity=Severity.INFO if is_idle else _severity(role),
        fix=change,
        cause=diagnosis.cause,
    )


def _help(checked: CheckedObject, entry: Check, diagnosis: NeverTrue) -> tuple[str, Fix | None]:
    """What to do about an expression that is never true, and the fix for it, if there is one."""
    match diagnosis.proof:
        case Unwritten(word=word, intention=intention) if intention:
            return f"Write `{intention}` for `{word}`.", fix(checked, entry, diagnosis)
        case Unwritten() | Stuck():
            return advice(checked, entry, diagnosis), fix(checked, entry, diagnosis)
        case Contradiction(between=between):
            return _HELP_ON_CONTRADICTIONS[between], None
        case OddValue(sort=sort):
            spelling = _spelling(checked, entry, diagnosis.role) if sort == "text" else None
            return spelling.title if spelling else _HELP_ON_VALUES[sort], spelling
        case _:
            assert_never(diagnosis.proof)


def _constants(checked: CheckedObject) -> Iterator[Finding]:
    """Expressions that read nothing and are false; `failed: "false"` is intended."""
    for entry in checked.checks:
        for name, program in entry.programs.items():
            role = entry.role(name)
            is_intended = isinstance(program.tree, Literal) and role.answer != "Current"
            if role.never and not is_intended and entry.constant(name) is False:
                where = checked.at_role(entry, name)
                yield Finding(
                    message=f"`{name}` is never true: it reads no field",
                    where=where,
                    help="Compare a field of the object.",
                    related=_consequences(checked, role, where),
                    severity=_severity(role),
                )


def _severity(role: Role) -> Severity | None:
    """An info if nothing depends on the expression."""
    return Severity.INFO if role.answer == "InProgress" else None


def _consequences(
    checked: CheckedObject, role: Role, where: Where, *, is_idle: bool = False
) -> tuple[Related, ...]:
    """What follows if the expression of a role is never true, and when that is noticed."""
    never = "it has no effect" if is_idle else role.never
    if role.answer == "Current" and checked.timing.timeout_text:
        never += f", and the wait fails at the timeout{checked.timing.timeout_text}"
    return (Related(never, where),) if never else ()


def _spelling(checked: CheckedObject, entry: Check, role: str) -> Fix | None:
    """The expression with the states of conditions as they are spelt, if one is not."""
    expression = next(expression for expression in entry.cel if expression.role == role)
    oddities = never_equal(expression)
    if not oddities:
        return None
    changes = tuple(Change(checked.at(expression, odd.span), odd.correction) for odd in oddities)
    return Fix(
        f"Write {enumeration(sorted({odd.correction for odd in oddities}), 'and')}.", changes
    )
