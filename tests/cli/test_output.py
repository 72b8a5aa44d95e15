"""Output for many findings: one line each, grouped, counted; the choice of rules; variables."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.command import celvet
from tests.cli.test_lint import ADVICE, BAD

_FIXABLE = ADVICE.replace("status.phase ==", "self.status.phase ==")


@pytest.fixture
def many(tmp_path: Path) -> Path:
    for number in range(6):
        (tmp_path / f"{number}.yaml").write_text(BAD, encoding="utf-8")
    (tmp_path / "advice.yaml").write_text(ADVICE, encoding="utf-8")
    (tmp_path / "fixable.yaml").write_text(_FIXABLE, encoding="utf-8")
    return tmp_path


def test_without_a_path_the_current_directory_is_linted(many: Path) -> None:
    assert celvet("lint", cwd=many) == celvet("lint", ".", cwd=many)


def test_equal_findings_are_printed_once(many: Path) -> None:
    ran = celvet("lint", cwd=many)
    assert ran.out.count("[result-type]") == 1
    places = ", ".join(f"{number}.yaml:15:18" for number in range(1, 4))
    assert f"   = and 5 more like this: {places} and 2 more\n" in ran.out
    assert "7 errors, 1 info in 8 of 8 files\n[*] 1 fixable with --fix\n" in ran.out


def test_a_few_equal_findings_are_printed_once_if_their_lines_are_equal(tmp_path: Path) -> None:
    other = BAD.replace("status.ready", "status.done")
    for name, text in {"a": BAD, "b": BAD, "c": other}.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    out = celvet("lint", cwd=tmp_path).out
    assert out.count("[result-type]") == 2
    assert "   = and 1 more like this: b.yaml:15:18\n" in out


_CONFIG_MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: empty, namespace: apps}\n"
_APPLIED = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  interval: 1h
  path: ./nowhere
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  wait: true
  healthChecks:
    - {apiVersion: apps/v1, kind: Deployment, name: APP, namespace: apps}
"""


def test_findings_that_differ_in_the_name_of_another_object_are_printed_once(
    tmp_path: Path,
) -> None:
    (tmp_path / "nowhere").mkdir()
    (tmp_path / "nowhere" / "map.yaml").write_text(_CONFIG_MAP, encoding="utf-8")
    for name in ("one", "two", "three", "four"):
        (tmp_path / f"{name}.yaml").write_text(_APPLIED.replace("APP", name), encoding="utf-8")
    out = celvet("lint", cwd=tmp_path).out
    assert out.count("[unused-health-check]") == 1
    assert "and 3 more like this: one.yaml:10:3, three.yaml:10:3, two.yaml:10:3\n" in out


def test_concise_has_a_line_for_each_and_marks_fixes(many: Path) -> None:
    lines = celvet("lint", "--format", "concise", "-q", cwd=many).out.splitlines()
    assert len(lines) == 8
    assert lines[0].startswith("0.yaml:15:18: error: the result has type `dyn`")
    assert [line for line in lines if "[*]" in line] == [
        "fixable.yaml:16:16: error: there is no `self` here, only the top-level fields of the"
        " object: evaluation fails [unknown-variable] [*]"
    ]


@pytest.mark.parametrize(
    ("key", "title"),
    [
        ("rule", "result-type (6 findings)"),
        ("file", "0.yaml"),
        ("message", "6 x error: the result has type `dyn`, and must be `bool`"),
    ],
)
def test_groups(many: Path, key: str, title: str) -> None:
    out = celvet("lint", "--group-by", key, cwd=many).out
    assert any(line.startswith(title) for line in out.splitlines())
    assert out.count("result of type") == 0
    assert out.count("the result has type") == (6 if key == "file" else 1)


def test_the_groups_of_a_rule_count_together_what_differs_in_names_and_times(
    tmp_path: Path,
) -> None:
    for kind, time in (("Example", "1h"), ("Other", "30m"), ("Example", "2h30m")):
        text = ADVICE.replace("Example", kind).replace("1h", time)
        (tmp_path / f"{kind}-{time}.yaml").write_text(text, encoding="utf-8")
    by_rule, by_message = (
        celvet("lint", "--group-by", key, cwd=tmp_path).out for key in ("rule", "message")
    )
    assert "  3 x info: a broken `...` is reported only at the timeout of ...: the" in by_rule
    assert by_rule.count(" x info") == 1
    assert by_message.count("1 x info") == 3


def test_groups_of_one_message_take_three_lines(many: Path) -> None:
    out = celvet("lint", "--group-by", "message", cwd=many).out.splitlines()
    titles = [number for number, line in enumerate(out) if " x " in line]
    assert len(titles) == 3
    assert all(out[number + 1].startswith("  help: ") for number in titles)
    assert titles == [0, 3, 6]


def test_statistics(many: Path) -> None:
    assert celvet("lint", "--statistics", "--quiet", cwd=many).out == (
        "6  error    [result-type]\n"
        "1  info     [missing-failed]\n"
        "1  error    [unknown-variable] (1 fixable)\n"
    )


def test_rules_are_selected_and_ignored(many: Path) -> None:
    only = celvet("lint", "--select", "missing-failed,cel-syntax", "-q", cwd=many)
    assert (only.status, only.out.count("[missing-failed]")) == (0, 1)
    assert "[result-type]" not in only.out
    rest = celvet("lint", "--ignore", "result-type", "--ignore", "unknown-variable", cwd=many)
    assert (rest.status, rest.out.count("[missing-failed]")) == (0, 2)
    wrong = celvet("lint", "--select", "result-tipe", cwd=many)
    assert wrong.status == 2
    assert "there is no rule `result-tipe`; did you mean `result-type`?" in wrong.err


def test_a_selected_rule_is_on_even_if_the_configuration_switches_it_off(many: Path) -> None:
    (many / ".celvet.yaml").write_text("rules: {result-type: off}\n")
    assert celvet("lint", "-q", cwd=many).out.count("[result-type]") == 0
    assert celvet("lint", "-q", "--select", "result-type", cwd=many).status == 1


def test_lines_fit_the_width(many: Path) -> None:
    out = celvet("lint", cwd=many, env={"COLUMNS": "60"}).out
    assert max(map(len, out.splitlines())) <= 60


def test_the_environment_gives_options(many: Path) -> None:
    env = {"CELVET_FORMAT": "json", "CELVET_SELECT": "missing-failed", "CELVET_FAIL_ON": "info"}
    ran = celvet("lint", cwd=many, env=env)
    assert [each["rule"] for each in json.loads(ran.out)["findings"]] == ["missing-failed"]
    assert ran.status == 1
    assert celvet("lint", "--fail-on", "error", cwd=many, env=env).status == 0


def test_the_configuration_names_a_baseline(many: Path) -> None:
    (many / ".celvet.yaml").write_text("baseline: known.json\n")
    assert celvet("lint", "--update-baseline", cwd=many).status == 0
    assert (many / "known.json").exists()
    (many / "new.yaml").write_text(BAD)
    ran = celvet("lint", "-q", "--format", "concise", cwd=many)
    assert [line.split(":")[0] for line in ran.out.splitlines()] == ["new.yaml"]


def test_json_has_the_fix(many: Path) -> None:
    document = json.loads(celvet("lint", "--format", "json", cwd=many).out)
    fixes = {each["rule"]: each["fix"] for each in document["findings"]}
    assert fixes["missing-failed"] is None
    assert fixes["unknown-variable"] == {
        "title": "Remove `self.`.",
        "safe": True,
        "replacements": [{"line": 16, "column": 16, "endLine": 16, "endColumn": 21, "text": ""}],
    }


def test_git_applies_the_diff(many: Path, outside: None) -> None:
    git = ["git", "-c", "safe.directory=*"]
    subprocess.run([*git, "init", "-q"], cwd=many, check=True)
    (many / "a b").mkdir()
    (many / "a b" / "c.yaml").write_text(_FIXABLE)
    for arguments in ([], [str(many)]):
        ran = celvet("lint", "--diff", *arguments, cwd=many)
        checked = [*git, "apply", "--check", "-"]
        subprocess.run(checked, cwd=many, check=True, input=ran.out.encode())
    subprocess.run([*git, "apply", "-"], cwd=many, check=True, input=ran.out.encode())
    assert "self" not in (many / "a b" / "c.yaml").read_text()
    assert "self" not in (many / "fixable.yaml").read_text()


@pytest.mark.parametrize("shell", ["bash", "fish", "zsh"])
def test_completion_scripts(tmp_path: Path, shell: str) -> None:
    ran = celvet("completion", shell, cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert f"_CELVET_COMPLETE={shell}_complete" in ran.out
