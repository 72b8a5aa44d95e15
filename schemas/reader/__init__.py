"""Reads a directory of schemas strictly: what is not understood is an error with its file."""

from __future__ import annotations

from celvet.schemas.reader.directory import read_dialects, read_kinds

__all__ = ["read_dialects", "read_kinds"]
