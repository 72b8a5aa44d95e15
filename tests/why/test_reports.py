"""The reports that are written into a cluster: only what is wrong, and only when it changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from celvet.lint.model import ObjectRef
from celvet.lint.verdicts.unstructured import timestamp
from celvet.lint.why.inputs.api import ClusterError
from celvet.lint.why.inputs.reader import read_cluster
from celvet.lint.why.inputs.scope import ReadScope
from celvet.lint.why.investigation import investigate
from celvet.lint.why.outlook.rules import OutlookRule
from celvet.lint.why.report import NOTHING_COMES, Root, WaiterReport, WhyReport
from celvet.lint.why.reports.documents import report_objects
from celvet.lint.why.reports.writing import WrittenReports, write_reports
from celvet.schemas import load
from tests.why.api_server import ApiServer
from tests.why.recorded import expected, objects

_GROUP = "openreports.io"
_ALL = ReadScope().covers


def _report(name: str, at: str = "") -> WhyReport:
    now = timestamp(at or expected(name)["at"])
    assert now
    return investigate(read_cluster(ApiServer(objects(name)).api(), load(), now), load(), now)


def _write(
    server: ApiServer, report: WhyReport, covers: Callable[[str], bool] = _ALL
) -> WrittenReports:
    return write_reports(server.api(), _GROUP, report_objects(report, _GROUP), covers)


def _stored(server: ApiServer) -> list[dict[str, Any]]:
    return [dict(obj) for obj in server.objects if obj["kind"] == "Report"]


def test_one_root_is_one_result_with_all_that_it_holds_up() -> None:
    server = ApiServer([], served=["reports"])
    _write(server, _report("two-roots"))
    (document,) = _stored(server)
    assert document["metadata"]["namespace"] == "gitops-56"
    assert document["summary"] == {"pass": 0, "fail": 1, "warn": 0, "error": 0, "skip": 0}
    (result,) = document["results"]
    assert (result["rule"], result["result"]) == ("apply", "fail")
    assert {obj["name"] for obj in result["resources"]} == {"web", "edge"}


def test_what_recovers_by_itself_and_what_is_ready_is_not_reported() -> None:
    for name in ("chain-3", "healthy-small"):
        assert not report_objects(_report(name), _GROUP)


def test_a_report_is_written_only_when_it_changes() -> None:
    server = ApiServer([], served=["reports"])
    assert str(_write(server, _report("apply-invalid"))) == "1 reports: 1 written, 0 removed"
    later = _report("apply-invalid", "2026-11-24T00:30:40Z")
    assert str(_write(server, later)) == "1 reports: 0 written, 0 removed"


def test_the_report_of_what_is_mended_is_removed() -> None:
    server = ApiServer([], served=["reports"])
    _write(server, _report("apply-invalid"))
    assert _write(server, _report("healthy-small")) == WrittenReports(0, 0, 1)
    assert not _stored(server)


def test_a_shard_leaves_the_namespaces_of_others_alone() -> None:
    server = ApiServer([], served=["reports"])
    shards = [ReadScope(shard=shard, shards=2).covers for shard in (0, 1)]
    (other,) = [covers for covers in shards if not covers("gitops-40")]
    assert _write(server, _report("apply-invalid"), other) == WrittenReports(0, 0, 0)
    _write(server, _report("apply-invalid"))
    assert _write(server, _report("healthy-small"), other) == WrittenReports(0, 0, 0)
    assert _stored(server)


def test_shards_read_each_waiter_once() -> None:
    at = timestamp(expected("two-roots")["at"])
    assert at
    read = [
        read_cluster(
            ApiServer(objects("two-roots")).api(), load(), at, ReadScope(shard=shard, shards=3)
        )
        for shard in range(3)
    ]
    counts = [sum(o["kind"] == "Kustomization" for o in snapshot.objects) for snapshot in read]
    assert sum(counts) == sum(o["kind"] == "Kustomization" for o in objects("two-roots"))


def test_a_large_report_is_cut_and_says_so() -> None:
    app = ObjectRef("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "g", "app")
    roots = [
        Root(ObjectRef("v1", "Pod", "g", f"p{number}"), "kstatus", "x" * 900, OutlookRule.FAILED)
        for number in range(1000)
    ]
    waiter = WaiterReport(app, "failed", None, None, tuple(range(1000)), NOTHING_COMES)
    now = timestamp("2026-11-24T00:30:40Z")
    assert now
    document = report_objects(WhyReport(now, [waiter], roots), _GROUP)["g"]
    assert len(json.dumps(document)) <= 256 * 1024
    assert document["summary"]["fail"] == 1000
    left_out = int(document["metadata"]["annotations"]["celvet.dev/left-out"])
    assert left_out + len(document["results"]) == 1000


def test_a_cluster_without_the_kind_is_told_in_one_line() -> None:
    with pytest.raises(ClusterError, match=r"has no reports\.openreports\.io"):
        _write(ApiServer([]), _report("apply-invalid"))
