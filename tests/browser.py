"""Chromium without a window, driven by its debugging protocol.

async with chromium(directory) as page:
    await page.open("http://127.0.0.1:8787/")
    await page.value("document.title")
"""

from __future__ import annotations

import asyncio
import base64
import functools
import itertools
import json
import os
import shutil
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession, ClientWebSocketResponse

_TOOLS = Path(os.environ.get("CELVET_TOOLS", Path.home() / ".cache" / "celvet-tools"))
_AXE = _TOOLS / "node_modules" / "axe-core" / "axe.min.js"
_BREACHES = """
axe.run().then(result => result.violations.flatMap(
  rule => rule.nodes.map(node => `${rule.id}: ${node.target} ${node.html.slice(0, 120)}`)))
"""
_KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "F1": 112}


@dataclass
class Page:
    """A tab of the browser."""

    socket: ClientWebSocketResponse
    patience: int = 30
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    async def send(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to a command; events are skipped."""
        number = next(self._numbers)
        await self.socket.send_json({"id": number, "method": method, "params": params})
        while True:
            message = await self.socket.receive_json()
            if message.get("id") == number:
                assert "error" not in message, message["error"]
                result: dict[str, Any] = message["result"]
                return result

    async def open(self, url: str) -> None:
        """Open a page, and wait until it is loaded."""
        await self.send("Page.navigate", url="about:blank")
        await self.send("Page.navigate", url=url)
        await self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    async def value(self, script: str) -> Any:
        """The value of a script; a promise is awaited."""
        answer = await self.send(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def sees(self, script: str) -> bool:
        """Whether a script becomes true, within so many seconds."""
        for _ in range(20 * self.patience):
            with suppress(AssertionError):
                if await self.value(f"!!({script})"):
                    return True
            await asyncio.sleep(0.05)
        return False

    async def until(self, script: str) -> None:
        """Wait until a script is true, before the next action needs it."""
        if not await self.sees(script):
            text = await self.value("document.body.innerText")
            raise AssertionError(f"never true: {script}\n{text}")

    async def window(self, width: int, height: int = 900, *, dark: bool = False) -> None:
        """Set the size of the window, and the colors that the user prefers."""
        await self.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.send("Emulation.setEmulatedMedia", features=[scheme])

    async def press(self, key: str) -> None:
        """Press a key."""
        event = {"key": key, "code": key, "windowsVirtualKeyCode": _KEYS.get(key, 0)}
        text = {"Enter": "\r", " ": " "}.get(key, "" if key in _KEYS else key)
        down = {**event, "text": text} if text else event
        await self.send("Input.dispatchKeyEvent", type="keyDown", **down)
        await self.send("Input.dispatchKeyEvent", type="keyUp", **event)

    async def type(self, text: str) -> None:
        """Insert a text at the cursor, as from an input method."""
        await self.send("Input.insertText", text=text)

    async def point(self, node: str, *, click: bool = False) -> None:
        """Move the mouse to what a script finds, once that is there and uncovered, and click it."""
        box = f"(({node}).getBoundingClientRect())"
        middle = f"(box => [box.x + box.width / 2, box.y + box.height / 2]){box}"
        place, last_place = None, [0, 0]
        while place != last_place:  # it may still move
            await self.until(f"({node}).contains(document.elementFromPoint(...{middle}))")
            place, last_place = await self.value(middle), place
        x, y = place
        button = {"button": "left", "clickCount": 1}
        events = [("mouseMoved", {}), *[(f"mouse{way}", button) for way in ("Pressed", "Released")]]
        for event, details in events if click else events[:1]:
            await self.send("Input.dispatchMouseEvent", type=event, x=x, y=y, **details)

    async def unnamed(self) -> list[str]:
        """The controls that a screen reader could not name."""
        roles = {"button", "textbox", "combobox", "link", "searchbox", "checkbox"}
        nodes = (await self.send("Accessibility.getFullAXTree"))["nodes"]
        return [
            json.dumps(node)
            for node in nodes
            if not node["ignored"]
            and node["role"]["value"] in roles
            and not node.get("name", {}).get("value", "").strip()
        ]

    async def breaches(self) -> list[str]:
        """What axe finds that keeps people from the page; skips the test without axe."""
        if not _AXE.exists():
            pytest.skip("axe is not installed (`make tools`)")
        await self.value(f"{_AXE.read_text(encoding='utf-8')};1")
        found: list[str] = await self.value(_BREACHES)
        return found

    async def picture(self, file: Path) -> None:
        """Write a picture of the window."""
        answer = await self.send("Page.captureScreenshot", format="png")
        file.write_bytes(base64.b64decode(answer["data"]))


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def served(directory: Path) -> Iterator[str]:
    """The address at which a directory is served."""
    handler = functools.partial(_Quiet, directory=directory)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@asynccontextmanager
async def chromium(directory: Path) -> AsyncIterator[Page]:
    """A browser of its own, with its data in a directory; skips the test without one."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if not program:
        pytest.skip("Chromium is not installed (Debian's package chromium)")
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0")
    process = await asyncio.create_subprocess_exec(
        program,
        *options,
        f"--user-data-dir={directory}/data",
        "about:blank",
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stderr
        line = b""
        while b"DevTools listening on" not in line:
            line = await process.stderr.readline()
            assert line, "Chromium ended"
        port = line.decode().partition("://")[2].partition("/")[0]
        async with ClientSession() as session:
            async with session.get(f"http://{port}/json") as answer:
                tabs = await answer.json()
            url = next(tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page")
            async with session.ws_connect(url, max_msg_size=0) as socket:
                yield Page(socket)
    finally:
        process.kill()
        await process.wait()
