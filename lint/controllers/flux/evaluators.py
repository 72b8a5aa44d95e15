"""The evaluators of a Kustomization or HelmRelease."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from celvet.lint.checks import Check, CheckedObject
from celvet.lint.controllers.flux.dependency import FluxDependency
from celvet.lint.controllers.flux.health import Assessment, FluxWait, HealthCheck
from celvet.lint.controllers.flux.kinds import CONTROLLERS, FluxController
from celvet.lint.model import GroupKind, Path
from celvet.lint.verdicts.evaluator import Evaluator
from celvet.lint.verdicts.flux_cel import refusal, terminal
from celvet.lint.verdicts.unstructured import kind_of, text_or
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import replace

_LEAST = timedelta(seconds=30)
"""How long Flux waits for a Kustomization without an interval."""

_COMPILED = ("current", "failed", "inProgress")
"""Roles in the order in which Flux compiles them, which is not that of evaluation."""


def evaluators(checked: CheckedObject) -> tuple[Evaluator, ...]:
    """One for each health check, one for all other objects, one for each dependency."""
    declaration = checked.value
    controller = CONTROLLERS.get(kind_of(declaration))
    if controller is None:
        return ()
    entries = tuple(each for each in checked.doing("health-check") if isinstance(each.value, dict))
    assessment = Assessment(
        entries=entries,
        waiting=checked.waiting,
        stalled=_stalled(entries),
        timing=replace(checked.timing, timeout=checked.timing.timeout or _LEAST),
        controller=controller,
        jobs_first=controller.jobs_first(declaration),
        jobs_end=controller.jobs_end(declaration),
    )
    health_checks = (HealthCheck(assessment, entry) for entry in entries)
    dependencies = _dependencies(checked, controller, assessment.stalled)
    return (*health_checks, FluxWait(assessment), *dependencies)


def _dependencies(
    checked: CheckedObject, controller: FluxController, stalls: Verdict | None
) -> Iterator[FluxDependency]:
    own = text_or("", checked.value, "metadata", "namespace")
    for check in checked.doing("dependency"):
        yield FluxDependency(
            path=check.path,
            group_kind=kind_of(checked.value),
            namespace=text_or("", check.value, "namespace") or own,
            name=text_or("", check.value, "name"),
            expression=next(iter(check.cel), None),
            copies=check.copies,
            declaration=checked.value,
            controller=controller,
            stalled=stalls,
        )


def _stalled(entries: Sequence[Check]) -> Verdict | None:
    """The verdict on everything if Flux refuses one entry: it does not reconcile the object.

    Mirrors `NewStatusReader` and `NewStatusEvaluator` of `fluxcd/pkg/runtime/cel`
    (v0.110).
    """
    return next(_refusals(entries), None)


def _refusals(entries: Sequence[Check]) -> Iterator[Verdict]:
    seen: set[GroupKind] = set()
    for entry in entries:
        place, kind = f"healthchecks[{entry.path[-1]}]", entry.named
        if kind in seen:
            words = f"duplicate custom health check for GroupKind {kind}"
            yield terminal(f"{words} at {place}", entry.path)
        seen.add(kind)
        for error, path in _errors(entry):
            yield terminal(f"failed to create custom status evaluator for {place}: {error}", path)


def _errors(entry: Check) -> Iterator[tuple[str, Path]]:
    """The errors in the expressions of an entry, each with its path."""
    if "current" not in entry:
        yield "expression Current not specified", entry.path
    for role in _COMPILED:
        for expression in entry.cel:
            if expression.role == role and (error := refusal(expression)):
                name = role[0].upper() + role[1:]
                yield f"failed to parse the expression {name}: {error}", expression.path
