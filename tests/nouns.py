"""Lists local names that are pronouns or participles, which say how a value was obtained.

    python -m tests.nouns [FOLDER]...

prints them by file and line, and their share of all assigned names; `lint` by default.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]

_PRONOUNS = frozenset(
    [
        "each",
        "other",
        "others",
        "it",
        "this",
        "that",
        "them",
        "these",
        "those",
        "one",
        "ones",
        "some",
        "both",
        "rest",
        "whole",
        "what",
        "which",
        "own",
        "same",
        "about",
        "around",
        "beside",
        "before",
        "after",
        "first",
        "last",
        "earlier",
        "inside",
        "outside",
        "here",
        "there",
    ]
)
_PARTICIPLES = frozenset(
    [
        "found",
        "known",
        "made",
        "given",
        "held",
        "left",
        "kept",
        "shown",
        "told",
        "read",
        "seen",
        "gone",
        "taken",
        "written",
        "built",
        "meant",
        "chosen",
        "lost",
        "sent",
        "drawn",
        "hidden",
        "begun",
        "done",
    ]
)
_REGULAR = re.compile(r"[a-z]+ed")
_ROLES = frozenset({"failed"})
"""Words of the field that look like participles: a role of a health check."""


class PoorName(NamedTuple):
    """An assigned name that is not a noun, and its place."""

    path: Path
    line: int
    name: str


def is_poor(name: str) -> bool:
    """Whether a name is a lone pronoun, adverb or participle."""
    word = name.strip("_")
    if word in _ROLES:
        return False
    return word in _PRONOUNS | _PARTICIPLES or _REGULAR.fullmatch(word) is not None


def assigned_names(folder: Path) -> Iterator[PoorName]:
    """Every name that the modules of a folder assign, loop variables included."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield PoorName(path.relative_to(ROOT), node.lineno, node.id)


def share(folder: Path) -> tuple[float, list[PoorName]]:
    """The share of poor names among all assigned names of a folder, and these names."""
    names = list(assigned_names(folder))
    poor = [name for name in names if is_poor(name.name)]
    return len(poor) / max(len(names), 1), poor


def main() -> None:
    """Print the poor names of the folders on the command line."""
    for folder in sys.argv[1:] or ["lint"]:
        fraction, poor = share(ROOT / folder)
        for path, line, name in poor:
            print(f"{path}:{line}: {name}")
        print(f"{folder}: {fraction:.1%} of the assigned names are pronouns or participles")


if __name__ == "__main__":
    main()
