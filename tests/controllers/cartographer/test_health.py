from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.controllers import cartographer
from celvet.lint.verdicts.verdict import Verdict
from celvet.schemas import load
from tests.controllers.evaluating import cluster, evaluators
from tests.controllers.table import cases, shown
from tests.controllers.values import ANYTHING, objects, one_of, some

DIALECT = load().dialects["cartographer"]
_PATHS = one_of(
    "", ".status", "status.phase", "{.kind}", ".status.conditions[*].type", "{.x[", "}{"
)
_MATCHERS = some(
    {
        "matchConditions": st.lists(
            some({"type": one_of("Ready"), "status": one_of("True", "False")}), max_size=2
        ),
        "matchFields": st.lists(
            some(
                {
                    "key": _PATHS,
                    "operator": one_of("In", "NotIn", "Exists", "DoesNotExist", "x"),
                    "values": st.lists(one_of("Running", "x"), max_size=2),
                    "messagePath": _PATHS,
                }
            ),
            max_size=2,
        ),
    }
)
RULES = some(
    {
        "alwaysHealthy": st.just({}),
        "singleConditionType": one_of("", "Ready"),
        "multiMatch": some({"healthy": _MATCHERS, "unhealthy": _MATCHERS}),
    }
)
_TEMPLATES = some(
    {
        "kind": one_of(
            "ClusterSourceTemplate", "ClusterImageTemplate", "ClusterDeploymentTemplate"
        ),
        "spec": some(
            {
                "urlPath": _PATHS,
                "imagePath": _PATHS,
                "observedMatches": st.lists(some({"input": _PATHS, "output": _PATHS}), max_size=2),
                "observedCompletion": some({"succeeded": some({"key": _PATHS})}),
            }
        ),
    }
)
_OBJECTS = objects([("example.com/v1", "Thing")])


def _default_health(template: Any, obj: Any) -> Verdict | None:
    """The defaults of a template; templates of the tables have no `apiVersion`."""
    given = template if isinstance(template, dict) else {}
    found = evaluators({**given, "apiVersion": "carto.run/v1alpha1"})
    here = cluster({"objects": [] if obj is None else [obj]})
    return found[0].evaluate(here) if found else None


@cases("cartographer/health")
def test_rule(case: dict[str, Any]) -> None:
    assert cartographer.validate(case["rule"], DIALECT) == case.get("refused", "")
    assert shown(cartographer.health(case["rule"], case["object"], DIALECT)) == case["expect"]


@cases("cartographer/defaults")
def test_template_without_a_rule(case: dict[str, Any]) -> None:
    verdict = _default_health(case["template"], case["object"])
    assert verdict
    assert shown(verdict) == case["expect"]


@pytest.mark.parametrize(
    ("statuses", "status", "message"),
    [
        ([], "Unknown", ""),
        (["True", "True"], "True", ""),
        (["True", "Unknown", "Unknown"], "Unknown", "1"),
        (["Unknown", "False", "True", "False", "Unknown"], "False", "3"),
    ],
)
def test_owner(statuses: list[str], status: str, message: str) -> None:
    resources = [Verdict(status=item, message=str(place)) for place, item in enumerate(statuses)]
    verdict = cartographer.owner_health(iter(resources))
    assert verdict == Verdict(status=status, reason="HealthyConditionRule", message=message)


@given(RULES | ANYTHING, _OBJECTS)
def test_every_rule_has_a_verdict_on_every_value(rule: Any, obj: Any) -> None:
    assert isinstance(cartographer.validate(rule, DIALECT), str)
    verdict = cartographer.health(rule, obj, DIALECT)
    assert verdict.status in {"True", "False", "Unknown"}
    assert not verdict.error or verdict.status == "Unknown"


@given(RULES, _OBJECTS)
def test_the_cause_leads_to_a_part_of_the_rule(rule: Any, obj: Any) -> None:
    cause = cartographer.health(rule, obj, DIALECT).cause
    found = rule
    for step in cause.path if cause else ():
        assert step in found or step in range(len(found))
        found = found[step]


@given(_TEMPLATES | ANYTHING, _OBJECTS)
def test_every_template_has_a_default(template: Any, obj: Any) -> None:
    verdict = _default_health(template, obj)
    assert verdict is None or verdict.status in {"True", "Unknown"}
