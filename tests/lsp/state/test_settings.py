from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from celvet.lint.config import Config, load
from celvet.lint.lsp.state.client_settings import ClientSettings, client_settings
from celvet.lint.lsp.state.configuration import Configuration
from celvet.lint.model import Severity
from tests.lsp.editors.tried import configuration


def test_everything() -> None:
    found = client_settings(
        {
            "config": "a.yaml",
            "rules": {"missing-failed": "off", "cel-type": "info"},
            "min-severity": "warning",
            "crds": ["crds"],
            "schema-location": ["default"],
            "delay": 7,
        }
    )
    rules = {"missing-failed": None, "cel-type": Severity.INFO}
    wanted = ClientSettings("a.yaml", rules, Severity.WARNING, ("crds",), ("default",), 7)
    assert found == wanted


@pytest.mark.parametrize(
    "values",
    [
        {"rule": {}},
        {"rules": {"no-such-rule": "off"}},
        {"rules": {"missing-failed": ["off"]}},
        {"rules": 1},
        {"min-severity": "off"},
        {"crds": "crds"},
        {"crds": [1]},
        {"config": "\0"},
        {"delay": True},
        {"delay": -1},
        {1: 2},
    ],
)
def test_mistakes(values: dict[str, object]) -> None:
    found = client_settings(values)
    assert len(found.mistakes) == 1
    assert found == ClientSettings(mistakes=found.mistakes)


@pytest.mark.parametrize(
    "shown",
    [
        json.loads(configuration("Zed", "json"))["lsp"]["celvet"]["initialization_options"],
        tomllib.loads(configuration("Helix", "toml"))["language-server"]["celvet"]["config"][
            "celvet"
        ],
    ],
)
def test_what_the_manual_shows(shown: object) -> None:
    assert client_settings(shown) == ClientSettings(delay=100)


@pytest.mark.parametrize("values", [None, [], "x", {}])
def test_nothing_is_reported(values: object) -> None:
    assert client_settings(values) == ClientSettings()


def test_the_nearest_file_counts_and_the_client_over_it(tmp_path: Path) -> None:
    (tmp_path / ".celvet.yaml").write_text(
        "rules: {missing-failed: off, cel-type: off}\nmin-severity: error\n", encoding="utf-8"
    )
    configuration = Configuration()
    configuration.configure(client_settings({"rules": {"cel-type": "info"}}))
    found = configuration.of(tmp_path / "below" / "f.yaml")
    assert found.settings.severities == {"missing-failed": None, "cel-type": Severity.INFO}
    assert found.minimum is Severity.ERROR
    assert configuration.of(tmp_path / "g.yaml") is found


def test_the_client_names_a_file(tmp_path: Path) -> None:
    (tmp_path / "own.yaml").write_text("min-severity: error\n", encoding="utf-8")
    configuration = Configuration()
    configuration.root = tmp_path
    configuration.configure(client_settings({"config": "own.yaml"}))
    assert configuration.of(Path("/elsewhere/f.yaml")).minimum is Severity.ERROR


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    configuration = Configuration()
    assert configuration.of(tmp_path / "f.yaml").minimum is Severity.INFO
    (tmp_path / ".celvet.yaml").write_text("min-severity: error\n", encoding="utf-8")
    assert configuration.of(tmp_path / "f.yaml").minimum is Severity.ERROR
    (tmp_path / ".celvet.yaml").write_text("min-severity: warning\n", encoding="utf-8")
    assert configuration.of(tmp_path / "f.yaml").minimum is Severity.WARNING


@pytest.mark.parametrize(
    "content",
    [
        "min-severity: high\n",
        "[",
        "schemas: [missing]\n",
        "schema-location: ['{{ .Nothing }}.json']\n",
    ],
)
def test_what_cannot_be_used_is_reported_and_left_aside(tmp_path: Path, content: str) -> None:
    (tmp_path / ".celvet.yaml").write_text(content, encoding="utf-8")
    found = Configuration().of(tmp_path / "f.yaml")
    assert found.problem
    assert found.minimum is Severity.INFO


@pytest.mark.parametrize(
    ("values", "mistakes"),
    [
        (
            {"config": "no.yaml"},
            ["editor settings: `celvet.config` names `no.yaml`, which is not a file"],
        ),
        ({"config": "."}, ["editor settings: `celvet.config` names `.`, which is not a file"]),
        (
            {"crds": ["no", "x" * 5_000, "."]},
            [
                f"editor settings: `celvet.crds` names `{name}`, which does not exist"
                for name in ("no", "x" * 5_000)
            ],
        ),
        ({"crds": ["."], "schema-location": ["default", "./{{.ResourceKind}}.json"]}, []),
    ],
)
def test_what_is_missing_is_reported(
    tmp_path: Path, values: dict[str, object], mistakes: list[str]
) -> None:
    configuration = Configuration()
    configuration.root = tmp_path
    configuration.configure(client_settings({**values, "min-severity": "error"}))
    found = configuration.of(tmp_path / "f.yaml")
    assert list(found.mistakes) == mistakes
    assert found.minimum is Severity.ERROR


def test_a_location_that_cannot_be_meant(tmp_path: Path) -> None:
    configuration = Configuration()
    configuration.root = tmp_path
    configuration.configure(
        client_settings({"schema-location": ["{{.No}}", "no/{{.ResourceKind}}.json"]})
    )
    found = configuration.of(tmp_path / "f.yaml")
    assert ["no `.No`" in found.mistakes[0], "no directory" in found.mistakes[1]] == [True, True]
    assert found.problem == ""


def test_what_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / ".celvet.yaml"
    path.write_text("exclude: [vendor/, '*.gen.yaml', '!own.gen.yaml']\n", encoding="utf-8")
    covered = {
        name: Configuration().of(tmp_path / name).excludes(tmp_path / name)
        for name in ("f.yaml", "vendor/f.yaml", "a/vendor/b/f.yaml", "a.gen.yaml", "own.gen.yaml")
    }
    assert list(covered.values()) == [False, True, True, True, False]
    other = Path("/elsewhere/vendor/f.yaml")
    assert not Configuration().of(tmp_path / "f.yaml").excludes(other)


def test_what_a_thread_makes_of_old_options_does_not_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configuration = Configuration()
    now = client_settings({"rules": {"missing-failed": "off"}})

    def read_while_the_client_changes_its_mind(path: Path | None) -> Config:
        configuration.configure(now)
        return load(path)

    monkeypatch.setattr(
        "celvet.lint.lsp.state.configuration.load", read_while_the_client_changes_its_mind
    )
    assert configuration.of(tmp_path / "f.yaml").settings.severities == {}
    assert configuration.client == now
    assert configuration.of(tmp_path / "f.yaml").settings.severities == {"missing-failed": None}
