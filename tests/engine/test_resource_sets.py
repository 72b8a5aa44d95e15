"""The objects of a ResourceSet are linted as built, and findings are placed at the template."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.engine import FileResult, lint_object, lint_text
from celvet.lint.model import field_path
from celvet.lint.predict.fixes import rewrites
from celvet.lint.report.report import file_report
from celvet.lint.resourceset import build, combine, wrong_type
from tests.properties import examples

HEAD = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: flux-system}
spec:
"""
INPUTS = "  inputs: [{name: a, size: 1}, {name: b, size: 2}]\n"
ENTRY = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: << inputs.name >>
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: apps}
  healthCheckExprs:
  - apiVersion: example.com/v1
    kind: Thing
    failed: has(status.error) && status.error != ''
    current: status.ready = << inputs.size >>
"""


def block(text: str, indent: int) -> str:
    return "".join(f"{' ' * indent}{line}\n" for line in text.splitlines())


def entry(text: str = ENTRY, inputs: str = INPUTS) -> str:
    return f"{HEAD}{inputs}  resources:\n  -\n{block(text, 4)}"


def template(text: str = ENTRY, inputs: str = INPUTS) -> str:
    return f"{HEAD}{inputs}  resourcesTemplate: |\n{block(text, 4)}"


def found(result: FileResult) -> list[tuple[str, str]]:
    """The rule and the text at the place of each finding."""
    assert result.manifest
    assert not result.crashes
    lines = result.manifest.text.splitlines()
    return [
        (
            each.finding.rule,
            lines[each.place.line - 1][each.place.column - 1 : each.place.end_column - 1],
        )
        for each in file_report(result).findings
    ]


@pytest.mark.parametrize("text", [entry(), template()], ids=["resources", "resourcesTemplate"])
def test_equal_findings_are_one_at_the_template(text: str) -> None:
    result = lint_text(text)
    assert found(result) == [("cel-syntax", "=")]
    (finding,) = result.findings
    assert finding.object.name == "a"
    assert [each.message for each in finding.related] == [
        "in 2 of 2 renderings, the first of this input set"
    ]
    assert field_path(finding.related[0].where.path) == "spec.inputs[0]"
    assert (result.counts.objects, result.counts.templated) == (3, 0)


def test_equal_findings_of_a_range_are_one() -> None:
    text = "<< range until 3 >>\n---\n" + ENTRY.replace("<< inputs.name >>", "a<< . >>")
    result = lint_text(template(text.replace("<< inputs.size >>", "1") + "<< end >>\n"))
    assert found(result) == [("cel-syntax", "=")]


def test_an_entry_that_one_object_of_a_range_uses_is_not_unused() -> None:
    looping = ENTRY.replace("<< inputs.name >>", "a<< . >>").replace("ready = ", "ready == ")
    for condition, rules in (("eq . 1", []), ("eq . 9", ["ignored-expression"])):
        text = looping.replace("wait: true", f"wait: << {condition} >>")
        result = lint_text(template(f"<< range until 3 >>\n---\n{text}<< end >>\n"))
        assert [rule for rule, _ in found(result) if rule == "ignored-expression"] == rules


@pytest.mark.parametrize("make", [entry, template], ids=["resources", "resourcesTemplate"])
def test_what_an_action_writes_is_at_the_action(make: Any) -> None:
    text = make(
        ENTRY.replace("= << inputs.size >>", "== << inputs.size >>"),
        '  inputs: [{name: a, size: "\'"}]\n',
    )
    result = lint_text(text)
    assert found(result) == [("cel-syntax", "<< inputs.size >>")]
    notes = [each.message for each in result.findings[0].related]
    assert notes == ["`<< inputs.size >>` writes this"]


def test_a_finding_of_one_input_set_names_it() -> None:
    text = entry(
        ENTRY.replace("= << inputs.size >>", "== << inputs.size >>"),
        '  inputs:\n  - {name: a, size: 1}\n  - {name: b, size: "\'"}\n',
    )
    (finding,) = lint_text(text).findings
    assert finding.related[-1].message == "in 1 of 2 renderings, the first of this input set"
    assert finding.related[-1].where.path == ("spec", "inputs", 1)


def test_a_wrong_key_is_at_the_key() -> None:
    for make in (entry, template):
        text = make(ENTRY.replace("= << inputs.size >>", "== 1").replace("Exprs:", "Expr:"))
        assert ("unknown-field", "healthCheckExpr") in found(lint_text(text))


def test_what_is_written_without_a_template_is_reported_once() -> None:
    plain = ENTRY.replace("<< inputs.size >>", "1").replace("<< inputs.name >>", "a")
    result = lint_text(entry(plain))
    assert found(result) == [("cel-syntax", "=")]
    assert result.counts.objects == 2


@pytest.mark.parametrize(
    "text",
    [
        entry(
            ENTRY.replace("<< inputs.size >>", "<< inputs.size >> # celvet: ignore[cel-syntax] x")
        ),
        template(
            ENTRY.replace("<< inputs.size >>", "<< inputs.size >> # celvet: ignore[cel-syntax] x")
        ),
        template(f"# celvet: ignore[cel-syntax] x\n{ENTRY}"),
        entry(
            ENTRY.replace(
                "name: << inputs.name >>",
                "name: << inputs.name >>\n  annotations: {celvet.dev/ignore: cel-syntax}",
            )
        ),
        entry().replace(
            "flux-system}", "flux-system, annotations: {celvet.dev/ignore: cel-syntax}}"
        ),
    ],
    ids=["comment", "comment in a text", "above a text", "annotation", "annotation of the set"],
)
def test_suppressions_hold(text: str) -> None:
    result = lint_text(text)
    assert found(result) == []
    assert result.counts.suppressed


def test_an_unused_suppression_is_one_finding() -> None:
    correct = ENTRY.replace("status.ready = ", "status.ready == ")
    text = template(
        correct.replace("<< inputs.size >>", "<< inputs.size >> # celvet: ignore[cel-type] x")
    )
    assert found(lint_text(text)) == [("unused-ignore", "# celvet: ignore[cel-type] x")]


def test_an_excluded_object_is_not_linted() -> None:
    annotation = "\n  annotations: {fluxcd.controlplane.io/reconcile: disabled}"
    text = entry(ENTRY.replace("name: << inputs.name >>", f"name: << inputs.name >>{annotation}"))
    assert found(lint_text(text)) == []


def test_a_static_provider_of_the_file_gives_inputs() -> None:
    provider = (
        "---\napiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSetInputProvider\n"
        "metadata: {name: p, namespace: flux-system}\n"
        "spec: {type: Static, defaultValues: {name: a, size: 1}}\n"
    )
    text = entry(inputs="  inputsFrom: [{name: p}]\n")
    assert lint_text(text).counts.partly == 1
    result = lint_text(text + provider)
    assert found(result) == [("cel-syntax", "=")]
    assert result.counts.partly == 0


def test_an_object_without_a_text_gives_the_same_findings() -> None:
    value = yaml.safe_load(entry())
    (finding,) = lint_object(value).findings
    path = "spec.resources[0].spec.healthCheckExprs[0].current"
    assert (finding.rule, field_path(finding.where.path)) == ("cel-syntax", path)


def test_permutations_need_the_providers_of_the_cluster() -> None:
    inputs = (
        "  inputs: [{name: a}]\n  inputStrategy: {name: Permute}\n"
        "  inputsFrom: [{selector: {matchLabels: {team: blue}}}]\n"
    )
    text = entry(ENTRY.replace("inputs.size", "inputs.elsewhere.size"), inputs)
    assert found(lint_text(text)) == [("cel-syntax", "=")]
    assert lint_text(text).counts.partly == 1


def test_each_object_of_a_json_stream_is_linted() -> None:
    objects = "".join(
        '{"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization", '
        f'"metadata": {{"name": "n{number}"}}, "spec": {{"wait": {number}}}}}\n'
        for number in (1, 2)
    )
    violations = [("schema-violation", "1"), ("schema-violation", "2")]
    assert found(lint_text(template(objects))) == violations


def test_a_patch_in_a_template_is_linted() -> None:
    patch = (
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"
        "metadata: {name: << inputs.name >>}\nspec:\n  patches:\n  - patch: |\n"
    ) + block(
        "kind: Kustomization\napiVersion: kustomize.toolkit.fluxcd.io/v1\nspec:\n  wat: 1\n", 6
    )
    assert ("unknown-field", "wat") in found(lint_text(template(patch)))


def test_a_variable_without_a_value_leaves_its_text_aside() -> None:
    waiting = ENTRY.replace("status.ready = ", "status.ready = ${LEAST}")
    result = lint_text(entry(waiting))
    assert (found(result), result.counts.unresolved) == ([], 1)
    assert found(lint_text(entry(ENTRY.replace("inputs.size >>", "inputs.${x} >>")))) == []
    with_default = entry(ENTRY.replace("inputs.size >>", "inputs.${x:=size} >>"))
    assert found(lint_text(with_default)) == [("cel-syntax", "=")]


def test_the_first_input_sets_stand_for_many() -> None:
    inputs = "  inputs:\n" + "".join(f"  - {{name: a{n}, size: 1}}\n" for n in range(60))
    result = lint_text(template(inputs=inputs))
    assert found(result) == [("cel-syntax", "=")]
    assert result.counts.objects == 51
    note = "ResourceSet/flux-system/apps: the first 50 of 60 input sets are linted"
    assert result.notes == (note,)


def test_no_fix_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes most of the time, and what is right for one input may be wrong for another."""

    def searched(*_: object) -> None:
        raise AssertionError("a fix is searched")

    monkeypatch.setattr(rewrites, "rewrite", searched)
    early = ENTRY.replace("status.ready = << inputs.size >>", "status.conditions.all(e, e.x)")
    assert "premature-current" in dict(found(lint_text(template(early))))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "<< range until 9000 >><< range until 9000 >>x<< end >><< end >>",
            "takes more than 10000 steps",
        ),
        ('<< repeat 400000 "x" >>', "all builds of the ResourceSet take more than 25000 steps"),
        ("<< if true >>" * 500, "is nested more than 100 levels deep"),
        ("<<" * 5000, 'unexpected "<" in command'),
    ],
    ids=["loops", "output", "depth", "syntax"],
)
def test_a_hostile_template_is_stopped(text: str, message: str) -> None:
    many = "  inputs: [" + ", ".join(["{name: a, size: 1}"] * 3000) + "]\n"
    (finding,) = lint_text(template(f"{ENTRY}# {text}\n", many)).findings
    assert finding.message.endswith(message)


def test_rendered_resource_sets_share_their_steps() -> None:
    inner = HEAD.replace("name: apps", "name: inner-<< . >>")
    loop = "<< `<< range until 500 >><< end >>` >>"
    text = f"<< range until 60 >>\n---\n{inner}  resourcesTemplate: |\n    {loop}\n<< end >>"
    assert found(lint_text(template(text.replace("60", "20")))) == []
    messages = {each.message for each in lint_text(template(text)).findings}
    beyond = "all builds of the ResourceSet take more than 25000 steps"
    assert messages == {f"celvet cannot render the template: {beyond}"}


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from(["", "<< inputs.a >>", "a: b", "<<"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["inputs", "resources", "name", "kind", "apiVersion", "metadata", "labels"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ("inputs", "inputsFrom", "inputStrategy", "resources", "resourcesTemplate", "steps")
)


@given(st.dictionaries(FIELDS, VALUES, max_size=4), VALUES)
@examples(200)
def test_no_resource_set_makes_celvet_fail(spec: Any, metadata: Any) -> None:
    head = {"apiVersion": "fluxcd.controlplane.io/v1", "kind": "ResourceSet"}
    result = lint_object({**head, "metadata": metadata, "spec": spec})
    assert not result.crashes


def test_a_field_of_a_wrong_type_is_named() -> None:
    assert wrong_type({"spec": {"inputs": [{}], "steps": [{"resources": {}}]}}) == (
        ("spec", "steps", 0, "resources"),
        "array",
    )
    value = {"metadata": {"name": "x"}, "spec": {"inputs": [None], "resourcesTemplate": ""}}
    assert wrong_type(value) is None
    assert build(value, combine(value))[0].objects == ()
