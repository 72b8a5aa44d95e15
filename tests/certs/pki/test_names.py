from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from celvet.certs.pki.names import Names
from tests.tables import read_table

CASES = read_table(Path(__file__).parent / "names.yaml")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_parse(case: dict[str, Any]) -> None:
    if "error" in case:
        with pytest.raises(ValueError) as caught:  # noqa: PT011 - the whole text is compared
            Names.parse(case.get("dns", ()), case.get("ips", ()))
        assert str(caught.value) == case["error"]
    else:
        names = Names.parse(case.get("dns", ()), case.get("ips", ()))
        assert list(names.texts) == case["texts"]


def test_a_label_may_have_63_characters_and_a_name_253() -> None:
    label = "x" * 63
    longest = ".".join([label, label, label, "x" * 61])
    assert Names.parse([longest]).dns == (longest,)
    for wrong in (longest + "x", label + "x.svc"):
        with pytest.raises(ValueError, match="is not a DNS name"):
            Names.parse([wrong])


def test_a_name_too_long_for_a_subject_is_passed_over() -> None:
    long = f"{'s' * 60}.{'n' * 60}.svc"
    assert Names.parse([long]).common_name() is None
    assert Names.parse([long, "short.svc"]).common_name() == "short.svc"


def test_missing() -> None:
    one, two = Names.parse(["a", "b"], ["::1"]), Names.parse(["b", "c"])
    assert one.missing_in(two) == ("a", "::1")


def test_the_name_of_a_service() -> None:
    assert Names.of_service("webhook", "celvet").texts == ("webhook.celvet.svc",)
