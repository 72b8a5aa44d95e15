"""Runs programs in forks of a process that has loaded celvet: most of a short run is start-up.

Reads a request in JSON from each line of standard input, and answers each with a line: the exit
status. A program gets a directory, an environment, arguments, limits and files of its own.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import sys
import traceback
from typing import Any

from celvet.lint.engine import lint_text

_WARM_UP = (
    "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec:\n"
    "  wait: true\n  healthCheckExprs: [{apiVersion: a/v1, kind: A, current: status.a}]\n"
)
_COMMANDS = ("eval", "explain", "lint", "rules", "test")
_FLAGS = (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY)


def serve() -> None:
    """Answer requests until there are no more."""
    for name in _COMMANDS:
        importlib.import_module(f"celvet.lint.cli.commands.{name}")
    lint_text(_WARM_UP)
    for line in sys.stdin:
        process = os.fork()
        if not process:
            os._exit(_run(json.loads(line)))
        _, status = os.waitpid(process, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _run(request: dict[str, Any]) -> int:
    for number, (name, flags) in enumerate(zip(request["files"], _FLAGS, strict=True)):
        os.dup2(os.open(name, flags), number)
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115 - without what was read ahead
    os.environ.clear()
    os.environ.update(request["environment"])
    os.chdir(request["directory"])
    for limit, most in request["limits"]:
        resource.setrlimit(limit, (most, most))
    sys.argv = request["arguments"]
    try:
        exec(request["code"], {"__name__": "__main__"})
    except SystemExit as end:
        return int(end.code or 0)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    serve()
