"""Checks in the editor: the hint behind an expression, its words, its page, objects to try."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from lsprotocol import types as lsp

from celvet.lint.lsp.features.tokens import LEGEND
from tests.lsp.editor import Editor, applied, around
from tests.lsp.manifests import HEAD, ISSUER

pytestmark = pytest.mark.asyncio

DRAGONFLY = """\
    - apiVersion: dragonflydb.io/v1alpha1
      kind: Dragonfly
      failed: status.phase != 'Ready'
      current: status.phase == 'Ready'
"""
_TEXT = HEAD + DRAGONFLY
_TOP = lsp.Position(0, 0)
_READY = "apiVersion: dragonflydb.io/v1alpha1\nkind: Dragonfly\nstatus: {phase: Ready}\n"


def _everything(text: str) -> lsp.Range:
    return lsp.Range(_TOP, lsp.Position(text.count("\n"), 0))


def _start(text: str) -> tuple[int, int]:
    """Where the last entry starts."""
    at = around(text, text[text.rindex("apiVersion") :]).start
    return at.line, at.character


async def test_a_hint_has_the_verdicts_over_the_life_of_the_kind(editor: Editor) -> None:
    await editor.open(_TEXT)
    failed, current = await editor.hints(_everything(_TEXT))
    assert failed.label == "Failed: starting, 1 of 2 ready, being updated; Unknown: just applied"
    assert failed.position == around(_TEXT, "!= 'Ready'").end
    assert str(failed.tooltip).startswith("Dragonfly, Dragonfly operator v")
    assert current.label == "Current: 1 of 2 ready"


@pytest.mark.parametrize(
    ("expression", "label"),
    [
        ("has(status.phase) && status.phase == 'Nope'", "decides none of 7 states"),
        ("status.phase = 'Nope'", None),
    ],
)
async def test_a_hint_follows_the_text(editor: Editor, expression: str, label: str | None) -> None:
    await editor.open(_TEXT)
    editor.change(around(_TEXT, "status.phase == 'Ready'"), expression)
    text = _TEXT.replace("status.phase == 'Ready'", expression).replace(
        "failed: s", "inProgress: s"
    )
    editor.change(None, text)
    labels = [hint.label for hint in await editor.hints(_everything(text))]
    assert labels[1:] == ([label] if label else [])


async def test_an_unknown_kind_has_examples(editor: Editor) -> None:
    text = HEAD + ISSUER.replace("cert-manager.io", "example.com")
    await editor.open(text)
    (hint,) = await editor.hints(_everything(text))
    assert str(hint.label).startswith("Current: ")
    assert str(hint.label).endswith(" examples")
    assert hint.tooltip == "examples"


async def test_hints_are_made_for_what_is_visible(editor: Editor) -> None:
    text = f"{_TEXT}---\n{HEAD.replace('certs', 'others')}{ISSUER}"
    await editor.open(text)
    second = _everything(_TEXT).end
    first_hints = await editor.hints(lsp.Range(_TOP, second))
    assert len(first_hints) == 2
    other_hints = await editor.hints(
        lsp.Range(lsp.Position(second.line + 1, 0), _everything(text).end)
    )
    assert len(other_hints) == 1


async def test_an_entry_that_is_never_used_has_no_hints(editor: Editor) -> None:
    text = _TEXT.replace("  wait: true\n", "")
    await editor.open(text)
    assert await editor.hints(_everything(text)) == []


def _words(text: str, data: list[int]) -> list[str]:
    """Each token of an answer with its type, those of operators left out."""
    lines, line, column = text.split("\n"), 0, 0
    words = []
    for at in range(0, len(data), 5):
        below, right, size, kind, _ = data[at : at + 5]
        line, column = line + below, right if below else column + right
        word = lines[line].encode("utf-16-le")[2 * column : 2 * (column + size)].decode("utf-16-le")
        words.append(f"{word}:{LEGEND[kind]}")
    return [word for word in words if not word.endswith(":operator")]


_WORDS = """\
    - apiVersion: dragonflydb.io/v1alpha1
      kind: Dragonfly
      inProgress: 'null in [''🎈'', x.y]'
      failed: >-
        has(status.a) && sets.contains([size(b)],
        status.conditions.map(e, e.type)) || 'two
        lines'.matches('a') && self
      current: "status.x < 1.5 \\u0026& 'ü"
"""


_TYPES = """
null:keyword in:keyword ''🎈'':string x:variable y:property
has:macro status:variable a:property sets:namespace contains:method size:function b:variable
status:variable conditions:property map:macro e:parameter e:parameter type:property 'two:string
lines':string matches:method 'a':string self:variable
status:variable x:property 1.5:number
"""


@pytest.mark.parametrize("start", [0, 13])
async def test_each_word_of_an_expression_has_its_type(editor: Editor, start: int) -> None:
    text = f"{HEAD}{_WORDS}---\n{_TEXT}"
    await editor.open(text)
    if start:
        part = lsp.Range(lsp.Position(0, 0), lsp.Position(start, 0))
        params = lsp.SemanticTokensRangeParams(editor.document, part)
        answer = await editor.client.text_document_semantic_tokens_range_async(params)
    else:
        whole = lsp.SemanticTokensParams(editor.document)
        answer = await editor.client.text_document_semantic_tokens_full_async(whole)
    assert answer
    words = _words(text, [*answer.data])
    assert words[:26] == _TYPES.split()
    assert ("phase:property" in words) != bool(start)


async def test_what_a_key_is_for(editor: Editor) -> None:
    await editor.open(_TEXT)
    failed = await editor.hover(around(_TEXT, "failed").start)
    assert failed.startswith("`failed`\n\nTrue when the object will not become ready by itself")
    assert "Flux tries `inProgress`, `failed` and `current` in this order" in failed
    assert "The recommended entry for Dragonfly.dragonflydb.io has no `failed`." in failed
    current = await editor.hover(around(_TEXT, "current").start)
    assert "For Dragonfly.dragonflydb.io write:\n\n```cel\nhas(status.phase)" in current
    entries = await editor.hover(around(_TEXT, "healthCheckExprs").start)
    assert "an entry for each group and kind" in entries
    assert await editor.hover(around(_TEXT, "interval").start) == ""


async def test_the_page_of_a_check(editor: Editor) -> None:
    text = f"{HEAD}{ISSUER}---\n{_TEXT}"
    await editor.open(text)
    *_, lens = await editor.lenses("celvet.explain")
    assert lens.title == "explain"
    assert lens.arguments
    page = await editor.run("celvet.page", *lens.arguments[1:])
    assert "<title>Kustomization certs: Dragonfly.dragonflydb.io - celvet explain</title>" in page
    assert f"ks.yaml:{lens.arguments[1] + 1} <a" in page
    await editor.run("celvet.explain", *lens.arguments[1:])
    assert await _shown(editor, external=True) == page


async def _shown(editor: Editor, *, external: bool) -> str:
    """The text of the file that the server shows."""
    while not editor.client.shown_documents:
        await asyncio.sleep(0.01)
    document = editor.client.shown_documents[0]
    assert document.external == external
    return Path(urlparse(document.uri).path).read_text(encoding="utf-8")


async def test_a_check_is_tried_on_a_state_of_the_life(editor: Editor) -> None:
    await editor.open(_TEXT)
    states = await editor.run("celvet.states", *_start(_TEXT))
    texts = dict(states)
    assert "`Ready` (ready)" in texts
    verdict = await editor.run("celvet.judge", *_start(_TEXT), texts["`Configuring` (coming)"])
    assert verdict.splitlines()[1].strip() == "Failed (HealthCheckFailed)"
    assert "status.phase != 'Ready'" in verdict
    verdict = await editor.run("celvet.judge", *_start(_TEXT), _READY)
    assert verdict.splitlines()[1].strip().startswith("Current")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("kind: [", "the object"),
        ("", "there are 0 objects; give one"),
        (f"{_READY}---\n{_READY}", "there are 2 objects; give one"),
        (_READY.replace("Dragonfly", "Other"), "not about an object of this kind: Other"),
        ("just a text", "this is not a Kubernetes object"),
    ],
)
async def test_what_is_no_object_of_the_kind_is_said(
    editor: Editor, text: str, answer: str
) -> None:
    await editor.open(_TEXT)
    assert answer in await editor.run("celvet.judge", *_start(_TEXT), text)


async def test_an_editor_without_an_extension_asks_and_shows(editor: Editor) -> None:
    await editor.open(_TEXT)
    asked: list[Any] = []

    @editor.client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)
    def _(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem:
        asked.extend(params.actions or ())
        return lsp.MessageActionItem("`Ready` (ready)")

    await editor.run("celvet.try", *_start(_TEXT))
    shown = await _shown(editor, external=False)
    assert len(asked) > 7
    assert "Current" in shown
    assert "phase: Ready" in shown


async def _inserted(editor: Editor, text: str, kind: str) -> str:
    edits: list[Any] = []

    @editor.client.feature(lsp.WORKSPACE_APPLY_EDIT)
    def _(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        for change in params.edit.document_changes or ():
            edits.extend(change.edits)  # type: ignore[union-attr]
        return lsp.ApplyWorkspaceEditResult(applied=True)

    await editor.open(text)
    await editor.run("celvet.suggest", 1, 0, kind)
    return applied(text, edits)


@pytest.mark.parametrize("entries", [ISSUER, None], ids=["in the list", "in a new list"])
async def test_an_entry_is_inserted(editor: Editor, entries: str | None) -> None:
    assert "Dragonfly.dragonflydb.io" in await editor.run("celvet.kinds")
    text = HEAD + entries if entries else HEAD.replace("  healthCheckExprs:\n", "")
    after = await _inserted(editor, text, "Dragonfly.dragonflydb.io")
    editor.change(None, after)
    assert await editor.diagnosed() == (["missing-failed"] if entries else [])
    assert "      current: >-\n        has(status.phase)" in after


@pytest.mark.parametrize(
    ("head", "kind", "message"),
    [
        (HEAD, "Certifikate", "did you mean"),
        (HEAD, "Deployment", "needs no entry"),
        (HEAD.replace("Kustomization", "Other"), "Dragonfly", "takes entries, such as"),
    ],
)
async def test_why_nothing_is_inserted(editor: Editor, head: str, kind: str, message: str) -> None:
    assert await _inserted(editor, head + ISSUER, kind) == head + ISSUER
    assert message in editor.client.messages[-1].message


@pytest.mark.parametrize(
    "command", ["explain", "page", "try", "states", "judge", "suggest", "kinds"]
)
@pytest.mark.parametrize("args", [(), (10_000, 0), ("x", None), (0, 0, 1), (0, 0, "")])
async def test_nothing_that_is_sent_gives_a_traceback(
    editor: Editor, command: str, args: tuple[Any, ...]
) -> None:
    await editor.open(_TEXT)
    await editor.run(f"celvet.{command}", *args)
    assert [each.message for each in editor.client.log_messages] == []
