"""A `kubectl wait` in a script is refused, fails, or never ends before its timeout.

## What

celvet reads the tests behind `--for` in shell scripts (`.sh`, `.bash`), in Makefiles, and in YAML:
the steps of a workflow, the commands of a Taskfile, the arguments of a container. It reports

- a test that kubectl refuses, as `kubectl wait` of v0.36.3 reads it,
- a path whose quotes the shell has removed, so that kubectl fails,
- a condition, a value or a field that the kind never has, by the catalogue. A kind that is not one
  of Kubernetes' own is only recognized with its group, or alone if its name has several words, as
  `helmrelease` does, or if the file mentions its group.

A word with a variable, or with anything else that only a run computes, is not looked at.

## Why

A test that is never met costs the whole timeout, and the message says nothing of the mistake.

## Bad

```yaml
steps:
  - run: kubectl wait --for=condition=Ready deployment/podinfo --timeout=5m
```

## Good

```yaml
steps:
  - run: kubectl wait --for=condition=Available deployment/podinfo --timeout=5m
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from celvet.lint.discovery.discover import SHELL_SCRIPTS
from celvet.lint.manifest import Manifest
from celvet.lint.manifest.objects.kubectl_waits import (
    KubectlWait,
    holds_waits,
    waits_in,
    waits_in_script,
)
from celvet.lint.model import Finding, Severity, Where

if TYPE_CHECKING:
    from celvet.lint.rules.shared.wait_faults import WaitFault

SEVERITY = Severity.ERROR


def check_manifest(manifest: Manifest) -> Iterator[Finding]:
    """Report what is wrong with each wait."""
    if not holds_waits(manifest.text):
        return
    from celvet.lint.rules.shared.wait_faults import wait_fault

    for wait, where in _waits(manifest):
        fault = wait_fault(wait.test, wait.resource, manifest.text)
        if fault:
            yield _finding(fault, where)


def _waits(manifest: Manifest) -> Iterator[tuple[KubectlWait, Where]]:
    if manifest.name.endswith(SHELL_SCRIPTS):
        for wait in waits_in_script(manifest.text):
            yield wait, Where(source=wait.span)
        return
    for document in manifest.documents:
        for wait in waits_in(document.value):
            yield wait, Where(document.index, wait.path, wait.span)


def _finding(fault: WaitFault, where: Where) -> Finding:
    return Finding(
        message=fault.message,
        where=where,
        help=fault.help,
        severity=None if fault.refused else Severity.WARNING,
    )
