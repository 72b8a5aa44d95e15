"""A client with the capabilities of Visual Studio Code, in a workspace of its own."""

from __future__ import annotations

import asyncio
import functools
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event

import pytest
import pytest_asyncio
from lsprotocol import types as lsp
from pygls.io_ import run_async
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient, client_capabilities
from pytest_lsp.client import make_test_lsp_client

from celvet.lint.lsp.server import Server
from tests.lsp.editor import Editor

_converter = functools.cache(default_converter)
"""One for all tests: it compiles a function for each class of messages on first use."""


@pytest_asyncio.fixture
async def client(tmp_path: Path) -> AsyncIterator[LanguageClient]:
    """Connected to a server in this process, on the same event loop."""
    async with connected(tmp_path) as client:
        yield client


@asynccontextmanager
async def connected(workspace: Path) -> AsyncIterator[LanguageClient]:
    """A client and its server, until the client leaves."""
    near, far = socket.socketpair()
    server = asyncio.create_task(_serve(far))
    client = make_test_lsp_client()
    client.protocol._converter = _converter()
    reader, writer = await asyncio.open_connection(sock=near)
    client.protocol.set_writer(writer)
    answers = asyncio.create_task(run_async(Event(), reader, client.protocol))
    await _initialize(client, workspace)
    yield client
    await client.shutdown_async(None)
    writer.write_eof()
    await asyncio.gather(server, answers)
    writer.close()


async def _serve(connection: socket.socket) -> None:
    server = Server()
    server.protocol._converter = _converter()
    reader, writer = await asyncio.open_connection(sock=connection)
    server.protocol.set_writer(writer)
    report = server.report_server_error
    await run_async(Event(), reader, server.protocol, error_handler=report)
    server.shutdown()
    writer.close()


async def _initialize(client: LanguageClient, workspace: Path) -> None:
    capabilities = client_capabilities("visual-studio-code")
    if capabilities.workspace:
        # The client of pytest-lsp has no answer when it is asked for these.
        capabilities.workspace.did_change_configuration = None
        capabilities.workspace.did_change_watched_files = None
        capabilities.workspace.code_lens = None
    folder = lsp.WorkspaceFolder(workspace.as_uri(), "workspace")
    client.set_configuration({"celvet": {"delay": 20}})
    await client.initialize_session(
        lsp.InitializeParams(
            capabilities, workspace_folders=[folder], initialization_options={"delay": 20}
        )
    )
    nothing = lsp.HoverParams(lsp.TextDocumentIdentifier("file:///nothing"), lsp.Position(0, 0))
    for _ in range(2):  # by then the server has received its configuration
        await client.text_document_hover_async(nothing)


@pytest.fixture
def editor(client: LanguageClient, tmp_path: Path) -> Editor:
    return Editor(client, tmp_path / "ks.yaml")
