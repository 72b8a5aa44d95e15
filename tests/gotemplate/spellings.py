"""Writes the ASCII spellings of `slugify`: `python -m tests.gotemplate.spellings TABLE`.

TABLE is `table.txt` of gosimple/unidecode v1.0.1.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

from celvet.lint.gotemplate.functions.slugs import SPELLINGS, authorized

_HEADER = """\
# How slugify spells the characters: a block of 256 on each line, after its number.
# Made by tests/gotemplate/spellings.py from table.txt of github.com/gosimple/unidecode v1.0.1,
# Copyright 2014 Rainy Cape S.L., Apache License 2.0. Changed: in lower case, with a dash for what
# a slug may not have.
"""
_BLOCK = 256


def main(table: str) -> None:
    """Write the file."""
    spellings: dict[int, str] = {}
    for line in Path(table).read_text(encoding="utf-8").splitlines():
        number, colon, text = line.partition(": ")
        if colon and number.startswith("0x"):
            spellings[int(number, 16)] = authorized(ast.literal_eval(text))
    lines = [_HEADER]
    for block in range(0x100):
        words = [spellings.get(block * _BLOCK + at, "") for at in range(_BLOCK)]
        if any(words):
            lines.append(f"{block:02x} {' '.join(words)}".rstrip() + "\n")
    SPELLINGS.write_text("".join(lines), encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1])
