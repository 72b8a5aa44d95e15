"""Answers the vectors of boxcutter's probes, as OLM v1 and Package Operator build them."""

from __future__ import annotations

from typing import Any

from celvet.lint.checks import check_value
from celvet.lint.controllers import evaluators
from celvet.lint.controllers.boxcutter.probe_evaluators import Probes
from celvet.lint.controllers.boxcutter.probing import conjunction
from celvet.schemas import load
from tests.conformance.answer import NOT_ANALYSED, Answer, Mode, Vector


def _answer(declaration: dict[str, Any], subject: Any) -> Answer:
    probes = [item for item in evaluators(check_value(declaration, load())) if not item.path]
    parts = probes[0].probes if probes and isinstance(probes[0], Probes) else ()
    refusal = next((part.refusal for part in parts if part.refusal), "")
    if refusal:
        return Answer(ok=False, message=refusal)
    result = conjunction(part.result(subject) for part in parts)
    if result.error.startswith("not evaluated"):
        return Answer(ok=False, message=NOT_ANALYSED)
    # The words of an evaluation error are those of our engine.
    messages = {} if result.error else {"messages": [*result.messages]}
    return Answer(ok=True, message=result.error, extra={"status": result.status, **messages})


def _olm(vector: Vector, subject: Any) -> Answer:
    probes = vector["probes"]
    kind = {"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterObjectSet"}
    return _answer({**kind, "spec": {"progressionProbes": probes}}, subject)


def _package_operator(vector: Vector, subject: Any) -> Answer:
    kind = {"apiVersion": "package-operator.run/v1alpha1", "kind": "ObjectSet"}
    return _answer({**kind, "spec": {"availabilityProbes": vector["probes"]}}, subject)


MODES: dict[str, Mode] = {"olm": _olm, "package-operator": _package_operator}
