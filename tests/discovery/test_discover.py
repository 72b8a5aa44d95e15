"""Which files are linted, compared with those that git lists."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from celvet.lint.discovery.discover import discover
from tests.files import write_files


def _found(*paths: Path, base: Path, exclude: tuple[str, ...] = ()) -> list[str]:
    return [path.relative_to(base).as_posix() for path in discover(paths, exclude)]


def test_takes_yaml_json_and_scripts_in_order(tmp_path: Path) -> None:
    names = ["b.yaml", "a.yml", "c.json", "d.txt", "e/f.yaml", "g.sh", "Makefile", "h.py"]
    write_files(tmp_path, dict.fromkeys(names, ""))
    taken = ["Makefile", "a.yml", "b.yaml", "c.json", "e/f.yaml", "g.sh"]
    assert _found(tmp_path, base=tmp_path) == taken


def test_a_named_file_is_taken_whatever_its_name_and_once(tmp_path: Path) -> None:
    write_files(tmp_path, {".gitignore": "x.txt\n", "x.txt": "", "a.yaml": ""})
    paths = (tmp_path / "x.txt", tmp_path, tmp_path / "a.yaml")
    assert _found(*paths, base=tmp_path) == ["x.txt", "a.yaml"]


def test_a_missing_path_is_left_to_the_caller(tmp_path: Path) -> None:
    assert _found(tmp_path / "no.yaml", base=tmp_path) == ["no.yaml"]


@pytest.mark.parametrize(
    "ignored",
    [
        {
            ".gitignore": "*.gen.yaml\n/build\nvendor/\n!keep.gen.yaml\n",
            "sub/.gitignore": "!a.gen.yaml\nsecret.yaml\n",
        },
        {".gitignore": "*\n!/sub\n!/build/\n", "sub/.gitignore": "!*/\n!*.yaml\nx.*\n"},
        {".gitignore": "*\n!*/\n!secret.yaml\n"},
        {".gitignore": "*.yaml\n!deep/\n!/sub/*.yaml\n"},
        {".gitignore": "/sub/*\n!/sub/deep/\nbuild/*\n!build/x.yaml\n"},
        {".gitignore": "# \u2028*.yaml\nx.yaml\r\n"},
    ],
)
@pytest.mark.usefixtures("outside")
def test_agrees_with_git(tmp_path: Path, ignored: dict[str, str]) -> None:
    names = ["a.gen.yaml", "keep.gen.yaml", "secret.yaml", "build/x.yaml", "sub/build/x.yaml"]
    names += ["sub/vendor/x.yaml", "sub/a.gen.yaml", "sub/secret.yaml", "sub/deep/secret.yaml"]
    write_files(tmp_path, dict.fromkeys(names, "") | ignored)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    command = ["git", "-C", str(tmp_path), "ls-files", "-o", "--exclude-standard", "*.yaml"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    assert sorted(_found(tmp_path, base=tmp_path)) == sorted(listed)
    below = [name for name in listed if name.startswith("sub/")]
    assert sorted(_found(tmp_path / "sub", base=tmp_path)) == sorted(below)


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("charts/", ["a.yaml"]),
        ("*.yaml", []),
        ("charts/x/*.yaml", ["a.yaml", "charts/b.yaml"]),
        ("/a.yaml", ["charts/b.yaml", "charts/x/c.yaml"]),
    ],
)
def test_configured_patterns_count_from_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str, left: list[str]
) -> None:
    write_files(tmp_path, dict.fromkeys(["a.yaml", "charts/b.yaml", "charts/x/c.yaml"], ""))
    monkeypatch.chdir(tmp_path)
    assert _found(Path(), base=Path(), exclude=(pattern,)) == left


def test_configured_patterns_say_nothing_about_what_lies_elsewhere(tmp_path: Path) -> None:
    write_files(tmp_path, dict.fromkeys(["a/x.yaml", "b/x.yaml"], ""))
    found = discover([tmp_path], ["*.yaml"], tmp_path / "a")
    assert [path.relative_to(tmp_path).as_posix() for path in found] == ["b/x.yaml"]


def test_links_to_directories_do_not_make_a_walk_endless(tmp_path: Path) -> None:
    write_files(tmp_path, {"a/x.yaml": ""})
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    assert _found(tmp_path, base=tmp_path) == ["a/x.yaml"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every directory")
def test_an_unreadable_directory_is_named_and_the_rest_walked(tmp_path: Path) -> None:
    write_files(tmp_path, {"a/x.yaml": "", "b.yaml": ""})
    (tmp_path / "a").chmod(0)
    assert _found(tmp_path, base=tmp_path) == ["a", "b.yaml"]


@pytest.mark.parametrize("pattern", ["vendor/", "/vendor/*.yaml", "*.yaml", "!good.yaml\n*.yaml"])
def test_configured_patterns_hold_for_a_named_file_if_that_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pattern: str
) -> None:
    monkeypatch.chdir(tmp_path)
    named = [Path("vendor/a.yaml"), Path("vendor/missing.yaml"), Path("kept.yml")]
    write_files(tmp_path, {"vendor/a.yaml": "", "kept.yml": ""})
    exclude = pattern.splitlines()
    assert list(discover(named, exclude)) == named
    assert list(discover(named, exclude, force_exclude=True)) == [Path("kept.yml")]
