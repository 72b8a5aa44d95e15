"""The table of the rooms in docs/architecture.md: each folder, its purpose and its lines.

    python -m tests.rooms        write the table anew

The figures are rounded; a test compares them with the tree, and leaves them some room.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/architecture.md"
_PACKAGES = ("celvet", "schemas", "webhook", "certs")
_TABLE = re.compile(r"(?<=<!-- rooms -->\n).*?(?=<!-- end -->)", re.DOTALL)
_ROW = re.compile(r"^\| (\S+) \| ([\d,]+) \| ([\d,]*) \|", re.MULTILINE)


def lines_by_room() -> dict[str, tuple[int, int]]:
    """The Python lines of each room, and of its tests."""
    return {
        room: (_lines(ROOT / room), _lines(ROOT / "tests" / room.rpartition("/")[2]))
        for room in _rooms()
    }


def told_lines() -> dict[str, tuple[int, int]]:
    """The lines that the page gives for each room and its tests."""
    rows = _ROW.findall(PAGE.read_text(encoding="utf-8"))
    return {room: (_number(lines), _number(tests)) for room, lines, tests in rows}


def _rooms() -> Iterator[str]:
    yield from _PACKAGES
    for folder in sorted((ROOT / "lint").iterdir()):
        if (folder / "__init__.py").exists():
            yield f"lint/{folder.name}"


def _lines(folder: Path) -> int:
    return sum(len(file.read_text("utf-8").splitlines()) for file in folder.rglob("*.py"))


def _number(text: str) -> int:
    return int(text.replace(",", "") or 0)


def _rounded(count: int) -> str:
    return f"{round(count, -2):,}" if count >= 50 else ""


def _purpose(room: str) -> str:
    """The first sentence of the package."""
    tree = ast.parse((ROOT / room / "__init__.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").partition("\n\n")[0].replace("\n", " ")


def table() -> str:
    """The rows as of now, the largest room first."""
    rooms = sorted(lines_by_room().items(), key=lambda item: -item[1][0])
    rows = [
        f"| {room} | {_rounded(lines)} | {_rounded(tests)} | {_purpose(room)} |"
        for room, (lines, tests) in rooms
    ]
    return "\n".join(
        ["| room | lines | of tests | what it is for |", "|---|---|---|---|", *rows, ""]
    )


if __name__ == "__main__":
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_TABLE.sub(lambda _: table(), text), encoding="utf-8")
