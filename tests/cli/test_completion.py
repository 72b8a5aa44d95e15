"""What the shell offers when a user presses Tab."""

from __future__ import annotations

from pathlib import Path

import pytest

from celvet import schemas
from tests.cli.command import celvet


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("lint --format sa", ["sarif"]),
        ("lint --format = sa", ["sarif"]),
        ("lint --fail-on = w", ["warning"]),
        ("lint --fail-on =", ["info", "warning", "error"]),
        ("lint --substitute A = b --format = sa", ["sarif"]),
        ("rules missing-f", ["missing-failed"]),
        ("eval --dialect flux-he", ["flux-health"]),
        ("eval --dialect = flux-h", ["flux-health"]),
        ("suggest dragon", ["Dragonfly.dragonflydb.io", "dragon"]),
        ("suggest giz", ["Gizmo.acme.example", "giz"]),
        ("suggest --missing dragon", ["dragon"]),
        ("suggest Cluster.postgresql.cnpg.io --variant p", ["patient"]),
        ("suggest apps/", ["apps/"]),
    ],
)
def test_bash_is_offered(words: str, offered: list[str], tmp_path: Path) -> None:
    (tmp_path / ".celvet.yaml").write_text("schemas: [own]")
    (tmp_path / "own/kinds/acme.example").mkdir(parents=True)
    known = schemas.BUILT_IN / "kinds/bitnami.com/SealedSecret.yaml"
    text = known.read_text().replace("bitnami.com", "acme.example").replace("SealedSecret", "Gizmo")
    (tmp_path / "own/kinds/acme.example/Gizmo.yaml").write_text(text)
    line = f"celvet {words}"
    environment = {
        "_CELVET_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    ran = celvet(cwd=tmp_path, env=environment)
    assert (ran.status, ran.err) == (0, "")
    assert [each.partition(",")[2] for each in ran.out.splitlines()] == offered
