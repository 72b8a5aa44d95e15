"""`celvet wait` and `celvet scan` as a user runs them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import celvet

_ORDERS = Path(__file__).parents[1] / "why/orders.yaml"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("Cluster.postgresql.cnpg.io/orders", "-n", "shop"), 0, "Cluster/shop/orders is ready\n"),
        (("ks/apps",), 1, "Cluster shop/orders: needs a change\n"),
        (("Certificate/web",), 4, "Certificate/web does not exist\n"),
        (("ks/web",), 4, "there is no `ks/web` that waits; "),
    ],
)
def test_wait(arguments: tuple[str, ...], status: int, said: str, tmp_path: Path) -> None:
    at = ("--at", "2026-11-24T08:02:00Z")
    ran = celvet("wait", *arguments, "--from", _ORDERS, *at, cwd=tmp_path)
    assert ran.status == status
    assert ran.out.startswith(said)


def test_wait_fails_at_once_for_a_final_failure(tmp_path: Path) -> None:
    (tmp_path / "backup.yaml").write_text(
        "{apiVersion: velero.io/v1, kind: Backup, metadata: {name: b},"
        " status: {phase: FailedValidation}}"
    )
    ran = celvet("wait", "Backup.velero.io/b", "--from", "backup.yaml", cwd=tmp_path)
    assert ran.status == 1
    assert ran.out == "Backup/b is failed for good: phase FailedValidation\n"


def test_wait_names_what_it_does_not_know(tmp_path: Path) -> None:
    ran = celvet("wait", "Foo/x", "--from", _ORDERS, cwd=tmp_path)
    assert (ran.status, "nothing is known about the kind `Foo`" in ran.err) == (2, True)


def test_a_recording_has_what_the_named_objects_wait_for(tmp_path: Path) -> None:
    other = _ORDERS.read_text().replace("name: orders", "name: others").replace("databases", "more")
    (tmp_path / "objects.yaml").write_text(f"{_ORDERS.read_text()}---\n{other}")
    named = ("ks/databases", "--from", "objects.yaml", "--at", "2026-11-24T08:02:00Z")
    assert celvet("why", *named, "--record", "tests", cwd=tmp_path).status == 1
    names = sorted(file.name for file in (tmp_path / "tests").iterdir())
    assert names == [
        "kustomization-flux-system-databases-cluster-shop-orders.test.yaml",
        "kustomization-flux-system-databases.yaml",
    ]
    assert celvet("test", "tests", cwd=tmp_path).status == 0


def test_scan_names_who_applied_an_object(tmp_path: Path) -> None:
    (tmp_path / "child.yaml").write_text(
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        "metadata: {name: child, namespace: g,"
        " labels: {kustomize.toolkit.fluxcd.io/name: parent,"
        " kustomize.toolkit.fluxcd.io/namespace: g}}\n"
        "spec: {healthCheckExprs: [{apiVersion: a.io/v1, kind: B, current: status.x = 1}]}\n"
    )
    ran = celvet("scan", "--from", "child.yaml", "--format", "concise", cwd=tmp_path)
    assert ran.status == 1
    assert ran.out.startswith("Kustomization/g/child (applied by Kustomization/g/parent):")
