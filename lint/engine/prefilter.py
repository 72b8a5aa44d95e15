"""Decides from the bytes of a file whether it may hold an object of a known kind."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from celvet import schemas
from celvet.lint.manifest.source import prefilter as byte_filter


def may_concern(data: bytes | str, extra: tuple[Path, ...] = ()) -> bool:
    """Whether a file may hold an object, or a patch, of a known kind.

    A wrong True costs a parse; False is never wrong. `extra` are directories of
    further kinds.
    """
    raw = data.encode(errors="replace") if isinstance(data, str) else data
    return byte_filter.may_hold(raw, words(extra))


@lru_cache(maxsize=8)
def words(extra: tuple[Path, ...] = ()) -> tuple[bytes, ...]:
    """Texts, at least one of which is in every file that holds an object of a known kind."""
    return byte_filter.words(schemas.load(extra).words)
