"""The cel-go version of a controller, by the release of the product that includes it.

`controllers/<name>.json` lists each change of its cel-go: the first `release` of the controller
with it, as the file `path` in `repository` says, and `since`, the corresponding release of the
product. `inferred` is the controller of whose release nobody could read that file. The product is
the `target` of settings and has a `title` in messages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from celvet.record import record
from celvet.schemas.cel_go import numbers

_DIRECTORY = Path(__file__).parent / "controllers"


@record
class ControllerRelease:
    """From the release `since` of its product on, the controller has this cel-go.

    `inferred` is the controller for which this is a conclusion from others of the release.
    """

    since: str
    release: str
    cel_go: str
    inferred: str = ""


@record
class Controller:
    """A controller; its releases are in order, the oldest first."""

    name: str
    target: str
    title: str
    repository: str
    path: str
    releases: tuple[ControllerRelease, ...]

    def cel_go(self, version: str = "") -> str:
        """The cel-go in a version of the product, by default in the newest."""
        if not version:
            return self.releases[-1].cel_go
        releases = [
            release for release in self.releases if numbers(release.since) <= numbers(version)
        ]
        return (releases or self.releases)[-1 if releases else 0].cel_go


@cache
def controllers() -> Mapping[str, Controller]:
    """All controllers whose releases are known, by name."""
    return {file.stem: _read(file) for file in sorted(_DIRECTORY.glob("*.json"))}


def _read(file: Path) -> Controller:
    content = json.loads(file.read_bytes())
    releases = tuple(
        ControllerRelease(
            release["since"], release["release"], release["celGo"], release.get("inferred", "")
        )
        for release in content["releases"]
    )
    texts = {key: content[key] for key in ("target", "title", "repository", "path")}
    return Controller(file.stem, **texts, releases=releases)
