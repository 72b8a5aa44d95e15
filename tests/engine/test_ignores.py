"""The comments of `--add-ignore`: each suppresses what is found below it, and nothing else."""

from __future__ import annotations

import pytest

from celvet.lint.engine import Settings
from celvet.lint.engine.ignores import ignore

_HEAD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps}
spec:
  wait: true
  healthCheckExprs:
"""


def _ignored(entry: str, name: str = "apps.yaml", newline: str = "\n") -> tuple[str, list[str]]:
    """The entry after all comments, and the rules of the findings that are left."""
    text = (_HEAD + entry).replace("\n", newline)
    outcome = ignore(text.encode(), name, Settings())
    assert outcome.before == text
    start = len(_HEAD.replace("\n", newline))
    return outcome.after[start:], [finding.rule for finding in outcome.result.findings]


def test_a_comment_is_above_the_key_as_far_to_the_right() -> None:
    entry = "    - apiVersion: example.com/v1\n      kind: A\n{}      current: |\n        'a'\n"
    assert _ignored(entry.format("")) == (entry.format("      # celvet: ignore[result-type]\n"), [])


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_other_lines_stay(newline: str) -> None:
    entry = (
        "    # why\n    - kind: A # here\n      apiVersion: example.com/v1\n      current: 1 + 1\n"
    )
    after, rules = _ignored(entry, newline=newline)
    lines = [line for line in after.split(newline) if "celvet: ignore" not in line]
    assert newline.join(lines) == entry.replace("\n", newline)
    assert len(lines) < len(after.split(newline))
    assert rules == []


def test_of_two_that_one_comment_covers_each_has_its_own() -> None:
    entry = """\
    - current: 1 + 1
      apiVersion: example.com/v1
      kind: A
{}      failed: 3 + 3
"""
    comment = "# celvet: ignore[result-type]\n"
    after, rules = _ignored(entry.format(""))
    assert after == f"    {comment}" + entry.format(f"      {comment}")
    assert rules == []


def test_a_comment_after_which_something_else_is_found_is_left_out() -> None:
    # Once the entry is not told to be unused any more, it is told what it would do.
    entry = """\
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: status.conditions.exists(e, e.type == 'Ready' && e.status == 'False')
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True')
"""
    text = (_HEAD + entry).replace("wait: true", "wait: false")
    outcome = ignore(text.encode(), "apps.yaml", Settings())
    assert outcome.after == text
    assert [finding.rule for finding in outcome.result.findings] == ["ignored-expression"]


def test_json_has_no_comments() -> None:
    entry = "    - {apiVersion: example.com/v1, kind: A, current: 1 + 1}\n"
    assert _ignored(entry, "apps.json")[0] == entry
