"""The events of one document from libyaml, or from PyYAML's own parser without it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml

# The loader classes are parsers too; only that side of them is used here.
_PARSER: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def events(text: str) -> Iterator[Any]:
    """Yield the parser's events one by one; marks count code points of `text`.

    The parser is asked for an event only when the caller wants one: a caller
    that stops at a depth of its choice spares libyaml a run that takes time
    with the square of the depth (100,000 open brackets: 26 s).

    Raises:
        yaml.YAMLError: where the text is no YAML.

    """
    parser = _PARSER(text)
    try:
        while parser.check_event():
            yield parser.get_event()
    finally:
        parser.dispose()
