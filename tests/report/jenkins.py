"""The JUnit XML that Jenkins accepts: the part of its xUnit plugin's junit-10.xsd that we use."""

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
"""The attributes and children of the elements."""

_DEMANDED = {"testsuite": {"name", "tests", "failures", "errors"}, "testcase": {"name"}}
_TIME = re.compile(r"\d{1,3}(\.\d{0,3})?")


def check(text: str) -> None:
    """Assert that Jenkins accepts a document."""
    for element in Xml.fromstring(text.encode()).iter():
        found = set(element.keys())
        assert _DEMANDED.get(element.tag, set()) <= found <= _ATTRIBUTES[element.tag]
        assert _TIME.fullmatch(element.get("time", "0"))
