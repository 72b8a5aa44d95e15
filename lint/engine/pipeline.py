"""The way of one file through the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from celvet import schemas
from celvet.lint.checks import CheckedObject, check_object, reference_of
from celvet.lint.engine.crd_lookup import Knowledge
from celvet.lint.engine.detect import is_ours, to_be_ours
from celvet.lint.engine.incremental import Memory
from celvet.lint.engine.result import Counts, Crash, FileResult
from celvet.lint.engine.run_rules import judge, judge_object
from celvet.lint.engine.settings import Settings
from celvet.lint.engine.suppress import sifted
from celvet.lint.manifest import Document, KubeObject, Manifest, objects_in, read
from celvet.lint.manifest.objects.resourceset import is_resource_set
from celvet.lint.model import Finding, Value, Where
from celvet.lint.suppression import Suppression, in_annotation, in_comments
from celvet.schemas import Kind

if TYPE_CHECKING:
    from celvet.lint.engine.merge import Merged
    from celvet.lint.engine.renderings import Renderings

_MOST_DEPTH = 2
"""A ResourceSet may render another; one in that is left aside."""


def of_text(
    data: bytes | str, name: str, settings: Settings, memory: Memory | None = None
) -> FileResult:
    """Read and judge a file; see `celvet.lint.engine.lint_text`."""
    manifest = read(data, name, settings.substitutions)
    catalog = schemas.load(settings.schemas)
    if manifest.problems and not (is_ours(data, catalog) or is_ours(manifest.text, catalog)):
        manifest = replace(manifest, problems=())
    return _result(manifest, _objects(manifest), settings, memory)


def of_object(value: Value, settings: Settings) -> FileResult:
    """Judge an object that comes without a text; see `celvet.lint.engine.lint_object`."""
    manifest = Manifest("", "", (Document(1, 0, 0, value=value),))
    return _result(manifest, _objects(manifest), settings)


def _objects(manifest: Manifest) -> list[KubeObject]:
    return [each for document in manifest.documents for each in objects_in(document)]


def _result(
    manifest: Manifest,
    found: Sequence[KubeObject],
    settings: Settings,
    memory: Memory | None = None,
    depth: int = 0,
) -> FileResult:
    """The result of objects of a manifest; `depth` counts the ResourceSets around them."""
    catalog = schemas.load(settings.schemas)
    known = Knowledge.of(found, settings.crds)
    made = _renderings(found) if depth < _MOST_DEPTH else None
    ours = list(_ours(found, catalog))
    checked = [
        check_object(each, kind, catalog, known, fixes=settings.fixes)
        for each, kind in ours
        if not each.templated
    ]
    objects_ = [each for each, _ in ours]
    suppressions = list(_suppressions(manifest, objects_, made, settings))
    problems = (*manifest.problems, *(made.problems if made else ()))
    outcomes = _judged(replace(manifest, problems=problems), objects_, checked, settings, memory)
    inside = _inside(made, replace(settings, crds=known), depth) if made else None
    kept, suppressed = sifted(
        [*outcomes, *(inside.outcomes if inside else ())], suppressions, settings
    )
    counts = _counts(objects_, checked, made, catalog)
    return FileResult(
        manifest.name,
        manifest,
        tuple(each for each in kept if isinstance(each, Finding)),
        tuple(each for each in kept if isinstance(each, Crash)),
        replace(counts, suppressed=suppressed) + (inside.counts if inside else Counts()),
        known.missed,
        (*known.problems, *(made.notes if made else ())),
        tuple(checked),
    )


def _renderings(found: Sequence[KubeObject]) -> Renderings | None:
    """What ResourceSets render, None without any; the engine of templates takes time to load."""
    if not any(is_resource_set(each.value) for each in found):
        return None
    from celvet.lint.engine.renderings import renderings

    return renderings(found)


def _inside(made: Renderings, settings: Settings, depth: int) -> Merged:
    """The results of the rendered texts."""
    from celvet.lint.engine.merge import Merged

    merged = Merged()
    for texts in made.texts:
        results = []
        for text in texts:
            found = [each for each in _objects(text.manifest) if text.applies(each)]
            results.append(_result(text.manifest, found, settings, depth=depth + 1))
        merged.add(texts, results)
    return merged


def _ours(
    found: Iterable[KubeObject], catalog: schemas.Catalog
) -> Iterator[tuple[KubeObject, Kind]]:
    """The objects of a kind that is known; what they embed comes after them.

    A patch may leave its group to the target; any other object without one is
    not ours, such as a kustomization.yaml that says `kind: Kustomization` alone.
    """
    for each in found:
        reference = reference_of(each.value)
        kind = catalog.find(reference.api_version, reference.kind)
        if kind and (reference.api_version or each.partial):
            yield each, kind


def _counts(
    ours: Sequence[KubeObject],
    checked: Sequence[CheckedObject],
    made: Renderings | None,
    catalog: schemas.Catalog,
) -> Counts:
    programs = [it.program for each in checked for it in each.expressions]
    aside = [each for each in ours if not (made and made.holds(each))]
    return Counts(
        objects=len(checked),
        expressions=len(programs),
        unanalysed=sum(not program.analysed for program in programs),
        unresolved=sum(len(each.unresolved) for each in ours if not each.templated),
        templated=sum(each.templated or to_be_ours(each.value, catalog) for each in aside),
    )


def _suppressions(
    manifest: Manifest, ours: Sequence[KubeObject], made: Renderings | None, settings: Settings
) -> Iterator[Suppression]:
    """Those of the file; the annotation of an object in a template counts where it is rendered."""
    yield from in_comments(manifest)
    for each in ours if settings.annotations else ():
        if not (made and each.templated and made.holds(each)):
            yield from in_annotation(each)


def _judged(
    manifest: Manifest,
    ours: Sequence[KubeObject],
    checked: Sequence[CheckedObject],
    settings: Settings,
    memory: Memory | None,
) -> Iterator[Finding | Crash]:
    about = _relevant(manifest, ours, settings)
    yield from judge(about, lambda rule: rule.check_manifest, settings, Where())
    for each in checked:
        yield from memory.judge(each, settings) if memory else judge_object(each, settings)


def _relevant(manifest: Manifest, ours: Sequence[KubeObject], settings: Settings) -> Manifest:
    """The manifest without the documents that are none of our business.

    A document that cannot be read is our business if its text says that it is
    about something of ours: the others of the file may be about anything.
    """
    indices = {each.where.document for each in ours}
    catalog = schemas.load(settings.schemas)

    def concerns(document: Document) -> bool:
        text = manifest.text[document.start : document.end]
        unreadable = document.root is None and document.problems
        return document.index in indices or bool(unreadable and is_ours(text, catalog))

    return replace(manifest, documents=tuple(filter(concerns, manifest.documents)))
