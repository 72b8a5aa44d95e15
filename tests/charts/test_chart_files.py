"""The chart's own files, without helm."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from celvet import __version__, schemas
from tests.charts.rendering import CHART, VALUES
from tests.tables import read_table

_ROOT = CHART.parents[1]
_DEFAULTS: dict[str, Any] = read_table(CHART / "values.yaml")
_SCHEMA: dict[str, Any] = json.loads((CHART / "values.schema.json").read_text())


def test_the_chart_has_the_version_of_celvet() -> None:
    chart = read_table(CHART / "Chart.yaml")
    assert chart["version"] == chart["appVersion"] == __version__


def test_the_schema_knows_the_values_and_no_others() -> None:
    assert set(_keys(_DEFAULTS, _SCHEMA)) == set()
    jsonschema.validate(_DEFAULTS, _SCHEMA)


@pytest.mark.parametrize("name", VALUES)
def test_the_schema_takes_every_set_of_values(name: str) -> None:
    assert not [*jsonschema.Draft7Validator(_SCHEMA).iter_errors(VALUES[name])]


def test_no_template_makes_a_certificate() -> None:
    """A certificate made as a template is rendered would change with each upgrade."""
    texts = [path.read_text() for path in (CHART / "templates").rglob("*") if path.is_file()]
    assert not [text for text in texts if re.search(r"\bgen(CA|Signed|SelfSigned)", text)]


def test_nothing_but_spec_is_judged() -> None:
    """The condition `more-than-metadata-changes` compares `spec` alone."""
    sites = schemas.sites_table(schemas.load().kinds)
    assert {site.pattern.split(".")[0] for site in sites if site.kind.plural} == {"spec"}


def test_every_dependency_of_the_image_is_pinned() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text())["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["webhook"]]
    requirements = _lines(_ROOT / ".github" / "requirements" / "webhook.txt")
    pinned = [line for line in requirements if "==" in line]
    assert {_project(line) for line in wanted} <= {_project(line) for line in pinned}
    assert all(hashed.startswith("    --hash=") for hashed in _after(pinned, requirements))
    assert all("@sha256:" in line for line in _lines(_ROOT / "Dockerfile") if "BASE=" in line)


def _after(lines: Iterable[str], text: list[str]) -> list[str]:
    """The line behind each of some lines of a text."""
    return [text[text.index(line) + 1] for line in lines]


def _project(requirement: str) -> str:
    """The name of a requirement, in the form that package indexes compare."""
    return re.split(r"[<>=~!]", requirement)[0].lower().replace("_", "-")


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _keys(values: dict[str, Any], schema: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """The keys that only one of the two has, if the schema names them."""
    known = schema.get("properties", {})
    if not known or not values:
        return
    yield from (f"{prefix}{key}" for key in values.keys() ^ (known.keys() - {"global"}))
    for key in values.keys() & known.keys():
        if isinstance(values[key], dict):
            yield from _keys(values[key], known[key], f"{prefix}{key}.")
