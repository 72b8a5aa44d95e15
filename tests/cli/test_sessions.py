"""Commands as a user meets them: files in a directory, a command, what it prints and leaves.

`sessions/<command>.yaml` has `files`, with which all its cases start, and `cases`:

    name    of the test
    files   more files, or replacements
    run     the command
    env     variables of the environment
    input   standard input
    status  exit status; 0 if not given
    out     the exact output; a list has lines that must occur in it, in this order
    err     the same for standard error
    after   files and their content afterwards
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import celvet
from tests.files import write_files
from tests.tables import read_table

_SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*.yaml"))


def _cases() -> list[Any]:
    found = []
    for path in _SESSIONS:
        session = read_table(path)
        for case in session["cases"]:
            case["files"] = {**session["files"], **case.get("files", {})}
            found.append(pytest.param(case, id=f"{path.stem}: {case['name']}"))
    return found


@pytest.mark.parametrize("case", _cases())
def test_session(case: dict[str, Any], tmp_path: Path) -> None:
    write_files(tmp_path, case["files"])
    program, *arguments = shlex.split(case["run"])
    assert program == "celvet"
    ran = celvet(*arguments, cwd=tmp_path, stdin=case.get("input", ""), env=case.get("env"))
    _compare(case.get("out"), ran.out)
    _compare(case.get("err", ""), ran.err)
    assert ran.status == case.get("status", 0), ran
    for name, text in case.get("after", {}).items():
        assert (tmp_path / name).read_text(encoding="utf-8") == text


def _compare(expected: str | list[str] | None, got: str) -> None:
    """Compare exactly, or line by line."""
    if isinstance(expected, str):
        assert got == expected
    rest = iter(got.splitlines())
    for line in expected if isinstance(expected, list) else ():
        assert line in rest, f"no {line!r} (in this order) in:\n{got}"
