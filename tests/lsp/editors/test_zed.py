"""What Zed sends to a server of an extension, according to `lsp_store.rs` and `lsp.rs`.

Zed itself is not run here. It sends what `initialization_options` in its settings say, then an
empty configuration, answers null when it is asked for a section, and opens the file at once.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient

from tests.lsp.editor import Editor, around
from tests.lsp.manifests import CERTIFICATE, HEAD, ISSUER

_COMMAND = [str(Path(sys.executable).parent / "celvet"), "lsp"]

pytestmark = pytest.mark.asyncio


def _capabilities() -> lsp.ClientCapabilities:
    registers = {"dynamic_registration": True}
    return lsp.ClientCapabilities(
        general=lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind.Utf16]),
        workspace=lsp.WorkspaceClientCapabilities(
            apply_edit=True,
            configuration=True,
            workspace_folders=True,
            workspace_edit=lsp.WorkspaceEditClientCapabilities(
                document_changes=True, resource_operations=[*lsp.ResourceOperationKind]
            ),
            did_change_configuration=lsp.DidChangeConfigurationClientCapabilities(**registers),
            did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(**registers),
        ),
        text_document=lsp.TextDocumentClientCapabilities(
            hover=lsp.HoverClientCapabilities(content_format=[lsp.MarkupKind.Markdown])
        ),
    )


@pytest_lsp.fixture(config=ClientServerConfig(server_command=_COMMAND))
async def zed(lsp_client: LanguageClient) -> AsyncIterator[None]:
    yield
    await lsp_client.shutdown_session()


async def _begin(zed: LanguageClient, root: Path) -> list[str]:
    """Start a session; the list receives the registrations of the server."""
    registered: list[str] = []
    zed.feature(lsp.CLIENT_REGISTER_CAPABILITY)(
        lambda params: registered.extend(each.method for each in params.registrations)
    )
    await zed.initialize_session(
        lsp.InitializeParams(
            _capabilities(),
            root_uri=root.as_uri(),
            workspace_folders=[lsp.WorkspaceFolder(root.as_uri(), "")],
            initialization_options={"delay": 20, "rules": {"missing-failed": "off"}},
        )
    )
    zed.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({}))
    return registered


async def test_a_session(zed: LanguageClient, tmp_path: Path) -> None:
    registered = await _begin(zed, tmp_path)
    text = HEAD + CERTIFICATE + ISSUER
    editor = Editor(zed, tmp_path / "ks.yaml")
    assert await editor.open(text) == ["premature-failed"]
    assert "| whose condition" in await editor.hover(around(text, "filter").start)
    fix, *_ = await editor.actions(around(text, "filter"), "quickfix")
    assert fix.edit.document_changes[0].text_document.version == 1
    assert registered == [
        lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        lsp.WORKSPACE_DID_CHANGE_CONFIGURATION,
    ]
