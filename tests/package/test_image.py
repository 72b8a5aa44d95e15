"""The image is built from a part of the tree: what the wheel needs has to be in it."""

from __future__ import annotations

from pathlib import Path

_ROOT = Path(__file__).parents[2]


def _copied() -> set[str]:
    """The files that the Dockerfile copies from the tree."""
    lines = (_ROOT / "Dockerfile").read_text().splitlines()
    copies = [line.split()[1:-1] for line in lines if line.startswith("COPY ")]
    return {source for sources in copies for source in sources if "--from" not in sources[0]}


def test_the_links_of_the_package_lead_to_what_is_copied() -> None:
    links = [path for path in (_ROOT / "celvet").iterdir() if path.is_symlink()]
    assert links
    needed = {path.resolve().relative_to(_ROOT.resolve()).as_posix() for path in links}
    assert needed | {"celvet", "pyproject.toml", "README.md", "LICENSE"} <= _copied()


def test_what_is_copied_is_sent_to_the_builder() -> None:
    lines = (_ROOT / ".dockerignore").read_text().splitlines()
    assert lines[0] == "*"
    assert {line[1:] for line in lines if line.startswith("!")} == _copied()
    assert all((_ROOT / name).exists() for name in _copied())
