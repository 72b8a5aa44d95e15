"""Lints what a renderer builds, and moves each finding to the file that the object comes from."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import NamedTuple

from celvet.lint.engine import Crash, FileResult, Settings, lint_text, may_concern
from celvet.lint.manifest.objects.entry_names import field_without_indices
from celvet.lint.model import Finding, Where
from celvet.lint.render.builds import RenderBuild, builds
from celvet.lint.render.origins import origin_of
from celvet.lint.render.program import RenderError, RenderProgram
from celvet.lint.repository.index import Index
from celvet.lint.repository.surroundings import ALONE
from celvet.lint.rules import rules
from celvet.lint.suppression import in_comments
from celvet.record import record

_MOST_BUILDS = 1_000
_MOST_SECONDS = 30.0
_MOST_SECONDS_IN_ALL = 600.0


class _Said(NamedTuple):
    """What makes two findings about a file the same."""

    rule: str
    document: int
    field: str
    message: str

    @classmethod
    def of(cls, finding: Finding, where: Where) -> _Said:
        return cls(finding.rule, where.document, field_without_indices(where), finding.message)


@record
class RenderResult:
    """What was found in all builds.

    `files` are the results by the names of the files that objects come from. `notes` tell what was
    not rendered, and why.
    """

    files: dict[str, FileResult] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def lint_rendered(
    index: Index, program: RenderProgram, settings: Settings, known: Mapping[str, Iterable[Finding]]
) -> RenderResult:
    """What a renderer shows about the files in `known`, apart from the findings there.

    The Kustomizations of a repository are built one after the other.
    """
    collector = _Collector(index, settings, known)
    notes = [index.problem] if index.problem else []
    end = monotonic() + _MOST_SECONDS_IN_ALL
    for number, build in enumerate(builds(index.applications, index.files)):
        left = end - monotonic()
        if number == _MOST_BUILDS or left <= 0:
            notes.append(f"{build.title} and what follows is not rendered: it would take too long")
            break
        with TemporaryDirectory(prefix="celvet-") as name:
            overlay = Path(name).resolve() / "overlay"
            overlay.mkdir()
            try:
                text = build.run(program, overlay, min(_MOST_SECONDS, left))
            except RenderError as error:
                notes.append(f"{build.title} is not rendered: {error}")
            else:
                collector.add(build, overlay, text)
    return RenderResult(collector.files, notes)


class _Collector:
    """Collects what was found about files, each thing once."""

    def __init__(
        self, index: Index, settings: Settings, known: Mapping[str, Iterable[Finding]]
    ) -> None:
        self.files: dict[str, FileResult] = {}
        self._index = index
        # Whether a suppression has a use is seen in the file, where all rules have spoken.
        unasked = {rule.id: None for rule in rules() if rule.checks_suppressions}
        severities = {**settings.severities, **unasked}
        self._settings = replace(settings, severities=severities, surroundings=ALONE, fixes=False)
        self._said = {
            name: {_Said.of(each, each.where) for each in findings}
            for name, findings in known.items()
        }

    def add(self, build: RenderBuild, overlay: Path, output: bytes) -> None:
        """Lint what a build gives."""
        substitutions = {**build.substitutions, **self._settings.substitutions}
        settings = replace(self._settings, substitutions=substitutions)
        result = lint_text(b"---\n".join(_concerning(output, settings)), build.title, settings)
        for each in result.outcomes:
            self._add(build, overlay, result, each)

    def _add(
        self, build: RenderBuild, overlay: Path, result: FileResult, each: Finding | Crash
    ) -> None:
        document = result.manifest and result.manifest.document(each.where.document)
        origin = origin_of(self._index.files, overlay, document.value) if document else None
        if not document or not origin or origin.manifest.name not in self._said:
            return
        name, manifest = origin.manifest.name, origin.manifest
        found = self.files.setdefault(name, FileResult(name, manifest))
        where = origin.place(document, each.where)
        if isinstance(each, Crash):
            crash = replace(each, where=where)
            self.files[name] = replace(found, crashes=(*found.crashes, crash))
            return
        path = (*origin.path, *each.where.path)
        said = _Said.of(each, replace(each.where, document=origin.document, path=path))
        if said in self._said[name] or any(
            comment.covers(each.rule, where) for comment in in_comments(manifest)
        ):
            return
        self._said[name].add(said)
        message = f"{each.message}; {build.title} renders it so"
        moved = replace(each, message=message, where=where, fix=None, related=())
        self.files[name] = replace(found, findings=(*found.findings, moved))


def _concerning(output: bytes, settings: Settings) -> Iterator[bytes]:
    """The documents that may hold something; kustomize and flux write a line between two."""
    for document in output.split(b"\n---\n"):
        if may_concern(document, settings.schemas):
            yield document + b"\n"
