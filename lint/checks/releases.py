"""Finds the releases of a product that accept what the target release rejects."""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.cel import Compiled, compile_expression
from celvet.schemas.cel_go import changes
from celvet.schemas.controller import ControllerRelease, controllers


def works_in(program: Compiled, fails: Callable[[Compiled], bool]) -> str:
    """A sentence on the releases that accept a mistake, empty if there are none.

    For example `It works from Flux Operator 0.57 on.` `fails` tells whether the mistake is in the
    expression as a release compiles it.
    """
    controller = controllers().get(program.dialect.controller)
    if controller is None or not fails(program):
        return ""
    failing = [fails(_compile_for(program, release.cel_go)) for release in controller.releases]
    if all(failing):
        return ""
    boundary = len(failing) - failing[::-1].index(True) if any(failing) else 0
    if boundary < len(failing):
        release = controller.releases[boundary]
        return f"It works from {controller.title} {release.since} on{_caveat(release)}."
    if failing[0]:
        return ""
    release = controller.releases[failing.index(True)]
    return f"It worked before {controller.title} {release.since}{_caveat(release)}."


def _caveat(release: ControllerRelease) -> str:
    return f" (inferred for {release.inferred})" if release.inferred else ""


def _compile_for(program: Compiled, cel_go: str) -> Compiled:
    dialect = program.dialect
    other_dialect = dialect.at(cel_go)
    is_same = (
        changes(cel_go) == changes(dialect.cel_go) and other_dialect.libraries == dialect.libraries
    )
    return program if is_same else compile_expression(program.text, other_dialect)
