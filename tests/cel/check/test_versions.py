"""Differences between releases of cel-go, and which controller has which release."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from celvet.lint.cel import compile_expression
from celvet.lint.checks.releases import works_in
from celvet.lint.engine import Settings, lint_text
from celvet.schemas import load
from celvet.schemas.cel_go import at_least, numbers
from celvet.schemas.controller import controllers
from tests.cel.dialects import HEALTH, READY
from tests.conformance.run import run_file
from tests.properties import sample

_VECTORS = Path(__file__).parents[2] / "conformance" / "cel-versions.jsonl"


def test_vectors_of_several_releases() -> None:
    score = run_file(_VECTORS, sample)
    assert score.total > len(sample(range(1800)))
    assert score.wrong == []


@pytest.mark.parametrize(
    ("target", "dialect", "cel_go"),
    [
        ((), "flux-ready", "0.31.0"),
        ((), "resourceset-ready", "0.29.0"),
        (("flux", "2.4"), "flux-health", "0.23.1"),
        (("flux", "2.9.4"), "flux-health", "0.26.1"),
        (("flux", "v2.10.0"), "flux-ready", "0.31.0"),
        (("flux", "3.0"), "flux-ready", "0.31.0"),
        (("flux", "2.9"), "resourceset-ready", "0.29.0"),
        (("flux-operator", "0.56"), "resourceset-ready", "0.27.0"),
        (("flux-operator", "0.57.0"), "resourceset-ready", "0.29.0"),
    ],
)
def test_a_target_decides(target: tuple[str, str], dialect: str, cel_go: str) -> None:
    assert load(targets=[target] if target else []).dialects[dialect].cel_go == cel_go


def test_releases_are_in_order_and_have_a_source() -> None:
    for controller in controllers().values():
        since = [numbers(each.since) for each in controller.releases]
        assert since == sorted(since)
        versions = [each.cel_go for each in controller.releases]
        assert all(at_least(later, one) for one, later in pairwise(versions))
        assert controller.repository.startswith("https://github.com/")
        assert controller.path == "go.mod"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "json.encode({'b': [1, 2.5, null, true], 'a': 'x<y'})",
            r'{"a":"x\u003cy","b":[1,2.5,null,true]}',
        ),
        ("json.encode([1e21, 1e-7, 9007199254740993, 2.0])", '[1e+21,1e-7,"9007199254740993",2]'),
        (
            "json.encode([b'ab', duration('1h1s'), timestamp('2020-01-01T00:00:00Z')])",
            '["YWI=","3601s","2020-01-01T00:00:00Z"]',
        ),
        ("'abc'.indexOf('', 9)", 3),
        ("json.encode(a.?b.orValue('x'))", '"x"'),
    ],
)
def test_the_newest_release(text: str, value: object) -> None:
    assert compile_expression(text, HEALTH).evaluate({"a": {}}).value == value


def test_an_older_release_is_compiled_again() -> None:
    assert compile_expression("'abc'.indexOf('', 9)", HEALTH.at("0.27.0")).evaluate({}).value == 9
    assert compile_expression("'abc'.indexOf('', 9)", HEALTH.at("0.29.0")).evaluate({}).value == 3
    assert HEALTH.at("0.26.1").at("0.31.0").libraries == HEALTH.libraries


def test_a_list_of_optionals_is_not_encoded() -> None:
    compiled = compile_expression("json.encode([optional.of(1)])", HEALTH)
    assert (compiled.refusals, compiled.analysed) == ((), False)


def test_a_name_with_a_dot_is_the_one_outside() -> None:
    text = "[1].exists(dep, .dep.status == 'x' && dep == 1) && dep.status == 'x'"
    variables = {"dep": {"status": "x"}, "self": {}}
    compiled = compile_expression(text, READY)
    assert compiled.evaluate(variables).value is True
    assert compiled.trace(variables).root.outcome.value is True
    older = compile_expression("['x'].exists(y, .y == 'x')", READY.at("0.26.1"))
    assert older.evaluate(variables).value is True


_GATE = """
apiVersion: {}
kind: {}
metadata: {{name: a}}
spec:
  dependsOn: [{{apiVersion: v1, kind: Service, name: b, ready: true, readyExpr: "{}"}}]
"""


@pytest.mark.parametrize(
    ("text", "target", "help_"),
    [
        (
            "json.encode(data) != ''",
            ("flux-operator", "0.56"),
            "It works from Flux Operator 0.57 on.",
        ),
        ("quantity(data) != ''", ("flux-operator", "0.56"), ""),
    ],
)
def test_a_finding_names_the_releases_without_it(
    text: str, target: tuple[str, str], help_: str
) -> None:
    manifest = _GATE.format("fluxcd.controlplane.io/v1", "ResourceSet", text)
    found = lint_text(manifest, settings=Settings(targets=(target,))).findings
    assert [each.help for each in found if each.rule == "unknown-function"] == [help_]


@pytest.mark.parametrize(
    ("failing", "sentence"),
    [(3, "It works from Flux 2.10 on (inferred for helm-controller)."), (4, "")],
)
def test_a_mistake_of_the_first_releases(failing: int, sentence: str) -> None:
    flux = controllers()["kustomize-controller"]
    old = {each.cel_go for each in flux.releases[:failing]}
    program = compile_expression("a", READY.at(flux.releases[0].cel_go))
    assert works_in(program, lambda compiled: compiled.dialect.cel_go in old) == sentence


def test_a_mistake_in_every_release_names_none() -> None:
    manifest = _GATE.format("kustomize.toolkit.fluxcd.io/v1", "Kustomization", ".lastTimestamp*")
    found = [each for each in lint_text(manifest).findings if each.rule == "cel-syntax"]
    assert [each.help for each in found] == [""]


def test_a_finding_names_the_releases_before_it() -> None:
    manifest = _GATE.format("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "[1].all(x, .x > 0)")
    found = [each for each in lint_text(manifest).findings if each.rule == "unknown-variable"]
    assert "It worked before Flux 2.10 (inferred for helm-controller)." in found[0].help
