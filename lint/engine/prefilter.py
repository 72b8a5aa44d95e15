"""Decides from the bytes of a file whether it may hold an object of a known kind."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from celvet import schemas
from celvet.lint.manifest.objects import health_scripts, kubectl_waits
from celvet.lint.manifest.source import byte_search


def may_concern(data: bytes | str, extra: tuple[Path, ...] = (), name: str = "") -> bool:
    """Whether a file may hold an object, or a patch, of a known kind, or a script.

    A wrong True costs a parse; False is never wrong. `extra` are directories of
    further kinds.
    """
    if name.endswith(health_scripts.FILE):
        return True
    raw = data.encode(errors="replace") if isinstance(data, str) else data
    return byte_search.may_hold(raw, words(extra))


def asking_words(data: bytes, extra: tuple[Path, ...] = ()) -> int:
    """How many words of a file make it likely that rules ask for the repository around it.

    They do for objects that apply files and for objects with checks, by the names of their fields.
    """
    return sum(data.find(word) >= 0 for word in _asking(extra))


@lru_cache(maxsize=8)
def _asking(extra: tuple[Path, ...]) -> tuple[bytes, ...]:
    from celvet.schemas.applier import appliers  # reads a file

    catalog = schemas.load(extra)
    fields = {*catalog.words} - {kind.group for kind in catalog.kinds}
    return byte_search.words(fields | {applier.group for applier in appliers()})


@lru_cache(maxsize=8)
def words(extra: tuple[Path, ...] = ()) -> tuple[bytes, ...]:
    """Words, at least one of which is in every file with an object of a known kind or a script."""
    script_words = (*health_scripts.WORDS, *kubectl_waits.WORDS)
    return byte_search.words((*schemas.load(extra).words, *script_words))
