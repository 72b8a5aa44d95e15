"""The open texts, and what the engine says of them: made off the event loop, a document at a time.

A request needs the one YAML document under the cursor, diagnostics need all of
them. Both ask for parts; a part is made once for its text, and between two parts
whoever has something more urgent has its turn.
"""

from __future__ import annotations

import asyncio
import gc
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from celvet.lint.engine import Settings
from celvet.lint.engine.incremental import Memory
from celvet.lint.lsp.state.analysis import Part, Placed, chunk_at, chunks, defining, with_own_crds
from celvet.lint.lsp.state.configuration import Configuration
from celvet.lint.lsp.state.positions import Text
from celvet.lint.model import Span

ResultT = TypeVar("ResultT")


@dataclass(slots=True, eq=False)
class Open:
    """An open file: its newest text, what was made of it so far, and the work under way.

    `basis` are the settings of the user, the documents of the file that define
    kinds, and the settings that follow from both. `memory` is what was said of
    the entries in its documents.
    """

    uri: str
    path: Path
    text: Text
    version: int
    parts: dict[str, Part] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)
    basis: tuple[Settings, tuple[str, ...], Settings] | None = None
    work: asyncio.Task[None] | None = None


def path_of(uri: str) -> Path:
    """The path of a file's URI; for any other URI a path of that name, where no file is.

    A path has no NUL character, and asking the system for one is an error. pygls takes one that
    begins with two slashes for a Windows share.
    """
    path = to_fs_path(uri) or uri
    return Path(re.sub("^//+", "/", path).replace("\0", "\ufffd"))


class Documents:
    """All open files. The `async` methods may be cancelled at any time."""

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self._open: dict[str, Open] = {}
        # One thread: this is pure computing, and nobody promises that the CEL engine is reentrant.
        self._executor = ThreadPoolExecutor(
            1, thread_name_prefix="celvet", initializer=_collect_garbage_seldom
        )

    def __iter__(self) -> Iterator[Open]:
        return iter(tuple(self._open.values()))

    def find(self, uri: str) -> Open | None:
        """The open file of a URI."""
        return self._open.get(uri)

    def opened(self, item: lsp.TextDocumentItem, encoding: lsp.PositionEncodingKind) -> Open:
        """Take up a file."""
        found = Open(item.uri, path_of(item.uri), Text(item.text, encoding), item.version)
        self.closed(item.uri)
        self._open[item.uri] = found
        return found

    def closed(self, uri: str) -> None:
        """Forget a file; what is being done for it ends."""
        found = self._open.pop(uri, None)
        if found and found.work:
            found.work.cancel()

    async def run(self, work: Callable[[], ResultT]) -> ResultT:
        """Do something in the thread that judges, when its turn comes."""
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    async def part_at(self, file: Open, offset: int) -> Placed:
        """What the engine says of the document at an offset."""
        text = file.text.text
        span = chunk_at(text, offset)
        return Placed(await self.run(partial(self._part, file, text, span)), span.start)

    async def all_parts(self, file: Open) -> list[Placed]:
        """What the engine says of all documents; forgets those that are no longer there."""
        text = file.text.text
        placed = [
            Placed(await self.run(partial(self._part, file, text, span)), span.start)
            for span in chunks(text)
        ]
        file.parts = {each.part.text: each.part for each in placed}
        return placed

    def _part(self, file: Open, text: str, span: Span) -> Part:
        settings = self.settings(file, text)
        own = text[span.start : span.end]
        part = file.parts.get(own)
        if part is None or part.settings is not settings:
            part = file.parts[own] = Part(own, file.path.as_posix(), settings, file.memory)
        return part

    def settings(self, file: Open, text: str) -> Settings:
        """The settings by which a text is judged, the same object as long as they are the same."""
        given = self.configuration.of(file.path).settings
        texts = _definitions(text)
        if file.basis is None or file.basis[0] is not given or file.basis[1] != texts:
            file.basis = given, texts, with_own_crds(given, texts)
        return file.basis[2]

    def close(self) -> None:
        """End the thread."""
        self._executor.shutdown(wait=False, cancel_futures=True)


def _collect_garbage_seldom() -> None:
    """Let this process have more objects before it looks for cycles among them.

    What is made of a text has none. By default, reading 2,000 lines means to walk
    over all that the process remembers, which takes a third of the time.
    """
    gc.set_threshold(100_000, 20, 20)


def _definitions(text: str) -> tuple[str, ...]:
    """The documents of a text that define kinds."""
    if not defining(text):
        return ()
    own = (text[span.start : span.end] for span in chunks(text))
    return tuple(each for each in own if defining(each))
