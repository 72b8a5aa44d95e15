"""`celvet why` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import celvet
from tests.why.recorded import expected, text


def test_the_command_reads_what_kubectl_prints(tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_bytes(text("two-roots"))
    ran = celvet(
        "why", "-A", "--from", "dump.json", "--at", expected("two-roots")["at"], cwd=tmp_path
    )
    assert ran.status == 1
    assert ran.out.startswith("Kustomization gitops-56/web: needs a change\n")
    assert "  holds up 3:\n" in ran.out


@pytest.mark.parametrize(
    ("name", "status"), [("healthy-small", 0), ("chain-3", 4), ("helm-wait", 1)]
)
def test_the_status_tells_whether_somebody_must_act(name: str, status: int, tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_bytes(text(name))
    ran = celvet("why", "--from", "dump.json", "--at", expected(name)["at"], cwd=tmp_path)
    assert ran.status == status


def test_what_is_overdue_is_no_wait_of_no_seconds(tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_bytes(text("chain-3"))
    later = "2030-01-01T00:00:00Z"
    ran = celvet("why", "--from", "dump.json", "--at", later, cwd=tmp_path)
    assert "Next: due now, the wait of Kustomization" in ran.out
    assert "see whether its controller runs" in ran.out


def test_only_what_is_named_is_reported(tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_bytes(text("two-roots"))
    at = expected("two-roots")["at"]
    ran = celvet(
        "why", "ks/edge", "--from", "dump.json", "--at", at, "--format", "json", cwd=tmp_path
    )
    told = json.loads(ran.out)
    assert [waiter["name"] for waiter in told["waiters"]] == ["edge"]
    assert [root["name"] for root in told["roots"]] == ["web"]
    ran = celvet("why", "ks/egde", "--from", "dump.json", "--at", at, cwd=tmp_path)
    assert (ran.status, "there is no `ks/egde` that waits" in ran.err) == (2, True)


def test_a_recording_is_a_health_test_that_passes(tmp_path: Path) -> None:
    items = json.loads(text("chain-3"))["items"]
    (cluster,) = (item for item in items if item["kind"] == "Cluster")
    healthy = {**cluster, "status": {**cluster["status"], "phase": "Cluster in healthy state"}}
    secret = {**healthy, "spec": {"password": "hunter2"}}
    (tmp_path / "dump.json").write_text(json.dumps({"kind": "List", "items": [*items, secret]}))
    celvet("why", "--from", "dump.json", "--record", "recorded", cwd=tmp_path)
    ran = celvet("test", "recorded", cwd=tmp_path)
    assert (ran.status, "1 passed" in ran.out) == (0, True)
    (test,) = (tmp_path / "recorded").glob("*.test.yaml")
    assert "- InProgress\n  - Current\n" in test.read_text()
    assert "hunter2" not in test.read_text()


def test_a_page_for_a_browser_loads_nothing(tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_bytes(text("two-roots"))
    ran = celvet("why", "--from", "dump.json", "-f", "html", "-o", "why.html", cwd=tmp_path)
    page = (tmp_path / "why.html").read_text()
    assert ran.status == 1
    assert page.count("<section") == 2
    assert '<a href="#root-0">' in page
    assert not [word for word in ("<script", "src=", "http://", "https://") if word in page]


def test_the_line_in_the_repository_is_named(tmp_path: Path) -> None:
    (tmp_path / "dump.json").write_bytes(text("chain-3"))
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo/infra.yaml").write_text(
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\n"
        "kind: Kustomization\n"
        "metadata: {name: infra-controllers}\n"
        "spec:\n"
        "  healthCheckExprs:\n"
        "  - apiVersion: postgresql.cnpg.io/v1\n"
        "    kind: Cluster\n"
        "    current: status.phase == 'Cluster in healthy state'\n"
    )
    ran = celvet("why", "--from", "dump.json", "--repo", "repo", "-f", "json", cwd=tmp_path)
    assert [root["place"] for root in json.loads(ran.out)["roots"]] == ["repo/infra.yaml:8"]
