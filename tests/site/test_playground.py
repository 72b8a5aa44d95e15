"""The playground without a server: Flux's own code in it, and the page under hand and axe."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from celvet.lint.playground.trial import Trial, outcome
from celvet.schemas.controller import controllers
from docs.site import playground
from docs.site.build import ROOT
from tests.browser import Page, chromium, served
from tests.cli.command import celvet
from tests.conformance.answer import Answer, agrees, cel_go
from tests.conformance.run import number, vectors

_RECORDED = ROOT / "tests" / "conformance"
_MODES = {"parse", "eval", "compile", "evalready", "health"}
_RELEASES = controllers()["kustomize-controller"].releases
_NODE = """
require(process.argv[1]);
const fs = require("fs"), go = new Go();
const code = require("zlib").gunzipSync(fs.readFileSync(process.argv[2]));
WebAssembly.instantiate(code, go.importObject).then(({instance}) => {
  go.run(instance);
  const lines = fs.readFileSync(0, "utf8").split("\\n").filter(Boolean);
  process.stdout.write(lines.map(line => flux(line) + "\\n").join(""), () => process.exit());
});
"""
_IDLE = "!document.querySelector('[aria-busy]')"
_TYPE = """
const type = (id, text) => {
  const field = document.getElementById(id);
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
};
"""


def _module(version: str) -> Path:
    for program in ("go", "node"):
        if not shutil.which(program):
            pytest.skip(f"{program} is not installed")
    try:
        return playground.module(version)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"Go cannot build the playground here: {error}")


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for release in _RELEASES:
        _module(release.cel_go)
    directory = tmp_path_factory.mktemp("playground")
    playground.write(directory)
    return directory


def _answers(asked: list[dict[str, Any]], version: str) -> list[dict[str, Any]]:
    lines = "".join(json.dumps(vector) + "\n" for vector in asked)
    command = ["node", "-e", _NODE, str(playground.script_of_go()), str(_module(version))]
    ran = subprocess.run(command, input=lines.encode(), capture_output=True, check=True)
    return [json.loads(line, parse_int=number) for line in ran.stdout.splitlines()]


@pytest.mark.parametrize("version", ["0.26.1", "0.31.0"])
def test_the_module_answers_the_recorded_vectors(version: str) -> None:
    asked = [
        {**vector, "object": value} if value is not None else vector
        for name in ("cel", "cel-versions", "flux-health")
        for vector, value in vectors(_RECORDED / f"{name}.jsonl")
        if vector["mode"] in _MODES and cel_go(vector) == version
    ]
    assert len(asked) > 400
    wrong = [
        (vector, answer)
        for vector, answer in zip(asked, _answers(asked, version), strict=True)
        if not agrees(vector, Answer(answer["ok"], answer.get("result"), answer.get("error", "")))
    ]
    assert wrong == []


def test_a_phone_can_load_the_module() -> None:
    assert _module(_RELEASES[-1].cel_go).stat().st_size <= 3_900_000


def _on_page(
    page: Path, directory: Path, work: Callable[[Page], Awaitable[Any]], **window: Any
) -> Any:
    async def session(url: str) -> Any:
        async with chromium(directory) as tab:
            await tab.window(window.get("width", 1280), dark=window.get("dark", False))
            await tab.open(url)
            await tab.until(f"document.querySelectorAll('#life li').length > 5 && {_IDLE}")
            return await work(tab)

    with served(page) as url:
        return asyncio.run(session(url))


@pytest.mark.parametrize("kind", ["Dragonfly.dragonflydb.io", "Certificate.cert-manager.io"])
def test_both_engines_give_each_state_its_verdict(page: Path, tmp_path: Path, kind: str) -> None:
    expressions = {"failed": "status.phase == 'x'", "current": "has(status.conditions)"}
    trial = {"kind": kind, "expressions": expressions, "object": "", "target": ""}

    async def work(tab: Page) -> Any:
        return await tab.value(f"engine.trial({json.dumps(trial)}).then(answer => answer.states)")

    shown = {state["name"]: state for state in _on_page(page, tmp_path, work)}
    own = outcome(Trial.of(trial), playground.Settings())["states"]
    assert len(shown) > 3
    for state in (state for state in own if state["life"]):
        assert shown[state["name"]]["verdict"] == state["verdict"]
        assert shown[state["name"]]["look"] == state["look"]


def test_what_is_typed_is_judged_by_flux(page: Path, tmp_path: Path) -> None:
    async def work(tab: Page) -> tuple[str, str, str]:
        await tab.value(
            f"{{{_TYPE} type('kind', 'Dragonfly'); type('role-failed', \"status.phase != 'x'\");"
            " type('role-current', \"status.phase == 'Ready'\"); type('object', '"
            "apiVersion: dragonflydb.io/v1alpha1\\nkind: Dragonfly\\nstatus: {phase: Ready}'); }"
        )
        await tab.until("document.querySelector('#verdict .bad')")
        await tab.until(_IDLE)
        verdict = await tab.value("document.getElementById('verdict').innerText")
        await tab.value("document.getElementById('fix').click()")
        await tab.until("document.querySelector('#verdict .good')")
        await tab.until(_IDLE)
        after = await tab.value("document.getElementById('findings').innerText")
        return verdict, after, await tab.value("answer.test")

    verdict, after, test = _on_page(page, tmp_path, work)
    assert "failed is true" in verdict
    assert after == "Nothing is wrong."
    assert "this object" in test
    file = tmp_path / "dragonfly.test.yaml"
    file.write_text(test)
    ran = celvet("test", file.name, cwd=tmp_path)
    assert ran.status == 0, ran.out + ran.err


def test_an_endless_expression_is_stopped_and_the_page_goes_on(page: Path, tmp_path: Path) -> None:
    bomb = "[1,2,3,4,5,6,7,8,9].all(a, " * 9 + "true" + ")" * 9

    async def work(tab: Page) -> str:
        await tab.value(f"{{{_TYPE} type('role-current', {json.dumps(bomb)}); }}")
        await tab.until("document.getElementById('problem').textContent.includes('seconds')")
        await tab.value(f"{{{_TYPE} type('role-current', 'true'); }}")
        await tab.until("!document.getElementById('problem').textContent")
        verdict: str = await tab.value("document.getElementById('verdict').innerText")
        return verdict

    assert _on_page(page, tmp_path, work).startswith("Current")


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (360, False)])
def test_axe_finds_nothing_and_a_phone_scrolls_one_way(
    page: Path, tmp_path: Path, width: int, dark: bool
) -> None:
    async def work(tab: Page) -> tuple[list[str], list[str], int]:
        scrolled = await tab.value("document.documentElement.scrollWidth")
        return await tab.breaches(), await tab.unnamed(), scrolled

    breaches, unnamed, scrolled = _on_page(page, tmp_path, work, width=width, dark=dark)
    assert breaches == []
    assert unnamed == []
    assert scrolled <= width
