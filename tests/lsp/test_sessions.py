"""At the end of any session the editor shows what `celvet lint` reports of the same texts."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from tests.cli.command import celvet
from tests.lsp.conftest import connected
from tests.lsp.editor import PUBLISHED, Editor, position
from tests.lsp.manifests import CERTIFICATE, HEAD, ISSUER, PROVIDER, RESOURCE_SET
from tests.properties import examples

_KUSTOMIZATION = HEAD + "    # 😀 é\n" + CERTIFICATE + ISSUER.replace("'True'", "'😀' || e.x")
_TEXTS = (
    _KUSTOMIZATION,
    _KUSTOMIZATION.replace("\n", "\r\n"),
    "\ufeff" + _KUSTOMIZATION + "---\n" + RESOURCE_SET + "---\n" + PROVIDER,
)
_TYPED = (
    "",
    "'",
    "😀",
    "\n",
    " || status.phase == 'Up'",
    "---\n",
    "      failed: status.phase == 'Down'\n",
    CERTIFICATE,
)
_SEVERITIES = {0: "", 1: "error", 2: "warning", 3: "info"}


class _Change(NamedTuple):
    """A change: its place in thousandths of the text, the removed length and the new text."""

    at: int
    removed: int
    typed: str


_Burst: TypeAlias = tuple[int, list[_Change]]
"""The number of a file, and the text that is typed into it."""

_CHANGES = st.builds(
    _Change, st.integers(0, 1000), st.sampled_from([0, 0, 1, 3, 40]), st.sampled_from(_TYPED)
)


@examples(20)
@given(
    st.tuples(st.sampled_from(_TEXTS), st.sampled_from(_TEXTS)),
    st.lists(st.tuples(st.integers(0, 1), st.lists(_CHANGES, min_size=1, max_size=4)), max_size=4),
)
def test_the_editor_shows_what_lint_reports(
    tmp_path_factory: pytest.TempPathFactory, texts: tuple[str, str], bursts: list[_Burst]
) -> None:
    directory = tmp_path_factory.mktemp("session")
    for path, text, shown in asyncio.run(_session(directory, texts, bursts)):
        path.write_bytes(text.encode())
        assert shown == _reported(path, text)


async def _session(
    directory: Path, texts: tuple[str, str], bursts: list[_Burst]
) -> list[tuple[Path, str, Counter[tuple[object, ...]]]]:
    """Type each burst without a pause; each path, with its last text and what is shown of it."""
    async with connected(directory) as client:
        editors = [Editor(client, directory / f"{name}.yaml") for name in ("a", "ü b")]
        for editor, text in zip(editors, texts, strict=True):
            await editor.open(text)
        for file, changes in bursts:
            for change in changes:
                _type(editors[file], change)
            await _settled(editors[file])
        return [(each.path, each.text, _shown(each)) for each in editors]


def _type(editor: Editor, change: _Change) -> None:
    """Make a change by a range; one between a CR and its LF is made before both."""
    text = editor.text
    start = len(text) * change.at // 1000
    end = min(len(text), start + change.removed)
    start, end = (at - (text[at - 1 : at + 1] == "\r\n") for at in (start, end))
    editor.change(lsp.Range(position(text, start), position(text, end)), change.typed)
    editor.text = text[:start] + change.typed + text[end:]


async def _settled(editor: Editor) -> None:
    """Wait for the diagnostics of the newest text."""
    newest = (editor.uri, editor.version)
    while True:
        found = await editor.client.wait_for_notification(PUBLISHED)
        if (found.uri, found.version) == newest:
            return


def _shown(editor: Editor) -> Counter[tuple[object, ...]]:
    return Counter(
        (
            str(each.code),
            _SEVERITIES[each.severity or 0],
            _at(each.range.start),
            _at(each.range.end),
        )
        for each in editor.client.diagnostics[editor.uri]
    )


def _reported(path: Path, text: str) -> Counter[tuple[object, ...]]:
    ran = celvet("lint", "--format", "json", path.name, cwd=path.parent)
    assert ran.status in (0, 1), ran.err
    lines = text.split("\n")

    def place(line: int, column: int) -> tuple[int, int]:
        return line - 1, _at(position(lines[line - 1], column - 1))[1]

    return Counter(
        (
            each["rule"],
            each["severity"],
            place(each["line"], each["column"]),
            place(each["endLine"], each["endColumn"]),
        )
        for each in json.loads(ran.out)["findings"]
    )


def _at(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character
