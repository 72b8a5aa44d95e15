"""A report from the cache is the one that the repository, as it is now, would give."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.cli.run.lint_files import LintFile, lint_files
from celvet.lint.engine import Settings, lint_text
from celvet.lint.kustomize.resource import ObjectName, Resource, SourcePlace
from celvet.lint.model import Severity, Where
from celvet.lint.report.report import Report
from celvet.lint.repository import questions
from celvet.lint.repository.object_form import ObjectForm
from celvet.lint.repository.question_log import QuestionLog, has_same_answers
from celvet.lint.repository.questions import ObjectForms, Question, UnsetVariables
from celvet.lint.repository.surroundings import Repository, forget
from celvet.record import record
from tests.properties import examples
from tests.rules.repository import files_in, write
from tests.tables import read_table

_CASES = Path(__file__).parents[1] / "rules"
_NAME = re.compile(r"(?<=name: )[\w-]+")


@cache
def _repositories() -> list[dict[str, str]]:
    """The repositories in the cases of all rules."""
    tables = [read_table(file) for file in sorted(_CASES.glob("*.yaml"))]
    found = [files_in(case["manifest"]) for table in tables for case in table]
    return [each for each in found if len(each) > 1]


def _edited(files: Mapping[str, str], data: st.DataObject) -> dict[str, str]:
    """The files after a change of one: it goes, loses a line, gets a name or another content."""
    name = data.draw(st.sampled_from(sorted(files)))
    content = files[name]
    others = {each[name] for each in _repositories() if name in each}
    names = sorted({found for each in files.values() for found in _NAME.findall(each)})
    lines = content.splitlines(keepends=True)
    without = ["".join(lines[:at] + lines[at + 1 :]) for at in range(len(lines))]
    renamed = [
        content[: at.start()] + each + content[at.end() :]
        for at in _NAME.finditer(content)
        for each in names
    ]
    kinds = [[content + "# more\n"], without, renamed, sorted(others)]
    if len(files) > 1 and data.draw(st.integers(0, 4)) == 0:
        return {each: text for each, text in files.items() if each != name}
    kind = data.draw(st.sampled_from([each for each in kinds if each]))
    return {**files, name: data.draw(st.sampled_from(kind))}


def _report(root: Path, cache: Path | None) -> Report:
    forget()
    files = sorted(root.rglob("*.yaml"))
    return lint_files(files, LintFile(Settings(), "", cache=cache), 1, Severity.INFO)


@examples(200)
@given(st.data())
def test_a_cache_changes_no_report(data: st.DataObject) -> None:
    files = data.draw(st.sampled_from(_repositories()))
    with TemporaryDirectory() as directory:
        root, kept = Path(directory, "repository"), Path(directory, "cache")
        for _ in range(4):
            root.mkdir()
            write(files, root)
            assert _report(root, kept) == _report(root, None)
            rmtree(root)
            files = _edited(files, data)


_CHILD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: child, namespace: apps}
spec:
  path: ./nowhere
  dependsOn: [{name: other}]
  sourceRef: {kind: GitRepository, name: flux-system, namespace: flux-system}
"""


@pytest.mark.parametrize(
    "text",
    [
        *(
            "null",
            "[]",
            "",
            "[1, 2]",
            '["", [[]]]',
            '["", [["IndexProblems"]]]',
            '["", [["Question"]]]',
        ),
        *('["", [["ObjectForms", 1]]]', '["", [["PlaceLabel", ["a", [1, [], null]]]]]'),
        *('["", [["NamesWithout", 0, []]]]', '["", [["NamesWithout", [0, {}, []], []]]]'),
        "[" * 100_000,
    ],
)
def test_damaged_questions_have_other_answers(tmp_path: Path, text: str) -> None:
    file = tmp_path / "child.yaml"
    file.write_text(_CHILD)
    assert not has_same_answers(text, partial(Repository(tmp_path).surroundings_of, str(file)))


_PARENT = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux-system, namespace: flux-system}
spec:
  path: ./apps
  sourceRef: {kind: GitRepository, name: flux-system}
"""
_RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: %s, namespace: apps}
spec:
  dependsOn: [{name: %s}]
"""


@pytest.mark.parametrize(
    ("wanted", "alike"), [("database", True), ("renamed", False), ("missing", False)]
)
def test_the_name_of_an_object_matters_to_those_that_want_it(
    tmp_path: Path, wanted: str, alike: bool
) -> None:
    write(
        {
            "flux/parent.yaml": _PARENT,
            "apps/app.yaml": _RELEASE % ("app", wanted),
            "apps/database.yaml": _RELEASE % ("database", "operator"),
            "apps/other.yaml": _RELEASE % ("other", "operator"),
        },
        tmp_path,
    )
    app = tmp_path / "apps/app.yaml"
    around = partial(Repository(tmp_path).surroundings_of, str(app))
    log = QuestionLog()
    lint_text(app.read_bytes(), str(app), Settings(surroundings=around(log)))
    (tmp_path / "apps/other.yaml").write_text(_RELEASE % ("renamed", "operator"))
    forget()
    assert has_same_answers(log.text(), around) is alike


_FORM = ObjectForm(Resource({"kind": "ConfigMap"}))
_FIELDS: Mapping[str, object] = {
    "ObjectForm": _FORM,
    "ObjectName": ObjectName("apps", "app"),
    "Path": ("spec", 0),
    "Sequence[Path]": [("spec", 0)],
    "Sequence[str]": ["NAME"],
    "SourcePlace": SourcePlace("app.yaml", Where(1, ("spec",), inner=Where(0, ("data",)))),
    "Where": Where(0, ("spec", "path")),
    "dict[str, Value]": {"kind": "Secret"},
    "str": "app",
}
_QUESTIONS = [
    cls
    for cls in vars(questions).values()
    if isinstance(cls, type) and issubclass(cls, Question) and cls is not Question
]


@pytest.mark.parametrize("cls", _QUESTIONS)
def test_each_question_is_read_as_it_was_written(cls: Callable[..., Question[Any]]) -> None:
    kinds = vars(cls).get("__annotations__", {}).values()
    question = cls(*(_FIELDS[kind] for kind in kinds))
    log = QuestionLog()
    log.add(ObjectForms({}), [_FORM])
    log.add(question, question.default)
    _, (_, (name, *fields)) = json.loads(log.text())
    assert log.question(name, fields) == question


def test_a_question_without_an_answer_cannot_be_asked() -> None:
    @record
    class Unanswered(Question[str]):
        default = ""

    with pytest.raises(TypeError, match="abstract method"):
        Unanswered()  # type: ignore[abstract]


def test_what_json_does_not_hold_is_not_asked_again(tmp_path: Path) -> None:
    log = QuestionLog()
    around = partial(Repository(tmp_path).surroundings_of, str(tmp_path / "child.yaml"))
    around(log).ask(ObjectForms({"spec": {1, 2}}))
    assert not has_same_answers(log.text(), around)


def test_the_work_to_write_questions_grows_with_the_forms() -> None:
    few, many = map(_lines_run, (50, 200))
    assert many < 4.1 * few


def _lines_run(count: int) -> int:
    """The number of lines that run to write one question about each of so many forms."""
    forms = [ObjectForm(Resource({"number": number})) for number in range(count)]
    log = QuestionLog()
    log.add(ObjectForms({}), forms)
    for form in forms:
        log.add(UnsetVariables(form), ())
    lines = 0

    def trace(_frame: object, event: str, _value: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        assert log.text()
    finally:
        sys.settrace(before)
    return lines
