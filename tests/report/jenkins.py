"""What Jenkins takes of JUnit's XML: the part of its xUnit plugin's junit-10.xsd that is used."""

from __future__ import annotations

import re
from xml.etree import ElementTree as Xml

_ATTRIBUTES = {
    "testsuites": {"name", "time", "tests", "failures", "errors"},
    "testsuite": {"name", "tests", "failures", "errors", "skipped", "time", "file"},
    "testcase": {"name", "time", "classname"},
    "failure": {"type", "message"},
    "error": {"type", "message"},
    "skipped": {"type", "message"},
}
"""What the elements may have."""

_DEMANDED = {"testsuite": {"name", "tests", "failures", "errors"}, "testcase": {"name"}}
_TIME = re.compile(r"\d{1,3}(\.\d{0,3})?")


def check(text: str) -> None:
    """Assert that a document is one that Jenkins takes."""
    for element in Xml.fromstring(text.encode()).iter():
        found = set(element.keys())
        assert _DEMANDED.get(element.tag, set()) <= found <= _ATTRIBUTES[element.tag]
        assert _TIME.fullmatch(element.get("time", "0"))
