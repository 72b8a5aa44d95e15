"""Lints what a renderer builds, and moves each finding to the file that the object comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import starmap
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

import yaml

from celvet.lint.engine import Crash, FileResult, Settings, lint_text, may_concern
from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.manifest import Document, Manifest
from celvet.lint.manifest.objects.entry_names import entry_names, field_without_indices
from celvet.lint.model import Finding, Path, Value, Where
from celvet.lint.render.overlays import RenderBuild, builds, origin_in_repository
from celvet.lint.render.program import RenderError, RenderProgram
from celvet.lint.repository.files import Files
from celvet.lint.repository.index import Index
from celvet.lint.repository.providers import providers_among
from celvet.lint.rules import on_suppressions
from celvet.lint.suppression import in_comments
from celvet.lint.values import get, group_kind_of, mapping_at, text_at
from celvet.record import field, record, replace

_ANNOTATION = ("metadata", "annotations", "config.kubernetes.io/origin")
_NAME: Path = ("metadata", "name")
_MOST_BUILDS = 1_000
_MOST_NAMED = 3
"""Kustomizations that a message about a cause names."""
_MOST_SECONDS = 30.0
_MOST_SECONDS_IN_ALL = 600.0


class Origin(NamedTuple):
    """The document and path in a file of the repository from which an object was made.

    `value` is the object there; None if only the file is known.
    """

    manifest: Manifest
    document: int
    path: Path
    value: Value = None

    def place(self, document: Document, where: Where) -> Where:
        """The source of a place in a rendered document; if there is none, the object's name.

        An entry of a list counts as the same one if it has the same names.
        """
        source = self.manifest.document(self.document)
        path = (*self.path, *where.path)
        if self.value is None or not source or not source.node_at(path):
            return Where(self.document, (*self.path, *_NAME))
        if get(source.value, path) == get(document.value, where.path):
            return Where(self.document, path, where.span, where.on_key, where.inner)
        names = entry_names(document.value, where.path)
        has_same_names = names == entry_names(self.value, where.path)
        return Where(self.document, path if has_same_names else (*self.path, *_NAME))


def _origin_of(files: Files, overlay: FilePath, obj: Value) -> Origin | None:
    """The origin of an object that was rendered in an overlay; None if it is not in the repository.

    An object that a generator made has the kustomization with the generator as its origin. A build
    may add to the name of an object, before it and after it.
    """
    # kustomize writes the origin as YAML in an annotation.
    try:
        annotation = mapping_at(yaml.safe_load(text_at(obj, _ANNOTATION)))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    path = text_at(annotation, ("path",)) or text_at(annotation, ("configuredIn",))
    name = "" if annotation.get("repo") or not path else origin_in_repository(files, overlay, path)
    try:
        manifest = files.with_inner_texts(name) if name else None
    except KustomizeError:
        return None
    if not manifest or not manifest.documents:
        return None
    # Of the objects in the file, it is the one with the longest name that the build kept.
    title = text_at(obj, _NAME)
    candidates = [
        candidate
        for candidate in files.objects(name)
        if group_kind_of(candidate.value) == group_kind_of(obj)
        and text_at(candidate.value, _NAME) in title
    ]
    if not candidates:
        return Origin(manifest, manifest.documents[0].index, ())
    best = max(candidates, key=lambda candidate: len(text_at(candidate.value, _NAME)))
    return Origin(manifest, best.document, best.path, best.value)


class _FindingKey(NamedTuple):
    """A key that is equal for equal findings about a file."""

    rule: str
    document: int
    field: str
    message: str

    @classmethod
    def of(cls, finding: Finding, where: Where) -> _FindingKey:
        return cls(finding.rule, where.document, field_without_indices(where), finding.message)


@record
class RenderResult:
    """The findings in all builds.

    `files` are the results by the names of the files that objects come from. `notes` say what was
    not rendered, and why.
    """

    files: dict[str, FileResult] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def lint_rendered(
    index: Index,
    program: RenderProgram,
    settings: Settings,
    findings_by_file: Mapping[str, Iterable[Finding]],
) -> RenderResult:
    """The additional findings of a renderer about the files in `findings_by_file`.

    The Kustomizations of a repository are built one after the other.
    """
    collector = _Collector(index, settings, findings_by_file)
    notes = [index.problem] if index.problem else []
    titles_by_cause: dict[str, list[str]] = {}
    end = monotonic() + _MOST_SECONDS_IN_ALL
    for number, build in enumerate(builds(index.applications, index.files)):
        seconds_left = end - monotonic()
        if number == _MOST_BUILDS or seconds_left <= 0:
            notes.append(f"{build.title} and what follows is not rendered: it would take too long")
            break
        with TemporaryDirectory(prefix="celvet-") as name:
            overlay = FilePath(name).resolve() / "overlay"
            overlay.mkdir()
            try:
                text = build.run(program, overlay, min(_MOST_SECONDS, seconds_left))
            except RenderError as error:
                titles_by_cause.setdefault(str(error), []).append(build.title)
            else:
                collector.add(build, overlay, text)
    return RenderResult(collector.files, [*starmap(_not_rendered, titles_by_cause.items()), *notes])


def _not_rendered(cause: str, titles: Sequence[str]) -> str:
    """What is not rendered for a cause: the first ones of many."""
    first_titles, more = ", ".join(titles[:_MOST_NAMED]), len(titles) - _MOST_NAMED
    remainder = f" and {more} more" if more > 0 else ""
    verb = "is" if len(titles) == 1 else "are"
    return f"{first_titles}{remainder} {verb} not rendered: {cause}"


class _Collector:
    """Collects the findings about files, each once."""

    def __init__(
        self, index: Index, settings: Settings, findings_by_file: Mapping[str, Iterable[Finding]]
    ) -> None:
        self.files: dict[str, FileResult] = {}
        self._index = index
        # Only the file itself, with all rules, shows whether a suppression is used.
        unused_rules = dict.fromkeys(on_suppressions())
        severities = {**settings.severities, **unused_rules}
        self._settings = replace(
            settings, severities=severities, providers=providers_among(index.files), fixes=False
        )
        self._reported_keys = {
            name: {_FindingKey.of(finding, finding.where) for finding in findings}
            for name, findings in findings_by_file.items()
        }

    def add(self, build: RenderBuild, overlay: FilePath, output: bytes) -> None:
        """Lint the output of a build."""
        substitutions = {**build.substitutions, **self._settings.substitutions}
        settings = replace(self._settings, substitutions=substitutions)
        result = lint_text(b"---\n".join(_concerning(output, settings)), build.title, settings)
        for outcome in result.outcomes:
            self._add(build, overlay, result, outcome)

    def _add(
        self, build: RenderBuild, overlay: FilePath, result: FileResult, outcome: Finding | Crash
    ) -> None:
        document = result.manifest and result.manifest.document(outcome.where.document)
        origin = _origin_of(self._index.files, overlay, document.value) if document else None
        # An object may come from a file that this run does not lint.
        if not document or not origin or origin.manifest.name not in self._reported_keys:
            return
        name, manifest = origin.manifest.name, origin.manifest
        file_result = self.files.setdefault(name, FileResult(name, manifest))
        where = origin.place(document, outcome.where)
        if isinstance(outcome, Crash):
            crash = replace(outcome, where=where)
            self.files[name] = replace(file_result, crashes=(*file_result.crashes, crash))
            return
        # What is known or suppressed in the source is not reported again for its build.
        path = (*origin.path, *outcome.where.path)
        key = _FindingKey.of(outcome, replace(outcome.where, document=origin.document, path=path))
        if key in self._reported_keys[name] or any(
            comment.covers(outcome.rule, where) for comment in in_comments(manifest)
        ):
            return
        self._reported_keys[name].add(key)
        message = f"{outcome.message}; {build.title} renders it like this"
        finding = replace(outcome, message=message, where=where, fix=None, related=())
        self.files[name] = replace(file_result, findings=(*file_result.findings, finding))


def _concerning(output: bytes, settings: Settings) -> Iterator[bytes]:
    """The documents that may matter; kustomize and flux write a line between two."""
    for document in output.split(b"\n---\n"):
        if may_concern(document, settings.schemas):
            yield document + b"\n"
