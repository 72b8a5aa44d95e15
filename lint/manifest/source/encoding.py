"""Decodes the bytes of a file."""

from __future__ import annotations

import codecs
from typing import NamedTuple

from celvet.lint.manifest.file_limits import MAX_BYTES
from celvet.lint.manifest.problem import Problem, source_range

# UTF-32 first, since its little-endian mark begins with that of UTF-16
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NAMES = {"utf-8": "UTF-8", "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}


class DecodedFile(NamedTuple):
    """A text, whether it began with a byte order mark, and what was wrong."""

    text: str
    bom: bool
    problem: Problem | None = None


def decode(data: bytes | str) -> DecodedFile:
    """Decode the content of a file, without its byte order mark.

    With a problem, the text is what could be read before it. UTF-16 and UTF-32 need their mark;
    everything else is UTF-8, and a file that contains a NUL is binary.
    """
    if len(data) > MAX_BYTES:
        return DecodedFile("", False, _too_large(len(data)))
    if isinstance(data, str):
        return _decoded_file(data.removeprefix("\ufeff"), data.startswith("\ufeff"))
    mark, encoding = next((pair for pair in _MARKS if data.startswith(pair[0])), (b"", "utf-8"))
    if encoding == "utf-8" and b"\0" in data:
        return DecodedFile("", False, _binary(data.index(b"\0")))
    try:
        return _decoded_file(data[len(mark) :].decode(encoding), bool(mark))
    except UnicodeDecodeError as error:
        return _undecodable(data, len(mark), encoding, error)


def _decoded_file(text: str, bom: bool) -> DecodedFile:
    """Check a text that is already decoded: a lone surrogate cannot be encoded."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        message = f"a lone surrogate at offset {error.start} is not a character"
        problem = Problem("encoding", message, _SAVE, source_range(1, error.start, error.start + 1))
        return DecodedFile(text[: error.start], bom, problem)
    return DecodedFile(text, bom)


def _undecodable(data: bytes, mark: int, encoding: str, error: UnicodeDecodeError) -> DecodedFile:
    offset = mark + error.start
    name = _NAMES.get(encoding, "UTF-32")
    message = f"byte 0x{data[offset]:02X} at offset {offset} is not valid {name}"
    text = data[mark:offset].decode(encoding)
    problem = Problem("encoding", message, _SAVE, source_range(1, len(text), len(text)))
    return DecodedFile(text, bool(mark), problem)


def _binary(offset: int) -> Problem:
    message = f"a NUL byte at offset {offset}: the file is binary, not YAML"
    return Problem("binary", message, "Leave this file out.", source_range(1, 0, 0))


def _too_large(size: int) -> Problem:
    limit = MAX_BYTES // 2**20
    message = f"the file has {size / 2**20:.1f} MiB, more than the {limit} MiB that are read"
    return Problem("too-large", message, "Split the file.", source_range(1, 0, 0))


_SAVE = "Save the file as UTF-8."
