"""The way of one file through the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

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
from celvet.lint.model import Finding, Value, Where
from celvet.lint.suppression import Suppression, in_annotation, in_comments
from celvet.schemas import Kind


def of_text(
    data: bytes | str, name: str, settings: Settings, memory: Memory | None = None
) -> FileResult:
    """Read and judge a file; see `celvet.lint.engine.lint_text`."""
    manifest = read(data, name, settings.substitutions)
    catalog = settings.catalog
    if manifest.problems and not (is_ours(data, catalog) or is_ours(manifest.text, catalog)):
        manifest = replace(manifest, problems=())
    return _result(manifest, settings, memory)


def of_object(value: Value, settings: Settings) -> FileResult:
    """Judge an object that comes without a text; see `celvet.lint.engine.lint_object`."""
    return _result(Manifest("", "", (Document(1, 0, 0, value=value),)), settings)


def _result(manifest: Manifest, settings: Settings, memory: Memory | None = None) -> FileResult:
    catalog = settings.catalog
    found = [each for document in manifest.documents for each in objects_in(document)]
    known = Knowledge.of(found, settings.crds)
    ours = list(_ours(found, catalog))
    checked = [
        check_object(each, kind, catalog, known, fixes=settings.fixes)
        for each, kind in ours
        if not each.templated
    ]
    objects_ = [each for each, _ in ours]
    suppressions = list(_suppressions(manifest, objects_, settings))
    outcomes = _judged(manifest, objects_, checked, settings, memory)
    kept, suppressed = sifted(outcomes, suppressions, settings)
    return FileResult(
        manifest.name,
        manifest,
        tuple(each for each in kept if isinstance(each, Finding)),
        tuple(each for each in kept if isinstance(each, Crash)),
        replace(_counts(objects_, checked, catalog), suppressed=suppressed),
        known.missed,
        known.problems,
        tuple(checked),
    )


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
    ours: Sequence[KubeObject], checked: Sequence[CheckedObject], catalog: schemas.Catalog
) -> Counts:
    programs = [it.program for each in checked for it in each.expressions]
    return Counts(
        objects=len(checked),
        expressions=len(programs),
        unanalysed=sum(not program.analysed for program in programs),
        unresolved=sum(len(each.unresolved) for each in ours if not each.templated),
        templated=len(ours)
        - len(checked)
        + sum(to_be_ours(each.value, catalog) for each in checked),
    )


def _suppressions(
    manifest: Manifest, ours: Sequence[KubeObject], settings: Settings
) -> Iterator[Suppression]:
    yield from in_comments(manifest)
    for each in ours if settings.annotations else ():
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
    catalog = settings.catalog

    def concerns(document: Document) -> bool:
        text = manifest.text[document.start : document.end]
        unreadable = document.root is None and document.problems
        return document.index in indices or bool(unreadable and is_ours(text, catalog))

    return replace(manifest, documents=tuple(filter(concerns, manifest.documents)))
