"""Building: templates, steps, exclusion, duplicates, common metadata, and the way back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.gotemplate.formats.yaml_text import placed_yaml, to_yaml
from celvet.lint.gotemplate.template_limits import Meter, TemplateLimits
from celvet.lint.resourceset import BuildError, LocatedText, StepBudget, build, combine
from celvet.lint.resourceset.documents import read_value
from tests.conformance.resourceset import MODES
from tests.conformance.run import run_file
from tests.properties import sample
from tests.tables import read_table

DOCUMENTED = read_table(Path(__file__).parent / "documented.yaml")
VECTORS = Path(__file__).parents[1] / "conformance" / "resourceset.jsonl"


def config_map(name: str, **more: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, **more}


def built(inputs: list[dict[str, Any]] | None = None, **spec: Any) -> list[list[Any]]:
    steps = build({"spec": spec}, inputs or [])
    return [[entry.value for entry in step.objects] for step in steps]


def refused(inputs: list[dict[str, Any]] | None = None, **spec: Any) -> BuildError:
    with pytest.raises(BuildError) as caught:
        built(inputs, **spec)
    return caught.value


def test_resources_are_built_for_each_input_set() -> None:
    resource = config_map("<< inputs.name >>", data={"n": "<< inputs.n >>"})
    objects = built([{"name": "a", "n": 1}, {"name": "b", "n": "x"}], resources=[resource])
    assert objects == [[config_map("a", data={"n": 1}), config_map("b", data={"n": "x"})]]


def test_duplicates_are_left_out_and_resources_come_first() -> None:
    text = "<< range until 2 >>---\n<< toYaml inputs.object >><< end >>"
    objects = built(
        [{"object": config_map("a", data=2)}, {"object": config_map("b")}],
        resources=[config_map("a", data=1)],
        resourcesTemplate=text,
    )
    assert objects == [[config_map("a", data=1), config_map("b")]]


def test_the_version_makes_no_difference_but_the_group_does() -> None:
    versions = ["apps/v1", "apps/v2", "x/v1"]
    resources = [{**config_map("a"), "apiVersion": version} for version in versions]
    assert [o["apiVersion"] for o in built([{}], resources=resources)[0]] == ["apps/v1", "x/v1"]


def test_without_inputs_resources_are_taken_as_they_are() -> None:
    resource = config_map("a")
    assert built(resources=[resource, resource]) == [[resource, resource]]


def test_an_annotation_excludes_an_object() -> None:
    value = '<< if eq inputs.name "a" >>enabled<< else >>disabled<< end >>'
    resource = config_map("<< inputs.name >>")
    resource["metadata"]["annotations"] = {"fluxcd.controlplane.io/reconcile": value}
    objects = built([{"name": "a"}, {"name": "b"}], resources=[resource])
    assert [entry["metadata"]["name"] for entry in objects[0]] == ["a"]


def test_what_is_not_an_object_is_left_out_of_a_template() -> None:
    text = "kind: X\n---\n# nothing\n---\n" + json.dumps(config_map("a")) + "\n---\n"
    text += "apiVersion: kustomize.config.k8s.io/v1\nkind: Kustomization\nmetadata: {name: k}\n"
    assert built(resourcesTemplate=text) == [[config_map("a")]]


def test_lists_are_taken_apart() -> None:
    items = [config_map("a"), config_map("b")]
    value = {"apiVersion": "v1", "kind": "List", "items": items}
    assert built(resourcesTemplate=to_yaml(value, Meter(TemplateLimits()))) == [items]


def test_steps_keep_their_order_and_an_empty_one_stays() -> None:
    steps = [
        {"name": "one", "resources": [config_map("a")]},
        {"name": "two", "resourcesTemplate": "\n"},
    ]
    result = build({"spec": {"steps": steps}}, [])
    assert [(step.name, len(step.objects)) for step in result] == [("one", 1), ("two", 0)]


def test_common_metadata_replaces_and_adds() -> None:
    resource = config_map("a")
    resource["metadata"]["labels"] = {"x": "old", "y": None}
    common = {"labels": {"x": "new"}, "annotations": {"z": "1"}}
    objects = built(resources=[resource], commonMetadata=common)
    metadata = {"name": "a", "labels": {"x": "new", "y": ""}, "annotations": {"z": "1"}}
    assert objects == [[config_map("a") | {"metadata": metadata}]]


def test_providers_without_inputs_build_nothing() -> None:
    assert built(resources=[config_map("a")], inputsFrom=[{"selector": {}}]) == []


def test_what_the_operator_refuses_before_it_renders() -> None:
    step = {"name": "s", "resources": [config_map("a")]}
    assert "mutually exclusive" in str(refused(steps=[step], resourcesTemplate="x"))
    expected = 'step "s": at least one of resources or resourcesTemplate must be set'
    assert str(refused(steps=[{"name": "s"}])) == expected


def test_a_duplicate_across_steps_is_refused() -> None:
    steps = [{"name": name, "resources": [config_map("a")]} for name in ("s", "t")]
    error = refused(steps=steps)
    expected = 'duplicate resource ConfigMap/a in step "t", already defined in step "s"'
    assert str(error) == expected
    assert error.origin is not None
    assert error.origin.where == ("spec", "steps", 1, "resources", 0)


_MANY = "\n---\n".join(to_yaml(config_map(f"a{n}"), Meter(TemplateLimits())) for n in range(90))


@pytest.mark.parametrize(
    "spec", [{"resources": [config_map("a")] * 30}, {"resourcesTemplate": _MANY}]
)
def test_builds_that_repeat_themselves_count(spec: dict[str, Any]) -> None:
    """What is read once is executed for each input set, and each of its objects looked up."""
    assert build({"spec": spec}, [{}] * 20, budget=StepBudget(25_000))
    with pytest.raises(BuildError) as caught:
        build({"spec": spec}, [{}] * 500, budget=StepBudget(25_000))
    assert caught.value.reason == "all builds of the ResourceSet take more than 25000 steps"


def test_a_broken_template_is_located_in_the_resource_set() -> None:
    resource = config_map("a", data={"k: 1": "line\n  é << inputs.gone >>"})
    error = refused([{}], resources=[resource])
    assert str(error).startswith("failed to build resources[0]: failed to execute template: ")
    assert error.template_error is not None
    assert error.origin is not None
    located = error.origin.locate(error.template_error.span.start)
    where = ("spec", "resources", 0, "data", "k: 1")
    assert located == LocatedText(where, False, 12)


def test_a_text_that_is_not_yaml_names_its_line() -> None:
    error = refused([{"a": "b: c"}], resourcesTemplate="a:\n  x: << inputs.a >>\n")
    assert str(error) == (
        "failed to build resources: failed to read objects from multi-doc YAML: error converting "
        "YAML to JSON: yaml: line 2: mapping values are not allowed in this context"
    )
    assert error.line == 2
    assert error.origin is not None
    assert error.origin.locate(5) == LocatedText(("spec", "resourcesTemplate"), False, 5)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab \n:'\"\té#-", max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text("ab \n'\"é1:", max_size=9), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("xyz"), VALUES, max_size=3))
def test_every_character_of_a_value_has_its_place(value: dict[str, Any]) -> None:
    text, places = placed_yaml(value, Meter(TemplateLimits()))
    assert read_value(text) == value
    for place in places:
        found: Any = value
        for key in place.path[:-1]:
            found = found[key]
        found = place.path[-1] if place.is_key else found[place.path[-1]]
        if not isinstance(found, str):
            continue
        assert len(place.offsets) == len(found) + 1
        for char, offset in zip(found, place.offsets, strict=False):
            assert text[offset] == char or text[offset] in "\\'\n", (text, place)


@pytest.mark.parametrize("case", DOCUMENTED, ids=lambda case: case["name"])
def test_what_the_reference_describes(case: dict[str, Any]) -> None:
    resource_set = {"kind": "ResourceSet", "metadata": {"name": "a"}, "spec": case["spec"]}
    (step,) = build(resource_set, combine(resource_set))
    assert [entry.value for entry in step.objects] == case["objects"]


def test_the_operator_answers_the_same() -> None:
    score = run_file(VECTORS, sample)
    assert score.wrong == []
    assert score.total >= len(sample(range(1163)))


def test_the_operator_gives_the_same_errors() -> None:
    for record in sample(VECTORS.read_text(encoding="utf-8").splitlines()[1:]):
        vector = json.loads(record)
        if error := vector["want"].get("error"):
            message = MODES["rset"](vector, vector["object"]).message
            # Long errors are cut off in the vectors.
            assert _LINE.sub("", message).startswith(_LINE.sub("", error)), vector["id"]
            # go-yaml counts the lines of a parser's errors from 0, and those of a scanner's from 1.
            for line, operator_line in zip(_lines(message), _lines(error), strict=False):
                assert line - operator_line in (0, 1), vector["id"]


_LINE = re.compile(r"(?<=yaml: line )[0-9]+")


def _lines(message: str) -> list[int]:
    return [int(line) for line in _LINE.findall(message)]
