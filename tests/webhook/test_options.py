"""The options of `celvet serve`: addresses."""

from __future__ import annotations

import pytest

from celvet.webhook.options import parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:0", ("127.0.0.1", 0)),
        ("localhost:65535", ("localhost", 65535)),
        ("[::1]:8080", ("::1", 8080)),
        (":8080", ("", 8080)),
    ],
)
def test_addresses(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        *("x", "", ":", "x:", "x:65536", "x:-1", "x:+1", "x:1e3", "x:1_0", "x: 1"),
        *(":٨٠٨٠", "x:²", f"x:{'9' * 5000}"),
        *("[::1:8123", "::1]:8123", "::1:8123", "[x]:1", "[[::1]]:1", "[]:1"),
        *("a" * 100 + ":81", "..:81"),
    ],
)
def test_invalid_addresses(text: str) -> None:
    with pytest.raises(ValueError, match="is not "):
        parse_address(text)
