"""An editor shows for a file what `celvet lint` reports, even while it is half written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from lsprotocol import types as lsp

from celvet.lint.engine import lint_text
from celvet.lint.locate import Locator
from celvet.lint.lsp.state.configuration import Configuration
from celvet.lint.lsp.state.documents import Documents
from celvet.lint.model import Finding

_EXAMPLES = Path(__file__).parents[3] / "examples"
_FILES = sorted(path for path in _EXAMPLES.rglob("*.yaml") if path.stat().st_size < 20_000)
_OTHER = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n"
_BROKEN = "# celvet: ignore everything\n"


class _Said(NamedTuple):
    """A finding as both report it, with its start offset."""

    offset: int
    rule: str
    severity: str
    message: str
    help: str


def _said(finding: Finding, offset: int) -> _Said:
    severity = finding.severity.name if finding.severity else ""
    return _Said(offset, finding.rule, severity, finding.message, finding.help)


def _of_editor(text: str, path: Path) -> list[_Said]:
    files = Documents(Configuration())
    item = lsp.TextDocumentItem(path.as_uri(), "yaml", 1, text)
    file = files.add(item, lsp.PositionEncodingKind.Utf16)
    try:
        placed = asyncio.run(files.all_analyses(file))
    finally:
        files.close()
    return sorted(
        _said(each, part.extent(each.where).start)
        for part in placed
        for each in part.analysis.result.findings
    )


def _of_lint(text: str, path: Path) -> list[_Said]:
    result = lint_text(text.encode(), str(path))
    if result.manifest is None:
        return []
    locator, mark = Locator(result.manifest), int(result.manifest.bom)
    return sorted(_said(each, locator.offsets(each.where)[0] + mark) for each in result.findings)


def _inserted(part: str) -> Callable[[str, Random], str]:
    def damage(text: str, random: Random) -> str:
        at = random.randrange(len(text))
        return f"{text[:at]}{part}{text[at:]}"

    return damage


def _before_a_line(part: str) -> Callable[[str, Random], str]:
    def damage(text: str, random: Random) -> str:
        lines = text.splitlines(keepends=True)
        lines.insert(random.randrange(len(lines)), part)
        return "".join(lines)

    return damage


def _with_tab(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    at = random.randrange(len(lines))
    lines[at] = "\t" + lines[at].lstrip()
    return "".join(lines)


_DAMAGE: Mapping[str, Callable[[str, Random], str]] = {
    "whole": lambda text, _: text,
    "truncated": lambda text, random: text[: random.randrange(len(text))],
    "NUL": _inserted("\0"),
    "CR LF": lambda text, _: text.replace("\n", "\r\n"),
    "CR": lambda text, _: text.replace("\n", "\r"),
    "byte order mark": lambda text, _: f"\ufeff{text}",
    "broken comment": _before_a_line(_BROKEN),
    "broken comment elsewhere": lambda text, _: f"{_BROKEN}{_OTHER}---\n{text}\n---\n{_BROKEN}",
    "tab": _with_tab,
    "quote": _inserted('"'),
    "bracket": _inserted("["),
    "separator": _before_a_line("---\n"),
    "end": _before_a_line("...\n"),
    "template": _before_a_line("{{- if .Values.x }}\n"),
    "template elsewhere": lambda text, _: f"{text}\n---\n{_OTHER}{{{{- toYaml .x }}}}\n",
    "no kind": lambda text, _: text.replace("kind:", "king:", 1),
    "emoji": _inserted("\U0001f600"),
    "NUL after a mark": lambda text, _: f"\ufeff{text}\0",
    "text after the end": lambda text, _: f"{text}\n...\n{text}",
}


@pytest.mark.parametrize("damage", _DAMAGE)
@pytest.mark.parametrize("path", _FILES, ids=lambda path: str(path.relative_to(_EXAMPLES)))
def test_examples(path: Path, damage: str, tmp_path: Path) -> None:
    random = Random(f"{path.relative_to(_EXAMPLES)} {damage}")
    text = _DAMAGE[damage](path.read_text(encoding="utf-8"), random)
    file = tmp_path / "f.yaml"
    assert _of_editor(text, file) == _of_lint(text, file)
