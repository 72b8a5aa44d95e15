"""The commands of the server: what a lens, an action or a menu of the editor starts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias

from lsprotocol import types as lsp

from celvet.lint.explain.output import FORMATS
from celvet.lint.lsp.client import Client
from celvet.lint.lsp.features.scaffolding import (
    NoEntryError,
    entry_edits,
    health_test,
    kind_names,
    line_of_test,
)
from celvet.lint.lsp.features.trials import PlacedCheck, check_at
from celvet.lint.lsp.protocol_types import (
    BEGIN,
    EXPLAIN,
    JUDGE,
    KINDS,
    PAGE,
    REVEAL,
    STATES,
    SUGGEST,
    TRY,
)
from celvet.lint.lsp.state.documents import Documents, path_of
from celvet.record import replace

_Command: TypeAlias = Callable[..., Awaitable[Any]]


class Commands:
    """A method for each command; one with arguments that it does not know does nothing.

    A check is given by the URI of its file and a line and character within it, from 0.
    """

    def __init__(self, client: Client, documents: Documents) -> None:
        self._client = client
        self._documents = documents
        self._files: TemporaryDirectory[str] | None = None
        self.by_name: Mapping[str, _Command] = {
            BEGIN: self.begin,
            REVEAL: self.reveal,
            EXPLAIN: self.explain,
            PAGE: self.page,
            TRY: self.try_object,
            STATES: self.states,
            JUDGE: self.judge,
            SUGGEST: self.suggest,
            KINDS: self.kinds,
        }

    async def page(self, *args: Any) -> str | None:
        """The page of a check, as HTML."""
        if check := await self._check(args):
            if page := await self._documents.run(check.page):
                place = f"{path_of(args[0]).name}:{args[1] + 1}"
                return FORMATS.renderer("html")([replace(page, place=place)], False)
            self._client.show("celvet: nothing can be told about this check")
        return None

    async def explain(self, *args: Any) -> None:
        """Open the page of a check in a browser."""
        if page := await self.page(*args):
            self._client.open(self._written("check.html", page), external=True)

    async def states(self, *args: Any) -> list[tuple[str, str]]:
        """The objects that a check can be tried on: a name and the YAML of each."""
        check = await self._check(args)
        return await self._documents.run(check.states) if check else []

    async def judge(self, *args: Any) -> str | None:
        """The verdict of a check on the object in a text, and its trace."""
        check = await self._check(args[:3])
        if check and isinstance(args[-1], str):
            return await self._documents.run(partial(check.judgement, args[-1]))
        return None

    async def try_object(self, *args: Any) -> None:
        """Let the user choose a state, and show the verdict on it."""
        texts = dict(await self.states(*args))
        choice = await self._client.ask("Which object?", [*texts]) if texts else ""
        if choice in texts and (verdict := await self.judge(*args, texts[choice])):
            verdict_file = self._written("verdict.txt", f"{verdict}\n{texts[choice]}")
            self._client.open(verdict_file, external=False)

    async def kinds(self, *_: Any) -> list[str]:
        """The kinds that `suggest` takes."""
        return await self._documents.run(
            lambda: kind_names(self._documents.configuration.of(Path()).settings.catalog)
        )

    async def suggest(self, *args: Any) -> None:
        """Insert the recommended entry for a kind into the object at a place."""
        match args:
            case (str(uri), int(line), int(character), str(kind)) if file := (
                self._documents.find(uri)
            ):
                text, version = file.text, file.version
                offset = text.offset(lsp.Position(line, character))
                part = await self._documents.analysis_at(file, offset)
                try:
                    edits = await self._documents.run(partial(entry_edits, part, offset, kind))
                except NoEntryError as error:
                    self._client.show(f"celvet: {error}")
                    return
                await self._client.apply(self._client.edit(uri, version, text, edits))

    async def begin(self, *args: Any) -> None:
        """Write a health test for the check with a title, in a new file."""
        match args:
            case (str(uri), str(title)) if file := self._documents.find(uri):
                settings = self._documents.configuration.of(file.path).settings
                catalog = settings.catalog
                work = partial(health_test, file.text.text, file.path, title, catalog)
                new_file = await self._documents.run(work)
                if new_file:
                    await self._client.create(new_file)
                else:
                    self._client.show(f"cannot write a health test for `{title}`")

    async def reveal(self, *args: Any) -> None:
        """Show a health test: the document of a file."""
        match args:
            case (str(path), int(document)):
                work = partial(line_of_test, Path(path), document)
                self._client.reveal(Path(path), await self._documents.run(work))

    async def _check(self, args: tuple[Any, ...]) -> PlacedCheck | None:
        """The check that arguments give; None, and a message, if there is none."""
        match args:
            case (str(uri), int(line), int(character)) if file := self._documents.find(uri):
                offset = file.text.offset(lsp.Position(line, character))
                part = await self._documents.analysis_at(file, offset)
                check = await self._documents.run(partial(check_at, part, offset))
                if check is None:
                    self._client.show("celvet: there is no check here; put the cursor into one")
                return check
        return None

    def _written(self, name: str, text: str) -> Path:
        """A file with a text, which goes when the server ends."""
        self._files = self._files or TemporaryDirectory(prefix="celvet-")
        path = Path(self._files.name) / name
        path.write_text(text, encoding="utf-8")
        return path
