"""Lints the texts that the ResourceSets of a file render, with places in the file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from celvet.lint.engine.resourceset.independent import independent_outcomes
from celvet.lint.engine.resourceset.merge import merge_independent, merge_renderings
from celvet.lint.engine.resourceset.renderings import Rendering, render_resource_sets
from celvet.lint.engine.result import FileResult, TemplateResults
from celvet.lint.engine.settings import Settings
from celvet.lint.manifest import KubeObject, all_objects
from celvet.lint.repository.surroundings import TemplateSurroundings
from celvet.lint.resourceset import TOTAL, StepBudget
from celvet.record import replace


def lint_templates(
    objects: Sequence[KubeObject],
    settings: Settings,
    lint_objects: Callable[..., FileResult],
    budget: StepBudget | None,
) -> TemplateResults:
    """Render the templates of the ResourceSets among the objects, and lint what they render.

    `lint_objects` gets a manifest, its objects, settings and a `budget`. A finding that several
    renderings of a template have is reported once, at the template.
    """
    renderings = render_resource_sets(objects, settings.providers, budget)
    results = TemplateResults(renderings.owners, renderings.problems, renderings.notes)

    # All ResourceSets that one template renders share a budget.
    for texts in renderings.texts:
        lint = partial(_lint_text, lint_objects, settings, StepBudget(TOTAL))
        results += merge_renderings(texts, [lint(text) for text in texts])

    # Without the inputs, only what every possible text has is a mistake in the template.
    for texts in renderings.stand_ins:
        lint = partial(_lint_text, lint_objects, settings, StepBudget(TOTAL))
        independent = independent_outcomes(texts, lint, everything=settings.everything)
        results += merge_independent(independent)
    return results


def _lint_text(
    lint_objects: Callable[..., FileResult], settings: Settings, budget: StepBudget, text: Rendering
) -> FileResult:
    """The result for the objects that the operator applies of a rendered text.

    There are no fixes: what is right in one rendering may be wrong in another.
    """
    objects = [obj for obj in all_objects(text.manifest) if text.applies(obj)]
    surroundings = TemplateSurroundings(settings.surroundings, text.owner.value)
    settings = replace(settings, surroundings=surroundings, fixes=False)
    return lint_objects(text.manifest, objects, settings, budget=budget)
