"""From a file or an object to its findings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

from celvet.lint.arbiter import choose_findings
from celvet.lint.checks import CheckedObject, check_object, check_value
from celvet.lint.crds.lookup import CrdLookup
from celvet.lint.engine.detect import (
    count_templated,
    may_hold_checks,
    mentions_known_kind,
    variables_in,
)
from celvet.lint.engine.result import Counts, Crash, FileResult
from celvet.lint.engine.run_rules import run_rules, run_rules_on
from celvet.lint.engine.settings import Settings
from celvet.lint.engine.suppress import suppress, suppressions_in
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
from celvet.lint.manifest.objects.raw_objects import is_named
from celvet.lint.manifest.objects.resourceset import is_resource_set
from celvet.lint.manifest.source.encoding import decode
from celvet.lint.model import Finding, Value, Where
from celvet.lint.predict.check_model import MOST_NODES, is_too_large
from celvet.lint.repository.surroundings import Templated
from celvet.lint.rule_ids import HELM_TEMPLATE
from celvet.lint.values import object_ref_of
from celvet.record import record, replace
from celvet.schemas import Catalog, Kind

if TYPE_CHECKING:
    from celvet.lint.engine.incremental import IncrementalCache
    from celvet.lint.engine.resourceset.merge import Merged
    from celvet.lint.engine.resourceset.renderings import Rendering, Renderings
    from celvet.lint.resourceset import StepBudget

_MOST_DEPTH = 2
"""A ResourceSet may render another one; a third level is skipped."""


def of_text(
    data: bytes | str, name: str, settings: Settings, cache: IncrementalCache | None = None
) -> FileResult:
    """Read and lint a file; see `celvet.lint.engine.lint_text`.

    Whether it is a patch matters only if there are findings, since a patch never has more than the
    same text as an object.
    """
    earlier = cache.manifest if cache else None
    variables = _substitutions(data, settings)
    manifest = read(data, name, variables, earlier=earlier)
    if cache and not next(manifest.all_problems(), None):
        cache.manifest = manifest
    if manifest.problems:
        manifest = replace(manifest, problems=tuple(_concerning(manifest, data, settings.catalog)))
    linter = _Linter(settings, cache)
    result = linter.result(manifest, [*all_objects(manifest)])
    if result.outcomes or not all(is_named(each.value) for each in manifest.documents):
        target = settings.surroundings.patch_target
        if target is not None:
            result = linter.result(manifest, [*patch_objects(manifest, target)])
    if not result.findings or variables == settings.substitutions:
        return result
    from celvet.lint.engine.variable_origins import with_origins  # few files take a variable

    return replace(result, findings=with_origins(result.findings, manifest, settings))


def _concerning(manifest: Manifest, data: bytes | str, catalog: Catalog) -> Iterator[Problem]:
    """The problems of a file that keep an object of a known kind from being checked."""
    if mentions_known_kind(data, catalog) or mentions_known_kind(manifest.text, catalog):
        yield from manifest.problems


def of_object(value: Value, settings: Settings) -> FileResult:
    """Lint an object that is not in a file; see `celvet.lint.engine.lint_object`."""
    manifest = read_value(value)
    return _Linter(settings).result(manifest, [*all_objects(manifest)])


@record
class _Linter:
    """Lints the objects of a manifest.

    `cache` has the results for the previous text, `depth` counts the ResourceSets around, and
    `budget` is shared by the ResourceSets of one template.
    """

    settings: Settings
    cache: IncrementalCache | None = None
    depth: int = 0
    budget: StepBudget | None = None

    def result(self, manifest: Manifest, found: Sequence[KubeObject]) -> FileResult:
        """The result of objects that are found in a manifest."""
        settings, catalog = self.settings, self.settings.catalog
        crds = CrdLookup.of(found, settings.crds)
        made = _renderings(found, settings, self.budget) if self.depth < _MOST_DEPTH else None
        known = list(_known(found, catalog))
        checked = self._checked(known, crds)
        objects_ = [each for each, _ in known]
        problems = (*manifest.problems, *(made.problems if made else ()))
        about = _relevant(replace(manifest, problems=problems), objects_, catalog)
        suppressions = list(suppressions_in(about, objects_, made, settings))
        outcomes = self._outcomes(about, checked)
        inside = self._inside(made, crds) if made else None
        left, suppressed = suppress(
            [*outcomes, *(inside.outcomes if inside else ())], suppressions, settings
        )
        kept = _reported(left, settings)
        counts = _counts(objects_, checked, made, catalog)
        notes = made.notes if made else ()
        return FileResult(
            manifest.name,
            manifest,
            tuple(each for each in kept if isinstance(each, Finding)),
            tuple(each for each in kept if isinstance(each, Crash)),
            replace(counts, suppressed=suppressed) + (inside.counts if inside else Counts()),
            crds.missed,
            (*crds.problems, *settings.surroundings.problems, *notes, *_unpredicted(checked)),
            tuple(checked),
            tuple(inside.results) if inside else (),
        )

    def _checked(
        self, known: Iterable[tuple[KubeObject, Kind]], crds: CrdLookup
    ) -> list[CheckedObject]:
        """The checks of the objects that are not in a template."""
        settings, cache = self.settings, self.cache
        nothing = check_value({}, settings.catalog)
        earlier = chain(cache.checked, repeat(nothing)) if cache else repeat(None)
        applied = (each for each in known if not each[0].templated)
        checked = [
            replace(
                check_object(
                    each, kind, settings.catalog, crds, fixes=settings.fixes, earlier=before
                ),
                surroundings=settings.surroundings,
            )
            for (each, kind), before in zip(applied, earlier, strict=False)
        ]
        if cache and checked:
            cache.checked = checked
        return checked

    def _outcomes(
        self, manifest: Manifest, checked: Iterable[CheckedObject]
    ) -> Iterator[Finding | Crash]:
        """The outcomes of the rules about a manifest and its objects."""
        settings, cache = self.settings, self.cache
        yield from run_rules(manifest, lambda rule: rule.check_manifest, settings, Where())
        for each in checked:
            yield from cache.outcomes(each, settings) if cache else run_rules_on(each, settings)

    def _inside(self, made: Renderings, crds: CrdLookup) -> Merged:
        """The results of the texts that ResourceSets of a file render."""
        from celvet.lint.engine.resourceset.independent import independent
        from celvet.lint.engine.resourceset.merge import Merged

        everything = self.settings.everything
        merged = Merged()
        for texts in made.texts:
            merged.add(texts, [*map(self._rendered(crds), texts)])
        for texts in made.stand_ins:
            merged.add_independent(independent(texts, self._rendered(crds), everything=everything))
        return merged

    def _rendered(self, crds: CrdLookup) -> Callable[[Rendering], FileResult]:
        """Lints the texts of one template."""
        from celvet.lint.resourceset import TOTAL, StepBudget

        budget = StepBudget(TOTAL)

        def result(text: Rendering) -> FileResult:
            found = [each for each in all_objects(text.manifest) if text.applies(each)]
            around = Templated(self.settings.surroundings, text.owner.value)
            within = replace(self.settings, crds=crds, surroundings=around, fixes=False)
            inner = _Linter(within, depth=self.depth + 1, budget=budget)
            return inner.result(text.manifest, found)

        return result


def _reported(left: Sequence[Finding | Crash], settings: Settings) -> list[Finding | Crash]:
    """The outcomes to report: one finding for each cause, only of the wanted rules."""
    kept = choose_findings(left, everything=settings.everything)
    return [each for each in kept if not settings.only or each.rule in settings.only]


def _unpredicted(checked: Iterable[CheckedObject]) -> Iterator[str]:
    """Notes on checks that are too large to be predicted."""
    for each in checked:
        if not each.partial and any(map(is_too_large, each.checks)):
            entry = f"an entry of more than {MOST_NODES} parts"
            yield f"{each.object.title}: what {entry} will do is not predicted"


def _renderings(
    found: Sequence[KubeObject], settings: Settings, budget: StepBudget | None
) -> Renderings | None:
    """The renderings of ResourceSets, None without any, since the template engine loads slowly."""
    if not any(is_resource_set(each.value) for each in found):
        return None
    from celvet.lint.engine.resourceset.renderings import renderings

    return renderings(found, settings.providers, budget)


def _known(found: Iterable[KubeObject], catalog: Catalog) -> Iterator[tuple[KubeObject, Kind]]:
    """The objects of a known kind; what they embed comes after them.

    A patch may leave its group to the target; any other object without one is
    left out, such as a kustomization.yaml that says `kind: Kustomization` alone.
    """
    for each in found:
        reference = object_ref_of(each.value)
        kind = catalog.find(reference.api_version, reference.kind)
        if kind and (reference.api_version or each.partial):
            yield each, kind


def _counts(
    known: Sequence[KubeObject],
    checked: Sequence[CheckedObject],
    made: Renderings | None,
    catalog: Catalog,
) -> Counts:
    checks = [check for each in checked for check in each.checks]
    programs = [it.program for check in checks for it in check.expressions]
    aside = [each for each in known if not (made and made.holds(each))]
    return Counts(
        objects=len(checked),
        expressions=len(programs),
        unanalysed=sum([not program.analysed for program in programs]),
        unresolved=sum(
            bool(names)
            for each in known
            if not each.templated
            for names in each.unresolved.values()
        ),
        templated=sum(each.templated or count_templated(each.value, catalog) for each in aside),
    )


def _relevant(manifest: Manifest, known: Sequence[KubeObject], catalog: Catalog) -> Manifest:
    """The manifest without the documents that have no known kind.

    An unreadable document stays if its text mentions a known kind, a template if it may hold checks
    too. So a document has the same findings in a file as alone, which is how an editor reads it.
    """
    indices = {each.where.document for each in known}

    def concerns(document: Document) -> bool:
        if document.readable or not document.problems:
            return document.index in indices
        text = manifest.text[document.start : document.end]
        template = document.problems[0].kind == HELM_TEMPLATE
        return mentions_known_kind(text, catalog) and (
            not template or may_hold_checks(text, catalog)
        )

    return replace(manifest, documents=tuple(filter(concerns, manifest.documents)))


def _substitutions(data: bytes | str, settings: Settings) -> Mapping[str, str]:
    """The values with which a file is read; the configured ones override those of its parents.

    The parents are asked only about a file that may have an expression with a variable.
    """
    text = decode(data).text
    if "${" not in text or not may_hold_checks(text, settings.catalog):
        return settings.substitutions
    known = settings.surroundings.variables(variables_in(text))
    return {**known, **settings.substitutions}
