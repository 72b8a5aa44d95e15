"""A suppression suppresses nothing.

## What

A comment `# celvet: ignore[rule]` or an annotation `celvet.dev/ignore` names a rule that reports
nothing there, or a rule that does not exist, or no rule at all. There is no `ignore` without
rules and no `*`, which would hide future mistakes as well.

## Why

Either the problem was fixed, or the name is misspelt and the finding is still reported. In
both cases the suppression misleads the next reader, and may hide the next mistake at this
place.

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
    # celvet: ignore[result-type] this was `dep.status.ready` once
    - name: infrastructure
      readyExpr: dep.status.ready == true
```

## Good

```yaml
  dependsOn:
    - name: infrastructure
      readyExpr: dep.status.ready == true
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.model import Finding, Severity
from celvet.lint.rule_ids import CEL_SYNTAX, CEL_TYPE
from celvet.lint.rules import ids
from celvet.lint.similar import closest_name
from celvet.lint.suppression import Suppression
from celvet.regex import regex

SEVERITY = Severity.WARNING
UNUSED = True

_WORD = regex(r"[\w-]+")


def check_unused(suppression: Suppression) -> Iterator[Finding]:
    """Report a suppression without rules, or each of its rules that suppresses nothing."""
    if suppression.broken:
        yield _broken(suppression)
    for rule in suppression.rules:
        if rule in ids():
            message, help_ = f"`{rule}` reports nothing here", "Remove it from the suppression."
        else:
            near = closest_name(rule, ids())
            message = f"there is no rule `{rule}`"
            help_ = f"Write `{near}`." if near else "Choose one that `celvet rules` lists."
        yield Finding(message=message, where=suppression.where, help=help_)


def _broken(suppression: Suppression) -> Finding:
    known_ids = [word for word in _WORD.findall(suppression.broken) if word in ids()]
    form = suppression.form.format(", ".join(known_ids) or f"{CEL_SYNTAX}, {CEL_TYPE}")
    return Finding(
        message=f"`{suppression.broken}` is not a list of rules, so nothing is suppressed",
        where=suppression.where,
        help=f"Write `{form}`." if known_ids else f"Name the rules, as in `{form}`.",
    )
