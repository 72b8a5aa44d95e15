"""Bad input of every kind: one clear message, the right status, the other files still linted."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from pathlib import Path

import pytest

from celvet.lint.cli.run import session
from celvet.lint.config import Config
from celvet.wrong_input import WrongInputError
from tests.cli.command import PROGRAM, celvet
from tests.cli.test_lint import ADVICE, BAD, HEAD

LAUGHS = "".join(
    f"  {name}: &{name} [{', '.join([f'*{below}' if below else 'x'] * 10)}]\n"
    for below, name in zip(["", *"abcdefgh"], "abcdefghi", strict=True)
)

INPUTS: dict[str, tuple[bytes, str]] = {
    "broken YAML": ((HEAD + "  wait: [\n").encode(), "yaml-syntax"),
    "a tab": ((HEAD + "\twait: true\n").encode(), "yaml-syntax"),
    "binary": (b"\x7fELF\x00\x01" + HEAD.encode(), "unreadable-file"),
    "latin-1": ((HEAD + "  # caf\xe9\n").encode("latin-1"), "unreadable-file"),
    "billion laughs": ((HEAD + LAUGHS).encode(), "unreadable-file"),
    "deep nesting": ((HEAD + "  x: " + "[" * 100_000).encode(), "unreadable-file"),
    "50 MB": (HEAD.encode() + b"# padding\n" * 5_000_000, "unreadable-file"),
    "a key twice": ((HEAD + "  wait: false\n").encode(), "duplicate-key"),
    "an alias of nothing": ((HEAD + "  path: *nothing\n").encode(), "yaml-syntax"),
    "a cycle": ((HEAD + "  x: &x [*x]\n").encode(), "yaml-syntax"),
    "a lone surrogate": ((HEAD + '  path: "\\ud800"\n').encode(), "yaml-syntax"),
}


@pytest.mark.parametrize("name", INPUTS)
def test_one_message_and_the_rest_is_linted(tmp_path: Path, name: str) -> None:
    data, rule = INPUTS[name]
    (tmp_path / "a.yaml").write_bytes(data)
    (tmp_path / "b.yaml").write_text(BAD, encoding="utf-8")
    ran = celvet("lint", "a.yaml", "b.yaml", cwd=tmp_path)
    said = [line for line in ran.out.splitlines() if line.startswith("a.yaml:")]
    assert len(said) == 1, said
    assert said[0].endswith(f"[{rule}]")
    assert "b.yaml:15:18: error" in ran.out
    assert (ran.status, ran.err) == (1, "")


def test_a_template_is_counted_and_the_rest_is_linted(tmp_path: Path) -> None:
    template = HEAD + "  {{- if .Values.x }}\n  healthCheckExprs: {{ .x }}\n"
    (tmp_path / "a.yaml").write_text(template, encoding="utf-8")
    (tmp_path / "b.yaml").write_text(BAD, encoding="utf-8")
    ran = celvet("lint", "a.yaml", "b.yaml", cwd=tmp_path)
    assert "not checked: 1 template that must be rendered first (see helm-template)\n" in ran.out
    assert "a.yaml:" not in ran.out
    assert "b.yaml:15:18: error" in ran.out
    assert (ran.status, ran.err) == (1, "")


HARMLESS = {
    "empty": b"",
    "only a comment": b"# kustomize.toolkit.fluxcd.io\n",
    "a list at the top": b"- kustomize.toolkit.fluxcd.io/v1\n",
    "a text": b"kustomize.toolkit.fluxcd.io",
    "an object of odd types": b"apiVersion: [kustomize.toolkit.fluxcd.io/v1]\nkind: {a: 1}\n",
    "nothing of ours": b"a: [\n",
}


@pytest.mark.parametrize("name", HARMLESS)
def test_nothing_to_say(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.yaml").write_bytes(HARMLESS[name])
    ran = celvet("lint", "a.yaml", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("nothing to report")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_encodings_that_yaml_allows(tmp_path: Path, encoding: str) -> None:
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    (tmp_path / "a.yaml").write_bytes(mark + BAD.encode(encoding))
    assert "a.yaml:15:18: error" in celvet("lint", "a.yaml", cwd=tmp_path).out


@pytest.mark.parametrize("newline", ["\r\n", "\r"])
def test_line_ends(tmp_path: Path, newline: str) -> None:
    (tmp_path / "a.yaml").write_bytes(BAD.replace("\n", newline).encode())
    assert "a.yaml:15:18: error" in celvet("lint", "a.yaml", cwd=tmp_path).out


def test_a_device_without_an_end_is_left_after_a_while(tmp_path: Path) -> None:
    assert celvet("lint", "/dev/zero", cwd=tmp_path).status == 0


def test_a_reader_that_leaves_is_not_a_failure(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("---\n".join([BAD] * 500), encoding="utf-8")
    command = f"{shlex.quote(str(PROGRAM))} lint a.yaml | head -n 1"
    ran = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, check=False)
    assert ran.stdout.startswith(b"a.yaml:15:18: error")
    assert ran.stderr == b""


def test_a_large_file_is_mapped_not_loaded(tmp_path: Path) -> None:
    with (tmp_path / "a.yaml").open("wb") as file:
        file.write(HEAD.encode())
        file.truncate(200_000_000)  # takes no space on the disk
    ran = celvet("lint", "a.yaml", cwd=tmp_path, memory=150_000_000)
    assert "[unreadable-file]" in ran.out


@pytest.mark.parametrize(
    "arguments",
    [
        ("a.yaml", "-o", "./a.yaml"),
        (".", "-o", "a.yaml"),
        (".", "-o", "link.txt"),
        ("crd.yaml", "-o", "./.celvet.yaml"),
        ("crd.yaml", "--config", "other.toml", "-o", "other.toml"),
        ("-", "--crds", "crd.yaml", "-o", "crd.yaml"),
        ("-", "--crds", "crds", "-o", "crds/b.yaml"),
        ("-", "--crds", ".", "-f", "text", "-f", "json", "-o", "new.txt", "-o", "crds/b.yaml"),
    ],
    ids=" ".join,
)
def test_a_report_never_takes_the_place_of_what_is_read(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    (tmp_path / "crds").mkdir()
    (tmp_path / "link.txt").symlink_to("a.yaml")
    for name in ("crd.yaml", "crds/b.yaml", ".celvet.yaml", "other.toml"):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "a.yaml").write_text(BAD, encoding="utf-8")
    ran = celvet("lint", *arguments, cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert "is an input; give another --output-file" in ran.err
    assert (tmp_path / "a.yaml").read_text(encoding="utf-8") == BAD
    assert not (tmp_path / "new.txt").exists()


@pytest.mark.parametrize("second", ["link.txt", "hard.txt", "./old.txt"])
def test_two_reports_never_go_to_one_file(tmp_path: Path, second: str) -> None:
    (tmp_path / "old.txt").write_text("old", encoding="utf-8")
    (tmp_path / "link.txt").symlink_to("old.txt")
    (tmp_path / "hard.txt").hardlink_to(tmp_path / "old.txt")
    outputs = ("-f", "text", "-f", "json", "-o", "old.txt", "-o", second)
    ran = celvet("lint", "-", *outputs, cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert f"two formats would go to {Path(second)}" in ran.err
    assert (tmp_path / "old.txt").read_text(encoding="utf-8") == "old"


def test_two_reports_never_go_to_one_file_that_is_new(tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to("new.txt")
    outputs = ("-f", "text", "-f", "json", "-o", "new.txt", "-o", "link.txt")
    ran = celvet("lint", "-", *outputs, cwd=tmp_path)
    assert (ran.status, ran.out) == (2, "")
    assert not (tmp_path / "new.txt").exists()


def test_two_reports_may_go_to_one_device(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(os.devnull)
    outputs = ("-f", "text", "-f", "json", "-o", os.devnull, "-o", "link")
    ran = celvet("lint", "-", *outputs, cwd=tmp_path)
    assert (ran.status, ran.out, ran.err) == (0, "", "")


def test_a_report_goes_into_a_pipe_and_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BAD, encoding="utf-8")
    (tmp_path / "real.txt").write_text("old", encoding="utf-8")
    (tmp_path / "real.txt").chmod(0o600)
    (tmp_path / "link.txt").symlink_to("real.txt")
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", "pipe"], cwd=tmp_path, stdout=subprocess.PIPE)
    both = ("-f", "text", "-o", "pipe", "-f", "json", "-o", "link.txt")
    assert celvet("lint", "a.yaml", *both, cwd=tmp_path).status == 1
    assert b"[result-type]" in reader.communicate()[0]
    assert (tmp_path / "pipe").is_fifo()
    assert (tmp_path / "link.txt").is_symlink()
    assert '"result-type"' in (tmp_path / "real.txt").read_text(encoding="utf-8")
    assert (tmp_path / "real.txt").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("target", ["self.yaml", "nowhere.yaml"])
def test_patterns_that_are_none_and_links_to_nowhere_stop_nothing(
    tmp_path: Path, target: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("foo\\\nvendor/\n", encoding="utf-8")
    (tmp_path / "a.yaml").write_text(BAD, encoding="utf-8")
    (tmp_path / "vendor").mkdir()
    (tmp_path / "vendor" / "b.yaml").write_text(BAD, encoding="utf-8")
    (tmp_path / "self.yaml").symlink_to(target)
    ran = celvet("lint", ".", cwd=tmp_path)
    assert ran.status == 1
    assert ran.err == "celvet: self.yaml: skipped, a broken link\n"
    assert ran.out.count("[result-type]") == 1
    assert "in 1 of 1 file" in ran.out


@pytest.mark.parametrize(
    "command", [("lint", "--fail-on", "error"), ("explain",), ("test", "--allow-empty"), ("graph",)]
)
def test_a_link_to_nowhere_is_skipped_in_a_directory_and_must_not_be_named(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "gone.yaml").symlink_to("nowhere.yaml")
    (tmp_path / "a.yaml").write_text(ADVICE, encoding="utf-8")
    ran = celvet(*command, ".", cwd=tmp_path)
    assert ran.status == 0
    assert ran.err == "celvet: gone.yaml: skipped, a broken link\n"
    named = celvet(*command, "gone.yaml", cwd=tmp_path)
    assert named.status == 2
    assert "gone.yaml" in named.err
    assert "skipped" not in named.err


@pytest.mark.parametrize(
    "command",
    [
        "lint {}",
        "lint {}.yaml",
        "lint --crds {} a.yaml",
        "lint --schema-location {} a.yaml",
        "lint --output-file {} a.yaml",
        "explain {}",
        "graph {}",
        "suggest --missing {}",
        "test {}",
        "test --new --output-file {} a.yaml",
    ],
)
def test_a_path_that_cannot_be_looked_up_is_named(tmp_path: Path, command: str) -> None:
    """A name that is too long stands for all reasons, such as another user's directory."""
    name = "a" * 300
    (tmp_path / "a.yaml").write_text(BAD, encoding="utf-8")
    ran = celvet(*command.format(name).split(), cwd=tmp_path)
    assert ran.status == 2
    assert name in ran.err
    assert "File name too long" in ran.err


def test_more_files_than_any_repository_has_are_refused_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.yaml", "b.yaml", "c.json"):
        (tmp_path / name).write_text("", encoding="utf-8")
    monkeypatch.setattr(session, "_MOST_FILES", 2)
    with pytest.raises(WrongInputError, match=r"more than 2 YAML and JSON files in .*exclude"):
        session.selected_files([tmp_path], Config())
    assert len(session.selected_files([tmp_path / "a.yaml", tmp_path / "b.yaml"], Config())) == 2


@pytest.mark.parametrize(
    ("redirected", "said"),
    [
        ("> /dev/full", "celvet: cannot write the output: No space left on device"),
        (">&-", "celvet: cannot write the output: standard output is closed"),
        ("- <&-", "celvet: <stdin>: standard input is closed"),
    ],
)
def test_closed_and_full_streams(tmp_path: Path, redirected: str, said: str) -> None:
    (tmp_path / "a.yaml").write_text(BAD, encoding="utf-8")
    command = f"{shlex.quote(str(PROGRAM))} lint a.yaml {redirected}"
    ran = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr.strip()) == (2, said)


@pytest.mark.parametrize("arguments", ["lint a.yaml", "explain a.yaml", "rules", "--help"])
def test_a_reader_that_is_gone_is_not_a_finding(tmp_path: Path, arguments: str) -> None:
    (tmp_path / "a.yaml").write_text(BAD, encoding="utf-8")
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as output:
        ran = subprocess.run(
            [PROGRAM, *arguments.split()],
            cwd=tmp_path,
            stdout=output,
            stderr=subprocess.PIPE,
            check=False,
        )
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.parametrize("arguments", ["lint a.yaml", "explain a.yaml"])
def test_nothing_can_be_written_anywhere(tmp_path: Path, arguments: str) -> None:
    (tmp_path / "a.yaml").write_text(BAD, encoding="utf-8")
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(
            [PROGRAM, *arguments.split()], cwd=tmp_path, stdout=full, stderr=full, check=False
        )
    assert ran.returncode == 2


def test_names_that_would_write_to_the_terminal_are_shown_harmless(tmp_path: Path) -> None:
    (tmp_path / "new\nline\x1b[31m.yaml").write_text(BAD.replace("certs", "a"), encoding="utf-8")
    (tmp_path / "b.yaml").write_text(
        HEAD + '  "healthCheckExpr\\u001b[31m\\u202e": []\n', encoding="utf-8"
    )
    ran = celvet("lint", ".", cwd=tmp_path)
    assert "\x1b" not in ran.out
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in ran.out
    assert "new\N{REPLACEMENT CHARACTER}line" in ran.out


def test_a_file_name_that_is_not_a_string_is_valid_in_json(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.yaml")).write_text(BAD, encoding="utf-8")
    ran = celvet("lint", ".", "-f", "json", cwd=tmp_path)
    assert [found["file"] for found in json.loads(ran.out)["findings"]] == ["caf?.yaml"]


@pytest.mark.parametrize(
    "line",
    [
        "lint ''",
        "lint --fix ''",
        "lint . --crds ''",
        "lint . --baseline ''",
        "lint . --config ''",
        "lint . -o ''",
        "explain ''",
        "graph ''",
        "test ''",
        "build ''",
        "eval '' --object x.yaml",
        "eval x.yaml --object ''",
        "suggest --from-object ''",
    ],
)
def test_an_empty_path_is_not_the_working_directory(tmp_path: Path, line: str) -> None:
    """As `celvet lint --fix "$DIRECTORY"` passes it without the variable."""
    (tmp_path / "b.yaml").write_text(BAD, encoding="utf-8")
    ran = celvet(*shlex.split(line), cwd=tmp_path)
    assert ran.status == 2
    assert ran.err.endswith(": the path is empty\n")
    assert ran.out == ""
    assert (tmp_path / "b.yaml").read_text(encoding="utf-8") == BAD
