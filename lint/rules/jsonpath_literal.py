"""A path reads nothing, or something other than it seems to.

## What

The path parses but cannot work: it is a constant, it has text outside its braces, it
always gives several results although the controller expects one, or client-go reads a part
of it differently.

## Why

A constant path gives the same answer for every object. If the controller expects one result,
several are an error: the rule never matches, or the output is never read.

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
    """Report constant paths, paths with several results, and misleading spellings."""
    for expression in checked.paths:
        yield from _check(checked, expression)


def _check(checked: CheckedObject, expression: PathExpression) -> Iterator[Finding]:
    path = expression.program
    where = checked.at(expression)
    if path.constant:
        message = f"`{path.text}` reads nothing from the object: the result is always this text"
        yield Finding(message=message, where=where, help="Write the path in braces.")
    elif path.dialect.single and path.several == "always":
        message = (
            f"`{path.text}` gives several results where the controller expects one: reading it"
            " fails"
        )
        yield Finding(message=message, where=where, help="Select a single result.")
    for misreading in path.misreadings():
        yield Finding(
            message=misreading.message,
            where=checked.at(expression, misreading.span),
            help=sentence(misreading.hint),
        )
