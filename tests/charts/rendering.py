"""Renders the chart with helm, if helm is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from tests import libyaml
from tests.tables import read_table

CHART = Path(__file__).resolve().parents[2] / "charts" / "celvet"
VALUES: dict[str, dict[str, Any]] = read_table(Path(__file__).parent / "values.yaml")
BUILT = os.environ.get("CELVET_E2E_CACHE", str(Path.home() / ".cache" / "celvet-e2e"))
HELM = shutil.which("helm", path=os.pathsep.join([BUILT, os.environ.get("PATH", "")]))
_KUBERNETES = "1.30.0"


class RefusedError(Exception):
    """Helm's message about values that the chart refuses."""


def render(values: dict[str, Any]) -> list[dict[str, Any]]:
    """The objects of a release `celvet` in the namespace `gitops`; raises `RefusedError`."""
    command = [str(HELM), "template", "celvet", str(CHART), "--namespace", "gitops"]
    command += ["--kube-version", _KUBERNETES, "--values", "-"]
    given = libyaml.dump(values)
    run = subprocess.run(command, check=False, input=given, capture_output=True, encoding="utf-8")
    if run.returncode:
        raise RefusedError(run.stderr)
    return [each for each in libyaml.load_all(run.stdout) if each]


def only(objects: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    """The one object of a kind."""
    [found] = [each for each in objects if each["kind"] == kind]
    return found
