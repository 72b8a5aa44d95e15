"""`celvet lint --changed-since` in real git repositories."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import Ran, celvet
from tests.cli.test_lint import BAD
from tests.files import write_files

_SETTINGS = ("user.name=tests", "user.email=tests@example.com", "commit.gpgsign=false")


class Repository:
    """A git repository with a branch `main`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.git("init", "-q", "-b", "main")
        self.write("old.yaml", "kept.yaml", "dir/gone.yaml", "dir/moved.yaml")
        self.commit()

    def git(self, *arguments: str) -> str:
        settings = [part for each in _SETTINGS for part in ("-c", each)]
        environment = {"PATH": os.environ["PATH"], "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/"}
        command = ["git", *settings, *arguments]
        return subprocess.run(
            command, cwd=self.path, env=environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    def write(self, *names: str) -> None:
        write_files(self.path, {name: BAD.replace("certs", Path(name).stem) for name in names})

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "x")

    def lint(self, revision: str, *paths: str, cwd: str = ".") -> set[str]:
        """The files with findings, which are all files that were read."""
        ran = self.run(revision, *paths, cwd=cwd)
        document = json.loads(ran.out)
        found = {finding["file"] for finding in document["findings"]}
        assert document["summary"]["files"] == len(found)
        return found

    def run(self, revision: str, *paths: str, cwd: str = ".") -> Ran:
        options = ("--changed-since", revision, "--format", "json")
        return celvet("lint", *(paths or (".",)), *options, cwd=self.path / cwd)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


def test_a_branch_with_every_kind_of_change(repository: Repository) -> None:
    repository.git("checkout", "-qb", "feature")
    repository.git("mv", "dir/moved.yaml", "dir/new name.yaml")
    repository.git("rm", "-q", "dir/gone.yaml")
    repository.write("committed.yaml")
    repository.commit()
    repository.write("staged.yaml", "ü\n.yaml")
    repository.git("add", "-A")
    (repository.path / "old.yaml").write_text(f"# changed\n{BAD}", encoding="utf-8")
    repository.write("untracked.yaml")
    assert repository.lint("main") == {
        "committed.yaml",
        "dir/new name.yaml",
        "old.yaml",
        "staged.yaml",
        "untracked.yaml",
        "ü\n.yaml",
    }


def test_what_others_did_since_is_not_ours(repository: Repository) -> None:
    repository.git("checkout", "-qb", "feature")
    repository.write("ours.yaml")
    repository.commit()
    repository.git("checkout", "-q", "main")
    repository.write("theirs.yaml")
    (repository.path / "old.yaml").write_text("a: 1\n", encoding="utf-8")
    repository.commit()
    repository.git("checkout", "-q", "feature")
    assert repository.lint("main") == {"ours.yaml"}


def test_paths_limit_it_and_count_from_where_celvet_runs(repository: Repository) -> None:
    repository.write("new.yaml", "dir/new.yaml")
    assert repository.lint("HEAD", "dir") == {"dir/new.yaml"}
    assert repository.lint("HEAD", cwd="dir") == {"new.yaml"}
    assert repository.lint("HEAD", "..", cwd="dir") == {"../new.yaml", "../dir/new.yaml"}
    assert repository.lint("HEAD", str(repository.path / "new.yaml"), "kept.yaml") == {
        str(repository.path / "new.yaml")
    }


def test_what_git_ignores_is_not_looked_at(repository: Repository) -> None:
    repository.write("ignored.yaml")
    (repository.path / ".gitignore").write_text("ignored.yaml\n", encoding="utf-8")
    assert repository.lint("HEAD") == set()


def test_a_link_to_the_repository_is_the_repository(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    link = tmp_path_factory.mktemp("links") / "link"
    link.symlink_to(repository.path)
    repository.write("new.yaml")
    assert repository.lint("HEAD", str(link)) == {str(link / "new.yaml")}


@pytest.mark.parametrize("revision", ["nowhere", "-x", "--output=x", "", "HEAD:old.yaml"])
def test_a_revision_that_git_does_not_know(repository: Repository, revision: str) -> None:
    ran = repository.run(revision)
    assert ran.status == 2
    assert f"git does not know the revision `{revision}`; fetch it, or name another" in ran.err


def test_a_history_that_does_not_reach_back(repository: Repository) -> None:
    repository.git("checkout", "-q", "--orphan", "island")
    repository.write("new.yaml")
    repository.commit()
    ran = repository.run("main")
    assert ran.status == 2
    assert "HEAD and `main` have no commit in common; a shallow clone" in ran.err


def test_files_of_other_repositories_are_left_out_and_said(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = Repository(tmp_path_factory.mktemp("other"))
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", str(other.path), "sub")
    repository.commit()
    assert repository.run("HEAD").err.count("\n") == 1
    (repository.path / "sub" / "old.yaml").write_text(BAD, encoding="utf-8")
    repository.write("sub/new.yaml", "new.yaml")
    ran = repository.run("HEAD", ".", str(other.path / "old.yaml"))
    assert json.loads(ran.out)["summary"]["files"] == 1
    assert "6 files are outside the repository or in a submodule, and not linted" in ran.err
    assert "such as sub/dir/gone.yaml; lint them without --changed-since" in ran.err
    assert repository.run("HEAD", "new.yaml").err == ""


def test_outside_of_a_repository(tmp_path: Path) -> None:
    ran = celvet("lint", ".", "--changed-since", "main", cwd=tmp_path)
    assert ran.status == 2
    assert "--changed-since: fatal: not a git repository" in ran.err


def test_without_git(repository: Repository) -> None:
    ran = celvet(
        "lint", ".", "--changed-since", "main", cwd=repository.path, env={"PATH": "/nowhere"}
    )
    assert ran.status == 2
    assert "--changed-since needs git: No such file or directory" in ran.err
