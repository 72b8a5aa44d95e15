"""`celvet mcp` through its real door: a process, with the SDK's own client."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import Client

from docs.generate import ROOT
from tests.agent.tasks import answer, grade, served, tasks
from tests.cli.command import celvet

_T = TypeVar("_T")
_CERTIFICATE = "apiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: web}\n"
_POOL = "apiVersion: example.com/v1\nkind: Pool\nmetadata: {name: web}\nstatus: {size: 3}\n"
_SAMPLE = tasks()[::10]


def _with_client(directory: Path, work: Callable[[Client], Awaitable[_T]]) -> _T:
    async def session() -> _T:
        async with served(directory) as client:
            return await work(client)

    return asyncio.run(session())


def _error(result: Any) -> str:
    assert result.is_error
    (content,) = result.content
    return str(content.text)


def test_an_agent_that_follows_suggest_writes_and_mends_checks(tmp_path: Path) -> None:
    async def work(client: Client) -> dict[str, list[str]]:
        return {f"{task.kind} {task.wrong}": await grade(client, task) for task in _SAMPLE}

    problems = _with_client(tmp_path, work)
    assert len(problems) == len(_SAMPLE) > 5
    assert not any(problems.values()), problems


def test_there_are_seventy_tasks_with_states_of_both_kinds() -> None:
    assert len(tasks()) == 70
    assert sum(bool(task.wrong) for task in tasks()) >= 12
    assert sum(bool(task.given) for task in tasks()) >= 4
    assert sum(verdict != "ready" for task in tasks() for verdict, _ in task.life) >= 50


def test_each_tool_says_what_it_reads_and_answers(tmp_path: Path) -> None:
    async def work(client: Client) -> Any:
        return (await client.list_tools()).tools, client.server_info, client.instructions

    tools, info, instructions = _with_client(tmp_path, work)
    names = ["lint", "eval", "explain", "suggest", "why", "forecast"]
    assert [tool.name for tool in tools] == names
    assert info.name == "celvet"
    assert "suggest" in instructions
    for tool in tools:
        assert tool.description
        assert tool.output_schema["properties"], tool.name
        assert tool.annotations.read_only_hint
        assert len(tool.model_dump_json()) < 4_000, "an agent reads it in each conversation"


def test_the_answers_are_small_and_structured() -> None:
    broken = "examples/infrastructure/explained.yaml"

    async def work(client: Client) -> dict[str, Any]:
        return {
            "lint": await answer(client, "lint", path=broken),
            "fixed": await answer(client, "lint", path=broken, fix="safe"),
            "examples": await answer(client, "lint", path="examples"),
            "explain": await answer(
                client, "explain", path="examples/infrastructure/dragonfly.yaml"
            ),
            "eval": await answer(
                client, "eval", expression="status.x > 1", object=f"{_CERTIFICATE}status: {{x: 1}}"
            ),
            "forecast": await answer(client, "forecast", waiter="helm4", text=_CERTIFICATE),
            "kubectl": await answer(client, "forecast", waiter="kubectl-wait", text=_CERTIFICATE),
            "why": await answer(client, "why", text=_CERTIFICATE),
        }

    answers = _with_client(ROOT, work)
    (finding,) = answers["lint"]["findings"]
    assert finding["rule"] == "premature-failed"
    assert finding["place"] == f"{broken}:18:16"
    assert "kind: Database" in finding["when"]
    assert finding["fix"].startswith("safe: ")
    assert answers["lint"]["fixed"] == {}
    assert answers["fixed"]["findings"] == []
    assert "exists(e, e.type == 'Synced'" in answers["fixed"]["fixed"][broken]
    assert len(str(answers["examples"])) < 40_000
    assert answers["examples"]["findings"][0]["severity"] == "error"
    (life,) = answers["explain"]["checks"]
    assert {state["state"] for state in life["life"] if state["wrong"]} >= {"Configuring (coming)"}
    (verdict,) = answers["eval"]["verdicts"]
    assert verdict["because"] == "`status.x > 1` is false: `status.x` is 1"
    (forecast,) = answers["forecast"]["objects"]
    assert forecast["states"][0]["trouble"].startswith("counts the object as ready")
    assert answers["kubectl"]["objects"][0]["known"]
    assert answers["why"]["all_ready"]


def test_errors_are_for_the_agent_and_name_the_next_step(tmp_path: Path) -> None:
    (tmp_path / "apps.yaml").write_text(_CERTIFICATE)
    (tmp_path / "empty").mkdir()
    (tmp_path / "link.yaml").symlink_to(ROOT / "examples/infrastructure/explained.yaml")
    calls: list[tuple[str, dict[str, Any], str]] = [
        ("lint", {}, "give either `text`"),
        ("lint", {"text": "a: 1", "path": "apps.yaml"}, "give either `text`"),
        ("lint", {"path": "/etc"}, "is outside of"),
        ("lint", {"path": ".."}, "is outside of"),
        ("lint", {"path": "link.yaml"}, "is outside of"),
        ("explain", {"path": "link.yaml"}, "is outside of"),
        ("lint", {"path": "none.yaml"}, "there is no `none.yaml`"),
        ("lint", {"path": "empty"}, "name another path"),
        ("lint", {"path": "a\0b"}, "is not a path"),
        ("lint", {"text": "a" * (2**20 + 1)}, "give a part of it"),
        ("explain", {"path": "empty"}, "name one file"),
        ("explain", {"text": _CERTIFICATE}, "give an object with expressions"),
        ("eval", {"object": "x: [", "expression": "true"}, "<text>"),
        ("eval", {"object": "x: 1", "expression": "true"}, "has no object"),
        ("eval", {"object": _CERTIFICATE}, "give either `text`"),
        ("eval", {"object": _CERTIFICATE, "path": "apps.yaml"}, "no check in the manifest applies"),
        ("eval", {"object": _CERTIFICATE, "path": "apps.yaml", "expression": "1"}, "give either"),
        ("suggest", {}, "name the `kind`"),
        ("suggest", {"kind": "Certificat"}, "did you mean `Certificate`? Otherwise give its CRD"),
        ("suggest", {"kind": "Nothing.at.all"}, "give its CRD"),
        ("suggest", {"kind": "Certificate", "variant": "x"}, "has no variant `x`; choose from"),
        ("suggest", {"kind": "Pod", "variant": "x"}, "has no variants; leave the variant out"),
        ("suggest", {"text": _POOL}, "shows readiness. Otherwise give its CRD, or an object"),
        ("forecast", {"waiter": "helm", "text": _CERTIFICATE}, "helm4"),
        ("forecast", {"waiter": "kubectl-wait", "text": _CERTIFICATE, "condition": "x"}, "refuses"),
        ("why", {}, "start `celvet mcp --cluster`"),
        ("why", {"text": _CERTIFICATE, "at": "noon"}, "write a time"),
        ("why", {"text": _CERTIFICATE, "names": ["ks/apps"]}, "that waits"),
    ]

    async def work(client: Client) -> list[str]:
        return [_error(await client.call_tool(tool, arguments)) for tool, arguments, _ in calls]

    for text, (tool, arguments, says) in zip(_with_client(tmp_path, work), calls, strict=True):
        assert says in text, (tool, str(arguments)[:100])
        assert "internal error" not in text
        assert not re.search(r"--(?!cluster\b|for=)\w", text), "an option of the command line"
        assert len(text) < 700


def test_files_that_change_are_read_again(tmp_path: Path) -> None:
    manifest = ROOT / "examples/infrastructure/explained.yaml"
    file = tmp_path / "apps.yaml"

    async def work(client: Client) -> tuple[int, int]:
        file.write_text(manifest.read_text())
        before = await answer(client, "lint", path=".")
        file.write_text(before and _CERTIFICATE)
        after = await answer(client, "lint", path=".")
        return len(before["findings"]), len(after["findings"])

    before, after = _with_client(tmp_path, work)
    assert before > 0
    assert after == 0


def test_hostile_input_ends(tmp_path: Path) -> None:
    bomb = "status." + ".".join(f"map(e{i}, [1,2,3].map" for i in range(3)) + "(x, x)" + ")" * 3
    deep = "[" * 5_000

    async def work(client: Client) -> list[Any]:
        return [
            await client.call_tool("eval", {"object": _CERTIFICATE, "expression": bomb}),
            await client.call_tool("lint", {"text": deep}),
            await client.call_tool("eval", {"object": deep, "expression": "true"}),
        ]

    for result in _with_client(tmp_path, work):
        assert "internal error" not in str(result.content)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["--root", "none"], "--root none: Not a directory"), (["--config", "none"], "none")],
)
def test_usage(arguments: list[str], says: str, tmp_path: Path) -> None:
    ran = celvet("mcp", *arguments, cwd=tmp_path)
    assert ran.status == 2
    assert says in ran.err


def test_it_ends_when_the_agent_is_gone(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "celvet", "mcp"]
    done = subprocess.run(command, input=b"", cwd=tmp_path, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_missing_extra_is_one_line() -> None:
    script = "import sys; sys.modules['mcp'] = None\nfrom celvet.lint.cli import main\nmain()"
    command = [sys.executable, "-c", script, "mcp"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "install `celvet[mcp]`" in done.stderr
    assert "Traceback" not in done.stderr
