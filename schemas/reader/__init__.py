"""Reads a directory of schemas strictly: anything unknown is an error that names the file.

    dialects/<name>.json    how the expressions of a dialect are compiled
    shared/<name>.json      `$defs` that several kinds refer to
    <system>/<Kind>.json    one kind
    kinds/                  what kinds of objects under check mean, see `celvet.schemas.kind_files`

`README.md` and names that begin with a dot are ignored.
"""

from __future__ import annotations

from celvet.schemas.reader.directory import read_dialects, read_kinds

__all__ = ["read_dialects", "read_kinds"]
