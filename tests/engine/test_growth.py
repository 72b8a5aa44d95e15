"""A file with four times as many entries takes four times the work, whatever their mistakes."""

from __future__ import annotations

from cProfile import Profile

import pytest

from celvet.lint.engine import lint_text
from celvet.lint.report.report import file_report

_HEAD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: apps, namespace: flux-system}}
spec:
  interval: 1h
  prune: true
  wait: {}
  sourceRef: {{kind: GitRepository, name: flux-system}}
  healthCheckExprs:
"""
_UNWRITTEN = """\
    - apiVersion: cluster.x-k8s.io/v1beta1
      kind: Cluster
      current: status.phase == '{0}'
"""
_REFUSED = """\
    - apiVersion: {0}.example.com/v1
      kind: Cluster
      inProgress: foo == '{0}'
      current: status.phase == '{0}' &&
"""
_WITHOUT_GUARD = """\
    - apiVersion: {0}.example.com/v1
      kind: Cluster
      current: self.status.conditions.all(e, e.type == '{0}' && e.status == 'True')
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wait", "entry"),
    [
        ("true", _UNWRITTEN),
        ("true", _REFUSED),
        ("true", _WITHOUT_GUARD),
        ("false", _WITHOUT_GUARD),
        ("true", "    # celvet: ignore[premature-failed] wanted\n" + _WITHOUT_GUARD),
    ],
    ids=["unwritten", "refused", "without a guard", "unused", "suppressed"],
)
def test_work_grows_with_the_entries(wait: str, entry: str) -> None:
    few, many = (_calls(wait, entry, count) for count in (10, 40))
    assert many < 4.1 * few


def _calls(wait: str, entry: str, count: int) -> int:
    """The number of calls to lint this many entries, all of them new."""
    entries = "".join(entry.format(f"n{count}-{number}") for number in range(count))
    counter = Profile(builtins=False)
    found = counter.runcall(lint_text, _HEAD.format(wait) + entries, "apps.yaml")
    counter.runcall(file_report, found)
    assert found.findings
    return sum(each.callcount for each in counter.getstats())
