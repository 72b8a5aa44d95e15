"""Seventy tasks for an agent that has celvet's tools, and one that follows `suggest`, graded.

    python -m tests.agent.tasks    all tasks through `celvet mcp`, and what is wrong

The agent only knows what the tools answer. Its manifest is run on the states in `tasks.yaml`, which
says what they are worth.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml
from mcp import Client, StdioServerParameters, stdio_client

from celvet import evaluate

_TASKS = Path(__file__).parent / "tasks.yaml"
_VERDICTS = {"Current": "ready", "Failed": "failed", "InProgress": "waits", "Unknown": "waits"}
_NOW = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Task:
    """A task: the kind, the wrong entry if there is one, what the user has, and the states.

    The object has this `spec`, and the user wants the `variant`. `observes` says that each
    condition of the kind has the generation that it is about.
    """

    kind: str
    life: list[tuple[str, dict[str, Any]]]
    wrong: dict[str, str] = field(default_factory=dict)
    given: str = ""
    observes: bool = False
    variant: str = ""
    spec: dict[str, Any] = field(default_factory=dict)

    def manifest(self, entry: Mapping[str, str]) -> dict[str, Any]:
        """The object with the entry; without one, Flux judges by itself."""
        spec = {"interval": "1h", "timeout": "5m", "prune": True, "wait": True}
        source = {"kind": "GitRepository", "name": "flux-system"}
        entries = {"healthCheckExprs": [dict(entry)]} if entry else {}
        return {
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
            "kind": "Kustomization",
            "metadata": {"name": "apps", "namespace": "flux-system"},
            "spec": {**spec, "sourceRef": source, **entries},
        }

    def wrong_verdicts(self, manifest: Mapping[str, Any], api_version: str) -> Iterator[str]:
        """The states in which a manifest decides wrongly."""
        names = {"apiVersion": api_version, "kind": self.kind.partition(".")[0]}
        metadata = {"name": "it", "namespace": "default", "generation": 1}
        expressions = "healthCheckExprs" in manifest["spec"]
        fresh = [("waits", None)] if expressions else []
        for right, status in [*fresh, *self.life]:
            obj = {**names, "metadata": metadata, "spec": self.spec}
            if status is not None:
                obj["status"] = _whole(status, observes=self.observes)
            statuses = [each.status for each in evaluate(manifest, obj, now=_NOW)]
            verdict = _VERDICTS.get(statuses[0], statuses[0]) if len(statuses) == 1 else "nothing"
            if verdict != right:
                yield f"{status}: {verdict}, not {right}"


def tasks() -> list[Task]:
    """All tasks."""
    return [Task(**each) for each in yaml.safe_load(_TASKS.read_text(encoding="utf-8"))]


def served(directory: Path) -> AbstractAsyncContextManager[Client]:
    """A client of `celvet mcp`, which is started in a directory."""
    program = str(Path(sys.executable).parent / "celvet")
    return Client(
        stdio_client(StdioServerParameters(command=program, args=["mcp"], cwd=str(directory)))
    )


async def answer(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """The structured answer of a tool."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.structured_content is not None
    return result.structured_content


async def grade(client: Client, task: Task) -> list[str]:
    """What is wrong with the manifest of an agent that follows `suggest` and looks at `explain`."""
    suggestion = await answer(
        client, "suggest", kind=task.kind, text=task.given, variant=task.variant
    )
    entry = suggestion["entry"]
    manifest = task.manifest(entry)
    problems = list(task.wrong_verdicts(manifest, entry.get("apiVersion", "example.com/v1")))
    if not entry:
        return problems
    if task.wrong:
        names = {key: entry[key] for key in ("apiVersion", "kind")}
        before = task.manifest({**names, **task.wrong})
        lint = await answer(client, "lint", text=yaml.safe_dump(before))
        explained = await answer(client, "explain", text=yaml.safe_dump(before))
        states = [state for check in explained["checks"] for state in check["life"]]
        if not lint["findings"] and not any(state["wrong"] for state in states):
            problems.append("nothing is said about the wrong entry")
    explained = await answer(client, "explain", text=yaml.safe_dump(manifest))
    states = [state for check in explained["checks"] for state in check["life"]]
    return problems + [f"explain: {state}" for state in states if state["wrong"]]


def _whole(status: dict[str, Any], *, observes: bool) -> dict[str, Any]:
    """The status with whole conditions for `Ready=True/Reason`."""
    if "conditions" not in status:
        return status
    generation = {"observedGeneration": 1} if observes else {}
    return {
        **status,
        "conditions": [_condition(text) | generation for text in status["conditions"]],
    }


def _condition(text: str) -> dict[str, Any]:
    name, _, rest = text.partition("=")
    value, _, reason = rest.partition("/")
    times = {"lastTransitionTime": "2026-01-01T00:00:00Z"}
    return {"type": name, "status": value, **({"reason": reason} if reason else {}), **times}


async def _main() -> int:
    right = 0
    async with served(Path.cwd()) as client:
        for task in tasks():
            problems = await grade(client, task)
            right += not problems
            for problem in problems:
                print(f"{task.kind}: {problem}")
    total = len(tasks())
    print(f"{right} of {total} tasks are right ({right / total:.0%})")
    return 0 if right / total >= 0.95 else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(_main()))
