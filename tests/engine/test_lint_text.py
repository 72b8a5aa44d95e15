"""`lint_text`, where the command line does not show its result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import yaml

from celvet.lint.checks import CheckedObject
from celvet.lint.engine import Settings, lint_object, lint_text, run_rules
from celvet.lint.model import Finding, Severity, field_path
from celvet.lint.repository.questions import Question, VariableValues
from celvet.lint.repository.surroundings import Surroundings
from celvet.lint.rules import rules

KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs, namespace: flux-system}
spec:
  wait: true
  dependsOn: [{name: a, readyExpr: dep.ready}]
"""


def test_a_finding_is_stamped() -> None:
    (finding,) = lint_text(KUSTOMIZATION).findings
    assert finding.rule == "result-type"
    assert finding.severity is Severity.ERROR
    assert finding.url == "https://github.com/celvet/celvet/blob/main/docs/rules/result-type.md"
    assert (finding.object.kind, finding.object.name) == ("Kustomization", "certs")


def test_a_kind_may_have_any_length() -> None:
    entry = f"{{apiVersion: v1, kind: {'a' * 5_000}, current: status.ready == true}}"
    found = lint_text(f"{KUSTOMIZATION}  healthCheckExprs: [{entry}]\n")
    assert not found.crashes


def test_a_rule_that_crashes_is_kept_apart_and_the_others_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def crash(_: CheckedObject) -> Iterator[Finding]:
        raise RuntimeError("boom")

    broken = [replace(each, check=crash) if each.id == "cel-type" else each for each in rules()]
    monkeypatch.setattr(run_rules, "rules", lambda: tuple(broken))
    result = lint_text(KUSTOMIZATION)
    assert [crash.rule for crash in result.crashes] == ["cel-type"]
    assert result.crashes[0].error == "RuntimeError: boom"
    assert [finding.rule for finding in result.findings] == ["result-type"]


def test_what_is_dismissed_is_not_read() -> None:
    result = lint_text("apiVersion: v1\nkind: Secret\n: [")
    assert result.manifest is None
    assert result.findings == ()


class _Given(Surroundings):
    """A file whose parent gives a variable its value."""

    def ask(self, question: Question[Any]) -> Any:
        if isinstance(question, VariableValues):
            return dict.fromkeys(question.names, "a b")
        return question.default


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_the_variables_of_a_parent_are_found_in_each_encoding(encoding: str) -> None:
    text = KUSTOMIZATION.replace("dep.ready", "'dep.${FIELD}'")
    settings = Settings(surroundings=_Given())
    (finding,) = lint_text(text.encode(encoding), settings=settings).findings
    assert finding.rule == "cel-syntax"


def test_an_annotation_counts_only_where_it_may() -> None:
    text = KUSTOMIZATION.replace(
        "flux-system}", "flux-system, annotations: {celvet.dev/ignore: result-type}}"
    )
    assert lint_text(text).findings == ()
    assert len(lint_text(text, settings=Settings(annotations=False)).findings) == 1


def test_objects_whose_inputs_are_unknown_are_counted() -> None:
    embedded = KUSTOMIZATION.replace("certs", "<< inputs.name >>")
    nested = "".join(f"      {line}\n" for line in embedded.splitlines())
    text = (
        "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: x}\n"
        "spec:\n  inputsFrom: [{name: unknown}]\n  resources:\n    -\n" + nested
    )
    result = lint_text(text)
    assert [finding.rule for finding in result.findings] == ["result-type"]
    assert (result.counts.objects, result.counts.partly, result.counts.templated) == (2, 1, 0)
    rendered = lint_text(text.replace("<< inputs.name >>", "certs"))
    assert [finding.rule for finding in rendered.findings] == ["result-type"]
    assert rendered.counts.objects == 2


def test_objects_that_cannot_be_built_are_counted_and_left() -> None:
    text = "\n---\n".join(
        [KUSTOMIZATION, "kind: ConfigMap", "<<- range randInt 1 2 >>\n" + KUSTOMIZATION]
    )
    text += "<< end >>"
    head = {"apiVersion": "fluxcd.controlplane.io/v1", "kind": "ResourceSet"}
    step = {"name": "a", "resourcesTemplate": KUSTOMIZATION}
    for spec, count in (
        ({"resourcesTemplate": text}, 2),
        ({"steps": [step, {**step, "name": "b"}]}, 2),
    ):
        spec["inputsFrom"] = [{"name": "unknown"}]
        result = lint_text(yaml.safe_dump({**head, "metadata": {"name": "x"}, "spec": spec}))
        assert result.findings == ()
        assert (result.counts.objects, result.counts.templated) == (1, count)


def test_an_object_without_a_text_gives_the_same_findings() -> None:
    value = yaml.safe_load(KUSTOMIZATION)
    (finding,) = lint_object(value).findings
    assert finding == lint_text(KUSTOMIZATION).findings[0]
    assert field_path(finding.where.path) == "spec.dependsOn[0].readyExpr"


def test_a_variable_in_an_object_is_one_too_many() -> None:
    """Flux has already substituted variables when an object reaches the API server."""
    value = yaml.safe_load(KUSTOMIZATION.replace("dep.ready", '"${GATE}"'))
    assert [finding.rule for finding in lint_object(value).findings] == ["cel-syntax"]
    assert lint_text(KUSTOMIZATION.replace("dep.ready", '"${GATE}"')).findings == ()


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, {"kind": 1}, {"kind": "Kustomization"}])
def test_any_value_is_taken(value: object) -> None:
    assert lint_object(value).findings == ()


def _conjunction(count: int) -> str:
    """An entry about only this many conditions."""
    parts = (f"status.conditions.exists(c, c.type == 'C{each}')" for each in range(count))
    entry = {"apiVersion": "example.io/v1", "kind": "A", "current": " && ".join(parts)}
    value = {**yaml.safe_load(KUSTOMIZATION)}
    value["spec"] = {**value["spec"], "dependsOn": [], "healthCheckExprs": [entry]}
    return yaml.safe_dump(value)


def test_a_check_that_is_too_large_to_predict_is_noted() -> None:
    assert lint_text(_conjunction(2)).notes == ()
    (note,) = lint_text(_conjunction(60)).notes
    assert note.endswith("what an entry of more than 400 parts will do is not predicted")


def test_a_pattern_with_a_script_is_no_reason_to_crash() -> None:
    entry = "{apiVersion: a/v1, kind: A, current: 'data.a.matches(\"^\\\\p{Greek}+x*$\")'}"
    found = lint_text(f"{KUSTOMIZATION}  healthCheckExprs: [{entry}]\n")
    assert not found.crashes


def test_scripts_in_another_language_are_counted() -> None:
    text = """
    apiVersion: lib.projectsveltos.io/v1beta1
    kind: HealthCheck
    metadata: {name: web}
    spec:
      evaluateHealth: function evaluate() return {} end
      resourceSelectors:
        - {group: apps, version: v1, kind: Deployment, evaluate: " ", evaluateCEL: []}
        - {group: apps, version: v1, kind: DaemonSet, evaluate: "function evaluate() end"}
    """
    assert lint_text(text).counts.unread == 2


@pytest.mark.parametrize("name", ["ci/e2e.sh", "wait.bash", "Makefile", "e2e.mk"])
def test_a_wait_in_a_script_is_read(name: str) -> None:
    text = "apply:  # don't\n\tkubectl wait --for=condition=Ready \\\n\t  deploy/web\n"
    result = lint_text(text, name)
    (finding,) = result.findings
    source = finding.where.source
    assert source
    assert text[source.start : source.end] == "--for=condition=Ready"
    assert finding.rule == "script-wait"
    assert not lint_text(text.replace("wait", "get"), name).findings


def test_an_expression_is_no_variable_without_a_value() -> None:
    head = "apiVersion: kro.run/v1alpha1\nkind: ResourceGraphDefinition\nmetadata: {name: app}\n"
    template = '{apiVersion: v1, kind: Pod, metadata: {name: "${zone}"}}'
    node = f'{{id: web, forEach: [{{zone: "${{[1]}}"}}], template: {template}}}'
    result = lint_text(f"{head}spec: {{resources: [{node}]}}\n")
    assert (result.counts.objects, result.counts.unresolved) == (1, 0)
