"""The dialects that the tables in this folder name."""

from __future__ import annotations

import json
from pathlib import Path

from celvet import schemas
from celvet.schemas.dialect import Dialect

_DIALECTS = Path(schemas.__file__).parent / "dialects"


def dialect(name: str) -> Dialect:
    """A dialect as it is shipped; `health` and `ready` are Flux's."""
    content = json.loads((_DIALECTS / f"flux-{name}.json").read_text(encoding="utf-8"))
    return Dialect.from_json(f"flux-{name}", content)


HEALTH = dialect("health")
READY = dialect("ready")
DIALECTS = {"health": HEALTH, "ready": READY}
