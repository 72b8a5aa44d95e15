"""Each way to install the archive that needs no registry ends in the first finding.

Without CELVET_ARCHIVE, the archive has the layout of a real one and this environment's program.
"""

from __future__ import annotations

import json
import os
import platform
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
import yaml

from celvet.version import __version__
from docs.generate import ROOT
from tests.browser import served
from tests.cli.command import PROGRAM
from tests.hooks.test_pre_commit import BAD

_ARCHIVE = os.environ.get("CELVET_ARCHIVE", "")
_HERE = Path(__file__).parent
_PLATFORMS = ("darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64")
_MACHINES = {"x86_64": "amd64", "aarch64": "arm64"}
_PLATFORM = f"{platform.system().lower()}_{_MACHINES.get(platform.machine(), platform.machine())}"
_NAME = f"celvet_{__version__}_{_PLATFORM}.tar.gz"
_TEXTS = (
    *("share/completions/celvet.bash", "share/completions/celvet.fish"),
    *("share/completions/celvet.zsh", "share/man/man1/celvet.1"),
)


def _imitate(directory: Path) -> None:
    """The two archives, with the program of this environment."""
    celvet = directory / "tree" / "celvet"
    for name in _TEXTS:
        (celvet / name).parent.mkdir(parents=True, exist_ok=True)
        (celvet / name).touch()
    shutil.copy(PROGRAM, celvet / "celvet")
    pack = runpy.run_path(str(ROOT / ".github" / "release" / "archive.py"))["_single_file"]
    _archive(celvet, directory / _NAME)
    single = pack(directory / _NAME, __version__, directory / "tree" / "flux-celvet")
    _archive(single, directory / f"flux-{_NAME}")


def _archive(source: Path, target: Path) -> None:
    with tarfile.open(target, "w:gz") as archive:
        archive.add(source, source.name)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the archives of this platform, and something for each other one."""
    directory = tmp_path_factory.mktemp("archives")
    if _ARCHIVE:
        for prefix in ("", "flux-"):
            shutil.copy(Path(_ARCHIVE).with_name(f"{prefix}{_NAME}"), directory)
    else:
        _imitate(directory)
    for name in _PLATFORMS:
        for prefix in ("", "flux-"):
            (directory / f"{prefix}celvet_{__version__}_{name}.tar.gz").open("ab").close()
    return directory


@pytest.fixture(scope="module")
def manifests(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("manifests")
    script = ROOT / ".github" / "release" / "manifests.py"
    subprocess.run([sys.executable, str(script), str(archives), str(directory)], check=True)
    return directory


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., str]:
    """Run a program in an empty home; what it prints. Skips the test without the program."""
    (tmp_path / "apps.yaml").write_text(BAD, encoding="utf-8")

    def run(*command: str | Path, status: int = 0, **environment: str) -> str:
        if not (program := shutil.which(command[0])):
            pytest.skip(f"{command[0]} is not installed (`make tools`)")
        variables = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), **environment}
        ran = subprocess.run(
            [program, *map(str, command[1:])],
            cwd=tmp_path, env=variables, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == status, ran.stdout + ran.stderr
        return ran.stdout + ran.stderr

    return run


def test_an_archive_has_the_layout_that_the_tests_imitate() -> None:
    if not _ARCHIVE:
        pytest.skip("CELVET_ARCHIVE names no archive (`make archive`)")
    with tarfile.open(_ARCHIVE) as archive:
        assert {f"celvet/{name}" for name in ("celvet", *_TEXTS)} <= set(archive.getnames())


def test_krew(archives: Path, manifests: Path, run: Callable[..., str], tmp_path: Path) -> None:
    """By krew itself, whose index also lets only what its validator takes in."""
    manifest = manifests / "krew" / "celvet.yaml"
    run("validate-krew-manifest", "-manifest", manifest, "-skip-install")
    root = {"KREW_ROOT": str(tmp_path / "krew"), "KREW_NO_UPGRADE_CHECK": "1"}
    run("krew", "install", f"--manifest={manifest}", f"--archive={archives / _NAME}", **root)
    plugin = tmp_path / "krew" / "bin" / "kubectl-celvet"
    assert "[cel-syntax]" in run(plugin, "lint", "apps.yaml", status=1)
    assert "Usage: kubectl celvet" in run(plugin, "--help")


def test_flux(archives: Path, manifests: Path, run: Callable[..., str], tmp_path: Path) -> None:
    """By the flux that installs plugins, from a catalogue that is served here."""
    if "plugin" not in run("flux", "--help"):
        pytest.skip("this flux has no plugins (`make tools`)")
    text = (manifests / "flux" / "celvet.yaml").read_text(encoding="utf-8")
    with served(tmp_path) as url:
        text = re.sub(r"https://\S+/releases/download/v[^/]+/", url, text)
        (tmp_path / "celvet.yaml").write_text(text, encoding="utf-8")
        shutil.copy(archives / f"flux-{_NAME}", tmp_path)
        run("flux", "plugin", "install", "celvet", FLUXCD_PLUGIN_CATALOG=url)
    assert "[cel-syntax]" in run("flux", "celvet", "lint", "apps.yaml", status=1)
    assert "Usage: flux celvet" in run("flux", "celvet", "--help")
    (unpacked,) = (tmp_path / ".cache" / "celvet-program").iterdir()
    assert unpacked.name.startswith(f"{__version__}-")


def test_homebrew(archives: Path, manifests: Path, run: Callable[..., str], tmp_path: Path) -> None:
    """The formula does what it says; Homebrew itself is not here."""
    formula, prefix = manifests / "homebrew" / "celvet.rb", tmp_path / "prefix"
    run("ruby", _HERE / "homebrew.rb", formula, archives, prefix)
    for name in ("celvet", "kubectl-celvet", "flux-celvet"):
        assert "[cel-syntax]" in run(prefix / "bin" / name, "lint", "apps.yaml", status=1)
    assert (prefix / "share" / "man" / "man1" / "celvet.1").is_file()
    assert (prefix / "share" / "zsh" / "site-functions" / "_celvet").is_file()


def test_aqua_and_mise(
    archives: Path, manifests: Path, run: Callable[..., str], tmp_path: Path
) -> None:
    """Both unpack the archive and link the files that the registry names."""
    registry = yaml.safe_load((manifests / "aqua" / "registry.yaml").read_text(encoding="utf-8"))
    (package,) = registry["packages"]
    with tarfile.open(archives / _NAME) as archive:
        archive.extractall(tmp_path / "package", filter="data")
    for file in package["files"]:
        (tmp_path / file["name"]).symlink_to(tmp_path / "package" / file["src"])
        assert "[cel-syntax]" in run(tmp_path / file["name"], "lint", "apps.yaml", status=1)


def test_nix(archives: Path, manifests: Path, run: Callable[..., str], tmp_path: Path) -> None:
    """Nix reads the flake, and its phase runs as stdenv does; nixpkgs itself is not here."""
    expression = f"import {_HERE / 'nixpkgs.nix'} {manifests / 'nix' / 'flake.nix'}"
    options = ("--eval", "--strict", "--json", "--store", "dummy://")
    packages = json.loads(run("nix-instantiate", *options, "--expr", expression).splitlines()[-1])
    system, machine = _PLATFORM.split("_")
    target = f"{'x86_64' if machine == 'amd64' else 'aarch64'}-{system}"
    package = packages[target]["default"]
    assert package["src"]["url"].endswith(f"/{_NAME}")
    assert package["src"]["sha256"] == sha256((archives / _NAME).read_bytes()).hexdigest()
    with tarfile.open(archives / _NAME) as archive:
        archive.extractall(tmp_path, filter="data")
    run("bash", "-ec", f"cd celvet\n{package['installPhase']}", out=str(tmp_path / "out"))
    for name in (package["meta"]["mainProgram"], "kubectl-celvet", "flux-celvet"):
        assert "[cel-syntax]" in run(tmp_path / "out" / "bin" / name, "lint", "apps.yaml", status=1)
    assert (tmp_path / "out" / "share" / "man" / "man1" / "celvet.1").is_file()
