"""An API server, used through kubectl and helm."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml

Document = dict[str, Any]
_T = TypeVar("_T")
_PATIENCE = 300.0
_TAIL = 4000


@dataclass(frozen=True, slots=True)
class Told:
    """The output of a command in a terminal."""

    status: int
    out: str
    err: str

    @property
    def warnings(self) -> list[str]:
        return [line for line in self.err.splitlines() if line.startswith("Warning: ")]


@dataclass(frozen=True, slots=True)
class Cluster:
    """The directory of the programs, and how to reach the API server as its administrator."""

    programs: Path
    kubeconfig: Path

    def kubectl(
        self, *arguments: str, given: Iterable[Document] = (), cwd: Path | None = None
    ) -> Told:
        """A command of kubectl, with documents on its standard input."""
        return self._run("kubectl", arguments, yaml.safe_dump_all(given), cwd)

    def good(self, *arguments: str, given: Iterable[Document] = ()) -> str:
        """What a command of kubectl prints that must succeed."""
        told = self.kubectl(*arguments, given=given)
        assert told.status == 0, told.err
        return told.out

    def apply(self, *documents: Document, options: Iterable[str] = ()) -> Told:
        return self.kubectl("apply", *options, "-f-", given=documents)

    def get(self, *arguments: str) -> Document:
        document: Document = json.loads(self.good("get", *arguments, "-o", "json"))
        return document

    def helm(self, *arguments: str) -> str:
        """What a command of helm prints that must succeed."""
        told = self._run("helm", arguments, "", None)
        assert told.status == 0, told.err
        return told.out

    def run(self, program: str, *arguments: str) -> Told:
        """A command of another program that takes `--kubeconfig`."""
        return self._run(program, arguments, "", None)

    def _run(self, program: str, arguments: Iterable[str], given: str, cwd: Path | None) -> Told:
        command = [str(self.programs / program), "--kubeconfig", str(self.kubeconfig), *arguments]
        run = subprocess.run(
            command,
            check=False,
            input=given,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            cwd=cwd,
        )
        return Told(run.returncode, run.stdout, run.stderr)


def until(reached: Callable[[], _T], otherwise: Callable[[], object] = str) -> _T:
    """Wait until something holds, and give it; fail with what `otherwise` has to say."""
    deadline = time.monotonic() + _PATIENCE
    while not (found := reached()):
        assert time.monotonic() < deadline, str(otherwise())[-_TAIL:]
        time.sleep(0.2)
    return found


def placed(document: Mapping[str, Any], namespace: str, name: str) -> Document:
    """A copy of an object, in a namespace and under a name of the test's own."""
    metadata = {**document.get("metadata", {}), "name": name, "namespace": namespace}
    return {**document, "metadata": metadata}
