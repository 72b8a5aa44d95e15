"""The API server or the controller refuses the shape of the object.

## What

celvet checks the fields around an expression against the released custom resource definition
and the controller: required fields, types, allowed values, limits, and rules such as
"exactly one of". A document with only names and a status is ignored: test tools such
as kuttl use it to assert that an object exists.

`yes`, `on` and the like without quotes are booleans for kubectl, but texts for kustomize, which
reads all that Flux applies. `wait: yes` of an object that a Kustomization of the repository applies
is therefore refused.

## Why

The API server refuses most of this, but only at `kubectl apply`: by then the commit is
merged, and Flux reports one object at a time. Cartographer's own webhook accepts some mistakes that
fail later.

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

from celvet.lint.checks import CheckedObject
from celvet.lint.checks.objections import violations
from celvet.lint.model import Finding, Path, Severity
from celvet.lint.rule_ids import SCHEMA_VIOLATION
from celvet.lint.validation import misplaced_texts
from celvet.lint.values import get, parts_in, text_at

SEVERITY = Severity.ERROR

_ASSERTED = {"apiVersion", "kind", "metadata", "status"}


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report what breaks the schema of the kind.

    A document with only names and a status is an assertion of a test and is never applied.
    """
    if checked.value.keys() - _ASSERTED:
        texts = _texts_for_kustomize(checked) if checked.ambiguous and not checked.partial else {}
        yield from violations(checked, SCHEMA_VIOLATION, texts)
        yield from _misread_booleans(checked, texts)


def _texts_for_kustomize(checked: CheckedObject) -> dict[Path, str]:
    """The booleans of an object that kustomize reads as texts, if only kustomize reads it."""
    forms = checked.forms()
    if not all(form.by for form in forms):
        return {}
    resources = [form.resource for form in forms]
    return {
        path: text
        for path, part in parts_in(checked.value)
        if isinstance(part, bool)
        and (text := text_at(resources[0].value, path))
        and all(
            text_at(resource.value, path) == text
            and resource.knows(*path)
            and not resource.last_writer(*path)
            for resource in resources
        )
    }


def _misread_booleans(checked: CheckedObject, texts: Mapping[Path, str]) -> Iterator[Finding]:
    """The texts among those that kustomize reads where the kind has booleans."""
    if not texts or checked.kind is None:
        return
    for path in misplaced_texts(checked.forms()[0].resource.value, checked.kind):
        if path in texts:
            boolean = str(get(checked.value, path)).lower()
            yield Finding(
                message=f"`{path[-1]}` is the text `{texts[path]}` for kustomize, not a boolean, so"
                " the API server refuses the object that Flux applies",
                where=checked.place(path),
                help=f"Write `{boolean}`.",
            )
