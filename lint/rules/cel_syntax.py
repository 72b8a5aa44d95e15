"""An expression does not parse.

## What

The controller's CEL parser refuses the text: a syntax error, a field in backticks
(before Flux 2.10 and Flux Operator 0.57), `has(...)` of something that is not a field,
or a text that is too long or too deeply nested. The finding names common typos (`and`,
a single `=`, typographic quotes, `${VAR}`). A fix is offered only if a single correction
is possible and the controller accepts the result.

## Why

The controller refuses the whole object: it is stalled with reason
`InvalidCELExpression`, and nothing in it is reconciled until it is edited.

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
      current: status.conditions.exists(e, e.type == 'Synced' and e.status == 'True')
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

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from celvet.lint.checks import CelExpression, CheckedObject
from celvet.lint.checks.objections import refusals
from celvet.lint.model import Change, Finding, Fix, Severity
from celvet.record import replace

if TYPE_CHECKING:
    from celvet.lint.cel.typo_fixes import TypoFix

SEVERITY = Severity.ERROR

_NAMES = {" ": "a plain space", "\u00a0": "a no-break space"}


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report what the parser and its macros refuse."""
    expressions = {
        checked.at(expression, refusal.span): expression
        for expression in checked.cel
        for refusal in expression.program.refusals
    }
    for finding in refusals(
        checked, "syntax", "has-argument", "macro-argument", "backtick", "too-long", "too-deep"
    ):
        yield replace(finding, fix=_fix(checked, expressions[finding.where]))


def _fix(checked: CheckedObject, expression: CelExpression) -> Fix | None:
    """A fix that makes the expression valid; safe, since the controller refuses it now."""
    if not checked.fixes:
        return None
    from celvet.lint.cel.typo_fixes import typo_fixes  # few texts are refused

    typos = typo_fixes(expression.program)
    if not typos:
        return None
    changes = (Change(checked.at(expression, typo.span), typo.text) for typo in typos)
    return Fix(_title(expression.program.text, typos), tuple(changes))


def _title(text: str, typos: Sequence[TypoFix]) -> str:
    clauses = dict.fromkeys(
        _clause(text[typo.span.start : typo.span.end], typo.text) for typo in typos
    )
    title = "; ".join(clauses)
    return f"{title[0].upper()}{title[1:]}."


def _clause(old: str, new: str) -> str:
    return f"write {_name(new)} for {_name(old)}" if new else f"remove {_name(old)}"


def _name(text: str) -> str:
    if "`" in text:
        return "the field in backticks"
    return _NAMES.get(text, f"`{text.strip()}`")
