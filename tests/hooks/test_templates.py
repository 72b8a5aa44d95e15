"""The action and the GitLab job are valid for their services, and their scripts work."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from docs.generate import ROOT
from tests.cli.command import PROGRAM
from tests.hooks.test_pre_commit import BAD, GOOD
from tests.report.sample import rendered
from tests.tables import read_table

_ACTION = ROOT / "action.yml"
_JOB = ROOT / "templates" / "celvet.gitlab-ci.yml"


def _check(schema: str, file: Path) -> None:
    """Check a file against a service's schema, which check-jsonschema contains."""
    program = Path(sys.executable).with_name("check-jsonschema")
    command = [str(program), "--builtin-schema", f"vendor.{schema}", str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout


@pytest.mark.parametrize(("schema", "file"), [("github-actions", _ACTION), ("gitlab-ci", _JOB)])
def test_the_services_take_them(schema: str, file: Path) -> None:
    _check(schema, file)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A repository with a file name that a careless script would split."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "a b; $(touch oops).yaml").write_text(BAD, encoding="utf-8")
    (tmp_path / "good.yaml").write_text(GOOD, encoding="utf-8")
    binaries = tmp_path / "celvet" / "bin"
    binaries.mkdir(parents=True)
    (binaries / "celvet").symlink_to(PROGRAM)
    return tmp_path


def _bash(script: str, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script as the services do."""
    path = f"{PROGRAM.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=cwd,
        env={"PATH": path, "RUNNER_TEMP": str(cwd), "LC_ALL": "C.UTF-8", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def _action(tree: Path, summary: str = "", **inputs: str) -> subprocess.CompletedProcess[str]:
    action = read_table(_ACTION)
    (step,) = [step for step in action["runs"]["steps"] if step.get("name") == "Run celvet"]
    values = {name: str(each["default"]) for name, each in action["inputs"].items()} | inputs
    environment = {
        name: values[text.removeprefix("${{ inputs.").removesuffix(" }}")]
        for name, text in step["env"].items()
    }
    return _bash(step["run"], tree, GITHUB_STEP_SUMMARY=summary, **environment)


def test_the_action_annotates_and_fails(tree: Path) -> None:
    ran = _action(tree)
    assert (ran.returncode, ran.stderr) == (1, "")
    assert ran.stdout.startswith("::error file=a b; $(touch oops).yaml,line=12,")


def test_the_action_writes_the_summary_of_the_job(tree: Path) -> None:
    summary = tree / "summary.md"
    summary.touch()
    assert _action(tree, summary=str(summary)).returncode == 1
    text = summary.read_text(encoding="utf-8")
    assert text.startswith("### celvet lint\n\n| | rule | finding | place |\n")
    page = "https://github.com/celvet/celvet/blob/main/docs/rules/cel-syntax.md"
    assert f"\n| error | [cel-syntax]({page}) " in text
    assert _action(tree, summary=str(summary), paths="good.yaml").returncode == 0
    assert "nothing to report in 1 file" in summary.read_text(encoding="utf-8")


def test_the_problem_matcher_reads_each_line_of_a_concise_report() -> None:
    matchers = json.loads((ROOT / "templates" / "problem-matcher.json").read_text())
    patterns = {each["owner"]: each["pattern"][0] for each in matchers["problemMatcher"]}
    lines = rendered("concise").splitlines()
    found = [
        (owner, *(match[pattern[part]] for part in ("file", "line", "column", "code")))
        for line in lines
        for owner, pattern in patterns.items()
        if (match := re.fullmatch(pattern["regexp"], line))
    ]
    assert found == [
        ("celvet", "clusters/apps.yaml", "3", "5", "first-rule"),
        ("celvet", "clusters/apps.yaml", "7", "5", "first-rule"),
        ("celvet-info", "clusters/apps.yaml", "3", "5", "second-rule"),
        ("celvet", "a, b:\N{REPLACEMENT CHARACTER}%.yaml", "3", "5", "second-rule"),
    ]


def test_the_key_of_the_action_changes_with_its_files(tmp_path: Path) -> None:
    steps = {step.get("id"): step for step in read_table(_ACTION)["runs"]["steps"]}
    source, output = tmp_path / "celvet", tmp_path / "output"
    source.mkdir()

    def key(text: str, python: str = "/usr/bin/python3") -> str:
        (source / "a b.py").write_text(text)
        environment = {"PYTHON": python, "SOURCE": str(source), "GITHUB_OUTPUT": str(output)}
        ran = _bash(steps["key"]["run"], tmp_path, **environment)
        assert ran.returncode == 0, ran.stderr
        return output.read_text().splitlines()[-1]

    first = key("1")
    assert re.fullmatch("key=[0-9a-f]{40}", first)
    assert [key("2") == first, key("1", "/opt/python3") == first, key("1") == first] == [
        False, False, True,
    ]  # fmt: skip
    assert steps["installed"]["with"]["path"] == "${{ runner.temp }}/celvet"


def test_the_action_takes_paths_and_arguments_one_a_line(tree: Path) -> None:
    report = tree / "the report.sarif"
    arguments = "--min-severity\nerror\n\n"
    paths = "a b; $(touch oops).yaml\ngood.yaml\n"
    ran = _action(tree, paths=paths, args=arguments, sarif=report.name)
    assert ran.returncode == 1
    (run,) = json.loads(report.read_text(encoding="utf-8"))["runs"]
    assert [each["ruleId"] for each in run["results"]] == ["cel-syntax"]
    assert _action(tree, paths="good.yaml").returncode == 0
    assert not (tree / "oops").exists()


def test_the_action_pins_what_it_uses() -> None:
    action = read_table(_ACTION)
    used = [step["uses"] for step in action["runs"]["steps"] if "uses" in step]
    assert len(used) == 4
    assert all(len(each.partition("@")[2]) == 40 for each in used)


def _job(tree: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    job = read_table(_JOB)["celvet"]
    return _bash("\n".join(job["script"]), tree, **{**job["variables"], **variables})


def test_the_job_leaves_the_reports_that_it_names(tree: Path) -> None:
    ran = _job(tree)
    assert ran.returncode == 1
    assert "1 error" in ran.stdout
    job = read_table(_JOB)["celvet"]
    reports = {name: tree / file for name, file in job["artifacts"]["reports"].items()}
    (issue,) = json.loads(reports["codequality"].read_text(encoding="utf-8"))
    assert issue["location"]["path"] == "a b; $(touch oops).yaml"
    assert 'failures="1"' in reports["junit"].read_text(encoding="utf-8")


def test_the_job_installs_one_version_with_an_image_that_has_git() -> None:
    job = read_table(_JOB)["celvet"]
    assert job["variables"]["CELVET_PACKAGE"].endswith("@$CELVET_VERSION")
    assert re.fullmatch(r"python:\d+\.\d+\.\d+-bookworm", job["image"]), "slim images have no git"


def test_the_job_takes_paths_and_arguments(tree: Path) -> None:
    (tree / "more.yaml").write_text(GOOD, encoding="utf-8")
    ran = _job(tree, CELVET_PATHS="good.yaml more.yaml", CELVET_ARGS="--fail-on info")
    assert ran.returncode in (0, 1)
    assert "in 2 files" in ran.stdout or "of 2 files" in ran.stdout


def _blocks(page: str) -> list[Any]:
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    return [yaml.safe_load(part.split("```")[0]) for part in text.split("```yaml\n")[1:]]


def test_the_guide_names_inputs_that_exist(tmp_path: Path) -> None:
    *_, workflow, without_action, job = _blocks("ci.md")
    for name, schema, text in (
        ("w.yaml", "github-workflows", workflow),
        ("a.yaml", "github-workflows", without_action),
        ("j.yaml", "gitlab-ci", job),
    ):
        (tmp_path / name).write_text(yaml.safe_dump(text).replace("true:", "on:"), encoding="utf-8")
        _check(schema, tmp_path / name)
    inputs = read_table(_ACTION)["inputs"]
    assert workflow["jobs"]["celvet"]["steps"][1]["with"].keys() <= inputs.keys()
    variables = read_table(_JOB)["celvet"]["variables"]
    assert {each for each in job["celvet"]["variables"] if "CELVET" in each} <= variables.keys()


def test_the_workflow_without_the_action_leaves_its_reports(tree: Path) -> None:
    *_, workflow, _ = _blocks("ci.md")
    steps = workflow["jobs"]["celvet"]["steps"]
    (script,) = [each["run"] for each in steps if "celvet lint" in each.get("run", "")]
    summary = tree / "summary.md"
    ran = _bash(script, tree, GITHUB_STEP_SUMMARY=str(summary))
    assert ran.returncode == 1
    assert ran.stdout.startswith("::add-matcher::.github/problem-matcher.json\na b; ")
    assert summary.read_text(encoding="utf-8").startswith("### celvet lint\n")
    (upload,) = [each["with"] for each in steps if "upload-sarif" in each.get("uses", "")]
    assert json.loads((tree / upload["sarif_file"]).read_text(encoding="utf-8"))["runs"]


def test_the_guide_names_hooks_that_exist() -> None:
    hooks = read_table(ROOT / ".pre-commit-hooks.yaml")
    published = {hook["id"] for hook in hooks}
    blocks = _blocks("pre-commit.md")
    assert {hook["id"] for block in blocks for hook in block["repos"][0]["hooks"]} == published


def test_the_commands_of_the_guide_run(tree: Path) -> None:
    """One after the other, as they are read."""
    text = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
    commands = [line.strip() for line in text.splitlines() if line.startswith("    celvet ")]
    (tree / ".git").rmdir()
    setup = "git init -q; git -c user.name=a -c user.email=b commit -q --allow-empty -m x"
    assert _bash(f"{setup}; git branch origin/main", tree, HOME=str(tree)).returncode == 0
    ran = [_bash(command, tree).returncode for command in commands]
    assert dict(zip(commands, ran, strict=True)) == dict.fromkeys(commands, 1) | {
        each: 0 for each in commands if "--baseline" in each
    }
    assert len(commands) == 5
