"""The client: its capabilities, and messages to it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path

from celvet.lint.locate.edits import FileEdit
from celvet.lint.lsp.features.scaffolding import NewFile
from celvet.lint.lsp.protocol import Protocol
from celvet.lint.lsp.state.positions import EditorText

_START = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))


class Client:
    """Sends messages to the client; only on the event loop."""

    def __init__(self, server: LanguageServer, protocol: Protocol) -> None:
        self._server = server
        self.plain, self.publish = protocol.plain, protocol.publish

    @property
    def encoding(self) -> lsp.PositionEncodingKind:
        """The units of positions."""
        encoding = self._server.workspace.position_encoding
        return lsp.PositionEncodingKind(encoding or lsp.PositionEncodingKind.Utf16)

    @property
    def _workspace(self) -> lsp.WorkspaceClientCapabilities:
        return self._server.client_capabilities.workspace or lsp.WorkspaceClientCapabilities()

    @property
    def _text_document(self) -> lsp.TextDocumentClientCapabilities:
        capabilities = self._server.client_capabilities.text_document
        return capabilities or lsp.TextDocumentClientCapabilities()

    @property
    def _completion_item(self) -> lsp.ClientCompletionItemOptions | None:
        completion = self._text_document.completion
        return completion.completion_item if completion else None

    @property
    def snippets(self) -> bool:
        """Whether a completion may be a snippet."""
        item = self._completion_item
        return bool(item and item.snippet_support)

    def hover_text(self, markdown: str) -> lsp.MarkupContent:
        """A text for hover, marked as Markdown if the client knows that."""
        capability = self._text_document.hover
        return _markup(markdown, capability.content_format if capability else None)

    def completion_text(self, markdown: str) -> lsp.MarkupContent | None:
        """A text for a completion, as in `hover`; None for an empty one."""
        item = self._completion_item
        return _markup(markdown, item.documentation_format if item else None) if markdown else None

    @property
    def creates_files(self) -> bool:
        """Whether the client can apply edits that create files."""
        edit = self._workspace.workspace_edit
        kinds = (edit.resource_operations if edit else None) or ()
        return bool(self._workspace.apply_edit and lsp.ResourceOperationKind.Create in kinds)

    @property
    def has_configuration(self) -> bool:
        """Whether the server can ask for the configuration."""
        return bool(self._workspace.configuration)

    @property
    def watches(self) -> bool:
        """Whether the server can ask the client to watch files."""
        capability = self._workspace.did_change_watched_files
        return bool(capability and capability.dynamic_registration)

    @property
    def follows_configuration(self) -> bool:
        """Whether the server has to register for changes of the configuration."""
        capability = self._workspace.did_change_configuration
        return bool(capability and capability.dynamic_registration)

    def log(self, message: str, kind: lsp.MessageType = lsp.MessageType.Warning) -> None:
        """Write to the client's log."""
        self._server.window_log_message(lsp.LogMessageParams(kind, message))

    def show(self, message: str, kind: lsp.MessageType = lsp.MessageType.Warning) -> None:
        """Show a message to the user."""
        params = lsp.ShowMessageParams(kind, message)
        self._server.window_show_message(params)

    def edit(
        self, uri: str, version: int, text: EditorText, edits: Sequence[FileEdit]
    ) -> lsp.WorkspaceEdit:
        """Edits of a file in the form that the client supports."""
        text_edits = [text.text_edit(edit) for edit in edits]
        capability = self._workspace.workspace_edit
        if capability and capability.document_changes:
            where = lsp.OptionalVersionedTextDocumentIdentifier(uri, version)
            return lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(where, text_edits)])
        return lsp.WorkspaceEdit(changes={uri: text_edits})

    async def create(self, file: NewFile) -> None:
        """Create and show a file."""
        uri = from_fs_path(str(file.path)) or ""
        where = lsp.OptionalVersionedTextDocumentIdentifier(uri, None)
        changes: list[lsp.CreateFile | lsp.TextDocumentEdit] = [
            lsp.CreateFile(uri),
            lsp.TextDocumentEdit(where, [lsp.TextEdit(_START, file.text)]),
        ]
        await self.apply(lsp.WorkspaceEdit(document_changes=changes))
        self.reveal(file.path, 0)

    async def ask(self, message: str, choices: Sequence[str]) -> str:
        """The user's choice; empty if there is none."""
        actions = [lsp.MessageActionItem(title) for title in choices]
        params = lsp.ShowMessageRequestParams(lsp.MessageType.Info, message, actions)
        answer = await self._server.window_show_message_request_async(params)
        return answer.title if answer else ""

    async def apply(self, edit: lsp.WorkspaceEdit) -> None:
        """Let the editor change files, which the user can undo."""
        await self._server.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(edit))

    def open(self, path: Path, *, external: bool) -> None:
        """Open a file, outside of the editor if `external`; else name it, for the user to open."""
        window = self._server.client_capabilities.window
        if window and window.show_document and window.show_document.support:
            params = lsp.ShowDocumentParams(path.as_uri(), external=external, take_focus=True)
            self._server.window_show_document(params)
        else:
            self.show(f"celvet: see {path}", lsp.MessageType.Info)

    def reveal(self, path: Path, line: int) -> None:
        """Show a line, counted from 0, of a file to the user, if the client can."""
        window = self._server.client_capabilities.window
        if window and window.show_document and window.show_document.support:
            start = lsp.Position(line, 0)
            params = lsp.ShowDocumentParams(
                from_fs_path(str(path)) or "", take_focus=True, selection=lsp.Range(start, start)
            )
            self._server.window_show_document(params)

    def refresh(self) -> None:
        """Make the client request code lenses and inlay hints again, if it supports that."""
        if self._workspace.code_lens and self._workspace.code_lens.refresh_support:
            self._server.workspace_code_lens_refresh(None)
        if self._workspace.inlay_hint and self._workspace.inlay_hint.refresh_support:
            self._server.workspace_inlay_hint_refresh(None)

    async def configuration(self, section: str) -> object:
        """The section of the client's configuration."""
        items = [lsp.ConfigurationItem(section=section)]
        params = lsp.ConfigurationParams(items)
        sections = await self._server.workspace_configuration_async(params)
        return sections[0] if sections else None

    def watch(self, *patterns: str) -> None:
        """Ask for notifications when files change; nothing depends on the answer."""
        watchers = [lsp.FileSystemWatcher(pattern) for pattern in patterns]
        options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
        self._register("celvet-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)

    def follow_configuration(self, section: str) -> None:
        """Ask for notifications when a section of the configuration changes."""
        options = lsp.DidChangeConfigurationRegistrationOptions(section)
        method = lsp.WORKSPACE_DID_CHANGE_CONFIGURATION
        self._register("celvet-configuration", method, options)

    def _register(self, name: str, method: str, options: object) -> None:
        registration = lsp.Registration(name, method, options)
        self._server.client_register_capability(lsp.RegistrationParams([registration]))


def _markup(text: str, formats: Sequence[lsp.MarkupKind] | None) -> lsp.MarkupContent:
    markdown = lsp.MarkupKind.Markdown in (formats or ())
    return lsp.MarkupContent(
        lsp.MarkupKind.Markdown if markdown else lsp.MarkupKind.PlainText, text
    )
