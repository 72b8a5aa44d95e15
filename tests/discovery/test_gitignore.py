"""The files that ignore files ignore, compared with git itself."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from celvet.lint.discovery.gitignore import IgnoreList, ignore_pattern

_PIECES = ["a", "b", "/", "*", "**", "**/", "/**", "?", "[", "]", "!", "^", "-", "\\", " ", "#"]
_PIECES += ["[ab]", "[!a]", "[^-b]", "[a-b]", "[b-a]", "[[:alpha:]]", "[[:no:]]", "[]a]", "[\\]-a]"]
_NAMES = ["a", "b", "ab", ".a", "a b", "-", "]", "[", "#a", "!a", "^", "a.b", "a ", "*", "\\"]
_FILES = [
    *_NAMES,
    *(f"{one}/{other}" for one in _NAMES[:5] for other in _NAMES),
    *(f"{one}/{two}/{three}" for one in "ab" for two in "ab" for three in ("a", "b", "ab")),
]


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("ignored")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


@pytest.mark.usefixtures("outside")
@given(st.lists(st.lists(st.sampled_from(_PIECES), max_size=6).map("".join), max_size=4))
@example(["a/**/b", "!a/b"])
@example(["**/", "!b/"])
@example(["a\\ ", "b\\"])
@example(["/", "//a", "*/a"])
@example(["[!a]*/", "!/a/[[:lower:]]"])
def test_what_is_ignored_is_what_git_ignores(repository: Path, lines: list[str]) -> None:
    (repository / ".gitignore").write_text("\n".join(lines), encoding="utf-8")
    command = ["git", "-C", str(repository), "check-ignore", "--no-index", "--stdin", "-z"]
    asked = "\0".join(_FILES)
    ran = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    found = IgnoreList.by(lines)
    assert [each for each in _FILES if found.holds(each)] == ran.stdout.split("\0")[:-1]


@pytest.mark.parametrize("line", ["!", "!/", "[", "[a", "a\\", "[[:no:]]"])
def test_what_can_match_nothing_is_not_a_pattern(line: str) -> None:
    with pytest.raises(ValueError, match=re.escape(line)):
        ignore_pattern(line)


@pytest.mark.parametrize("line", ["", "  ", "# a", "/"])
def test_a_line_may_have_no_pattern(line: str) -> None:
    assert ignore_pattern(line) is None


@pytest.mark.parametrize(
    ("line", "path"), [("*a" * 30 + "*b", "a" * 200), ("**/a*/" * 30 + "b", "a/" * 500)]
)
def test_a_pattern_of_many_stars_takes_no_longer_than_its_path(line: str, path: str) -> None:
    ignored = IgnoreList.by([line])
    assert not ignored.holds(f"{path}c")
    assert ignored.holds(f"{path}b")
