"""The graph of kro: its refusals, the states of its resources, and any value at all."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.checks import check_value
from celvet.lint.controllers import objections
from celvet.schemas import load
from tests.controllers.evaluating import cluster, evaluators
from tests.controllers.values import ANYTHING, objects, one_of, some

_WEB = {
    "id": "web",
    "template": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "${schema.spec.name}"}},
}


def _definition(*resources: Any, **schema: Any) -> Any:
    head = {"apiVersion": "kro.run/v1alpha1", "kind": "ResourceGraphDefinition"}
    whole = {"apiVersion": "v1alpha1", "kind": "App", "spec": {"name": "string"}, **schema}
    return {**head, "spec": {"schema": whole, "resources": [*resources]}}


def _refusals(*resources: Any, **schema: Any) -> list[str]:
    checked = check_value(_definition(*resources, **schema), load())
    return [objection.message for objection in objections(checked)]


def _reading(name: str, text: str) -> dict[str, Any]:
    return {**_WEB, "id": name, "template": {**_WEB["template"], "metadata": {"name": text}}}


@pytest.mark.parametrize(
    ("resources", "words"),
    [
        ([_WEB], ""),
        ([_WEB, _WEB], "two resources have the id `web`"),
        ([{**_WEB, "id": "my-web"}], "not in lowerCamelCase"),
        ([{**_WEB, "id": "self"}], "kro reserves"),
        ([_reading("a", "${b.x}"), _reading("b", "${a.x}")], "in a cycle"),
        ([_reading("a", "${a.x}")], "`a` reads itself"),
        ([_reading("a", "${c.x}")], "no variable `c`"),
        ([_reading("a", "${schema.spec.nam}")], "the object has no field `nam`"),
        ([{**_WEB, "readyWhen": ["${true} "]}], "exactly one expression"),
        ([{**_WEB, "readyWhen": ["${web.status.phase == '}'}"]}], "exactly one expression"),
        ([{**_WEB, "includeWhen": ["${schema.spec.name}"]}], "must be `bool`"),
        ([{**_WEB, "externalRef": _WEB["template"]}], "exactly one of"),
        ([{**_WEB, "forEach": [{"item": "${[1]}"}]}], "kro reserves"),
        ([{**_WEB, "forEach": [{"zone": "${[1]}"}]}], "does not contain `zone`"),
        (
            [{**_WEB, "readyWhen": ["${timestamp(web.metadata.creationTimestamp) != null}"]}],
            "gets a text here",
        ),
    ],
)
def test_what_kro_refuses(resources: list[Any], words: str) -> None:
    refusals = _refusals(*resources)
    assert not refusals if not words else words in " ".join(refusals)


def test_collections_are_lists() -> None:
    metadata = {"name": "${schema.spec.name}-${zone}-${thing.x}"}
    pods = {
        "id": "pods",
        "forEach": [{"zone": "${schema.spec.zones}"}, {"thing": "${schema.spec.things}"}],
        "template": {**_WEB["template"], "metadata": metadata},
    }
    spec = {"name": "string", "zones": "[]string", "things": "[]Thing", "tags": "map[string]string"}
    reader = "${size(pods) > 0 ? pods[0].metadata.name : schema.spec.tags['a']}"
    status = {"count": "${size(pods)}", "names": "${pods.map(p, p.metadata.name)}"}
    types = {"Thing": {"x": "string"}}
    resources = (pods, _reading("web", reader))
    assert _refusals(*resources, spec=spec, types=types, status=status) == []
    [refusal] = _refusals(*resources, spec={**spec, "zones": "string"}, types=types)
    assert refusal == "`forEach` needs a list, and this is of type `string`"


def test_a_graph_that_is_too_large_is_not_checked() -> None:
    texts = ["${web.nope.}"] * 2_001
    assert _refusals({**_WEB, "id": "no_id", "includeWhen": texts}) == []
    deep: Any = "${schema.spec.name}"
    for _ in range(2_000):
        deep = {"a": deep}
    assert _refusals({**_WEB, "id": "no_id", "template": {**_WEB["template"], "spec": deep}}) == []


def test_the_state_of_a_resource() -> None:
    texts = ["${web.status.phase == 'Running'}", "${web.status.n / 0 == 1}"]
    evaluator, whole = evaluators(_definition({**_WEB, "readyWhen": texts}))
    assert evaluator.title == "Pod web"
    pod = {"apiVersion": "v1", "kind": "Pod"}
    states = {
        status: evaluator.evaluate(cluster({"objects": [{**pod, "status": value}]})).status
        for status, value in {
            "absent": {},
            "other": {"phase": "Pending"},
            "error": {"phase": "Running", "n": 1},
        }.items()
    }
    waiting = "WAITING_FOR_READINESS"
    assert states == {"absent": waiting, "other": waiting, "error": "ERROR"}
    assert evaluator.evaluate(cluster({"objects": []})).status == waiting
    # Without an instance, the only resource stands for the definition.
    assert whole.evaluate(cluster({"objects": [pod]})).status == waiting


def test_the_api_server_adds_the_defaults_of_an_instance() -> None:
    fields = {"size": {"cpu": 'string | default="1"'}, "zones": '[]string | default=["a"]'}
    web = _reading("web", "x-${schema.spec.size.cpu}")
    pods = {
        **_PODS,
        "template": {**_WEB["template"], "metadata": {"name": "${schema.spec.name}-${zone}"}},
    }
    whole = evaluators(_definition(web, pods, spec={"name": "string", **fields}))[-1]
    head = {"apiVersion": "kro.run/v1alpha1", "kind": "App", "metadata": {"name": "shop"}}
    pod = {"apiVersion": "v1", "kind": "Pod", "status": {"phase": "Running"}}
    objects = [{**pod, "metadata": {"name": name}} for name in ("x-1", "y-a", "y-b")]
    instance = {**head, "spec": {"name": "y"}}
    assert whole.evaluate(cluster({"objects": [instance, *objects]})).status == "ACTIVE"
    instance = {**head, "spec": {"name": "y", "size": {}, "zones": ["b"]}}
    assert whole.evaluate(cluster({"objects": [instance, *objects]})).status == "ACTIVE"


_TEXTS = one_of(
    "", "${", "${web.status.phase == 'x'}", "${schema.spec.name}", "x${each}y", "${${a}}"
)
_RESOURCE = some(
    {
        "id": one_of("web", "db", "", "self"),
        "template": some(
            {"apiVersion": one_of("v1"), "kind": one_of("Pod"), "metadata": some({"name": _TEXTS})}
        )
        | ANYTHING,
        "externalRef": ANYTHING,
        "readyWhen": st.lists(_TEXTS | ANYTHING, max_size=2),
        "includeWhen": st.lists(_TEXTS | ANYTHING, max_size=2),
        "forEach": st.lists(some({"zone": _TEXTS}) | ANYTHING, max_size=2),
    }
)
_OBJECTS = objects([("v1", "Pod")])


_PODS = {
    "id": "pods",
    "forEach": [{"zone": "${schema.spec.zones}"}],
    "template": {**_WEB["template"], "metadata": {"name": "${web.metadata.name}-${zone}"}},
    "readyWhen": ["${each.status.phase == 'Running'}"],
}


@pytest.mark.parametrize(
    ("spec", "pods", "status", "words"),
    [
        ({"zones": ["a"]}, ["a"], "ACTIVE", "web: SYNCED; pods: SYNCED; extra: SKIPPED"),
        ({"zones": ["a"]}, [], "IN_PROGRESS", "observed 0 but desired 1"),
        ({"zones": ["a", "b"]}, ["a"], "IN_PROGRESS", "observed 1 but desired 2"),
        ({}, [], "IN_PROGRESS", "pods: IN_PROGRESS (template: no such key: zones)"),
        ({"zones": [], "extra": True}, [], "IN_PROGRESS", "extra: WAITING_FOR_READINESS"),
        ({"zones": [], "extra": None}, [], "ERROR", "extra: ERROR (includeWhen: "),
    ],
)
def test_the_state_of_an_instance(spec: Any, pods: list[str], status: str, words: str) -> None:
    extra = {**_reading("extra", "extra"), "includeWhen": ["${schema.spec.extra}"]}
    fields = {"name": "string", "zones": "[]string", "extra": "boolean"}
    declaration = _definition(
        _WEB, _PODS, extra, spec=fields, status={"first": "${pods[0].metadata.name}"}
    )
    whole = evaluators(declaration)[-1]
    head = {"apiVersion": "v1", "kind": "Pod", "status": {"phase": "Running"}}
    fields_given = {"name": "x", "extra": False, **spec}
    instance = {
        "apiVersion": "kro.run/v1alpha1",
        "kind": "App",
        "metadata": {"name": "shop", "namespace": "d"},
        "spec": {key: value for key, value in fields_given.items() if value is not None},
    }
    names = ["x", *(f"x-{pod}" for pod in pods)]
    objects = [instance, *({**head, "metadata": {"name": name}} for name in names)]
    verdict = whole.evaluate(cluster({"objects": objects}))
    assert verdict.status == status
    assert words in verdict.message
    assert whole.applies(instance)
    assert not whole.applies({**head, "kind": "Service"})


@given(
    st.lists(_RESOURCE | ANYTHING, max_size=3), ANYTHING, st.lists(_OBJECTS | ANYTHING, max_size=2)
)
def test_any_graph_has_verdicts(resources: Any, status: Any, found: Any) -> None:
    declaration = _definition(*resources, status=status, types=status)
    assert all(item.message for item in objections(check_value(declaration, load())))
    instance = {"apiVersion": "kro.run/v1alpha1", "kind": "App", "spec": status}
    for evaluator in evaluators(declaration):
        for seen in (found, [*found, instance]):
            assert evaluator.evaluate(cluster({"objects": seen})).status in evaluator.statuses


@pytest.mark.parametrize(
    ("argument", "words"),
    [
        ("{type: 'Good', status: schema.spec.name, reason: 'r', message: 'm'}", ""),
        ("{'type': 'Good', status: 'True'}", "words without quotes"),
        ("{type: 'Good'}", "needs the key `status`"),
        ("{type: 'Good', status: 'True', type: 'Bad'}", "the key `type` twice"),
        ("{type: 'Good', status: 'True', state: 'x'}", "no key `state`"),
        ("schema.spec", "needs a map in braces"),
        ("{type: 'Good', status: 'Yes'}", "`True`, `False` or `Unknown`"),
        ("{type: '', status: 'True'}", "is not empty"),
        ("{type: 'Good', status: web.nope.x ? 'True' : nope}", "no variable `nope`"),
    ],
)
def test_conditions_of_the_status(argument: str, words: str) -> None:
    status = {"conditions": [f"${{runtime.newCondition({argument})}}"]}
    refusals = _refusals(_WEB, status=status)
    assert words in " ".join(refusals)
    assert bool(words) == bool(refusals)


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        (["${runtime.condition(schema, 'Ready').status == 'True'}"], "not of type `bool`"),
        (["${runtime.condition(schema, 'Good')}"], "only `InstanceManaged`"),
        (["${runtime.newCondition({type: 'A', status: 'True'})}"] * 2, "has the type `A` as well"),
        (["${size('x')}"], "not of type `int`"),
        ([1], "a text with an expression"),
        (["x ${1}"], "exactly one expression"),
    ],
)
def test_conditions_that_do_not_fit_together(conditions: list[Any], words: str) -> None:
    assert words in " ".join(_refusals(_WEB, status={"conditions": conditions}))


def test_the_place_in_a_condition_is_that_of_the_text() -> None:
    text = "${runtime.newCondition({type: 'A', status: schema.spec.nam})}"
    checked = check_value(_definition(_WEB, status={"conditions": [text]}), load())
    [objection] = objections(checked)
    assert objection.span is not None
    assert text[objection.span.start : objection.span.end] == "nam"


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("string", ""),
        ('string | default="a b" required=true description="x"', ""),
        ("[]map[string]integer | minItems=1 maxItems=3 listType=atomic", ""),
        ("integer | enum=1,2 default=1", ""),
        ("bool", "no type `bool`"),
        ("", "has no type"),
        ("[]", "no type of its elements"),
        ("map[int]string", "keys of a map"),
        ("map[string]", "no type of its values"),
        ("Loop", "contains itself"),
        ("string | default=a b", "a value with blanks needs quotes"),
        ("string | required", "written `NAME=VALUE`"),
        ("string | needed=true", "no marker `needed`"),
        ("string | required=true, default=x", "needs `true` or `false`, not `true,`"),
        ("integer | default=many", "no value of type `integer`"),
        ("integer | enum=one", "needs integers"),
        ("integer | minLength=2", "does not belong to the type `integer`"),
        ('string | pattern="["', "needs a regular expression"),
        ('string | default="a', "is not closed"),
        ("[]string | default=]", "is not opened"),
        (3, "a text with a type"),
    ],
)
def test_fields_of_the_schema(field: Any, words: str) -> None:
    types = {"Loop": {"next": "Loop"}} if field == "Loop" else {}
    refusals = _refusals(_WEB, spec={"name": "string", "field": field}, types=types)
    assert words in " ".join(refusals)
    assert bool(words) == bool(refusals)


@pytest.mark.parametrize(
    ("template", "schema", "words"),
    [
        ({"metadata": {"name": "a", "labels": {"kro.run/x": "y"}}}, {}, "for itself"),
        ({"kind": "Namespace", "metadata": {"name": "a", "namespace": "b"}}, {}, "no namespace"),
        ({"metadata": {"name": "a"}}, {"scope": "Cluster"}, "needs a namespace"),
        (
            {"metadata": {"name": "a", "namespace": "${schema.metadata.namespace}"}},
            {"scope": "Cluster"},
            "no field `namespace`",
        ),
        ({"metadata": {"name": "${omit()}"}}, {}, "the identity"),
        ({"metadata": {"name": "a"}, "spec": {"x": "${omit()}"}}, {}, "feature gate"),
    ],
)
def test_templates(template: dict[str, Any], schema: dict[str, Any], words: str) -> None:
    resource = {"id": "web", "template": {**_WEB["template"], **template}}
    assert words in " ".join(_refusals(resource, **schema))


def test_omit_is_for_templates() -> None:
    refusals = _refusals({**_WEB, "includeWhen": ["${omit()}"]}, status={"x": "${omit()}"})
    assert sum("only for the fields of a template" in words for words in refusals) == 2


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("boolean", "schema.spec.on", "`on` is optional"),
        ("boolean | default=false", "schema.spec.on", ""),
        ("boolean | required=true", "schema.spec.on", ""),
        ("boolean", "has(schema.spec.on) && schema.spec.on", ""),
        ("boolean", "schema.spec.?on.orValue(false)", ""),
        ({"x": "boolean | default=true"}, "schema.spec.on.x", ""),
        ({"x": "boolean"}, "schema.spec.on.x", "`on` is optional"),
        ("map[string]string | required=true", "schema.metadata.labels.team == 'x'", "`team`"),
    ],
)
def test_fields_that_an_instance_leaves_out(field: Any, text: str, words: str) -> None:
    resource = {**_WEB, "includeWhen": [f"${{{text}}}"]}
    spec = {"name": "string", "on": field}
    checked = check_value(_definition(resource, spec=spec), load())
    failures = [f"{item.message}, {item.consequence}" for item in objections(checked)]
    assert len(failures) == bool(words)
    assert not words or (words in failures[0] and "is `ERROR`" in failures[0])


def test_an_optional_result_of_a_collection() -> None:
    texts = ["${each.status.?phase.optMap(p, p == 'x')}"]
    each = {**_PODS, "readyWhen": texts}
    refusals = _refusals(_WEB, each, spec={"name": "string", "zones": "[]string"})
    assert any("an optional without a value" in words for words in refusals)
