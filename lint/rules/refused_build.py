"""Kustomize or Flux refuses a build, so nothing of the Kustomization is applied.

## What

The build of the directory that a Kustomization applies fails:

- a `kustomization.yaml` has another `kind` or `apiVersion`, stands beside a second one, has a
  field of the wrong form, or includes a directory in which it lies; one that another includes is
  empty or has an unknown field (Flux drops that in the directory of `path` itself)
- a file is not YAML, or has a key twice in a mapping, or an object without `kind` or
  `metadata.name`; an object is there twice
- a name under `resources` or `components` leads nowhere; a file of a generator or a patch does
  not exist
- a generator repeats a name or a key, has no name, or a literal without `=`; it makes what is
  there already, or changes what is not there
- a patch is none, or has both `patch` and `path`; a JSON patch has no target or does not fit an
  object; a strategic merge patch, or an entry of `replicas`, is for an object that is not there
- a replacement has a source or a target that is not there or lacks the field
- a `${` is not closed, the name of a variable is invalid, or a value of a variable leaves a text
  that is not YAML

The parents' patches and variables count. Nothing is reported if the directory may come from
elsewhere, or if a part of it is unknown. It is an info if nothing applies the Kustomization itself:
it lies below the path of another one, whose `kustomization.yaml` leaves it out.

## Why

Flux builds all of a Kustomization or nothing. It keeps what it has applied before and reports
`BuildFailed` at each attempt; a change that is merged later never arrives either.

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
# apps/backup.yaml
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: backup, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  path: ./backup
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild:
    substitute: {SCHEDULE: "*/5 * * * *"}
---
# backup/job.yaml
apiVersion: batch/v1
kind: CronJob
metadata: {name: backup, namespace: backup}
spec:
  schedule: ${SCHEDULE}
```

## Good

```yaml
  postBuild:
    substitute: {SCHEDULE: '"*/5 * * * *"'}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.checks import CheckedObject
from celvet.lint.model import Finding, Related, Severity
from celvet.lint.repository.questions import BuildRefusal, PlaceLabel
from celvet.lint.values import text_at
from celvet.schemas.applier import applier

SEVERITY = Severity.ERROR


def check(checked: CheckedObject) -> Iterator[Finding]:
    """Report an object of which the build of every form is refused."""
    kind = applier(*checked.object.group_kind)
    if kind is None or checked.partial or not text_at(checked.value, kind.path):
        return
    answers = [(form, checked.surroundings.ask(BuildRefusal(form))) for form in checked.forms()]
    failures = [(form.resource.value, refusal) for form, refusal in answers if refusal]
    # of several equal forms, only one is followed
    values = [value for value, _ in failures]
    if failures and all(form.resource.value in values for form, _ in answers):
        refusal = failures[0][1]
        labels = [checked.surroundings.ask(PlaceLabel(place)) for place in refusal.places]
        where = checked.place(kind.path, None, True)
        notes = [f"it is in {label}" for label in labels]
        verb = "would be" if refusal.left_out else "is"
        if refusal.left_out:
            notes.append(f"nothing here applies `{checked.object.name}` itself")
        yield Finding(
            message=f"nothing of `{checked.object.name}` {verb} applied: {refusal.reason}",
            where=where,
            help=refusal.help,
            severity=Severity.INFO if refusal.left_out else None,
            related=tuple(Related(note, where) for note in notes),
        )
