"""The server as an editor meets it, by its messages; it runs in the process of the tests."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pytest_lsp import LanguageClient

from tests.lsp.editor import Editor, applied, around, position
from tests.lsp.manifests import CERTIFICATE, CLUSTER, HEAD, ISSUER, PROVIDER, RESOURCE_SET

pytestmark = pytest.mark.asyncio


async def test_diagnostics(editor: Editor) -> None:
    assert await editor.open(HEAD + ISSUER) == ["missing-failed"]
    (found,) = editor.client.diagnostics[editor.uri]
    assert found.range == around(HEAD + ISSUER, "current")
    assert found.severity == lsp.DiagnosticSeverity.Information
    assert found.source == "celvet"
    assert found.code_description
    assert found.code_description.href.endswith("/missing-failed.md")


async def test_the_errors_of_a_long_file_come_first(editor: Editor) -> None:
    padding = f"    # {'x' * 1000}\n" * 20
    wrong = ISSUER.replace("status.", "status..", 1).replace("Issuer", "Other")
    assert await editor.open(HEAD + padding + CERTIFICATE + wrong) == ["cel-syntax"]
    assert await editor.diagnosed() == ["premature-failed", "cel-syntax"]
    editor.change(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)), "# typed\n")
    assert await editor.diagnosed() == ["premature-failed", "cel-syntax"]


async def test_diagnostics_move_with_their_documents(editor: Editor) -> None:
    def lines() -> list[int]:
        return [each.range.start.line for each in editor.client.diagnostics[editor.uri]]

    one = HEAD + ISSUER
    await editor.open(f"{one}---\n{one}---\n{one.replace('certs', 'others')}")
    size = one.count("\n")
    first = size - 1
    assert lines() == [first, first + size + 1, first + 2 * (size + 1)]
    between = lsp.Position(size + 1, 0)
    editor.change(lsp.Range(between, between), "# typed\n")
    await editor.diagnosed()
    assert lines() == [first, first + size + 2, first + 2 * (size + 1) + 1]


async def test_a_counterexample_is_part_of_the_message(editor: Editor) -> None:
    await editor.open(HEAD + CERTIFICATE)
    found = editor.client.diagnostics[editor.uri][0]
    assert "\nFailed: an object in the state" in found.message
    assert found.related_information
    source = found.related_information[-1]
    assert source.message.startswith("cert-manager/cert-manager v")
    assert source.location.range.start.line == 11


async def test_a_template_is_diagnosed_where_it_is_written(editor: Editor) -> None:
    assert await editor.open(f"{RESOURCE_SET}---\n{PROVIDER}") == ["cel-syntax"]
    (found,) = editor.client.diagnostics[editor.uri]
    assert found.range == around(RESOURCE_SET, "<< inputs.size >>")
    literal = RESOURCE_SET.replace("status.size >=", "status.size =")
    editor.change(None, literal)
    assert await editor.diagnosed() == ["cel-syntax"]
    (found,) = editor.client.diagnostics[editor.uri]
    at = literal.index("size = ") + len("size ")
    assert found.range == lsp.Range(position(literal, at), position(literal, at + 1))


async def test_changes_of_a_part(editor: Editor) -> None:
    text = HEAD + ISSUER
    await editor.open(text)
    editor.change(around(text, "e.status == 'True'"), "len(e) == 1")
    assert await editor.diagnosed() == ["missing-failed", "unknown-function"]
    (_, found) = editor.client.diagnostics[editor.uri]
    assert found.range.start == around(text, "e.status").start
    start = found.range.start
    editor.change(lsp.Range(start, lsp.Position(start.line, start.character + 3)), "si")
    start = lsp.Position(start.line, start.character + 2)
    editor.change(lsp.Range(start, start), "ze")
    assert await editor.diagnosed() == ["missing-failed", "never-true"]


async def test_only_the_newest_text_is_reported(editor: Editor) -> None:
    await editor.open(HEAD + ISSUER)
    for _ in range(20):
        editor.change(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)), "# typed\n")
    await editor.diagnosed()
    await asyncio.sleep(0.3)
    (found,) = editor.client.diagnostics[editor.uri]
    assert found.range.start.line == around(HEAD + ISSUER, "current").start.line + 20


async def test_broken_yaml_costs_no_other_document(editor: Editor) -> None:
    broken = HEAD + "    - apiVersion: 'x\n"
    assert await editor.open(f"{HEAD}{ISSUER}---\n{broken}---\n{HEAD}{ISSUER}") == [
        "missing-failed",
        "yaml-syntax",
        "missing-failed",
    ]


async def test_closing_takes_the_diagnostics_away(editor: Editor) -> None:
    await editor.open(HEAD + ISSUER)
    params = lsp.DidCloseTextDocumentParams(editor.document)
    editor.client.text_document_did_close(params)
    assert await editor.diagnosed() == []
    assert await editor.hover(lsp.Position(1, 1)) == ""


async def test_hover(editor: Editor) -> None:
    text = HEAD + ISSUER
    await editor.open(text)
    found = await editor.hover(around(text, "exists").start)
    assert found.startswith("`x.exists(e, test)`\n\nWhether the test holds for some element")
    assert re.search(r"\| `ready` \(ready\) +\| true +\| Current +\|", found), found
    assert await editor.hover(around(text, "interval").start) == ""


async def test_completion_inside_a_text_that_is_not_yaml(editor: Editor) -> None:
    await editor.open(HEAD + ISSUER)
    at = editor.type(f"{HEAD}{ISSUER}      failed: \"status.conditions.exists(c, c.type == 'R|\n")
    (first, *_) = await editor.completion(at)
    assert first.label == "Ready"
    assert isinstance(first.text_edit, lsp.TextEdit)
    assert first.text_edit.range.end.character - first.text_edit.range.start.character == 1


async def test_completion_in_a_literal_text(editor: Editor) -> None:
    await editor.open(HEAD + ISSUER)
    text = f"{HEAD}{ISSUER}      failed: |\n        true &&\n        sta‸\n"
    at = text.index("‸")
    text = text.replace("‸", "")
    editor.change(None, text)
    items = await editor.completion(position(text, at))
    (found,) = [each for each in items if each.label == "status"]
    assert isinstance(found.text_edit, lsp.TextEdit)
    assert applied(text, [found.text_edit]) == f"{text[: at - 3]}status{text[at:]}"


async def test_the_order_of_diagnostics_is_that_of_their_places_and_rules(editor: Editor) -> None:
    text = HEAD + CERTIFICATE + ISSUER.replace("e.type ==", "e.type = ") + CERTIFICATE
    await editor.open(text)
    for typed in ("# typed\n", "# more\n"):
        editor.change(lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0)), typed)
        await editor.diagnosed()
        found = editor.client.diagnostics[editor.uri]
        order = [
            (
                each.range.start.line,
                each.range.start.character,
                each.range.end.line,
                each.range.end.character,
                str(each.code),
                each.message,
            )
            for each in found
        ]
        assert len(order) > 2
        assert order == sorted(order)


async def test_a_slip_is_corrected(editor: Editor) -> None:
    text = HEAD + ISSUER.replace("e.type ==", "e.type =").replace("&&", "and")
    assert "cel-syntax" in await editor.open(text)
    fix, *_ = await editor.actions(around(text, "e.type ="), "quickfix")
    assert fix.title == "Write `==` for `=`; write `&&` for `and`."
    assert fix.is_preferred
    assert applied(text, fix.edit.document_changes[0].edits) == HEAD + ISSUER


async def test_completion_is_sorted_by_use(editor: Editor) -> None:
    await editor.open(HEAD + ISSUER)
    at = editor.type(f"{HEAD}{ISSUER}      failed: status.conditions.exists(c, c.|)\n")
    labels = [each.label for each in await editor.completion(at)]
    assert labels[:3] == ["type", "status", "reason"]
    assert labels.index("lastTransitionTime") < labels.index("exists") < labels.index("size")


async def test_a_macro_comes_as_a_snippet(editor: Editor) -> None:
    await editor.open(HEAD + ISSUER)
    at = editor.type(f"{HEAD}{ISSUER}      failed: status.conditions.ex|\n")
    (found,) = [each for each in await editor.completion(at) if each.label == "exists"]
    assert found.insert_text_format == lsp.InsertTextFormat.Snippet
    assert isinstance(found.text_edit, lsp.TextEdit)
    assert found.text_edit.new_text == "exists(${1:e}, ${2:test})"


async def test_a_fix(editor: Editor) -> None:
    text = HEAD + CERTIFICATE
    await editor.open(text)
    fix, *_ = await editor.actions(around(text, "filter"), "quickfix")
    (change,) = fix.edit.document_changes
    assert change.text_document.version == 1
    editor.change(None, applied(text, change.edits))
    assert await editor.diagnosed() == []


async def test_a_fix_is_proved_when_it_is_asked_for(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    proved: list[object] = []
    monkeypatch.setattr(
        "celvet.lint.predict.fixes.rewrites.rewrite", lambda *given: proved.append(given)
    )
    text = HEAD + CERTIFICATE + CERTIFICATE.replace("Certificate", "Other")
    await editor.open(text)
    assert await editor.hover(around(text, "filter").start)
    assert not proved
    await editor.actions(around(text, "filter"), "quickfix")
    assert len(proved) == 1  # only the changed one of the two entries


async def test_suppression(editor: Editor) -> None:
    text = HEAD + ISSUER
    await editor.open(text)
    actions = await editor.actions(around(text, "current"), "quickfix")
    (action,) = [each for each in actions if each.title.startswith("Suppress")]
    after = applied(text, action.edit.document_changes[0].edits)
    assert "      # celvet: ignore[missing-failed] reason\n      current:" in after
    editor.change(None, after)
    assert await editor.diagnosed() == []


async def test_a_health_test_is_begun_and_shown_above_the_entry(editor: Editor) -> None:
    text = HEAD + ISSUER
    editor.path.write_text(text, encoding="utf-8")
    await editor.open(text)
    assert await editor.lenses() == []
    (action,) = await editor.actions(around(text, "Issuer"), "refactor")
    assert action.title == "Write a health test for Issuer.cert-manager.io"
    params = lsp.ExecuteCommandParams(
        "celvet.beginHealthTest", arguments=[editor.uri, "Issuer.cert-manager.io"]
    )
    edits: list[lsp.ApplyWorkspaceEditParams] = []

    @editor.client.feature(lsp.WORKSPACE_APPLY_EDIT)
    def _(params: lsp.ApplyWorkspaceEditParams) -> lsp.ApplyWorkspaceEditResult:
        edits.append(params)
        return lsp.ApplyWorkspaceEditResult(applied=True)

    await editor.client.workspace_execute_command_async(params)
    create, fill = edits[0].edit.document_changes or ()
    assert isinstance(create, lsp.CreateFile)
    assert isinstance(fill, lsp.TextDocumentEdit)
    path = editor.path.parent / "ks.test.yaml"
    assert create.uri == path.as_uri()
    path.write_text(fill.edits[0].new_text, encoding="utf-8")  # type: ignore[union-attr]
    editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(editor.document))
    (lens,) = await editor.lenses()
    assert lens.title.startswith("health tests: ")
    assert lens.title.endswith("passed (Unknown, InProgress, Current)")
    # the text in the editor counts, not the one on the disk
    editor.change(around(text, "'True'"), "'False'")
    (lens,) = await editor.lenses()
    assert "of 3 failed: an object" in lens.title


async def test_the_configuration_file_is_read_again(editor: Editor, tmp_path: Path) -> None:
    assert await editor.open(HEAD + ISSUER) == ["missing-failed"]
    (tmp_path / ".celvet.yaml").write_text("rules: {missing-failed: off}\n", encoding="utf-8")
    editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(editor.document))
    assert await editor.diagnosed() == []


async def test_the_files_around_decide(editor: Editor, tmp_path: Path) -> None:
    """A parent's patch makes Flux wait; without it, the entry of the open file is never used."""
    parent, text = tmp_path / "cluster.yaml", HEAD.replace("wait: true", "path: ./app") + ISSUER
    (tmp_path / ".git").mkdir()
    editor.path.write_text(text, encoding="utf-8")
    patch = "[{op: add, path: /spec/wait, value: true}]"
    parent.write_text(CLUSTER.replace("PATCH", patch), encoding="utf-8")
    assert await editor.open(text) == ["missing-failed"]
    editor.change(None, text.replace("Issuer", "ClusterIssuer"))
    assert await editor.diagnosed() == ["missing-failed"]
    parent.write_text(CLUSTER.replace("PATCH", "[]"), encoding="utf-8")
    editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(editor.document))
    assert await editor.diagnosed() == ["ignored-expression"]


async def test_a_patch_decides_whatever_its_name(editor: Editor, tmp_path: Path) -> None:
    text = HEAD.replace("wait: true", "path: ./app") + ISSUER
    (tmp_path / ".git").mkdir()
    editor.path.write_text(text, encoding="utf-8")
    (tmp_path / "cluster.yaml").write_text(CLUSTER.replace("PATCH", "[]"), encoding="utf-8")
    (tmp_path / "kustomization.yaml").write_text(
        f"resources: [{editor.path.name}, cluster.yaml]\n"
        "patches: [{path: patch.txt, target: {kind: Kustomization}}]\n",
        encoding="utf-8",
    )
    patch = tmp_path / "patch.txt"
    patch.write_text("- {op: add, path: /spec/wait, value: true}", encoding="utf-8")
    assert await editor.open(text) == ["missing-failed"]
    patch.write_text("- {op: add, path: /spec/wait, value: false}", encoding="utf-8")
    editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(editor.document))
    assert await editor.diagnosed() == ["ignored-expression"]


async def test_a_broken_configuration_is_logged(editor: Editor, tmp_path: Path) -> None:
    (tmp_path / ".celvet.yaml").write_text("rule: {}\n", encoding="utf-8")
    assert await editor.open(HEAD + ISSUER) == ["missing-failed"]
    (said,) = [each.message for each in editor.client.log_messages]
    assert "unknown key `rule`; did you mean `rules`?" in said


async def test_what_the_client_cannot_mean_is_shown_once(editor: Editor) -> None:
    editor.client.set_configuration({"celvet": {"delay": 20, "crds": ["nosuch"], "config": "no"}})
    editor.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(None))
    await editor.open(HEAD + ISSUER)
    for _ in range(2):
        editor.change(None, HEAD + ISSUER)
        await editor.diagnosed()
    assert [each.message for each in editor.client.messages] == [
        "celvet: editor settings: `celvet.config` names `no`, which is not a file",
        "celvet: editor settings: `celvet.crds` names `nosuch`, which does not exist",
    ]
    assert editor.client.log_messages == []


async def test_a_file_that_is_left_out(editor: Editor, tmp_path: Path) -> None:
    text = HEAD + CERTIFICATE
    assert await editor.open(text) != []
    (tmp_path / ".celvet.yaml").write_text("exclude: [ks.yaml]\n", encoding="utf-8")
    editor.client.text_document_did_save(lsp.DidSaveTextDocumentParams(editor.document))
    assert await editor.diagnosed() == []
    assert await editor.actions(around(text, "filter"), "quickfix") == []
    assert "exists" in await editor.hover(around(text, "filter").start)


async def test_the_client_configures(editor: Editor) -> None:
    await editor.open(HEAD + ISSUER)
    editor.client.set_configuration({"celvet": {"delay": 20, "min-severity": "warning"}})
    params = lsp.DidChangeConfigurationParams(None)
    editor.client.workspace_did_change_configuration(params)
    assert await editor.diagnosed() == []


async def test_positions_in_utf_16(editor: Editor) -> None:
    text = HEAD + ISSUER.replace(
        "current: ", "current: metadata.name != '🎈' && len(status) > 1 && "
    )
    await editor.open(text)
    found = editor.client.diagnostics[editor.uri][-1]
    assert found.code == "unknown-function"
    assert found.range.start == position(text, text.index("len(status)"))


async def test_nothing_that_is_sent_gives_a_traceback(editor: Editor) -> None:
    await editor.open("\ufeff" + HEAD + "\u2028\x0b\r- ]\n\ud83d")
    for line in (0, 5, 10_000):
        at = lsp.Position(line, 1_000)
        await editor.hover(at)
        await editor.completion(at)
        await editor.actions(lsp.Range(at, at))
    await editor.lenses()
    assert [each.message for each in editor.client.log_messages] == []


_TEST = """\
apiVersion: celvet.dev/v1alpha1
kind: HealthTest
metadata: {name: issuer}
target:
  file: ks.yaml
  kind: Kustomization
  entry: {apiVersion: cert-manager.io/v1, kind: Issuer}
cases:
  - name: fresh
    object:
      apiVersion: cert-manager.io/v1
      kind: Issuer
      metadata: {labels: {app.kubernetes.io/name: x}}
      status: {shards: [{healthy: true}]}
    expect: Unknown
"""


async def test_fields_of_fixtures(editor: Editor) -> None:
    editor.path.write_text(HEAD + ISSUER, encoding="utf-8")
    (editor.path.parent / "test.yaml").write_text(_TEST, encoding="utf-8")
    await editor.open(HEAD + ISSUER)
    for typed, offered in (
        ("status.", "shards"),
        ("status.shards.all(s, s.", "healthy"),
        ("metadata.labels['", "app.kubernetes.io/name"),
    ):
        at = editor.type(f"{HEAD}{ISSUER}      failed: {typed}|\n")
        assert offered in [each.label for each in await editor.completion(at)]


async def test_a_folder_that_is_added(editor: Editor, tmp_path_factory: Any) -> None:
    folder: Path = tmp_path_factory.mktemp("added")
    (folder / "below").mkdir()
    (folder / "below" / "test.yaml").write_text(
        _TEST.replace("file: ks.yaml", "file: ../ks.yaml"), encoding="utf-8"
    )
    path = folder / "ks.yaml"
    path.write_text(HEAD + ISSUER, encoding="utf-8")
    other = Editor(editor.client, path)
    await other.open(HEAD + ISSUER)
    assert await other.lenses() == []
    event = lsp.WorkspaceFoldersChangeEvent([lsp.WorkspaceFolder(folder.as_uri(), "added")], [])
    editor.client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event))
    (lens,) = await other.lenses()
    assert lens.title == "health tests: 1 passed (Unknown)"


@pytest.mark.parametrize("name", ["%00x", "\0x", "x" * 5_000, "..", "%2F%00"])
async def test_files_that_cannot_be(client: LanguageClient, name: str) -> None:
    uri = f"file:///{name}"
    document, at = lsp.TextDocumentIdentifier(uri), lsp.Position(0, 0)
    client.feature(lsp.WORKSPACE_APPLY_EDIT)(lambda _: lsp.ApplyWorkspaceEditResult(applied=False))
    event = lsp.WorkspaceFoldersChangeEvent([lsp.WorkspaceFolder(f"{uri}/odd", "odd")], [])
    client.workspace_did_change_workspace_folders(lsp.DidChangeWorkspaceFoldersParams(event))
    item = lsp.TextDocumentItem(uri, "yaml", 1, HEAD + ISSUER)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    await client.text_document_code_lens_async(lsp.CodeLensParams(document))
    await client.text_document_completion_async(lsp.CompletionParams(document, at))
    for command, last in (("celvet.beginHealthTest", "Issuer"), ("celvet.showHealthTest", 1)):
        params = lsp.ExecuteCommandParams(command, arguments=[uri, last])
        await client.workspace_execute_command_async(params)
    await client.text_document_hover_async(lsp.HoverParams(document, at))
    assert client.log_messages == []


async def test_a_fix_for_two_findings_is_offered_once(editor: Editor) -> None:
    wrong = CERTIFICATE.replace("failed: ", "failed: status.x == 'a' || ")
    assert await editor.open(HEAD + wrong) == ["never-true", "premature-failed"]
    found = await editor.actions(around(editor.text, "failed: status"), "quickfix")
    (fix,) = [action for action in found if len(action.diagnostics) > 1]
    assert [each.code for each in fix.diagnostics] == ["never-true", "premature-failed"]
