"""The archive of this platform, where nothing of Python can be seen; CELVET_ARCHIVE names it."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from celvet.version import __version__
from tests.files import write_files
from tests.package.test_wheel import _MANIFEST, _OBJECT, _RESOURCE_SET, _TEST

_ARCHIVE = os.environ.get("CELVET_ARCHIVE", "")
_ROOT = Path(__file__).parents[2]
_SCRIPT = _ROOT / ".github" / "release" / "archive.py"
_WRONG = _MANIFEST.replace("status.phase == 'Ready'", "status.phase = 'Ready'")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not _ARCHIVE:
        pytest.skip("CELVET_ARCHIVE names no archive (`make archive`)")
    directory = tmp_path_factory.mktemp("archive")
    with tarfile.open(_ARCHIVE) as archive:
        archive.extractall(directory, filter="data")
    return directory / "celvet" / "celvet"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("repository")
    files = {"apps.yaml": _MANIFEST, "wrong.yaml": _WRONG, "database.yaml": _OBJECT}
    files |= {"test.yaml": _TEST, "resources.yaml": _RESOURCE_SET}
    write_files(directory, files)
    return directory


def _run(program: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": "", "HOME": str(cwd)}
    command = [str(program), *arguments]
    return subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("command", "status", "printed"),
    [
        ("--version", 0, f"celvet {__version__}"),
        ("lint wrong.yaml", 1, "cel-syntax"),
        ("lint --jobs 2 .", 1, "cel-syntax"),
        ("lint --format sarif wrong.yaml", 1, "docs/rules/cel-syntax.md"),
        ("eval apps.yaml --object database.yaml", 0, "Current"),
        ("forecast database.yaml --as flux", 0, "Database"),
        ("test .", 0, "passed"),
        ("explain apps.yaml", 0, "Database"),
        ("rules cel-syntax", 0, "cel-syntax"),
        ("graph .", 0, "Kustomization flux-system/apps"),
        ("suggest Certificate.cert-manager.io", 0, "apiVersion: cert-manager.io/v1"),
        ("build resources.yaml", 0, "name: made"),
        ("why", 2, "cannot connect to Kubernetes"),
        ("completion zsh", 0, "celvet"),
        ("lsp --help", 0, "Usage: celvet lsp"),
        ("wait --help", 0, "Usage: celvet wait"),
        ("serve --help", 0, "Usage: celvet serve"),
    ],
)
def test_a_command_runs_without_python(
    program: Path, repository: Path, command: str, status: int, printed: str
) -> None:
    ran = _run(program, *command.split(), cwd=repository)
    assert (ran.returncode, "Traceback" in ran.stderr) == (status, False), ran.stderr
    assert printed in ran.stdout + ran.stderr


def test_it_is_also_the_plugin_that_its_link_names(program: Path, tmp_path: Path) -> None:
    link = tmp_path / "kubectl-celvet"
    link.symlink_to(program)
    assert "Usage: kubectl celvet" in _run(link, "--help", cwd=tmp_path).stdout


def test_texts_stand_beside_the_program(program: Path) -> None:
    share = program.parent / "share"
    assert (share / "man" / "man1" / "celvet.1").is_file()
    names = {path.name for path in (share / "completions").iterdir()}
    assert names == {"celvet.bash", "celvet.fish", "celvet.zsh"}
    assert list((share / "licenses").glob("cel_expr_python-*/**/LICENSE"))


@pytest.mark.parametrize(
    ("system", "machine", "libc", "message"),
    [
        ("Linux", "x86_64", "", "no archive for musl"),
        ("Windows", "AMD64", "", "no archive for Windows on AMD64"),
        ("Linux", "riscv64", "glibc", "no archive for Linux on riscv64"),
    ],
)
def test_where_the_engine_has_no_wheel_nothing_is_built(
    tmp_path: Path, system: str, machine: str, libc: str, message: str
) -> None:
    code = (
        "import platform, runpy, sys\n"
        f"platform.system, platform.machine = lambda: {system!r}, lambda: {machine!r}\n"
        f"platform.libc_ver = lambda: ({libc!r}, '')\n"
        f"sys.argv = ['archive.py', {str(tmp_path / 'dist')!r}]\n"
        f"runpy.run_path({str(_SCRIPT)!r}, run_name='__main__')\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.startswith(message)
