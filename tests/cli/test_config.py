"""The configuration file, tested through the command that reads it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from celvet.lint.config import load
from tests.cli.command import celvet
from tests.cli.test_lint import ADVICE, BAD, HEAD


def _rules(tree: Path, *arguments: str) -> list[str]:
    ran = celvet("lint", *arguments, "--format", "json", cwd=tree)
    return [f"{each['rule']} {each['severity']}" for each in json.loads(ran.out)["findings"]]


def _write(tree: Path, **files: str) -> None:
    for name, text in files.items():
        (tree / name.replace("__", ".")).write_text(text, encoding="utf-8")


def test_rules_are_switched_off_and_graded(tmp_path: Path) -> None:
    _write(tmp_path, a__yaml=ADVICE, b__yaml=BAD)
    config = tmp_path / ".celvet.yaml"
    config.write_text("rules: {missing-failed: warning, result-type: off}\n")
    assert _rules(tmp_path, ".") == ["missing-failed warning"]


def test_pyproject_holds_the_same_keys(tmp_path: Path) -> None:
    _write(tmp_path, a__yaml=ADVICE)
    (tmp_path / "pyproject.toml").write_text('[tool.celvet]\nfail-on = "info"\n')
    assert celvet("lint", "a.yaml", cwd=tmp_path).status == 1
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
    assert celvet("lint", "a.yaml", cwd=tmp_path).status == 0


def test_the_nearest_file_above_counts(tmp_path: Path) -> None:
    below = tmp_path / "x" / "y"
    below.mkdir(parents=True)
    _write(below, a__yaml=ADVICE)
    (tmp_path / ".celvet.yaml").write_text("fail-on: info\n")
    assert celvet("lint", "a.yaml", cwd=below).status == 1
    (tmp_path / "x" / ".celvet.yaml").write_text("fail-on: error\n")
    assert celvet("lint", "a.yaml", cwd=below).status == 0


def test_patterns_leave_files_out_and_variables_are_given(tmp_path: Path) -> None:
    (tmp_path / "vendor").mkdir()
    _write(tmp_path / "vendor", b__yaml=BAD)
    _write(tmp_path, a__yaml=BAD.replace("dep.status.ready", "dep.status.${F}"))
    (tmp_path / ".celvet.yaml").write_text("exclude: [vendor/]\nsubstitute: {F: ready}\n")
    assert _rules(tmp_path, ".") == ["result-type error"]


KIND = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "x-kubernetes-group-version-kind": [
        {"group": "gates.example.com", "version": "v1", "kind": "Gate"}
    ],
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "properties": {
                "open": {"type": "string", "x-expression": {"dialect": "gate", "role": "open"}}
            },
        }
    },
}
DIALECT = {
    "language": "cel",
    "description": "the gate's own names",
    "checked": True,
    "variables": {"ticket": "google.protobuf.Struct"},
    "result": "bool",
    "libraries": ["strings"],
}


def test_a_kind_of_the_users_own_needs_no_code(tmp_path: Path) -> None:
    own = tmp_path / "kinds"
    (own / "example").mkdir(parents=True)
    (own / "dialects").mkdir()
    (own / "example" / "Gate.json").write_text(json.dumps(KIND))
    (own / "dialects" / "gate.json").write_text(json.dumps(DIALECT))
    (tmp_path / ".celvet.yaml").write_text("schemas: [kinds]\n")
    gate = "apiVersion: gates.example.com/v1\nkind: Gate\nspec:\n  open: ticket.state\n"
    _write(tmp_path, gate__yaml=gate)
    assert _rules(tmp_path, "gate.yaml") == ["result-type error"]
    _write(tmp_path, gate__yaml=gate.replace("ticket.state", "ticket.state == 'signed'"))
    assert _rules(tmp_path, "gate.yaml") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rulez: {}\n", "unknown key `rulez`; did you mean `rules`?"),
        (
            "# a\nrules:\n  result-typ: off\n",
            ".celvet.yaml:3: unknown key `rules.result-typ`; did you mean `result-type`?",
        ),
        (
            "rules:\n  cel-type: off\n  result-type: fatal\n",
            ".celvet.yaml:3: `rules.result-type` must be one of off, info, warning, error",
        ),
        ("rules: {result-type: ~}\n", ":1: `rules.result-type` must be one of off, info"),
        ("rules: {result-type: [off]}\n", ":1: `rules.result-type` must be one of off, info"),
        ("rules: {result-type: 0}\n", ":1: `rules.result-type` must be one of off, info"),
        ("a: 1\nfail-on: []\n", ":1: unknown key `a`; choose from schemas"),
        ("fail-on: []\n", ":1: `fail-on` must be one of info, warning, error"),
        ("min-severity: {a: 1}\n", ":1: `min-severity` must be one of info, warning, error"),
        ("fail-on: error\n1: 2\n", ":2: the key `1` is not a text; put it in quotes"),
        ("crds: []\ncrds: []\n", ":2: the key `crds` occurs twice; remove one of them"),
        ("crds: []\n---\nfail-on: x\n", ":3: a second document; write all keys into the first"),
        ("fail-on: {{ x }}\n", ":1: `{{` starts a template"),
        ("fail-on: ${X:=error}\n", ":1: `fail-on` must be one of info, warning, error"),
        ('schemas:\n- a\n- "\\0"\n', ":3: `schemas[1]` has a NUL character; remove it"),
        ('baseline: "a\\0"\n', ":1: `baseline` has a NUL character; remove it"),
        ('exclude: ["a", "!"]\n', ":1: `exclude` has `!`, which is not a .gitignore pattern"),
        ('files: {"!": {}}\n', ":1: `files` has `!`, which is not a .gitignore pattern"),
        ("rules: []\n", "`rules` must be a mapping"),
        ("exclude: vendor\n", "`exclude` must be a list of texts"),
        (
            "substitute: {A: 1}\n",
            "`substitute.A` must be a text; put numbers and booleans in quotes",
        ),
        ("substitute: [A]\n", "`substitute` must be a mapping of names to texts"),
        ("- a\n", "the configuration is not a mapping"),
        ("# b\na: [\n", ".celvet.yaml:2: invalid YAML while parsing"),
        ("schemas: [nowhere]\n", "nowhere"),
    ],
)
def test_mistakes_in_it_are_named(tmp_path: Path, text: str, message: str) -> None:
    _write(tmp_path, a__yaml=HEAD)
    (tmp_path / ".celvet.yaml").write_text(text)
    ran = celvet("lint", "a.yaml", cwd=tmp_path)
    assert ran.status == 2
    assert message in ran.err


@pytest.mark.parametrize("text", ["tool = 3\n", "[tool]\ncelvets = 3\n", ""])
def test_a_project_file_of_others_is_none(tmp_path: Path, text: str) -> None:
    _write(tmp_path, a__yaml=ADVICE)
    (tmp_path / "pyproject.toml").write_text(text)
    assert celvet("lint", "a.yaml", cwd=tmp_path).status == 0
    ran = celvet("lint", "a.yaml", "--config", "pyproject.toml", cwd=tmp_path)
    assert ran.status == 0


def test_a_project_file_may_hold_no_table(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool]\ncelvet = 3\n")
    ran = celvet("lint", ".", cwd=tmp_path)
    assert ran.status == 2
    assert "pyproject.toml: the configuration is not a mapping" in ran.err


def test_patterns_count_from_the_file(tmp_path: Path) -> None:
    tree = tmp_path / "a [b]*"
    below = tree / "apps" / "vendor"
    below.mkdir(parents=True)
    _write(below, b__yaml=BAD)
    _write(tree / "apps", a__yaml=BAD)
    (tree / ".celvet.yaml").write_text("exclude: [/apps/vendor/]\n")
    assert _rules(tree / "apps", ".") == ["result-type error"]
    assert _rules(tree, ".") == ["result-type error"]
    assert _rules(tmp_path, tree.name, "--config", f"{tree.name}/.celvet.yaml") == [
        "result-type error"
    ]


def test_bad_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.celvet\n")
    ran = celvet("lint", ".", cwd=tmp_path)
    assert ran.status == 2
    assert "pyproject.toml: invalid TOML" in ran.err


def test_a_device_without_end_is_one_error(tmp_path: Path) -> None:
    ran = celvet("lint", "--config", "/dev/zero", ".", cwd=tmp_path)
    assert ran.status == 2
    assert "/dev/zero:1: the file has 10.0 MiB, more than" in ran.err


def test_what_init_writes_is_a_configuration(tmp_path: Path) -> None:
    assert celvet("init", cwd=tmp_path).status == 0
    file = tmp_path / ".celvet.yaml"
    text = file.read_text(encoding="utf-8")
    load(file)
    keys = [line.removeprefix("# ") for line in text.splitlines()[3:]]
    file.write_text("\n".join(keys), encoding="utf-8")
    assert load(file).rules
    assert load(file).files
