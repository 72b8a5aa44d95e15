"""From a file or an object to its findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from celvet.lint.arbiter.findings import choose_findings
from celvet.lint.checks import CheckedObject, check_object
from celvet.lint.crds.lookup import CrdLookup
from celvet.lint.crds.schema import is_definition
from celvet.lint.discovery.discover import SHELL_SCRIPTS
from celvet.lint.engine.detect import (
    count_templated,
    may_hold_checks,
    mentions_known_kind,
    variables_in,
)
from celvet.lint.engine.result import Counts, Crash, FileResult, TemplateResults
from celvet.lint.engine.run_rules import run_rules, run_rules_on
from celvet.lint.engine.settings import Settings
from celvet.lint.engine.suppress import suppress, suppressions_in
from celvet.lint.go.kustomize_scalars import may_differ
from celvet.lint.manifest import (
    Document,
    KubeObject,
    Manifest,
    Problem,
    all_objects,
    patch_objects,
    read,
    read_value,
)
from celvet.lint.manifest.objects.health_scripts import FILE, health_scripts, holds_scripts
from celvet.lint.manifest.objects.kubectl_waits import holds_waits, waits_in
from celvet.lint.manifest.objects.raw_objects import is_named
from celvet.lint.manifest.objects.resourceset import is_resource_set
from celvet.lint.manifest.source.encoding import decode
from celvet.lint.model import Finding, Value, Where
from celvet.lint.predict.check_model import MOST_NODES, is_too_large
from celvet.lint.repository.questions import AppliesUncertainly, PatchTarget, VariableValues
from celvet.lint.rule_ids import HELM_TEMPLATE
from celvet.lint.values import object_ref_of
from celvet.record import replace
from celvet.schemas import Catalog, Kind
from celvet.schemas.applier import applier

if TYPE_CHECKING:
    from celvet.lint.resourceset import StepBudget

_MOST_DEPTH = 2
"""A ResourceSet may render another one; a third level is skipped."""


def of_text(data: bytes | str, name: str, settings: Settings) -> FileResult:
    """Read and lint a file; see `celvet.lint.engine.lint_text`."""
    if name.endswith((FILE, *SHELL_SCRIPTS)):
        return _lint_objects(Manifest(name, decode(data).text), [], settings)
    variables = _substitutions(data, settings)
    manifest = read(data, name, variables)
    if manifest.problems:
        manifest = replace(manifest, problems=tuple(_relevant_problems(manifest, data, settings)))
    result = _lint_objects(manifest, [*all_objects(manifest)], settings)

    # Whether a file is a patch matters only if there are findings, since a patch never has more
    # than the same text as an object.
    if result.outcomes or not all(is_named(document.value) for document in manifest.documents):
        target = settings.surroundings.ask(PatchTarget())
        if target is not None:
            result = _lint_objects(manifest, [*patch_objects(manifest, target)], settings)
    if not result.findings or variables == settings.substitutions:
        return result
    from celvet.lint.engine.variable_origins import with_origins  # few files take a variable

    return replace(result, findings=with_origins(result.findings, manifest, settings))


def of_object(value: Value, settings: Settings) -> FileResult:
    """Lint an object that is not in a file; see `celvet.lint.engine.lint_object`."""
    manifest = read_value(value)
    return _lint_objects(manifest, [*all_objects(manifest)], settings)


def _lint_objects(
    manifest: Manifest,
    objects: Sequence[KubeObject],
    settings: Settings,
    *,
    depth: int = 0,
    budget: StepBudget | None = None,
) -> FileResult:
    """The result of the objects of a manifest.

    `depth` counts the ResourceSets that render the manifest, and `budget` is shared by all
    ResourceSets that one template renders.
    """
    # The rules look for a CRD in the file before they look elsewhere.
    crds = CrdLookup.of(objects, settings.crds)
    settings = replace(settings, crds=crds)
    kinds = list(_known_objects(objects, settings.catalog))
    known_objects = [obj for obj, _ in kinds]
    ambiguous = bool(kinds) and may_differ(manifest.text)
    checked_objects = [
        _check(obj, kind, settings, ambiguous=ambiguous) for obj, kind in kinds if not obj.templated
    ]
    templates = _lint_templates(objects, settings, depth, budget)

    # A template that cannot be rendered is a problem of the file, for the rules to report.
    problems = (*manifest.problems, *templates.problems)
    source = _relevant_documents(
        replace(manifest, problems=problems), known_objects, settings.catalog
    )
    outcomes = [
        *run_rules(source, lambda rule: rule.check_manifest, settings, Where()),
        *(
            outcome
            for checked_object in checked_objects
            for outcome in run_rules_on(checked_object, settings)
        ),
        *templates.outcomes,
    ]

    # An object in a template that is linted counts where it is rendered, with its annotations.
    own_objects = [obj for obj in known_objects if not (obj.templated and templates.cover(obj))]
    suppressions = [*suppressions_in(source, own_objects, settings)]
    outcomes, suppressed_count = suppress(outcomes, suppressions, settings)
    outcomes = _wanted_outcomes(outcomes, settings)

    counts = _counts(checked_objects, own_objects, templates, settings.catalog)
    size_notes = _notes_on_size(checked_objects)
    return FileResult(
        manifest.name,
        manifest,
        tuple(outcome for outcome in outcomes if isinstance(outcome, Finding)),
        tuple(outcome for outcome in outcomes if isinstance(outcome, Crash)),
        replace(counts, suppressed=suppressed_count) + templates.counts,
        crds.missing_kinds,
        (*crds.problems, *settings.surroundings.problems, *templates.notes, *size_notes),
        tuple(checked_objects),
        templates.results,
    )


def _check(obj: KubeObject, kind: Kind, settings: Settings, *, ambiguous: bool) -> CheckedObject:
    """An object as the rules see it."""
    checked_object = check_object(obj, kind, settings.catalog, settings.crds, fixes=settings.fixes)
    return replace(checked_object, surroundings=settings.surroundings, ambiguous=ambiguous)


def _wanted_outcomes(outcomes: list[Finding | Crash], settings: Settings) -> list[Finding | Crash]:
    """The outcomes to report: one finding for each cause, only of the wanted rules."""
    outcomes = choose_findings(outcomes, everything=settings.everything)
    return [outcome for outcome in outcomes if not settings.only or outcome.rule in settings.only]


def _lint_templates(
    objects: Sequence[KubeObject], settings: Settings, depth: int, budget: StepBudget | None
) -> TemplateResults:
    """The results of the texts that the ResourceSets among the objects render."""
    if depth >= _MOST_DEPTH or not any(is_resource_set(obj.value) for obj in objects):
        return TemplateResults()
    from celvet.lint.engine.resourceset.lint_templates import lint_templates  # loads slowly

    return lint_templates(objects, settings, partial(_lint_objects, depth=depth + 1), budget)


def _known_objects(
    objects: Iterable[KubeObject], catalog: Catalog
) -> Iterator[tuple[KubeObject, Kind]]:
    """The objects of a known kind; what they embed comes after them.

    A patch may leave its group to the target; any other object without one is
    left out, such as a kustomization.yaml that says `kind: Kustomization` alone.
    """
    for obj in objects:
        reference = object_ref_of(obj.value)
        kind = catalog.kind_of(obj.value, reference.api_version, reference.kind)
        if kind and (reference.api_version or obj.partial):
            yield obj, kind


def _relevant_problems(
    manifest: Manifest, data: bytes | str, settings: Settings
) -> Iterator[Problem]:
    """The problems of a file that keep an object of a known kind from being checked."""
    catalog = settings.catalog
    if mentions_known_kind(data, catalog) or mentions_known_kind(manifest.text, catalog):
        yield from manifest.problems


def _relevant_documents(
    manifest: Manifest, known_objects: Sequence[KubeObject], catalog: Catalog
) -> Manifest:
    """The manifest without the documents that have neither a known kind nor a script.

    An unreadable document stays if its text mentions a known kind, a template if it may hold checks
    too. So a document has the same findings in a file as alone, which is how an editor reads it.
    """
    indices = {obj.where.document for obj in known_objects}
    may_have_scripts, may_have_waits = holds_scripts(manifest.text), holds_waits(manifest.text)

    def relevant(document: Document) -> Document | None:
        if document.readable or not document.problems:
            if document.index in indices or (
                may_have_scripts and any(health_scripts(document.value))
            ):
                return document
            # Kubernetes does not read a workflow, whose key `on` would be a problem there.
            has_waits = may_have_waits and any(waits_in(document.value))
            return replace(document, problems=()) if has_waits else None
        text = manifest.text[document.start : document.end]
        template = document.problems[0].kind == HELM_TEMPLATE
        is_relevant = mentions_known_kind(text, catalog) and (
            not template or (may_hold_checks(text, catalog) and not is_definition(text))
        )
        return document if is_relevant else None

    documents = filter(None, map(relevant, manifest.documents))
    return replace(manifest, documents=tuple(documents))


def _notes_on_size(checked_objects: Iterable[CheckedObject]) -> Iterator[str]:
    """Notes on checks that are too large to be predicted."""
    for checked_object in checked_objects:
        if not checked_object.partial and any(map(is_too_large, checked_object.checks)):
            entry = f"an entry of more than {MOST_NODES} parts"
            yield f"{checked_object.object.title}: what {entry} will do is not predicted"


def _applies_others(checked: CheckedObject) -> bool:
    reference = checked.object
    kind = applier(reference.group_kind.group, reference.kind)
    return kind is not None and not checked.partial


def _applies_uncertainly(checked: CheckedObject) -> bool:
    """Whether an object seems to apply files, but only a git repository would make that sure."""
    if not _applies_others(checked):
        return False
    question = AppliesUncertainly(checked.place(()), dict(checked.value))
    return checked.surroundings.ask(question)


def _counts(
    checked_objects: Sequence[CheckedObject],
    own_objects: Sequence[KubeObject],
    templates: TemplateResults,
    catalog: Catalog,
) -> Counts:
    """How much was checked, and how much is in templates that are not linted."""
    programs = [
        expression.program
        for checked_object in checked_objects
        for check in checked_object.checks
        for expression in check.expressions
    ]
    # There `${...}` is an expression, not a variable of a substitution.
    with_expressions = {
        checked_object.object
        for checked_object in checked_objects
        if any(check.dialect and check.dialect.wrap == "${}" for check in checked_object.checks)
    }
    return Counts(
        objects=len(checked_objects),
        unsure=sum(map(_applies_uncertainly, checked_objects)),
        appliers=sum(map(_applies_others, checked_objects)),
        expressions=len(programs),
        unanalysed=sum([not program.analysed for program in programs]),
        unread=sum(checked_object.validation.unread for checked_object in checked_objects),
        unresolved=sum(
            any(name.strip("_") for name in names)  # the others stand for actions of a template
            for obj in own_objects
            if obj.unresolved and not obj.templated
            if object_ref_of(obj.value) not in with_expressions
            for names in obj.unresolved.values()
        ),
        templated=sum(
            obj.templated or count_templated(obj.value, catalog)
            for obj in own_objects
            if not templates.cover(obj)
        ),
    )


def _substitutions(data: bytes | str, settings: Settings) -> Mapping[str, str]:
    """The values with which a file is read; the configured ones override those of its parents.

    The parents are asked only about a file that may have an expression with a variable.
    """
    text = decode(data).text
    if "${" not in text or not may_hold_checks(text, settings.catalog):
        return settings.substitutions
    variables = settings.surroundings.ask(VariableValues(variables_in(text)))
    return {**variables, **settings.substitutions}
