"""A health script of Argo CD is refused, errs, or misjudges an object that is coming up.

## What

celvet reads the scripts in `resource.customizations.health.<group>_<Kind>`, of the ConfigMap
`argocd-cm` and of the values of Argo CD's chart, in `resourceHealthChecks` of its operator, and in
files named `health.lua` of a checkout. It reports a script

- that Lua's parser refuses,
- that errs on an object without a status, which each object is at first,
- that says `Degraded`, or `Healthy`, in a state that the object passes through without an error
  while it comes up. The states are those of the catalogue; `celvet forecast OBJECT --as argocd
  --scripts DIRECTORY --format json` shows them all.

It needs the extra `lua`: `pip install 'celvet[lua]'`. Scripts of unknown kinds are only parsed.

## Why

Argo CD compiles a script when it judges the first object. After an error it knows no health, so the
application is not healthy. A sync ends at a `Degraded` object, and its next wave begins when all
objects are `Healthy`.

## Bad

```yaml
apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm, namespace: argocd}
data:
  resource.customizations.health.keda.sh_ScaledJob: |
    for _, condition in ipairs(obj.status.conditions or {}) do
      if condition.type == "Ready" and condition.status == "True" then
        return {status = "Healthy"}
      end
    end
    return {status = "Progressing"}
```

## Good

```yaml
  resource.customizations.health.keda.sh_ScaledJob: |
    for _, condition in ipairs(obj.status and obj.status.conditions or {}) do
      if condition.type == "Ready" and condition.status == "True" then
        return {status = "Healthy"}
      end
    end
    return {status = "Progressing"}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from celvet.lint.manifest import Manifest
from celvet.lint.manifest.objects.health_scripts import (
    FILE,
    HealthScript,
    health_scripts,
    holds_scripts,
    script_in_file,
)
from celvet.lint.model import Counterexample, Finding, Severity, Span, Where
from celvet.schemas import kind_facts

if TYPE_CHECKING:
    from celvet.lint.waiters.argocd.review import ScriptFault, ScriptObjection
    from celvet.schemas.facts import LifeState

SEVERITY = Severity.ERROR


class _Words(NamedTuple):
    """A message, with the script's kind as `{}`, what to do, and the health that is shown."""

    message: str
    help: str
    health: str


_WORDS: Mapping[ScriptFault, _Words] = {
    "refused": _Words(
        "Lua refuses the script, so Argo CD knows no health of `{}`",
        "Mend the line; a script is Lua 5.1.",
        "Unknown",
    ),
    "errs": _Words(
        "the script errs while `{}` has no status, so Argo CD knows no health of it",
        "Return `Progressing` if `obj.status` is nil.",
        "Unknown",
    ),
    "degraded early": _Words(
        "the script says Degraded while `{}` is coming up, which ends the sync",
        "Return `Progressing` for what the object passes through.",
        "Degraded",
    ),
    "healthy early": _Words(
        "the script says Healthy while `{}` is coming up, so the next wave begins too early",
        "Return `Progressing` until the object is up.",
        "Healthy",
    ),
}


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Report what is wrong with each script."""
    if PurePosixPath(manifest.name).name == FILE:
        script = script_in_file(manifest.name, manifest.text)
        yield from _findings(script, Where(), manifest.text)
        return
    if not holds_scripts(manifest.text):
        return
    for document in manifest.documents:
        for script in health_scripts(document.value):
            yield from _findings(script, Where(document.index, script.path), "")


def _findings(script: HealthScript, where: Where, file: str) -> Iterator[Finding]:
    from celvet.lint.waiters.argocd.lua import EngineMissingError
    from celvet.lint.waiters.argocd.review import script_objections
    from celvet.lint.waiters.argocd.scripts import Script

    kind = script.group_kind
    facts = None if "*" in str(kind) else kind_facts(*kind)
    try:
        for objection in script_objections(Script(script.text, script.libraries), facts):
            yield _finding(script, objection, where, file)
    except EngineMissingError as error:
        yield Finding(
            message=f"the script is not checked: {error}", where=where, severity=Severity.INFO
        )


def _finding(script: HealthScript, objection: ScriptObjection, where: Where, file: str) -> Finding:
    message, help_, health = _WORDS[objection.fault]
    name = script.group_kind.kind
    reason = f": {objection.message}" if objection.fault == "refused" else ""
    return Finding(
        message=message.format(name) + reason,
        where=_place(script.text, objection.line, where, file),
        help=help_,
        severity=None if objection.fault == "refused" else Severity.WARNING,
        counterexample=_counterexample(objection.states, health),
    )


def _counterexample(states: Sequence[LifeState], health: str) -> Counterexample | None:
    """The first state; the others are named beside it."""
    if not states:
        return None
    main_state, *other_states = states
    more = f" and {len(other_states)} more" if other_states else ""
    return Counterexample(
        main_state.name, f"in the state `{main_state.name}`{more}", dict(main_state.object), health
    )


def _place(text: str, line: int, where: Where, file: str) -> Where:
    """The line of a script, or the whole; in a file of its own, the first line."""
    lines = text.split("\n")
    index = min(max(line, 1), len(lines)) - 1
    start = sum(len(part) + 1 for part in lines[:index])
    span = Span(start + len(lines[index]) - len(lines[index].lstrip()), start + len(lines[index]))
    if file:
        return Where(source=span)
    return (
        Where(where.document, where.path, span)
        if line
        else Where(where.document, where.path, on_key=True)
    )
