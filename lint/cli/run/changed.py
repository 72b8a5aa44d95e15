"""`--changed-since`: the files that a branch has changed, according to git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import click

from celvet.lint.discovery.root import repository
from celvet.lint.manifest.source.files import STDIN
from celvet.wrong_input import WrongInputError


def changed_files(files: Iterable[Path], revision: str) -> list[Path]:
    """The files that differ from the commit where HEAD left `revision`.

    Uncommitted and untracked changes count. A renamed file has its new name. Standard input is
    always included. Files of other repositories and of submodules are left out with a message on
    standard error, since git does not report them here. Raises `WrongInputError` if there is no
    git, repository or revision.
    """
    top = Path(_git("rev-parse", "--show-toplevel").rstrip("\n"))
    names = set(_names(top, _base(revision)))
    listed_files = list(files)
    _warn_of([file for file in _outside(top, listed_files) if _real(file) not in names])
    return [file for file in listed_files if file == STDIN or _real(file) in names]


def _outside(top: Path, files: Iterable[Path]) -> Iterator[Path]:
    """The files that belong to another repository than the one at `top`, or to none."""
    owner = cache(repository)
    for file in files:
        if file != STDIN and owner(Path(os.path.realpath(file.parent))) != top:
            yield file


def _warn_of(unseen: Sequence[Path]) -> None:
    if unseen:
        number = "1 file is" if len(unseen) == 1 else f"{len(unseen)} files are"
        click.echo(
            f"celvet: --changed-since: {number} outside the repository or in a submodule, and not"
            f" linted, such as {unseen[0]}; lint them without --changed-since",
            err=True,
        )


def _base(revision: str) -> str:
    """The commit at which the branch began."""
    name = f"{revision}^{{commit}}"
    problem = f"git does not know the revision `{revision}`; fetch it, or name another"
    if revision.startswith("-"):
        raise WrongInputError(f"--changed-since: {problem}")
    commit = _git("rev-parse", "--verify", "--quiet", name, problem=problem).strip()
    problem = (
        f"HEAD and `{revision}` have no commit in common; a shallow clone has too little history:"
        " fetch more (`git fetch --unshallow`, or `fetch-depth: 0` for actions/checkout)"
    )
    return _git("merge-base", commit, "HEAD", problem=problem).strip()


def _names(top: Path, base: str) -> Iterator[str]:
    """The absolute names of the existing files that differ from a commit."""
    options = ("--name-only", "-z", "--no-ext-diff", "--find-renames", "--diff-filter=d")
    tracked_names = _git("diff", *options, base, "--", cwd=top)
    untracked_names = _git("ls-files", "-z", "--others", "--exclude-standard", cwd=top)
    for name in (tracked_names + untracked_names).split("\0"):
        yield str(top / name)


def _real(file: Path) -> str:
    """The absolute name of a file for git: links are followed, except the file itself."""
    return str(Path(os.path.realpath(file.parent)) / file.name)


def _git(*arguments: str, cwd: Path | None = None, problem: str = "") -> str:
    """The output of git; raises `WrongInputError` with `problem`, or else git's message."""
    command: Sequence[str] = ("git", *arguments)
    try:
        process = subprocess.run(command, cwd=cwd, capture_output=True, check=False)  # noqa: S603
    except OSError as error:
        message = f"--changed-since needs git: {error.strerror or error}"
        raise WrongInputError(message) from None
    if process.returncode:
        git_message = os.fsdecode(process.stderr).strip()
        raise WrongInputError(f"--changed-since: {problem or git_message}")
    return os.fsdecode(process.stdout)
