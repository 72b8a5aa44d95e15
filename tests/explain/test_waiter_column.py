"""The column with what another waiter makes of each state."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from celvet.lint.cli.commands.explain import with_waiter
from celvet.lint.engine import Settings, lint_text
from celvet.lint.explain.output import FORMATS
from celvet.lint.explain.page import Page
from celvet.lint.explain.pages import pages
from celvet.lint.waiters import WAITERS
from celvet.lint.waiters.kubectl_wait import parse_for
from celvet.lint.waiters.waiter import Waiter
from tests.manifests import with_entry

_READY = "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')"


def _page(waiter: Waiter, kind: str = "Certificate") -> Page:
    text = with_entry(apiVersion="cert-manager.io/v1", kind=kind, current=_READY)
    (page,) = pages(lint_text(text, settings=Settings()))
    return with_waiter(page, waiter, datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("waiter", "kind", "state", "text"),
    [
        (WAITERS["helm4"], "Certificate", "applied", "Current: ready too early"),
        (WAITERS["helm4"], "Certificate", "issuing", "InProgress"),
        (WAITERS["helm3"], "ClusterIssuer", "wrong configuration", "ready: failure unseen"),
        (parse_for("condition=Issuing"), "Certificate", "ready", "not met: waits for ever"),
        (parse_for("condition=Ready"), "Certificate", "ready", "met"),
    ],
)
def test_the_trouble_with_a_state_is_named(
    waiter: Waiter, kind: str, state: str, text: str
) -> None:
    (line,) = (line for line in _page(waiter, kind).life if line.state == state)
    assert line.cells[waiter.name] == text


@pytest.mark.parametrize("form", FORMATS.names())
def test_each_format_has_the_column(form: str) -> None:
    text = FORMATS.renderer(form)([_page(WAITERS["helm4"])], False)
    assert "helm4" in text
    assert "Current: ready too early" in " ".join(text.split())


def test_json_has_each_state_with_its_cells() -> None:
    text = FORMATS.renderer("json")([_page(WAITERS["helm4"])], False)
    (page,) = json.loads(text)["pages"]
    lines: list[Any] = [*page["life"], *page["states"]]
    assert page["waiter"] == "helm4"
    assert all({*line["cells"]} == {"current", "verdict", "helm4"} for line in lines)
