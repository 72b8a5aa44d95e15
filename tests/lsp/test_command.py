from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterable
from io import BytesIO
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from celvet.lint.lsp.server import Server
from tests.cli.command import celvet
from tests.ports import free_ports

_CELVET = str(Path(sys.executable).parent / "celvet")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--tcp", "x"], "`x` is not HOST:PORT"),
        (["--tcp", "x:99999"], "is not HOST:PORT"),
        (["--tcp", ":1", "--stdio"], "exclude each other"),
    ],
)
def test_usage(arguments: list[str], says: str, tmp_path: Path) -> None:
    ran = celvet("lsp", *arguments, cwd=tmp_path)
    assert ran.status == 2
    assert says in ran.err


def test_a_missing_extra_is_one_line() -> None:
    script = "import sys; sys.modules['pygls'] = None\nfrom celvet.lint.cli import main\nmain()"
    command = [sys.executable, "-c", script, "lsp"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "install `celvet[lsp]`" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [_CELVET, "lsp", "--tcp", f"127.0.0.1:{port}"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert f"--tcp: cannot listen on 127.0.0.1:{port}: Address already in use" in done.stderr


def test_what_is_not_a_message_ends_without_a_traceback() -> None:
    message = b'Content-Length: 16\r\n\r\n{"jsonrpc": 2.0}'
    command = [_CELVET, "lsp", "--stdio"]
    done = subprocess.run(
        command, input=b"Content-Length: 3\r\n\r\n[[[" + message, capture_output=True, check=False
    )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr + done.stdout


def _message(**content: object) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class _Out(BytesIO):
    """Can be read after the server has closed it."""

    def close(self) -> None:
        pass


def _served(sent: Iterable[bytes]) -> tuple[int, bytes]:
    """The exit status and answers of a server in this process for some messages."""
    server, out = Server(), _Out()
    server.start_io(BytesIO(b"".join(sent)), out)
    return server.status, out.getvalue()


def test_requests_that_cannot_be_meant() -> None:
    empty = {"capabilities": {}, "processId": None, "rootUri": None}
    odd = {"textDocument": {"uri": "file:///x"}, "position": {"line": -1, "character": 1 << 40}}
    sent = [
        _message(id=1, method="initialize", params=empty),
        _message(id=2, method="workspace/executeCommand", params={"command": "nope"}),
        _message(id=3, method="textDocument/hover", params={"textDocument": {"uri": 5}}),
        _message(id=4, method="no/such", params={}),
        _message(id=5, method="textDocument/hover", params=odd),
        _message(method="textDocument/didChange", params={}),
        _message(id=6, method="shutdown"),
        _message(method="exit"),
    ]
    status, out = _served(sent)
    assert status == 0
    assert b"raceback" not in out
    bodies = (json.loads(each) for each in re.findall(rb"^{.*?}(?=Content-|\Z)", out, re.M))
    codes = {each["id"]: each.get("error", {}).get("code") for each in bodies if "id" in each}
    assert codes == {1: None, 2: -32602, 3: -32602, 4: -32601, 5: -32602, 6: None}


_BEGIN = [
    _message(id=1, method="initialize", params={"capabilities": {}}),
    _message(method="initialized", params={}),
]


@pytest.mark.parametrize(
    ("end", "status"),
    [
        ([_message(method="exit")], 1),
        ([_message(id=2, method="shutdown"), _message(method="exit")], 0),
    ],
)
def test_how_it_ends(end: list[bytes], status: int) -> None:
    sent = b"".join([*_BEGIN, *end])
    done = subprocess.run([_CELVET, "lsp"], input=sent, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (status, b"")


def test_a_request_after_the_end() -> None:
    end = [
        _message(id=2, method="shutdown"),
        _message(id=3, method="textDocument/hover", params=_NOWHERE),
        _message(id=4, method="shutdown"),
        _message(method="exit"),
    ]
    status, out = _served([*_BEGIN, *end])
    assert status == 0
    assert re.findall(rb'"code": (-\d+)', out) == [b"-32600", b"-32600"]


_NOWHERE = {"textDocument": {"uri": "file:///x"}, "position": {"line": 0, "character": 0}}


@pytest.mark.asyncio
async def test_tcp() -> None:
    [port] = free_ports(1)
    server = subprocess.Popen([_CELVET, "lsp", "--tcp", f"127.0.0.1:{port}"])
    client = LanguageClient("test", "1")
    try:
        while server.poll() is None:
            try:
                await client.start_tcp("127.0.0.1", port)
                break
            except OSError:
                await asyncio.sleep(0.05)
        encodings = [lsp.PositionEncodingKind.Utf8, lsp.PositionEncodingKind.Utf16]
        general = lsp.GeneralClientCapabilities(position_encodings=encodings)
        answer = await client.initialize_async(
            lsp.InitializeParams(lsp.ClientCapabilities(general=general))
        )
        assert answer.capabilities.position_encoding == lsp.PositionEncodingKind.Utf8
        assert answer.server_info
        assert answer.server_info.name == "celvet"
        await client.shutdown_async(None)
        client.exit(None)
        assert server.wait(300) == 0
    finally:
        server.kill()
        await client.stop()
