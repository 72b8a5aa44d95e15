"""A variable without a value and without a default fails the Kustomization.

## What

A Kustomization with a `postBuild` applies an object that contains `${VAR}`, and nothing gives
`VAR` a value: neither `substitute` nor a ConfigMap of `substituteFrom`. The parents' patches and
variables count. Nothing is reported if a value may come from elsewhere: from a Secret, from a
ConfigMap that is not in the repository, or from an admission webhook or policy. So the rule reports
nothing in a repository that installs one (or that names the feature gate
`StrictPostBuildSubstitutions`), and about a variable that several Kustomizations lack, or that
another one has.

## Why

From Flux 2.9 on, the build fails, and nothing of the Kustomization is applied. Older releases
replace the variable with nothing, which is often a mistake as well: in a script, `${VAR}` is
meant for the shell.

## Bad

```yaml
# flux/cluster.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cluster, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
---
# apps/web.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: web, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./web
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild:
    substitute: {HOST: web.example.com}
---
# web/config.yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: web, namespace: web}
data:
  url: https://${HOST}/
  start: exec web --port=${PORT}
```

## Good

```yaml
data:
  url: https://${HOST}/
  start: exec web --port=$${PORT}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Path, Related, Severity
from celvet.lint.repository.questions import PlaceLabel, UnsetVariables
from celvet.lint.values import mapping_at
from celvet.schemas.applier import applier
from celvet.schemas.cel_go import at_least

SEVERITY = Severity.WARNING


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report an object of which every form lacks the value of a variable."""
    kind = applier(*checked.object.group_kind)
    if kind is None or checked.partial:
        return
    strict = kind.strict
    # Strict substitution is a feature gate that became the default in this release.
    if not at_least(checked.targets.get(strict.target, ""), strict.since):
        return
    lacking = [checked.surroundings.ask(UnsetVariables(form)) for form in checked.forms()]
    # Another form of the object, such as that of a second cluster, may have the value.
    if all(lacking):
        variable, *more_variables = lacking[0]
        place = checked.surroundings.ask(PlaceLabel(variable.place))
        where = checked.place(_written(checked, kind.variables), None, True)
        also = f", and {len(more_variables)} more," if more_variables else ""
        yield Finding(
            message=f"`${{{variable.name}}}`{also} has no value, so {checked.controller}"
            f" {strict.since} applies nothing of `{checked.object.name}`",
            where=where,
            related=(Related(f"the variable is in {place}, without a default", where),),
            help=f"Set `{variable.name}` in `{'.'.join(kind.variables)}.substitute`, or write"
            f" `$${{{variable.name}}}` if it is not a variable of {checked.controller}.",
        )


def _written(checked: CheckedObject, path: Path) -> Path:
    """The longest part of a path that the object has: a parent's patch may give the rest."""
    sizes = range(len(path), 0, -1)
    return next((path[:size] for size in sizes if mapping_at(checked.value, path[:size])), path)
