"""The command, before its code is loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from celvet.__main__ import main
from celvet.lint.cli.subcommands import run

_ROOT = Path(__file__).parents[2]
_COMMAND_LINE = "celvet.lint.cli"

_LOADED = """
import sys
before = {*sys.modules}
import celvet.__main__
print(*sorted({*sys.modules} - before))
"""


class _Interrupted:
    """Stands for an interrupt while the command line is looked for."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == _COMMAND_LINE:
            raise KeyboardInterrupt


def test_an_interrupt_while_code_is_loaded_prints_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ended: list[int] = []
    monkeypatch.setattr(os, "_exit", ended.append)
    monkeypatch.delitem(sys.modules, _COMMAND_LINE, raising=False)
    monkeypatch.setattr(sys, "meta_path", [_Interrupted(), *sys.meta_path])
    main()
    assert ended == [130]
    assert capsys.readouterr().err == "\n"


def test_little_is_loaded_before_interrupts_are_expected() -> None:
    # without `site`, whose `.pth` files load code of other packages
    command = [sys.executable, "-S", "-c", _LOADED]
    loaded = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True)
    modules = loaded.stdout.split()
    ours = {name for name in modules if name.startswith("celvet")}
    assert ours == {"celvet", "celvet.__main__", "celvet.version"}
    assert not {"enum", "importlib", "re", "typing"} & {*modules}


@pytest.mark.parametrize(
    ("program", "shown"),
    [
        ("/usr/bin/celvet", "celvet why"),
        ("/usr/bin/kubectl-celvet", "kubectl celvet why"),
        ("/usr/bin/flux-celvet", "flux celvet why"),
    ],
)
def test_messages_name_the_program_as_it_was_called(
    program: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [program, "why", "--bogus"])
    with pytest.raises(click.UsageError) as error:
        run()
    assert error.value.ctx
    assert error.value.ctx.command_path == shown
