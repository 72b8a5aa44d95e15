"""A client with the capabilities of Visual Studio Code, in a workspace of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

from tests.forked import CELVET, command, start_server
from tests.lsp.editor import Editor

_COMMAND = command(CELVET, "celvet", "lsp")


@pytest.fixture(scope="session", autouse=True)
def _server() -> None:
    start_server()


@pytest_lsp.fixture(config=ClientServerConfig(server_command=_COMMAND))
async def client(lsp_client: LanguageClient, tmp_path: Path) -> AsyncIterator[None]:
    capabilities = client_capabilities("visual-studio-code")
    if capabilities.workspace:
        # The client of pytest-lsp has no answer when it is asked for these.
        capabilities.workspace.did_change_configuration = None
        capabilities.workspace.did_change_watched_files = None
        capabilities.workspace.code_lens = None
    folder = lsp.WorkspaceFolder(tmp_path.as_uri(), "workspace")
    lsp_client.set_configuration({"celvet": {"delay": 20}})
    await lsp_client.initialize_session(
        lsp.InitializeParams(
            capabilities, workspace_folders=[folder], initialization_options={"delay": 20}
        )
    )
    nothing = lsp.HoverParams(lsp.TextDocumentIdentifier("file:///nothing"), lsp.Position(0, 0))
    for _ in range(2):  # by then the server has asked for its configuration and taken it
        await lsp_client.text_document_hover_async(nothing)
    yield
    await lsp_client.shutdown_session()


@pytest.fixture
def editor(client: LanguageClient, tmp_path: Path) -> Editor:
    return Editor(client, tmp_path / "ks.yaml")
