import pytest

from celvet.lint.model import GroupKind, ObjectRef
from celvet.lint.safe_text import in_backquotes, one_line
from celvet.lint.values import (
    get,
    group_kind_of,
    list_at,
    mapping_at,
    object_ref_of,
    text_at,
    values_along,
)

VALUE = {"a": [{"b": "text"}, None], "0": "key"}


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ((), VALUE),
        (("a", 0, "b"), "text"),
        (("a", 1), None),
        (("0",), "key"),
        ((0,), "none"),
        (("a", "0"), "none"),
        (("a", -1), "none"),
        (("a", 2), "none"),
        (("a", 0, "b", 0), "none"),
        (("a", 1, "b"), "none"),
        (("b",), "none"),
    ],
)
def test_a_path_leads_to_a_value_or_nowhere(path, found):
    assert get(VALUE, path, "none") == found


def test_what_has_another_type_counts_as_absent():
    assert text_at(VALUE, ("a",)) == ""
    assert list_at(VALUE, ("0",)) == []
    assert mapping_at(VALUE, ("a",)) == {}
    assert mapping_at(VALUE) is VALUE
    assert mapping_at("text") == {}


def test_the_values_along_a_path():
    assert list(values_along(VALUE, ("a", 0, "c", "d"))) == [VALUE["a"], VALUE["a"][0], None, None]


def test_what_names_an_object():
    metadata = {"namespace": 1, "name": "", "generateName": "run-"}
    value = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata}
    assert group_kind_of(value) == GroupKind("apps", "Deployment")
    assert object_ref_of(value) == ObjectRef("apps/v1", "Deployment", "", "run-")
    for odd in (None, [], "text", {"apiVersion": 1, "kind": None, "metadata": []}):
        assert group_kind_of(odd) == GroupKind("", "")
        assert object_ref_of(odd) == ObjectRef()


@pytest.mark.parametrize("version", ["v1", "a/b/v1", "/v1", "/"])
def test_a_version_without_a_group_names_the_core_group(version):
    assert group_kind_of({"apiVersion": version, "kind": "Pod"}) == GroupKind("", "Pod")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (" a \n\t b ", "a b"),
        ("123456789", "123456789"),
        ("1234567890", "1234567890"),
        ("12345678901", "1234567..."),
        ("1 2 3 4 5 6 7 8 9 0 a b c", "1 2 3 4..."),
        ("1234567" + 100 * " ", "1234567"),
        ("", ""),
    ],
)
def test_one_line_of_a_text(text, shown):
    assert one_line(text, 10) == shown


def test_a_quoted_text_has_no_backquotes_of_its_own():
    assert in_backquotes("a `b`\nc") == "`a 'b' c`"
