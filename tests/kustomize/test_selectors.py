"""Python matches simple patterns of a target, with the same result as Go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.go.regexp.regex import Regex, RegexError
from celvet.lint.go.step_meter import StepMeter
from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.resource import Resource
from celvet.lint.kustomize.selectors import selector


@given(
    st.text("ab.|()*+-", min_size=1, max_size=12), st.lists(st.text("ab-", max_size=6), max_size=5)
)
def test_a_pattern_selects_what_go_matches(pattern: str, names: list[str]) -> None:
    meter = StepMeter("it", 1_000_000)
    try:
        regex = Regex(f"^(?:{pattern})$", meter)
    except RegexError:
        with pytest.raises(KustomizeError):
            selector({"name": pattern})
        return
    wanted = selector({"name": pattern})
    for name in names:
        selected = wanted.selects(Resource({"metadata": {"name": name}}))
        assert selected is (regex.search(name, meter) is not None), name


@pytest.mark.parametrize(
    "pattern", [r"\p{Greek}+", "(" * 200 + "a" + ")" * 200, "a{1000}" * 12], ids=len
)
def test_a_pattern_that_cannot_be_matched_here_is_said_to_be_so(pattern: str) -> None:
    with pytest.raises(KustomizeError, match="celvet cannot match the expression of a target"):
        selector({"name": pattern})


@pytest.mark.slow
def test_a_pattern_that_was_matched_often_is_matched_again() -> None:
    wanted = selector({"name": "[a-z]+(x|y)*"})
    resource = Resource({"metadata": {"name": "a" * 253}})
    assert all(wanted.selects(resource) for _ in range(500))
