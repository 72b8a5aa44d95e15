"""The open files and the engine's results for them, made off the event loop.

A request needs the YAML document under the cursor, diagnostics need all of them. Each document is
linted once for its text, and other requests get their turn between two documents.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from celvet.lint.discovery.root import repository
from celvet.lint.engine import Settings
from celvet.lint.lsp.state.analysis import (
    Analysis,
    PlacedAnalysis,
    chunk_at,
    chunks,
    concerns_others,
    with_definitions,
)
from celvet.lint.lsp.state.configuration import Configuration
from celvet.lint.lsp.state.positions import EditorText
from celvet.lint.manifest.objects.resourceset import TAKING
from celvet.lint.model import Severity, Span, Value
from celvet.lint.repository.providers import providers_around
from celvet.lint.repository.surroundings import NO_REPOSITORY, Repository, Surroundings

ResultT = TypeVar("ResultT")


class _Basis(NamedTuple):
    """The inputs of the settings for a file.

    These are the user's settings, the documents that define something for others, providers of
    other files, and a digest of these files if they affect it.
    """

    settings: Settings
    texts: tuple[str, ...]
    providers: tuple[Value, ...]
    files_digest: str


@dataclass(slots=True, eq=False)
class OpenFile:
    """An open file: its newest text, the analyses so far, and the work in progress.

    `basis` has what the settings for its documents are made of, and those settings.
    """

    uri: str
    path: Path
    text: EditorText
    version: int
    analyses: dict[str, Analysis] = field(default_factory=dict)
    basis: tuple[_Basis, Settings] | None = None
    surroundings: Surroundings = field(init=False)
    work: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        """Find the repository around the file."""
        root = repository(self.path.parent)
        self.surroundings = (
            Repository(root).surroundings_of(str(self.path)) if root else NO_REPOSITORY
        )

    def analysis_of(self, document: str, settings: Settings) -> Analysis | None:
        """The analysis of a document with these settings, if it has been made."""
        analysis = self.analyses.get(document)
        return analysis if analysis and analysis.settings is settings else None

    def note_files_read(self) -> None:
        """Record the files that were read: the result is valid until one of them changes."""
        if self.basis and not self.basis[0].files_digest:
            basis, settings = self.basis
            self.basis = basis._replace(files_digest=self.surroundings.others_digest()), settings


def path_of(uri: str) -> Path:
    """The path of a file's URI; for any other URI, a path that does not exist.

    A NUL character in a path is an error of the system. pygls treats a path that begins with two
    slashes as a Windows share.
    """
    path = to_fs_path(uri) or uri
    return Path(re.sub("^//+", "/", path).replace("\0", "\ufffd"))


class Documents:
    """All open files. The `async` methods may be cancelled at any time."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self._open: dict[str, OpenFile] = {}
        # one thread: the work is pure computing, and the CEL engine is not documented as reentrant
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="celvet")

    def __iter__(self) -> Iterator[OpenFile]:
        return iter(tuple(self._open.values()))

    def find(self, uri: str) -> OpenFile | None:
        """The open file of a URI."""
        return self._open.get(uri)

    def add(self, item: lsp.TextDocumentItem, encoding: lsp.PositionEncodingKind) -> OpenFile:
        """Begin to follow a file that the editor has opened, or opened again."""
        file = OpenFile(item.uri, path_of(item.uri), EditorText(item.text, encoding), item.version)
        self.remove(item.uri)
        self._open[item.uri] = file
        return file

    def remove(self, uri: str) -> None:
        """Remove a file and cancel the work for it."""
        file = self._open.pop(uri, None)
        if file and file.work:
            file.work.cancel()

    async def run(self, work: Callable[[], ResultT]) -> ResultT:
        """Run something in the engine's thread, in the order of the calls."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    async def analysis_at(self, file: OpenFile, offset: int) -> PlacedAnalysis:
        """The analysis of the document at an offset."""
        text = file.text.text
        span = chunk_at(text, offset)
        settings = await self.run(partial(self.settings, file, text))
        return await self._analysis(file, text, span, settings)

    async def analyses_in(self, file: OpenFile, span: Span) -> list[PlacedAnalysis]:
        """The analyses of the documents that a range touches, in their order."""
        text = file.text.text
        settings = await self.run(partial(self.settings, file, text))
        return [
            await self._analysis(file, text, chunk, settings)
            for chunk in chunks(text)
            if chunk.start <= span.end and span.start <= chunk.end
        ]

    async def all_analyses(self, file: OpenFile) -> list[PlacedAnalysis]:
        """The analyses of all documents; removes those of documents that no longer exist."""
        text = file.text.text
        settings = await self.run(partial(self.settings, file, text))
        parts = [await self._analysis(file, text, span, settings) for span in chunks(text)]
        file.analyses = {part.analysis.text: part.analysis for part in parts}
        return parts

    async def errors(self, file: OpenFile) -> list[PlacedAnalysis]:
        """Analyses of all documents with only the errors: a fifth of the time. Not kept."""
        text, name = file.text.text, file.path.as_posix()
        settings = await self.run(partial(self.settings, file, text))
        settings = replace(settings, least=Severity.ERROR)
        return [
            PlacedAnalysis(
                await self.run(partial(Analysis, text[span.start : span.end], name, settings)),
                span.start,
            )
            for span in chunks(text)
        ]

    async def _analysis(
        self, file: OpenFile, text: str, span: Span, settings: Settings
    ) -> PlacedAnalysis:
        document = text[span.start : span.end]
        part = file.analysis_of(document, settings)
        if part is None:
            part = await self.run(partial(self._analyse, file, document, settings))
        return PlacedAnalysis(part, span.start)

    def _analyse(self, file: OpenFile, document: str, settings: Settings) -> Analysis:
        """The analysis of a document, unless another request has made it meanwhile."""
        part = file.analysis_of(document, settings)
        if part is None:
            part = file.analyses[document] = Analysis(document, file.path.as_posix(), settings)
            file.note_files_read()
        return part

    def settings(self, file: OpenFile, text: str) -> Settings:
        """The settings for a text: the same object as long as they are equal."""
        other_providers = providers_around(str(file.path)) if TAKING in text else ()
        own_settings = self.configuration.of(file.path).settings
        files_digest = file.surroundings.others_digest()
        basis = _Basis(own_settings, _defining_documents(text), other_providers, files_digest)
        if file.basis is None or file.basis[0] != basis:
            file_settings = with_definitions(own_settings, basis.texts, other_providers)
            file.basis = basis, replace(file_settings, surroundings=file.surroundings)
        return file.basis[1]

    def close(self) -> None:
        """End the thread that analyses; what waits for it is cancelled."""
        self._executor.shutdown(wait=False, cancel_futures=True)


def _defining_documents(text: str) -> tuple[str, ...]:
    """The documents of a text that define kinds or provide inputs."""
    if not concerns_others(text):
        return ()
    documents = (text[span.start : span.end] for span in chunks(text))
    return tuple(document for document in documents if concerns_others(document))
