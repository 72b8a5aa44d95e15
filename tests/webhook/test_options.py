"""The options of `celvet serve`: addresses, and JSON for the workers."""

from __future__ import annotations

import pytest

from celvet.webhook.options import ServeOptions, parse_address


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


def test_options_survive_json() -> None:
    options = ServeOptions(schemas=("a", "b"), workers=3, shutdown_delay=0.5)
    assert ServeOptions.from_json(options.to_json()) == options
