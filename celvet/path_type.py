"""Paths on the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click


class PathType(click.Path):
    """A path that is not empty. An empty one, as from an unset variable, would mean `.`."""

    name = "path"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, path_type=Path)

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> Any:
        """The path; fails if there is a problem with it."""
        if problem := self.problem(os.fspath(value)):
            self.fail(problem, param, ctx)
        return super().convert(value, param, ctx)

    def problem(self, text: str) -> str:
        """Why a text is not a path here; empty if it is one."""
        return "" if text else "the path is empty"
