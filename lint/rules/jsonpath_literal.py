"""A path reads nothing, or something other than it seems to.

## What

The path parses, and still cannot do what it is for: it is a constant, it has
text outside its braces, it always gives several results where one is wanted,
or client-go takes a part of it for something else.

## Why

A constant path gives the same answer for every object. Where one result is
wanted, several are an error, so that the rule matches nothing and the output
is never there.

## Bad

```yaml
apiVersion: carto.run/v1alpha1
kind: ClusterConfigTemplate
metadata: {name: config}
spec:
  configPath: .data['a','b']
  template: {}
```

## Good

```yaml
apiVersion: carto.run/v1alpha1
kind: ClusterConfigTemplate
metadata: {name: config}
spec:
  configPath: .data
  template: {}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject, PathExpression, sentence
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report constant paths, those of several results, and what is not as it seems."""
    for expression in checked.paths:
        yield from _check(checked, expression)


def _check(checked: CheckedObject, expression: PathExpression) -> Iterator[Finding]:
    path = expression.program
    where = checked.at(expression)
    if path.constant:
        message = f"`{path.text}` reads nothing from the object: the result is always this text"
        yield Finding(message=message, where=where, help="Write the path in braces.")
    elif path.dialect.single and path.several == "always":
        message = f"`{path.text}` gives several results, where one is wanted: reading it fails"
        yield Finding(message=message, where=where, help="Choose one result.")
    for slip in path.slips():
        yield Finding(
            message=slip.message,
            where=checked.at(expression, slip.span),
            help=sentence(slip.hint),
        )
