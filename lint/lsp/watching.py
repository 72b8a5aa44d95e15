"""Follows what the user types, saves and configures, and publishes diagnostics."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from lsprotocol import types as lsp

from celvet.lint.config import NAME
from celvet.lint.discovery.discover import SUFFIXES
from celvet.lint.lsp.client import Client
from celvet.lint.lsp.features.diagnostics import Diagnostics
from celvet.lint.lsp.state.client_settings import SECTION, client_settings
from celvet.lint.lsp.state.documents import Documents, OpenFile, path_of
from celvet.lint.lsp.state.workspace import WorkspaceTests
from celvet.lint.model import Severity
from celvet.lint.repository.documents import KUSTOMIZATION_FILES
from celvet.lint.repository.surroundings import forget

_LONG = 16_384
"""Characters of a file whose errors are published first; shorter ones take half a second."""

_WATCHED = (
    f"**/{NAME}",
    "**/pyproject.toml",
    *(f"**/*{suffix}" for suffix in SUFFIXES),
    *(f"**/{name}" for name in KUSTOMIZATION_FILES if not name.endswith(SUFFIXES)),
)


class Watcher:
    """Keeps the diagnostics of all open files up to date."""

    def __init__(self, client: Client, documents: Documents, tests: WorkspaceTests) -> None:
        self._client = client
        self._documents = documents
        self._tests = tests
        self._diagnostics = Diagnostics(client.plain)
        self._reported: set[str] = set()
        self._initial: object = None

    def on_initialize(self, params: lsp.InitializeParams) -> None:
        """Take the folders of the workspace and the initialization options."""
        folders = [folder.uri for folder in params.workspace_folders or ()]
        uris = folders or ([params.root_uri] if params.root_uri else [])
        roots = tuple(map(path_of, uris))
        self._tests.roots = roots
        if roots:
            self._documents.configuration.root = roots[0]
        self._initial = params.initialization_options
        self._configure(self._initial)

    async def on_initialized(self, _: lsp.InitializedParams) -> None:
        """Ask for the configuration, and for notifications when it or a file changes."""
        if self._client.watches:
            self._client.watch(*_WATCHED)
        if self._client.follows_configuration:
            self._client.follow_configuration(SECTION)
        if self._client.has_configuration:
            await self._ask_for_configuration()

    async def on_configuration(self, params: lsp.DidChangeConfigurationParams) -> None:
        """Read the new configuration from the notification, or ask for it."""
        if self._client.has_configuration:
            await self._ask_for_configuration()
        else:
            self._configure(params.settings)
            self.refresh()

    async def _ask_for_configuration(self) -> None:
        section = await self._client.configuration(SECTION)
        self._configure(self._initial if section is None else section)
        self.refresh()

    def _configure(self, values: object) -> None:
        """Take the settings that a client sends, with the section around them or without."""
        section = values.get(SECTION, values) if isinstance(values, dict) else None
        settings = client_settings(section)
        if settings == self._documents.configuration.client:
            return  # many clients send the same settings twice when they start
        for mistake in settings.mistakes:
            self._client.show(f"celvet: {mistake}")
        self._documents.configuration.configure(settings)

    def on_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """Lint a file at once."""
        self._lint(self._documents.add(params.text_document, self._client.encoding), 0)

    def on_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Lint a file once typing pauses, and cancel the work for the old text."""
        file = self._documents.find(params.text_document.uri)
        if file is None:
            return
        for change in params.content_changes:
            file.text = file.text.changed(change)
        file.version = params.text_document.version
        self._lint(file, self._documents.configuration.client.delay)

    def on_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """Remove a file and its diagnostics."""
        self._documents.remove(params.text_document.uri)
        self._client.publish(params.text_document.uri, [], None)

    def on_folders_changed(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        """Look for health tests in the present folders."""
        new_roots, old_roots = (
            {path_of(folder.uri) for folder in folders}
            for folders in (params.event.added, params.event.removed)
        )
        roots = [root for root in self._tests.roots if root not in old_roots | new_roots]
        self._tests.roots = (*roots, *sorted(new_roots))
        self.refresh()

    def on_save(self, _: lsp.DidSaveTextDocumentParams) -> None:
        """Check everything again: the configuration or a fixture may have been saved."""
        self.refresh()

    def on_files_changed(self, _: lsp.DidChangeWatchedFilesParams) -> None:
        """Check everything again: a configuration, a fixture or a parent may have changed."""
        self.refresh()

    def refresh(self) -> None:
        """Lint all open files again whose settings have changed, and update their lenses."""
        self._tests.forget()
        forget()
        self._client.refresh()
        for file in self._documents:
            self._lint(file, self._documents.configuration.client.delay)

    def _lint(self, file: OpenFile, delay: int) -> None:
        if file.work:
            file.work.cancel()
        file.work = asyncio.ensure_future(self._lint_and_publish(file, delay / 1000))

    async def _lint_and_publish(self, file: OpenFile, delay: float) -> None:
        """Wait, lint and publish; cancelled if the file changes."""
        await asyncio.sleep(delay)
        text, version = file.text, file.version
        try:
            configuration = self._documents.configuration.of(file.path)
            is_excluded = configuration.excludes(file.path)
            # A long file shows its errors at once, before the warnings, whose proofs take a while.
            if not (file.analyses or is_excluded) and len(text.text) >= _LONG:
                await self._publish_errors(file)
            parts = [] if is_excluded else await self._documents.all_analyses(file)
            work = partial(self._diagnostics.of, file.uri, text, parts, configuration.minimum)
            diagnostics = await self._documents.run(work)
        except Exception as error:
            self._client.log(f"cannot lint {file.path}: {type(error).__name__}: {error}")
            return
        for mistake in configuration.mistakes:
            self._report_once(f"celvet: {mistake}", self._client.show)
        self._report_once(configuration.problem)
        for part in parts:
            for note in part.analysis.result.notes:
                self._report_once(note)
            for crash in part.analysis.result.crashes:
                self._report_once(f"rule {crash.rule} failed: {crash.error}")
        self._client.publish(file.uri, diagnostics, version)

    async def _publish_errors(self, file: OpenFile) -> None:
        """Publish the errors, before anything is predicted."""
        text, version = file.text, file.version
        parts = await self._documents.errors(file)
        work = partial(self._diagnostics.of, file.uri, text, parts, Severity.ERROR)
        self._client.publish(file.uri, await self._documents.run(work), version)

    def _report_once(self, message: str, show: Callable[[str], None] | None = None) -> None:
        """Log a message, or `show` it, once."""
        if message and message not in self._reported:
            self._reported.add(message)
            (show or self._client.log)(message)
