"""What each registry is told of a release: checksums, versions and links of the archives."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
import sys
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.version import REPOSITORY, __version__

_ROOT = Path(__file__).parents[2]
_RELEASE = _ROOT / ".github" / "release"
_PLATFORMS = ("darwin_amd64", "darwin_arm64", "linux_amd64", "linux_arm64")
_DOWNLOADS = f"{REPOSITORY}/releases/download/v{__version__}"
# An archive and its checksum, which stand on two lines in this order, or on one.
_DOWNLOAD = re.compile(r"(https://[^\"\s]+/releases/download/[^\"\s]+).+?\b([0-9a-f]{64})\b", re.S)


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("archives")
    for platform in _PLATFORMS:
        for prefix in ("", "flux-"):
            name = f"{prefix}celvet_{__version__}_{platform}.tar.gz"
            (directory / name).write_text(f"the bytes of {name}")
    return directory


@pytest.fixture(scope="module")
def manifests(archives: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("manifests")
    ran = _generate(archives, directory)
    assert ran.returncode == 0, ran.stderr
    return directory


def _generate(archives: Path, directory: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(_RELEASE / "manifests.py"), str(archives), str(directory)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _checksum(archives: Path, url: str) -> str:
    name = url.removeprefix(f"{_DOWNLOADS}/")
    return hashlib.sha256((archives / name).read_bytes()).hexdigest()


def _read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "name", ["krew/celvet.yaml", "flux/celvet.yaml", "homebrew/celvet.rb", "nix/flake.nix"]
)
def test_each_archive_has_its_own_checksum(archives: Path, manifests: Path, name: str) -> None:
    downloads = _DOWNLOAD.findall((manifests / name).read_text(encoding="utf-8"))
    assert len({url for url, _ in downloads}) == len(_PLATFORMS)
    for url, checksum in downloads:
        assert checksum == _checksum(archives, url)


def test_no_placeholder_is_left(manifests: Path) -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in manifests.rglob("*.*")}
    assert {path.parent.name for path in texts} == {
        path.name for path in (_RELEASE / "manifests").iterdir()
    }
    assert [path for path, text in texts.items() if re.search(r"@[a-z0-9 _-]+@", text)] == []


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("krew/celvet.yaml", ("spec", "version"), f"v{__version__}"),
        ("flux/celvet.yaml", ("versions", 0, "version"), __version__),
        ("aqua/pkg.yaml", ("packages", 0, "name"), f"celvet/celvet@v{__version__}"),
        ("mason/package.yaml", ("source", "id"), f"pkg:pypi/celvet@{__version__}?extra=lsp"),
        ("megalinter/celvet.megalinter-descriptor.yml",
         ("linters", 0, "cli_docker_image_version"), f"{__version__}-lint"),
    ],
)  # fmt: skip
def test_the_version_is_that_of_the_package(
    manifests: Path, name: str, key: tuple[str | int, ...], value: str
) -> None:
    node = _read(manifests / name)
    for step in key:
        node = node[step]
    assert node == value


def test_krew_finds_a_platform_and_its_program(manifests: Path) -> None:
    """The rules of internal/index/validation/validate.go in kubernetes-sigs/krew v0.4.5."""
    plugin = _read(manifests / "krew" / "celvet.yaml")
    assert plugin["metadata"]["name"] == "celvet"
    assert "\n" not in plugin["spec"]["shortDescription"]
    for platform in plugin["spec"]["platforms"]:
        labels = platform["selector"]["matchLabels"]
        assert labels.keys() == {"os", "arch"}
        assert f"_{labels['os']}_{labels['arch']}.tar.gz" in platform["uri"]
        assert platform["bin"] == "celvet/celvet"


def test_flux_gets_one_file_with_its_prefix(manifests: Path) -> None:
    """As `FetchManifest` in internal/plugin/catalog.go of fluxcd/flux2 wants it."""
    plugin = _read(manifests / "flux" / "celvet.yaml")
    assert plugin["bin"] == "flux-celvet"
    for platform in plugin["versions"][0]["platforms"]:
        name = f"flux-celvet_{__version__}_{platform['os']}_{platform['arch']}.tar.gz"
        assert platform["url"] == f"{_DOWNLOADS}/{name}"


def test_aqua_computes_the_names_of_the_archives(archives: Path, manifests: Path) -> None:
    (package,) = _read(manifests / "aqua" / "registry.yaml")["packages"]
    for platform in _PLATFORMS:
        system, machine = platform.split("_")
        parts = {"trimV .Version": __version__, ".OS": system, ".Arch": machine}
        parts[".Format"] = package["format"]
        asset = re.sub(r"{{(.+?)}}", lambda match, parts=parts: parts[match[1]], package["asset"])
        assert (archives / asset).is_file()
        assert package["checksum"]["asset"] == "SHA256SUMS"


def test_the_mirror_of_pre_commit_installs_this_version(manifests: Path) -> None:
    project = tomllib.loads((manifests / "pre-commit" / "pyproject.toml").read_text())["project"]
    assert project["dependencies"] == [f"celvet=={__version__}"]
    hooks = _read(manifests / "pre-commit" / ".pre-commit-hooks.yaml")
    assert {hook["id"] for hook in hooks} == {"celvet-lint", "celvet-fix", "celvet-test"}


def test_the_sums_are_read_by_sha256sum(archives: Path, manifests: Path) -> None:
    assert manifests.is_dir()
    lines = (archives / "SHA256SUMS").read_text().splitlines()
    assert len(lines) == 2 * len(_PLATFORMS)
    if program := shutil.which("sha256sum"):
        check = [program, "--check", "--strict", "SHA256SUMS"]
        ran = subprocess.run(check, cwd=archives, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stderr


def test_a_missing_archive_is_named(archives: Path, tmp_path: Path) -> None:
    shutil.copytree(archives, tmp_path / "some")
    (tmp_path / "some" / f"celvet_{__version__}_linux_arm64.tar.gz").unlink()
    ran = _generate(tmp_path / "some", tmp_path / "out")
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"celvet_{__version__}_linux_arm64.tar.gz is missing")


def test_each_artefact_of_a_release_is_signed() -> None:
    """A dry run ends with the job `sign`; what reaches it comes from jobs that it waits for."""
    jobs = _read(_ROOT / ".github" / "workflows" / "release.yaml")["jobs"]
    builds = jobs.keys() - {name for name in jobs if name.startswith("publish-")} - {"ci", "sign"}
    uploads = {
        re.sub(r"\${{.+?}}", "x", artefact)
        for name in builds
        for artefact in _artefacts(jobs[name], "upload", "name")
    }
    signers = {"manifests", "sign"}
    patterns = {
        pattern
        for name in signers
        for key in ("name", "pattern")
        for text in _artefacts(jobs[name], "download", key)
        for pattern in text.strip("{}").split(",")
    }
    assert "image-x" in uploads
    assert {
        name for name in uploads if not any(fnmatchcase(name, form) for form in patterns)
    } == set()
    assert builds <= {need for name in signers for need in jobs[name]["needs"]}


def _artefacts(job: Any, action: str, key: str) -> list[str]:
    name = f"actions/{action}-artifact@"
    steps = [step for step in job["steps"] if step.get("uses", "").startswith(name)]
    return [step["with"][key] for step in steps if key in step["with"]]
