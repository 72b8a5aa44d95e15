"""Input sets."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.resourceset import InputSetError, combine
from celvet.lint.resourceset.errors import UnknownInputsError
from celvet.lint.resourceset.inputs import input_id, normalized_name, selects


def resource_set(**spec: Any) -> dict[str, Any]:
    metadata = {"name": "Apps-1", "namespace": "team"}
    return {"kind": "ResourceSet", "metadata": metadata, "spec": spec}


def provider(name: str, values: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "kind": "ResourceSetInputProvider",
        "metadata": {"name": name, "namespace": "team", **more},
        "spec": {"type": "Static", "defaultValues": values},
    }


INLINE = {
    "apiVersion": "fluxcd.controlplane.io/v1",
    "kind": "ResourceSet",
    "name": "Apps-1",
    "namespace": "team",
}


def test_inline_inputs_get_their_provider_and_no_id() -> None:
    inputs = [{"a": 1}, {"a": 2}]
    combined = combine(resource_set(inputs=inputs))
    assert combined == [{"a": 1, "provider": INLINE}, {"a": 2, "provider": INLINE}]
    combined[0]["a"] = 3
    assert inputs[0] == {"a": 1}


def test_providers_follow_by_name_and_come_once() -> None:
    known = [provider("z", {"v": "z"}), provider("b", {"v": "b"}, labels={"x": "1"})]
    known.append({**provider("other", {}), "metadata": {"name": "other", "namespace": "x"}})
    sources = [{"name": "z"}, {"selector": {"matchLabels": {"x": "1"}}}, {"name": "b"}]
    combined = combine(resource_set(inputs=[{"v": "i"}], inputsFrom=sources), known)
    assert [entry["v"] for entry in combined] == ["i", "b", "z"]
    assert combined[1]["id"] == input_id("b")
    assert combined[1]["provider"]["kind"] == "ResourceSetInputProvider"


def test_permuted_inputs_stand_below_their_providers() -> None:
    known = [provider("P-q", {"v": "x"})]
    strategy = {"name": "Permute"}
    spec = {"inputs": [{"a": 1}, {"a": 2}], "inputsFrom": [{"name": "P-q"}]}
    combined = combine(resource_set(**spec, inputStrategy=strategy), known)
    assert [(entry["apps_1"]["a"], entry["p_q"]["v"]) for entry in combined] == [(1, "x"), (2, "x")]
    assert [entry["id"] for entry in combined] == [
        input_id("apps_1=0/p_q=0"),
        input_id("apps_1=1/p_q=0"),
    ]


def test_an_empty_provider_counts_only_if_asked_for() -> None:
    spec = {"inputsFrom": [{"name": "p"}]}
    known = [provider("p", {})]
    strategy: dict[str, Any] = {"name": "Permute"}
    assert len(combine(resource_set(**spec, inputStrategy=strategy), known)) == 1
    strategy["includeEmptyProviders"] = True
    assert combine(resource_set(**spec, inputStrategy=strategy), known) == []


def test_an_input_that_is_null_is_none() -> None:
    """The API server drops it, so a template that reads it fails."""
    spec = {"inputs": [{"a": None, "b": {"c": None}}], "inputsFrom": [{"name": "p"}]}
    first, second = combine(resource_set(**spec), [provider("p", {"a": None, "b": 1})])
    assert first.keys() == {"b", "provider"}
    assert first["b"] == {"c": None}
    assert second.keys() == {"b", "id", "provider"}


def _selecting(operator: str, *values: str) -> dict[str, Any]:
    terms = {"key": "k", "operator": operator, "values": list(values)}
    return {"selector": {"matchExpressions": [terms]}}


@pytest.mark.parametrize(
    ("spec", "known", "message"),
    [
        ({"inputStrategy": {"name": "X"}}, [], "unknown input strategy: 'X'"),
        ({"inputsFrom": [{"name": "p"}]}, [], "failed to get provider team/p: not found"),
        ({"inputsFrom": [{}]}, [], "input provider reference must have either name or selector"),
        (
            {"inputsFrom": [_selecting("X")]},
            [],
            'failed to parse selector: "X" is not a valid label selector operator',
        ),
        (
            {"inputsFrom": [_selecting("Exists", "a", "b")]},
            [],
            'Invalid value: ["a","b"]: values set must be empty for exists and does not exist',
        ),
        (
            {"inputsFrom": [_selecting("NotIn")]},
            [],
            "Invalid value: null: for 'in', 'notin' operators, values set can't be empty",
        ),
        (
            {"inputsFrom": [{"name": "p"}]},
            [{**provider("p", {}), "spec": {"type": "GitHubBranch"}}],
            "unsupported provider type 'GitHubBranch'",
        ),
        (
            {"inputStrategy": {"name": "Permute"}, "inputs": [{}] * 10001},
            [],
            "adding provider 'Apps-1' with 10001 inputs would exceed",
        ),
    ],
)
def test_what_the_operator_refuses(spec: Any, known: Any, message: str) -> None:
    with pytest.raises(InputSetError) as caught:
        combine(resource_set(**spec), known)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            {
                "inputStrategy": {"name": "Permute"},
                "inputs": [{}] * 9000,
                "inputsFrom": [{"name": f"p{n}"} for n in range(200)],
            },
            "9000 permutations of 201 providers are too many for celvet",
        ),
        (
            {"inputsFrom": [{"selector": {"matchLabels": {"a": "b"}}}] * 9000},
            "9000 selectors of 200 providers are too many for celvet",
        ),
    ],
)
def test_what_takes_too_long_counts_as_unknown(spec: Any, message: str) -> None:
    with pytest.raises(UnknownInputsError) as caught:
        combine(resource_set(**spec), [provider(f"p{n}", {"n": n}) for n in range(200)])
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("name", "normalized"), [("My-App", "my_app"), ("a..b", "a_b"), ("É x9", "x9"), ("--", "")]
)
def test_names_are_normalized(name: str, normalized: str) -> None:
    assert normalized_name(name) == normalized


def test_selectors() -> None:
    labels = {"a": "1"}

    def expression(operator: str, key: str, *values: str) -> dict[str, Any]:
        terms = {"key": key, "operator": operator, "values": list(values)}
        return {"matchExpressions": [terms]}

    assert selects({}, labels)
    assert selects({"matchLabels": {"a": "1"}}, labels)
    assert not selects({"matchLabels": {"a": "2"}}, labels)
    assert selects(expression("In", "a", "1", "2"), labels)
    assert not selects(expression("In", "b", "1"), labels)
    assert selects(expression("NotIn", "b", "1"), labels)
    assert selects(expression("Exists", "a"), labels)
    assert not selects(expression("DoesNotExist", "a"), labels)
