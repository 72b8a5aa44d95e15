"""The real pre-commit runs the hooks, as they are published, on commits of a fresh repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from celvet.version import __version__
from docs.generate import ROOT
from tests.tables import read_table

_PROGRAMS = Path(sys.executable).parent
_PUBLISHED = ("pyproject.toml", "README.md", "LICENSE", ".pre-commit-hooks.yaml")
_PACKAGES = ("celvet", "lint", "schemas", "certs", "webhook")
_HOOKS = read_table(ROOT / ".pre-commit-hooks.yaml")

GOOD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Thing
      failed: status.phase == 'Broken'
      current: status.phase == 'Ready'
"""
BAD = GOOD.replace("phase == 'Broken'", "phase = 'Broken'")
DOUBTFUL = GOOD.replace("status.phase == 'Ready'", "1 == 2")
REPAIRABLE = GOOD.replace("status.phase == 'Broken'", "self.status.phase == 'Broken'")
TEST = """\
apiVersion: celvet.dev/v1alpha1
kind: HealthTest
metadata: {name: things}
target: {file: apps.yaml, kind: Kustomization, name: apps, entry: {kind: Thing}}
cases:
  - name: ready
    object: {apiVersion: example.com/v1, kind: Thing, status: {phase: Ready}}
    expect: Current
"""


@dataclass(frozen=True)
class Repository:
    """A git repository with the hooks installed."""

    path: Path
    environment: dict[str, str]

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command,
            cwd=self.path,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def commit(self, **files: str) -> subprocess.CompletedProcess[str]:
        """Commit files, whose names are given without `.yaml`."""
        for name, text in files.items():
            (self.path / f"{name}.yaml").write_text(text, encoding="utf-8")
        assert self.run("git", "add", "--all").returncode == 0
        return self.run("git", "commit", "--message", "x")

    def text(self, name: str) -> str:
        return (self.path / f"{name}.yaml").read_text(encoding="utf-8")


def _environment(home: Path) -> dict[str, str]:
    """No settings of the machine's user, the programs under test first."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    author = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "tests"), ("EMAIL", "tests@example.com"))
    }
    return {
        **kept,
        **author,
        "PATH": f"{_PROGRAMS}{os.pathsep}{os.environ['PATH']}",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_SYSTEM": os.devnull,
        "PRE_COMMIT_HOME": str(home),
        "PYTHONPATH": str(home / "dependencies"),
        "PIP_NO_BUILD_ISOLATION": "0",  # pip's word for yes
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(home / "wheels"),
    }


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    home = tmp_path_factory.mktemp("pre-commit")
    _collect_dependencies(home / "dependencies")
    return _environment(home)


def _publish_checkout(path: Path, environment: dict[str, str]) -> None:
    """This checkout as the repository of its own that users name in their configuration."""
    path.mkdir()
    for name in _PUBLISHED:
        shutil.copy(ROOT / name, path)
    for name in _PACKAGES:
        shutil.copytree(
            ROOT / name, path / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__")
        )
    _tag(path, environment)


def _publish_mirror(path: Path, environment: dict[str, str]) -> None:
    """The repository that has only the hooks, and the package beside it, as from PyPI."""
    path.mkdir()
    template = ROOT / ".github" / "release" / "manifests" / "pre-commit" / "pyproject.toml"
    text = template.read_text(encoding="utf-8").replace("@version@", __version__)
    (path / "pyproject.toml").write_text(text, encoding="utf-8")
    shutil.copy(ROOT / ".pre-commit-hooks.yaml", path)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    wheels = environment["PIP_FIND_LINKS"]
    subprocess.run([*build, "-d", wheels], cwd=ROOT, check=True, capture_output=True)
    _tag(path, environment)


def _tag(path: Path, environment: dict[str, str]) -> None:
    for command in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"], ["tag", "v0.1.0"]):
        subprocess.run(["git", *command], cwd=path, env=environment, check=True)


def _collect_dependencies(path: Path) -> None:
    """Everything that is installed here except celvet, so that pip downloads nothing."""
    path.mkdir()
    for each in Path(sysconfig.get_path("purelib")).iterdir():
        if "celvet" not in each.name:
            (path / each.name).symlink_to(each)


@pytest.fixture(scope="module")
def source(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    environment: dict[str, str],
) -> dict[str, object]:
    """An entry of `repos`: the hooks as local ones, which run the `celvet` of this environment.

    With the parameter `installed` or `mirror`, pre-commit installs the checkout or the package.
    """
    directory = tmp_path_factory.mktemp("hooks")
    if (way := getattr(request, "param", "local")) == "local":
        return {"repo": "local", "hooks": [{**hook, "language": "system"} for hook in _HOOKS]}
    pytest.importorskip("hatchling")
    publish = _publish_mirror if way == "mirror" else _publish_checkout
    publish(directory / "celvet", environment)
    hooks = [{"id": hook["id"]} for hook in _HOOKS]
    return {"repo": str(directory / "celvet"), "rev": "v0.1.0", "hooks": hooks}


@pytest.fixture
def repository(
    tmp_path: Path, environment: dict[str, str], source: dict[str, object]
) -> Callable[..., Repository]:
    def make(*wanted: str, args: Sequence[str] = ()) -> Repository:
        made = Repository(tmp_path, environment)
        hooks = [
            {**hook, "args": list(args)}
            for hook in source["hooks"]  # type: ignore[attr-defined]
            if hook["id"] in wanted
        ]
        configuration = {"repos": [{**source, "hooks": hooks}]}
        text = yaml.safe_dump(configuration)
        (tmp_path / ".pre-commit-config.yaml").write_text(text, encoding="utf-8")
        assert made.run("git", "init", "-q").returncode == 0
        ran = made.run("pre-commit", "install", "--install-hooks")
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return made

    return make


@pytest.mark.parametrize("source", ["local", "installed", "mirror"], indirect=True)
def test_lint_blocks_a_bad_commit_and_passes_a_good_one(
    repository: Callable[..., Repository],
) -> None:
    made = repository("celvet-lint")
    blocked = made.commit(apps=BAD)
    assert blocked.returncode == 1
    assert "apps.yaml:12:28: error: `=` is not an operator" in blocked.stderr
    assert made.run("git", "rev-parse", "HEAD").returncode != 0
    warned = made.commit(apps=DOUBTFUL)
    assert warned.returncode == 1
    assert "apps.yaml:13:16: warning: `current` is never true" in warned.stderr
    assert made.commit(apps=GOOD, other="a: 1\n").returncode == 0


def test_fix_repairs_the_file_and_the_second_commit_passes(
    repository: Callable[..., Repository],
) -> None:
    made = repository("celvet-fix", "celvet-lint")
    blocked = made.commit(apps=REPAIRABLE)
    assert blocked.returncode == 1
    assert "files were modified by this hook" in blocked.stderr
    assert made.text("apps") == GOOD
    assert made.commit().returncode == 0


def test_fix_reports_once_what_it_leaves(repository: Callable[..., Repository]) -> None:
    made = repository("celvet-fix")
    blocked = made.commit(apps=DOUBTFUL)
    assert blocked.returncode == 1
    assert blocked.stderr.count("warning: `current` is never true") == 1


def test_health_tests_run_when_the_manifest_changes(repository: Callable[..., Repository]) -> None:
    made = repository("celvet-test")
    assert made.commit(apps=GOOD, things=TEST).returncode == 0
    broken = made.commit(apps=GOOD.replace("Ready", "Running"))
    assert broken.returncode == 1
    assert "FAIL things: ready" in broken.stderr


def test_a_commit_without_manifests_runs_nothing(repository: Callable[..., Repository]) -> None:
    made = repository("celvet-lint", "celvet-test")
    (made.path / "README.md").write_text("hello\n", encoding="utf-8")
    made.commit(apps=GOOD)
    (made.path / "README.md").write_text("hello again\n", encoding="utf-8")
    done = made.commit()
    assert done.returncode == 0
    assert done.stderr.count("no files to check") == 2


def test_the_name_of_a_file_is_never_an_option(repository: Callable[..., Repository]) -> None:
    made = repository("celvet-lint", "celvet-fix", args=("--fail-on", "info", "--jobs=1"))
    assert made.commit(**{"-top": "a: 1\n", "--min-severity=error": "a: 1\n"}).returncode == 0
    (made.path / "--baseline=known.json").write_text("{}", encoding="utf-8")
    blocked = made.commit(**{"-apps": BAD})
    assert blocked.returncode == 1
    assert "-apps.yaml:12:28: error: `=` is not an operator" in blocked.stderr
    assert "No such" not in blocked.stderr


def test_arguments_of_the_user_stay_options(repository: Callable[..., Repository]) -> None:
    made = repository("celvet-lint", args=("--baseline=known.txt",))
    (made.path / "-apps.yaml").write_text(BAD, encoding="utf-8")
    update = ("--baseline", "known.txt", "--update-baseline", "--", "-apps.yaml")
    assert made.run("celvet", "lint", *update).returncode == 0
    assert made.commit().returncode == 0
