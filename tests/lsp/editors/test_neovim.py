"""A real Neovim: it opens a manifest, asks, applies a code action and writes the file.

It is configured by the lines that `docs/editors.md` tells a user to write.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.editors.tried import AFTER, BEFORE, PATH, configuration

_SCRIPT = Path(__file__).parent / "neovim.lua"
_NEOVIM = shutil.which("nvim")

pytestmark = pytest.mark.skipif(
    _NEOVIM is None, reason="there is no nvim here; apt-get install neovim"
)


_ENTRY = Path(__file__).parents[3] / "editors" / "neovim" / "lsp" / "celvet.lua"
# As `vim.lsp.enable` does from 0.11 on with a file in `lsp`.
_ENABLE = f"""
local config = vim.tbl_extend("force", dofile("{_ENTRY}"), {{
  name = "celvet",
  root_dir = vim.fn.getcwd(),
}})
vim.api.nvim_create_autocmd("FileType", {{
  pattern = config.filetypes,
  callback = function()
    if vim.lsp.start then return vim.lsp.start(config) end
    vim.lsp.buf_attach_client(0, vim.lsp.start_client(config))
  end,
}})
"""


def _run(directory: Path, configuration: str) -> tuple[dict[str, Any], str]:
    manifest, answers = directory / "ks.yaml", directory / "answers.json"
    manifest.write_text(BEFORE, encoding="utf-8")
    config = directory / "init.lua"
    config.write_text(configuration, encoding="utf-8")
    given = {
        "PATH": PATH,
        "CONFIG": str(config),
        "MANIFEST": str(manifest),
        "ANSWERS": str(answers),
        "HOME": str(directory),
        "XDG_STATE_HOME": str(directory),
    }
    command = [_NEOVIM, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", str(_SCRIPT)]
    done = subprocess.run(
        command,
        env={**os.environ, **given},
        cwd=directory,
        capture_output=True,
        timeout=600,
        check=False,
    )
    assert answers.exists(), done.stderr.decode()
    return json.loads(answers.read_text(encoding="utf-8")), manifest.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "config", [configuration("Neovim", "lua"), _ENABLE], ids=["of the guide", "of nvim-lspconfig"]
)
def test_a_user_at_work(tmp_path: Path, config: str) -> None:
    answers, written = _run(tmp_path, config)
    # Neovim's columns are bytes: the balloon has four of them, and two units in UTF-16.
    line = BEFORE.splitlines()[11]
    start, end = line.index("status"), len(line.encode())
    assert answers["diagnostics"] == [
        ["premature-failed", 11, start, end],
        ["missing-failed", 15, 6, 13],
    ]
    assert answers["hover"].startswith("`x.filter(e, test)`")
    row = re.compile(r"\| just created, without a status +\| error +\| error +\| Unknown +\|")
    assert row.search(answers["hover"])
    assert answers["completion"][:3] == ["type", "status", "reason"]
    assert answers["action"] == "Write `exists` for `filter` and `all`."
    assert answers["after"] == [["missing-failed", 15, 6, 13]]
    assert written == AFTER
