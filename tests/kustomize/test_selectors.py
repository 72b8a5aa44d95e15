"""Python matches simple patterns of a target, with the same result as Go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.gotemplate.limits import Meter, TemplateLimits
from celvet.lint.gotemplate.regexps.regex import Regex, RegexError
from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.resource import Resource
from celvet.lint.kustomize.selectors import selector


@given(
    st.text("ab.|()*+-", min_size=1, max_size=12), st.lists(st.text("ab-", max_size=6), max_size=5)
)
def test_a_pattern_selects_what_go_matches(pattern: str, names: list[str]) -> None:
    try:
        regex = Regex(f"^(?:{pattern})$", Meter(TemplateLimits(steps=1_000_000)))
    except RegexError:
        with pytest.raises(KustomizeError):
            selector({"name": pattern})
        return
    wanted = selector({"name": pattern})
    for name in names:
        selected = wanted.selects(Resource({"metadata": {"name": name}}))
        assert selected is (regex.search(name) is not None), name
