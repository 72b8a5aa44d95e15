from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from celvet.lint.config.check import mistakes, read_schema
from celvet.lint.config.table import ConfigError
from celvet.webhook.decide.policy import Mode
from celvet.webhook.decide.policy_file import SCHEMA, PolicyFile, parse
from tests.tables import read_table

TABLE = read_table(Path(__file__).with_name("policies.yaml"))


@pytest.mark.parametrize("case", TABLE, ids=lambda case: case["name"])
def test_policies(case: dict[str, Any]) -> None:
    content = case["file"] if "file" in case else case["repeat"] * 5000
    if "says" in case:
        with pytest.raises(ConfigError) as caught:
            parse(content.encode(), Mode.DENY, Path("policy.yaml"))
        assert str(caught.value).startswith("policy.yaml:")
        assert case["says"] in str(caught.value)
        return
    option = Mode[case.get("option", "deny").upper()]
    policy = parse(content.encode(), option, Path("policy.yaml"))
    modes = {place: str(policy.mode(*place.split(" "))) for place in case["modes"]}
    assert modes == {place: str(mode or "off") for place, mode in case["modes"].items()}
    for place, mode in modes.items():
        rule, namespace = place.split(" ")
        assert (rule in policy.off(namespace)) is (mode == "off")


def test_a_change_counts_and_a_mistake_does_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    path = tmp_path / "policy.yaml"
    path.write_text("enforce: warn")
    file = PolicyFile(path, Mode.DENY)
    assert file.policy.enforce is Mode.WARN
    path.write_text("enforce: audit")
    file.reload()
    assert file.policy.enforce is Mode.AUDIT
    for mistake in ("enforce: nothing", "{"):
        path.write_text(mistake)
        file.reload()
        assert file.policy.enforce is Mode.AUDIT
    path.unlink()
    file.reload()
    assert file.policy.enforce is Mode.AUDIT
    assert sum("stays in force" in each for each in caplog.messages) == 3
    path.write_text("")
    file.reload()
    assert file.policy.enforce is Mode.DENY


def test_an_unchanged_mistake_is_logged_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text("{}")
    file = PolicyFile(path, Mode.DENY)
    path.write_text("{")
    for _ in range(3):
        file.reload()
    assert len(caplog.messages) == 1


def test_a_missing_file_is_logged_once_for_each_change(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    path = tmp_path / "policy.yaml"
    path.write_text("enforce: warn")
    file = PolicyFile(path, Mode.DENY)

    def messages() -> list[str]:
        caplog.clear()
        for _ in range(3):
            file.reload()
        return caplog.messages

    assert messages() == []
    path.unlink()
    assert ["cannot read" in each for each in messages()] == [True]
    path.write_text("enforce: warn")
    assert len(messages()) == 1
    path.unlink()
    assert ["cannot read" in each for each in messages()] == [True]
    path.write_text("{")
    assert ["did not find expected node content" in each for each in messages()] == [True]
    path.unlink()
    path.mkdir()
    assert ["directory" in each for each in messages()] == [True]
    assert file.policy.enforce is Mode.WARN


@given(
    st.text(alphabet="abe{}[]:!&*'\"\n -,<?|enforcultdymsb", max_size=30) | st.binary(max_size=30)
)
def test_any_content_is_a_policy_or_one_clear_error(content: str | bytes) -> None:
    data = content if isinstance(content, bytes) else content.encode()
    refused = ""
    try:
        parse(data, Mode.DENY, Path("policy"))
    except ConfigError as error:
        refused = str(error)
    assert re.fullmatch(r"(policy(:\d+)?: \S.*)?", refused)


_RULES = st.dictionaries(
    st.sampled_from(["cel-type", "cel-typ"]), st.sampled_from(["off", "deny", "of", False, True, 0])
)
_PARTS = {
    "enforce": st.sampled_from(["deny", "off", False, 1]),
    "rules": _RULES | st.none(),
    "match": st.sampled_from(["team-*", "", 1]),
}
_NAMESPACES = st.lists(st.fixed_dictionaries({}, optional=_PARTS) | st.none(), max_size=2)
_POLICIES = st.fixed_dictionaries({}, optional={**_PARTS, "namespaces": _NAMESPACES})


@given(_POLICIES)
def test_it_allows_what_the_schema_allows(value: dict[str, Any]) -> None:
    schema = read_schema(SCHEMA)
    assert (not list(mistakes(value, schema))) == Draft202012Validator(schema).is_valid(value)


def test_a_missing_file_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot read"):
        PolicyFile(tmp_path / "none", Mode.DENY)


def test_a_device_is_not_read() -> None:
    with pytest.raises(ConfigError, match="cannot read `/dev/zero`: `zero` is not a regular file"):
        PolicyFile(Path("/dev/zero"), Mode.DENY)


def test_no_file() -> None:
    file = PolicyFile(None, Mode.AUDIT)
    file.reload()
    assert file.policy.mode("cel-syntax", "a") is Mode.AUDIT


def test_a_mounted_file_changes_when_its_link_does(tmp_path: Path) -> None:
    """As the kubelet updates a ConfigMap: all files at once, by the link `..data`."""
    for version in ("warn", "audit"):
        (tmp_path / version).mkdir()
        (tmp_path / version / "policy.yaml").write_text(f"enforce: {version}")
    (tmp_path / "..data").symlink_to("warn")
    (tmp_path / "policy.yaml").symlink_to("..data/policy.yaml")
    file = PolicyFile(tmp_path / "policy.yaml", Mode.DENY)
    (tmp_path / "..new").symlink_to("audit")
    (tmp_path / "..new").replace(tmp_path / "..data")
    assert file.reload()
    assert file.policy.mode("cel-syntax", "a") is Mode.AUDIT


def test_a_last_good_policy_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot read `[^`]*/none`"):
        PolicyFile(tmp_path / "none", Mode.DENY, last_good=tmp_path)
