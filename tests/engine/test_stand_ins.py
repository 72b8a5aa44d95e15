"""Templates whose inputs only the cluster knows: mistakes that do not depend on the inputs."""

from __future__ import annotations

import pytest

from celvet.lint.engine import FileResult, lint_text
from tests.engine.test_resource_sets import HEAD, block, found

UNKNOWN = "  inputsFrom: [{name: elsewhere}]\n"
KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: << inputs.name >>}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: apps}
  healthCheckExprs:
"""
PLAIN = """\
- apiVersion: example.com/v1
  kind: Thing
  failed: has(status.error) && status.error != ''
"""
EQUALS = [("cel-syntax", "=")]
ALL = "status.items.all(i, i.ready)"


def linted(checks: str, spec: str = "") -> FileResult:
    text = KUSTOMIZATION + block(checks, 2) + block(spec, 2)
    return lint_text(f"{HEAD}{UNKNOWN}  resourcesTemplate: |\n{block(text, 4)}")


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("  current: status.ready == << inputs.size >>", []),
        ("  current: status.ready = << inputs.size >>", EQUALS),
        ("  current: status.ready << inputs.comparison >> 1", []),
        ("  current: status.ready == 1 << inputs.more >>", []),
        ("  current: << inputs.expression >>", []),
        ("  current: '<< inputs.expression >> || sizeof(status.x) == 1'", []),
        ("  current: \"status.phase == '<< inputs.phase >>'\"", []),
        (f"  current: {ALL}", [("premature-current", ALL)]),
        # an expression next to an input may have another finding for another value
        (f"  current: {ALL} && << inputs.more >>", []),
        ("  currrent: << inputs.expression >>", [("unknown-field", "currrent")]),
        ("  << inputs.role >>: status.ready", []),
        ("  << if inputs.on >>current: a = 1<< else >>current: b = 1<< end >>", EQUALS * 2),
        ('  << if eq inputs.kind "a" >>current: a = 1<< else >>current: status.b<< end >>', EQUALS),
        ("  << range inputs.list >>\n  << .role >>: x\n  << end >>\n  current: a = 1", EQUALS),
        ("  current: status.a = << until (int inputs.count) | len >>", EQUALS),
        ("  current: status.a = << ternary 1 2 inputs.flag >>", EQUALS),
        ('  current: status.a = << index (splitList "," inputs.list) 0 >>', EQUALS),
        ("  current: status.a = << join (first inputs.lists) `,` >>", EQUALS),
    ],
)  # fmt: skip
def test_what_no_input_changes_is_found(entry: str, expected: list[tuple[str, str]]) -> None:
    result = linted(f"{PLAIN}{entry}")
    assert found(result) == expected
    assert result.counts.templated == 0
    assert result.counts.partly == 1


def test_an_entry_for_a_kind_that_is_an_input_is_not_judged() -> None:
    entry = f"  current: {ALL}"
    assert found(linted(PLAIN.replace("Thing", "<< inputs.kind >>") + entry)) == []


@pytest.mark.parametrize("timeout", ["<< inputs.timeout >>", "5m"])
def test_a_field_from_an_input_is_not_judged(timeout: str) -> None:
    spec = f"timeout: {timeout}\nsuspend: << inputs.suspend >>\n"
    assert found(linted(f"{PLAIN}  current: status.ready", spec)) == []


def test_the_object_is_called_as_it_is_written() -> None:
    (finding,) = linted(f"{PLAIN}  current: status.a = 1").findings
    assert finding.object.title == "Kustomization << inputs.name >>"
    assert finding.related == ()


def test_an_unused_suppression_is_not_known() -> None:
    ignored = f"{PLAIN}  # celvet:ignore[never-true]\n  current: status.a == << inputs.x >>"
    assert found(linted(ignored)) == []


def test_a_template_that_nothing_renders_is_left_aside() -> None:
    result = linted(f"{PLAIN}  current: status.a = << randInt 1 9 >>")
    assert found(result) == []
    assert (result.counts.templated, result.counts.partly) == (1, 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("action", "bound"),
    [
        ("<< range until 10000 >><< range until 10000 >>x<< end >><< end >>", "10000 steps"),
        ("<< repeat 100000 inputs.name | repeat 100000 >>", "500000 characters"),
        ('<< define "t" >><< template "t" . >><< end >><< template "t" inputs >>', "levels deep"),
        (
            "".join(f"<< if inputs.a{number} >>x<< end >>" for number in range(300)),
            "all builds of the ResourceSet take more than 25000 steps",
        ),
        ("<< range until 500 >><< repeat 20 inputs.a >><< end >>", "25000 steps"),
        ("<< inputs.a >>" * 9000, "5000 tokens"),
    ],
    ids=["loops", "repeat", "recursion", "many builds", "output", "tokens"],
)
def test_a_hostile_template_is_stopped_with_a_message(action: str, bound: str) -> None:
    (finding,) = linted(f"{PLAIN}  current: status.a == '{action}'").findings
    assert finding.rule == "template-execution"
    assert finding.message.startswith("celvet cannot render the template: ")
    assert bound in finding.message


def test_what_no_stand_ins_fit_is_left_aside() -> None:
    action = "".join(f"<< upper inputs.a{number} | until >>" for number in range(200))
    result = linted(f"{PLAIN}  current: status.a = '{action}'")
    assert found(result) == []
    assert (result.counts.templated, result.counts.partly) == (1, 0)
