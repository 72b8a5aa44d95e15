"""The wheel, installed where other packages have the names of celvet's own folders."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import venv
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from tests.files import write_files
from tests.webhook.reviews import kustomization, review
from tests.webhook.serving import serving

_ROOT = Path(__file__).parents[2]
_NAMES = ("lint", "schemas", "certs", "webhook")
_MANIFEST = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  wait: true
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: status.phase == 'Failed'
      current: status.phase == 'Ready'
"""
_OBJECT = """\
apiVersion: example.com/v1
kind: Database
metadata: {name: web}
status: {phase: Ready}
"""
_TEST = """\
apiVersion: celvet.dev/v1
kind: HealthTest
metadata: {name: databases}
target: {file: apps.yaml, kind: Kustomization, entry: {kind: Database}}
cases:
  - name: ready
    object: database.yaml
    expect: {verdict: Current}
"""


_RESOURCE_SET = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: flux-system}
spec:
  resources: [{apiVersion: v1, kind: ConfigMap, metadata: {name: made, namespace: flux-system}}]
"""


@dataclass(frozen=True, slots=True)
class Built:
    """The wheels from the source tree and from the source distribution, and the latter."""

    wheel: Path
    from_sdist: Path
    sdist: Path


@dataclass(frozen=True, slots=True)
class Installed:
    """An environment with the wheel, and a directory with packages of celvet's folders' names."""

    bin: Path
    site_packages: Path
    directory: Path
    environment: Mapping[str, str]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=self.directory,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    pytest.importorskip("hatchling")
    directory = tmp_path_factory.mktemp("build")
    _build(_ROOT, directory / "tree")
    (sdist,) = (directory / "tree").glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(directory, filter="data")
    _build(directory / sdist.name.removesuffix(".tar.gz"), directory / "again")
    (wheel,) = (directory / "tree").glob("*.whl")
    (from_sdist,) = (directory / "again").glob("*.whl")
    return Built(wheel, from_sdist, sdist)


@pytest.fixture(scope="module")
def installed(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel in a fresh environment, which sees the dependencies of this one but not celvet."""
    directory = tmp_path_factory.mktemp("installed")
    venv.create(directory / "venv", symlinks=True)
    paths = {"base": str(directory / "venv"), "platbase": str(directory / "venv")}
    site_packages = Path(sysconfig.get_path("purelib", vars=paths))
    python = str(directory / "venv" / "bin" / "python")
    wheel = ["install", "--quiet", "--no-deps", "--no-index", str(built.wheel)]
    ran = _python("-m", "pip", "--python", python, *wheel, cwd=directory)
    assert ran.returncode == 0, ran.stderr
    (site_packages / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    there = directory / "repository"
    for name in _NAMES:
        (there / name).mkdir(parents=True)
        (there / name / "__init__.py").write_text(f"raise ImportError('the repository\\'s {name}')")
    files = {"apps.yaml": _MANIFEST, "database.yaml": _OBJECT, "test.yaml": _TEST}
    files["resources.yaml"] = _RESOURCE_SET
    write_files(there, files)
    environment = {"PATH": os.environ["PATH"], "HOME": str(directory), "PYTHONPATH": "."}
    return Installed(directory / "venv" / "bin", site_packages, there, environment)


def _build(source: Path, target: Path) -> None:
    ran = _python("-m", "hatchling", "build", "-d", str(target), cwd=source)
    assert ran.returncode == 0, ran.stderr


def _python(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_uvx_runs_it_and_lints(built: Built, installed: Installed, tmp_path: Path) -> None:
    """As where nothing can be downloaded; what celvet needs comes from this environment."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if not uv:
        pytest.skip("uv is not installed")
    (tmp_path / "apps.yaml").write_text(_MANIFEST.replace("phase == 'Ready'", "phase = 'Ready'"))
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = [need.partition(">")[0] for need in project["dependencies"]]
    never = "".join(f"{name}; python_version < '3'\n" for name in names)
    (tmp_path / "overrides.txt").write_text(never)
    options = ["--offline", "--overrides", "overrides.txt", "--python", sys.executable]
    command = [uv, "tool", "run", *options, "--from", str(built.wheel), "celvet", "lint"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "UV_CACHE_DIR": "cache"}
    environment["PYTHONPATH"] = (installed.site_packages / "dependencies.pth").read_text()
    ran = subprocess.run(
        [*command, "apps.yaml"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, "[cel-syntax]" in ran.stdout) == (1, True), ran.stderr


def test_it_holds_celvet_and_its_metadata_alone(built: Built) -> None:
    names = zipfile.ZipFile(built.wheel).namelist()
    top = {name.partition("/")[0] for name in names}
    own = "celvet-" + built.wheel.name.split("-")[1]
    assert top == {"celvet", f"{own}.dist-info", f"{own}.data"}
    below = {f"celvet/{name}/__init__.py" for name in _NAMES}
    assert below | {"celvet/py.typed", "celvet/__main__.py"} <= set(names)
    assert any(name.startswith("celvet/schemas/") and name.endswith(".json") for name in names)


def test_the_manual_page_is_where_man_finds_it(installed: Installed) -> None:
    page = installed.bin.parent / "share" / "man" / "man1" / "celvet.1"
    assert page.read_text(encoding="utf-8").startswith('.\\" Generated by `make generate`')


def test_the_source_distribution_builds_the_same(built: Built) -> None:
    one, other = (zipfile.ZipFile(each) for each in (built.wheel, built.from_sdist))
    assert sorted(one.namelist()) == sorted(other.namelist())
    with tarfile.open(built.sdist) as archive:
        assert not [each.name for each in archive if each.issym() or each.islnk()]


@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("celvet --version", "celvet "),
        ("celvet lint apps.yaml", "1 file"),
        ("celvet lint --jobs 2 .", "file"),
        ("celvet eval apps.yaml --object database.yaml", "Current"),
        ("celvet test .", "passed"),
        ("celvet explain apps.yaml", "Database"),
        ("celvet rules", "never-true"),
        ("celvet certs create --dir tls --dns-name localhost", "authority"),
        ("celvet lsp --help", "Usage: celvet lsp"),
        ("celvet serve --help", "Usage: celvet serve"),
        ("celvet graph .", "Kustomization flux-system/apps"),
        ("celvet suggest Certificate.cert-manager.io", "apiVersion: cert-manager.io/v1"),
        ("celvet build resources.yaml", "name: made"),
        ("celvet forecast --help", "Usage: celvet forecast"),
        ("celvet jsonpath {.kind} -f database.yaml", "Database"),
        ("celvet init --help", "Usage: celvet init"),
        ("celvet mcp --help", "Usage: celvet mcp"),
        ("celvet playground --help", "Usage: celvet playground"),
        ("celvet scan --help", "Usage: celvet scan"),
        ("celvet wait --help", "Usage: celvet wait"),
        ("celvet why --help", "Usage: celvet why"),
        ("celvet completion bash", "complete"),
        ("python -m celvet lint apps.yaml", "1 file"),
    ],
)
def test_every_command_runs(installed: Installed, command: str, printed: str) -> None:
    ran = installed.run(*command.split())
    assert (ran.returncode, ran.stderr) == (0, "")
    assert printed in ran.stdout


def test_the_table_of_commands_has_every_command(installed: Installed) -> None:
    (cases,) = (
        mark.args[1] for mark in test_every_command_runs.pytestmark if mark.name == "parametrize"
    )
    shown = installed.run("celvet", "--help").stdout.partition("Commands:\n")[2]
    # A group stands before its first command.
    rows = ((line[2:3].strip(), line.split()) for line in shown.splitlines())
    commands = {words[1] if group else words[0] for group, words in rows}
    assert commands == {case[0].split()[1] for case in cases} - {"--version", "-m"}


def test_python_m_imports_nothing_from_the_working_directory(
    installed: Installed, tmp_path: Path
) -> None:
    for name in ("json", "yaml", "click"):
        (tmp_path / name).with_suffix(".py").write_text("raise SystemExit('not this')")
    (tmp_path / "apps.yaml").write_text(_MANIFEST)
    environment = {"PATH": installed.environment["PATH"], "HOME": str(tmp_path)}
    there = replace(installed, directory=tmp_path, environment=environment)
    ran = there.run("python", "-m", "celvet", "lint", "--no-cache", "apps.yaml")
    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_library_is_the_one_installed(installed: Installed) -> None:
    code = (
        "import celvet, sys\n"
        "result = celvet.lint_text(open('apps.yaml').read())\n"
        "print(celvet.__file__, len(result.findings), celvet.__version__)"
    )
    ran = installed.run("python", "-c", code)
    place = installed.site_packages / "celvet" / "__init__.py"
    assert ran.stdout.split()[0] == str(place), ran.stderr


def test_a_package_of_the_repository_stays_its_own(installed: Installed) -> None:
    """Shows that the names of the repository would be found first."""
    ran = installed.run("python", "-c", "import lint")
    assert "the repository's lint" in ran.stderr


def test_the_webhook_starts_and_answers(installed: Installed, tmp_path: Path) -> None:
    """The supervisor, a worker and the processes that lint."""
    environment = {**installed.environment, "PATH": f"{installed.bin}:{os.environ['PATH']}"}
    program, here = installed.bin / "celvet", installed.directory
    with serving(tmp_path, program=program, cwd=here, env=environment) as server:
        assert server.review(review(kustomization("status.ready")))["allowed"] is True
        assert server.review(review(kustomization("status.ready = true")))["allowed"] is False
