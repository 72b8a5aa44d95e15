"""The result of an expression is not a boolean.

## What

Health check expressions and gates must return a boolean. Where the controller checks types,
as for `dependsOn[].readyExpr`, the type must be known to be `bool`: a plain field has the
type `dyn` and is refused. Elsewhere the controller checks the result of each evaluation; an
expression that can only return a string, a number, a list or an optional value always fails.

## Why

The controller refuses such a `readyExpr`, and the object is stalled with reason
`InvalidCELExpression`. Elsewhere the result is an evaluation error: the object never becomes
ready.

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
    - name: infrastructure
      readyExpr: dep.status.ready
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

from celvet.lint.cel import Compiled
from celvet.lint.cel.syntax.tree import Call, ListExpr, Literal, Macro, MapExpr, Node, Select
from celvet.lint.cel.syntax.vocabulary import functions, resolve
from celvet.lint.checks import CheckedObject
from celvet.lint.checks.objections import refusals
from celvet.lint.model import Finding, Severity

SEVERITY = Severity.ERROR

_LITERALS = {
    "bool": "bool",
    "null": "null",
    "string": "a text",
    "bytes": "bytes",
    **dict.fromkeys(("int", "uint", "double"), "a number"),
}
_OPERATORS = {
    **dict.fromkeys(("_-_", "_*_", "_/_", "_%_", "-_"), "a number"),
    "_+_": "a sum",
    "_[?_]": "an optional value",
}
_MACROS = {
    **dict.fromkeys(("filter", "map"), "a list"),
    **dict.fromkeys(("optMap", "optFlatMap"), "an optional value"),
}
_FUNCTIONS = {
    "a number": "size int uint double indexOf lastIndexOf getDate getDayOfMonth getDayOfWeek"
    " getDayOfYear getFullYear getHours getMilliseconds getMinutes getMonth getSeconds",
    "a text": "string charAt format join lowerAscii upperAscii replace reverse substring trim"
    " strings.quote base64.encode",
    "bytes": "bytes base64.decode",
    "a list": "split",
    "a time": "timestamp",
    "a duration": "duration",
    "a type": "type",
    "an optional value": "optional.none optional.of optional.ofNonZeroValue first last or",
}
_RESULTS = {name: kind for kind, names in _FUNCTIONS.items() for name in names.split()}
"""Function -> the type of its value, for those that never give a boolean."""


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report results that are refused, and results that cannot be a boolean."""
    yield from refusals(checked, "result-type")
    for expression in checked.cel:
        program = expression.program
        is_gated = program.dialect.checked and not program.dialect.late
        if program.dialect.result != "bool" or is_gated or program.refusals:
            continue
        kind = program.of_outline(_kind)
        if kind == "bool" and program.result_type not in ("", "bool", "dyn"):
            kind = f"of type `{program.result_type}`"
        if kind != "bool":
            yield Finding(
                message=f"the result is {kind}, never true or false: every evaluation fails",
                where=checked.at(expression),
                help="Compare the result with a value.",
            )


def _kind(compiled: Compiled) -> str:
    return _result_kind(compiled.tree, compiled.dialect.libraries) if compiled.tree else "bool"


def _result_kind(root: Node, libraries: tuple[str, ...]) -> str:
    """The type of the expression's value, in words.

    `bool` if it may be a boolean, or if nothing is known.
    """
    if isinstance(root, Literal):
        return _LITERALS.get(root.kind, "bool")
    if isinstance(root, ListExpr):
        return "a list"
    if isinstance(root, MapExpr):
        return "a map"
    if isinstance(root, Macro):
        return _MACROS.get(root.name, "bool")
    if isinstance(root, Select):
        return "an optional value" if root.optional else "bool"
    return _call(root, libraries) if isinstance(root, Call) else "bool"


def _call(root: Call, libraries: tuple[str, ...]) -> str:
    if root.function == "_?_:_":
        kinds = {_result_kind(branch, libraries) for branch in root.args[1:]}
        return kinds.pop() if len(kinds) == 1 else "bool"
    if root.function in _OPERATORS:
        return _OPERATORS[root.function]
    known_functions = functions(libraries)
    name, _ = resolve(root, known_functions)
    function = known_functions.get(name)
    return _RESULTS.get(name, "bool") if function and function.evaluated else "bool"
