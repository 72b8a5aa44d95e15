"""An expression uses a name that is not defined there.

## What

In `healthCheckExprs`, and in `readyExpr` of a ResourceSet, the variables are the top-level
fields of the checked object: `metadata`, `spec`, `status`, `data`... There is no `self` and no
`object`. In `readyExpr` of a Kustomization or HelmRelease the variables are `self` and `dep`,
and nothing else.

This is an error if the controller refuses the name. If every evaluation fails on the name, it is
also an error to write `self.status`, `object.metadata` and the like, a string without quotes as in
`status.phase == Ready`, or a field that the CRD of the checked kind does not have (see
`crd-field`). Otherwise it is a warning, since a custom resource may have any top-level field:
celvet reports `self` and the like, and names that no kind of Kubernetes has.

## Why

A controller that only parses the expression accepts an unknown name. Every evaluation then
fails, and the reconciliation hangs until its timeout.

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
      current: self.status.conditions.exists(e, e.type == 'Synced' && e.status == 'True')
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

from collections.abc import Iterator

from celvet.lint.cel import compile_expression
from celvet.lint.cel.syntax.misread_names import NAMES_OF_OBJECT, lacks_quotes
from celvet.lint.cel.syntax.tree import Call, Ident, Macro, Node, Select, always_fails, walk
from celvet.lint.checks import CelExpression, Check, CheckedObject
from celvet.lint.checks.objections import refusals
from celvet.lint.crds import CrdSchema
from celvet.lint.model import Change, Finding, Fix, Severity, Span
from celvet.lint.safe_text import enumeration
from celvet.lint.similar import closest_name

SEVERITY = Severity.ERROR


_FIELDS = """
    apiVersion kind metadata spec status
    action addressType aggregationRule allowVolumeExpansion allowedTopologies
    automountServiceAccountToken binaryData caBundle data deprecatedCount description endpoints
    eventTime globalDefault handler imagePullSecrets immutable involvedObject items message
    mountOptions note overhead parameters ports preemptionPolicy provisioner reason reclaimPolicy
    regarding related reportingController results roleRef rules scheduling scope secrets source
    stringData subjects subsets summary template type value volumeBindingMode webhooks
"""
_OF_OBJECTS = frozenset({"apiVersion", "kind", "metadata", "spec", "status"})
"""Fields that every object has, but hardly any value inside an object."""

TOP_LEVEL = frozenset(_FIELDS.split())
"""Top-level fields of the kinds of Kubernetes itself, and common ones of custom resources."""


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report names that are refused, and those that hardly any object has."""
    yield from refusals(checked, "unknown-variable")
    for entry in checked.checks:
        for expression in entry.cel:
            program = expression.program
            if not (program.refusals or program.dialect.checked):
                report = _undeclared if program.dialect.variables else _unusual
                yield from report(checked, entry, expression)
            if not program.refusals and program.dialect.keys:
                yield from _unknown_keys(checked, expression)


def _unknown_keys(checked: CheckedObject, expression: CelExpression) -> Iterator[Finding]:
    """Keys of a variable that no earlier expression of the object gives."""
    tree, keys = expression.program.tree, expression.dialect.keys
    nodes = [*walk(tree)] if tree else []
    guarded_fields = {
        node.args[0] for node in nodes if isinstance(node, Macro) and node.name == "has"
    }
    # A read that `has` or `?` guards is no error. Each key is reported once, at its first use.
    reads: dict[tuple[str, str], list[Node]] = {}
    for node in nodes:
        if isinstance(node, Select) and not node.optional and isinstance(node.operand, Ident):
            name = node.operand.name
            if name in keys and node.field not in keys[name] and node not in guarded_fields:
                reads.setdefault((name, node.field), []).append(node)
    for (name, key), uses in reads.items():
        near = closest_name(key, keys[name])
        only = f", only {enumeration(keys[name], 'and')}" if keys[name] else ""
        yield Finding(
            message=f"`{name}` has no `{key}` here{only}: evaluation fails",
            where=checked.at(expression, uses[0].span),
            help=f"Write `{name}.{near}`." if near else f"Define `{key}` before it is used.",
            severity=None if tree and always_fails(tree, uses) else Severity.WARNING,
        )


def _undeclared(checked: CheckedObject, _: Check, expression: CelExpression) -> Iterator[Finding]:
    """Names that are not variables of a dialect, which its controller parses but does not check."""
    variables = expression.dialect.variables
    for name in dict.fromkeys(expression.program.names):
        if name in variables:
            continue
        near = closest_name(name, variables)
        only = enumeration([*variables], "and")
        yield Finding(
            message=f"there is no variable `{name}` here, only {only}: evaluation fails",
            where=checked.at(expression, _first_use(expression, name).span),
            help=f"Write `{near}`." if near else f"Begin with {enumeration([*variables], 'or')}.",
            severity=None if _is_fatal(expression, name) else Severity.WARNING,
        )


def _unusual(checked: CheckedObject, entry: Check, expression: CelExpression) -> Iterator[Finding]:
    """Names of fields that objects do not have, or do not usually have."""
    schema = checked.schema_of(*expression.objects)
    loops = _of_unknown_macros(expression)
    for name in dict.fromkeys(expression.program.names):
        if name in loops:
            continue
        # A CRD knows the fields of its kind. Without one, a name is strange if hardly any kind has
        # it.
        absent = schema is not None and not schema.at(name)
        if not (absent or _is_strange(name, schema)):
            continue
        if not absent and _is_the_only_name(name, entry):
            continue
        is_unquoted = _is_unquoted(name, expression)
        certain = absent or is_unquoted or _is_object(name, expression)
        message, help_ = _explained(name, schema if absent else None, unquoted=is_unquoted)
        fix = None
        if is_unquoted:
            fix = _quoted(name, checked, expression)
        elif name in NAMES_OF_OBJECT:
            fix = _without_prefix(name, checked, expression)
        yield Finding(
            message=message,
            where=checked.at(expression, _first_use(expression, name).span),
            help=help_,
            severity=None if certain and _is_fatal(expression, name) else Severity.WARNING,
            fix=fix,
        )


def _of_unknown_macros(expression: CelExpression) -> set[str]:
    """The names that a misspelt macro would bind, `c` in `list.exist(c, ...)`."""
    calls = (call.node for call in expression.program.unknown_calls)
    several = (call.args for call in calls if isinstance(call, Call) and len(call.args) > 1)
    return {args[0].name for args in several if isinstance(args[0], Ident)}


def _uses(expression: CelExpression, name: str) -> list[Ident]:
    return [node for variable, node in expression.program.variables if variable == name]


def _first_use(expression: CelExpression, name: str) -> Ident:
    return _uses(expression, name)[0]


def _is_unquoted(name: str, expression: CelExpression) -> bool:
    tree = expression.program.tree
    return tree is not None and lacks_quotes(tree, name)


def _quoted(name: str, checked: CheckedObject, expression: CelExpression) -> Fix:
    """The expression with the name as a string; safe, since evaluation fails on the name."""
    spans = [node.span for node in _uses(expression, name)]
    changes = tuple(Change(checked.at(expression, span), f"'{name}'") for span in spans)
    return Fix(f"Put `{name}` in quotes.", changes)


def _without_prefix(name: str, checked: CheckedObject, expression: CelExpression) -> Fix | None:
    """The expression without the prefix; safe, since evaluation fails on it."""
    program = expression.program
    nodes = list(walk(program.tree)) if program.tree else []
    selections = [node for node in nodes if isinstance(node, Select) and _is(name, node.operand)]
    identifiers = [node for node in nodes if _is(name, node)]
    spans = [Span(node.operand.span.start, node.at.start) for node in selections]
    text = program.text
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    if len(selections) < len(identifiers) or compile_expression(text, program.dialect).refusals:
        return None
    changes = tuple(Change(checked.at(expression, span), "") for span in spans)
    return Fix(f"Remove `{name}.`.", changes)


def _is(name: str, node: Node) -> bool:
    return isinstance(node, Ident) and node.name == name


def _is_strange(name: str, schema: CrdSchema | None) -> bool:
    """Whether objects do not usually have the name and the CRD does not mention it."""
    return name not in TOP_LEVEL and not (
        schema and any(name in root.names for root in schema.roots)
    )


def _is_the_only_name(name: str, entry: Check) -> bool:
    """Whether the check reads only this field, and the name does not resemble a common one.

    A kind without a `status` has such checks, whereas a mistake is usually in one place only.
    """
    if name in NAMES_OF_OBJECT or closest_name(name, sorted(TOP_LEVEL)):
        return False
    return {variable for expression in entry.cel for variable in expression.program.names} == {name}


def _is_object(name: str, expression: CelExpression) -> bool:
    """Whether the name can only mean the object itself: all its uses read a field of objects."""
    tree = expression.program.tree
    if name not in NAMES_OF_OBJECT or tree is None:
        return False
    uses = sum(_is(name, node) for node in walk(tree))
    reads = (node for node in walk(tree) if isinstance(node, Select) and _is(name, node.operand))
    return sum(node.field in _OF_OBJECTS for node in reads) == uses


def _is_fatal(expression: CelExpression, name: str) -> bool:
    """Whether every evaluation fails on the name."""
    program = expression.program
    return program.tree is not None and always_fails(program.tree, _uses(expression, name))


def _explained(name: str, schema: CrdSchema | None, *, unquoted: bool) -> tuple[str, str]:
    """Message and help; `schema` is that of a kind known not to have the field."""
    if unquoted:
        message = (
            f"`{name}` is not in quotes: it is read as a field of the object, and evaluation fails"
        )
        return message, f"Write `'{name}'`, in quotes."
    if name in NAMES_OF_OBJECT:
        message = (
            f"there is no `{name}` here, only the top-level fields of the object: evaluation fails"
        )
        return message, f"Write the field without `{name}.`."
    if schema:
        near = closest_name(name, schema.roots[0].names)
        message = f"`{schema.group_kind.kind}` has no top-level field `{name}`: evaluation fails"
        return message, f"Write `{near}`." if near else "Start with a field that the CRD has."
    near = closest_name(name, sorted(TOP_LEVEL))
    return (
        f"`{name}` is not a common top-level field: evaluation fails on an object without it",
        f"Write `{near}`." if near else "Start with `status`, `spec`, `metadata` or `data`.",
    )
