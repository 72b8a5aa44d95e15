"""Follows what the user types, saves and configures, and publishes diagnostics."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from lsprotocol import types as lsp

from celvet.lint.config import NAME
from celvet.lint.lsp.client import Client
from celvet.lint.lsp.features.diagnostics import diagnostics
from celvet.lint.lsp.state.client_settings import SECTION, client_settings
from celvet.lint.lsp.state.documents import Documents, Open, path_of
from celvet.lint.lsp.state.workspace import HealthTests

_WATCHED = (f"**/{NAME}", "**/pyproject.toml", "**/*.yaml", "**/*.yml")


class Watcher:
    """Keeps the diagnostics of all open files right."""

    def __init__(self, client: Client, documents: Documents, tests: HealthTests) -> None:
        self._client = client
        self._documents = documents
        self._tests = tests
        self._told: set[str] = set()
        self._initial: object = None

    def initialize(self, params: lsp.InitializeParams) -> None:
        """Take up the workspace and the options that a client may start us with."""
        folders = [each.uri for each in params.workspace_folders or ()]
        uris = folders or ([params.root_uri] if params.root_uri else [])
        roots = tuple(map(path_of, uris))
        self._tests.roots = roots
        if roots:
            self._documents.configuration.root = roots[0]
        self._initial = params.initialization_options
        self._configure(self._initial)

    async def initialized(self, _: lsp.InitializedParams) -> None:
        """Ask for the configuration, and to be told when it or a file changes."""
        if self._client.watches:
            self._client.watch(*_WATCHED)
        if self._client.follows_configuration:
            self._client.follow_configuration(SECTION)
        if self._client.tells_configuration:
            await self._ask()

    async def configured(self, params: lsp.DidChangeConfigurationParams) -> None:
        """Take the new configuration, be it sent along or to be asked for."""
        if self._client.tells_configuration:
            await self._ask()
        else:
            self._configure(params.settings)
            self.refresh()

    async def _ask(self) -> None:
        told = await self._client.configuration(SECTION)
        self._configure(self._initial if told is None else told)
        self.refresh()

    def _configure(self, values: object) -> None:
        """Take the settings that a client sends, with the section around them or without."""
        own = values.get(SECTION, values) if isinstance(values, dict) else None
        chosen = client_settings(own)
        if chosen == self._documents.configuration.client:
            return  # many clients tell the same twice when they start
        for mistake in chosen.mistakes:
            self._client.show(f"celvet: {mistake}")
        self._documents.configuration.configure(chosen)

    def opened(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """Judge a file at once."""
        self._judge(self._documents.opened(params.text_document, self._client.encoding), 0)

    def changed(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Judge a file once nothing more is typed; what is being done for the old text ends."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return
        for change in params.content_changes:
            file.text = file.text.changed(change)
        file.version = params.text_document.version
        self._judge(file, self._documents.configuration.client.delay)

    def closed(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """Forget a file and its diagnostics."""
        self._documents.closed(params.text_document.uri)
        self._client.publish(params.text_document.uri, [], None)

    def folders_changed(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        """Look for health tests in the folders that there are now."""
        added, removed = (
            {path_of(each.uri) for each in folders}
            for folders in (params.event.added, params.event.removed)
        )
        kept = [root for root in self._tests.roots if root not in removed | added]
        self._tests.roots = (*kept, *sorted(added))
        self.refresh()

    def saved(self, _: lsp.DidSaveTextDocumentParams) -> None:
        """Look at everything again: the configuration, a CRD or a fixture may have been saved."""
        self.refresh()

    def files_changed(self, _: lsp.DidChangeWatchedFilesParams) -> None:
        """As after a save."""
        self.refresh()

    def refresh(self) -> None:
        """Judge all open files again as far as what they are judged by has changed."""
        self._tests.forget()
        self._client.look_at_lenses_again()
        for file in self._documents:
            self._judge(file, self._documents.configuration.client.delay)

    def _judge(self, file: Open, delay: int) -> None:
        if file.work:
            file.work.cancel()
        file.work = asyncio.ensure_future(self._published(file, delay / 1000))

    async def _published(self, file: Open, delay: float) -> None:
        """Wait, judge and publish; whoever changes the file cancels it."""
        await asyncio.sleep(delay)
        text, version = file.text, file.version
        try:
            chosen = self._documents.configuration.of(file.path)
            excluded = chosen.excludes(file.path)
            parts = [] if excluded else await self._documents.all_parts(file)
            work = partial(diagnostics, file.uri, text, parts, chosen.minimum)
            found = await self._documents.run(work)
        except Exception as error:
            self._client.log(f"cannot judge {file.path}: {type(error).__name__}: {error}")
            return
        for mistake in chosen.mistakes:
            self._tell(f"celvet: {mistake}", self._client.show)
        self._tell(chosen.problem)
        for each in parts:
            for note in each.part.result.notes:
                self._tell(note)
            for crash in each.part.result.crashes:
                self._tell(f"rule {crash.rule} failed: {crash.error}")
        self._client.publish(file.uri, found, version)

    def _tell(self, message: str, say: Callable[[str], None] | None = None) -> None:
        """Log a message, or say it in another way, once."""
        if message and message not in self._told:
            self._told.add(message)
            (say or self._client.log)(message)
