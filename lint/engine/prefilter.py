"""Tells by its bytes that a file cannot hold anything of ours."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from celvet import schemas
from celvet.lint.manifest.source import prefilter as byte_filter


def may_concern(data: bytes | str, extra: tuple[Path, ...] = ()) -> bool:
    """Whether a file may hold a kind, or a patch, with expressions.

    True costs a parse, False must never be wrong; `extra` are directories of
    further kinds.
    """
    raw = data.encode(errors="replace") if isinstance(data, str) else data
    return byte_filter.may_hold(raw, words(extra))


@lru_cache(maxsize=8)
def words(extra: tuple[Path, ...] = ()) -> tuple[bytes, ...]:
    """Texts of which one stands in every file that holds something of ours."""
    return byte_filter.words(schemas.load(extra).words)
