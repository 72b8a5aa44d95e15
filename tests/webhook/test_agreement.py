"""The webhook reports for an object what `celvet lint` reports for it in a file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.crds import KnownSchemas, by_kind, of_definition
from celvet.lint.engine import Settings, lint_text
from celvet.lint.engine.result import FileResult
from celvet.lint.manifest.objects.raw_objects import raw_objects
from celvet.lint.manifest.objects.resourceset import takes_inputs
from celvet.lint.model import Severity, Where, field_path
from celvet.lint.values import get
from celvet.schemas import load
from celvet.schemas.holder import holders
from celvet.webhook.decide.policy import AdmissionPolicy
from celvet.webhook.judging.judge import MOST_TEXT
from tests import libyaml
from tests.properties import examples
from tests.rules.every_case import every_case
from tests.tables import read_table
from tests.webhook.inline_judge import InlineJudge, decide
from tests.webhook.reviews import review

ROOT = Path(__file__).resolve().parents[2]

OF_THE_TEXT = {
    "duplicate-key": "the API server has dropped the key before the webhook sees the object",
    "script-wait": "the webhook gets no object that may have a script",
    "health-script": "the webhook gets no object that may have a script",
    "helm-template": "Helm has rendered the template",
    "unreadable-file": "there is no file",
    "yaml-syntax": "the object has been read",
}
"""The rules that judge how an object is written, with the reason why nothing of it is left in a
cluster. Inside a patch there still is a text, and the webhook has them all."""

OF_SUPPRESSION = {"unused-ignore": "comments and annotations suppress nothing in a cluster"}
"""The rule about what a webhook does not read. Rules about the repository say here what the object
alone tells, as in a cluster: that it depends on itself, or on a name without a namespace."""

_LINT = Settings(annotations=False, fixes=False)
_IGNORE = re.compile(r"#\s*celvet:")
_Said: TypeAlias = set[tuple[str, Severity, str, str, str]]


def _texts() -> Iterator[Any]:
    for path in sorted((ROOT / "examples").rglob("*.yaml")):
        yield pytest.param(path.read_text(), id=str(path.relative_to(ROOT)))
    for path in sorted((ROOT / "tests" / "webhook").glob("*kinds.yaml")):
        for case in read_table(path):
            yield pytest.param(libyaml.dump(case["good"]), id=case["good"]["kind"])


def _field(where: Where, path: tuple[str | int, ...]) -> str:
    outer = field_path(where.path[len(path) :])
    return f"{outer}: {_field(where.inner, ())}" if where.inner else outer


def _of_a_file(result: FileResult, document: int, path: tuple[str | int, ...]) -> _Said:
    """The findings of lint for the object at a path of a document."""
    return {
        (
            each.rule,
            each.severity or Severity.WARNING,
            *(text[:MOST_TEXT] for text in (_field(each.where, path), each.message, each.help)),
        )
        for each in result.findings
        if each.where.document == document and each.where.path[: len(path)] == path
        if each.rule not in OF_SUPPRESSION
        if each.rule not in OF_THE_TEXT or each.where.inner
    }


def _of_the_webhook(value: Any, judge: InlineJudge) -> _Said:
    """The content of the decision on an object."""
    found = decide(json.dumps(review(value)).encode(), AdmissionPolicy(), judge).findings
    return {
        (each.rule, each.severity, each.field, each.message, each.help)
        for each in found
        if each.rule not in OF_SUPPRESSION
    }


def _errors(said: _Said) -> _Said:
    return {each for each in said if each[1] is Severity.ERROR}


def _objects(result: FileResult) -> Iterator[tuple[int, tuple[str | int, ...], Any]]:
    """The objects of a file that an API server may be given, with their places.

    Without those that Flux has yet to substitute, those that take inputs of others, Secrets and
    what makes them, which the webhook leaves alone, and those of any kind with an annotation, which
    no webhook rule can name.
    """
    for document in result.manifest.documents if result.manifest else ():
        for part in raw_objects(document.value):
            if part.nesting not in ("document", "list") or document.unresolved:
                continue
            secret = str(get(part.value, ("kind",), "")).endswith("Secret")
            if not secret and not takes_inputs(part.value) and not _is_annotated(part.value):
                yield document.index, part.path, part.value


def _is_annotated(value: Any) -> bool:
    names = [str(get(value, (key,), "")) for key in ("apiVersion", "kind")]
    kind = load().kind_of(value, *names) if isinstance(value, dict) else None
    return kind is not None and bool(kind.annotations)


def _crds(objects: Iterable[Any]) -> KnownSchemas:
    """The CRDs of a file, as a webhook gets them from the API server."""
    return KnownSchemas(by_kind(filter(None, map(of_definition, objects))))


_NAMES = (("apiVersion",), ("kind",), ("metadata", "name"))
"""What an API server takes only as a text."""


def _assure_agreement(text: str) -> None:
    result = lint_text(text, settings=_LINT)
    found = list(_objects(result))
    crds = _crds(value for *_, value in found)
    judge, busy = InlineJudge(crds=crds), InlineJudge(crds=crds, complete=False)
    for document, path, value in found:
        names = [get(value, key, "") for key in _NAMES]
        if all(isinstance(name, str) for name in names):
            said = _of_a_file(result, document, path)
            assert _of_the_webhook(value, judge) == said
            assert _errors(_of_the_webhook(value, busy)) == _errors(said)


@pytest.mark.parametrize("text", list(_texts()))
def test_on_what_is_in_files(text: str) -> None:
    if not _IGNORE.search(text):
        _assure_agreement(text)


@pytest.mark.parametrize("case", every_case())
def test_on_the_cases_of_the_rules(case: dict[str, Any]) -> None:
    # The CRDs that Crossplane makes of an XRD do not say whose life their kinds have.
    if not _IGNORE.search(case["manifest"]) and "CompositeResource" not in case["manifest"]:
        _assure_agreement(case["manifest"])


_ENTRY = {"apiVersion": "example.com/v1", "kind": "Widget"}
_TEXTS = (
    "status.ready == true",
    "status.conditions.exists(e, ",
    "status.phase.startsWiht('R')",
    "dep.status.ready",
    "has(status.ready) && status.ready == 'yes' && status.ready == 'no'",
    "5",
    "",
    "status.${FIELD} == 'x'",
)


def _within(texts: dict[str, Any]) -> dict[str, Any]:
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": "apps", "namespace": "flux-system"},
        "spec": {
            "interval": "1h",
            "prune": True,
            "sourceRef": {"kind": "GitRepository", "name": "apps"},
            "healthCheckExprs": [{**_ENTRY, **texts}],
        },
    }


def _operations(value: dict[str, Any]) -> list[dict[str, Any]]:
    entries = value["spec"]["healthCheckExprs"]
    return [{"op": "add", "path": "/spec/healthCheckExprs", "value": entries}]


_TARGET = {"kind": "Kustomization", "group": "kustomize.toolkit.fluxcd.io"}
_PATCHES: dict[str, Callable[[Any], dict[str, Any]]] = {
    "strategic": lambda value: {"patches": [{"patch": libyaml.dump(value)}]},
    "operations": lambda value: {
        "patches": [{"target": _TARGET, "patch": json.dumps(_operations(value))}]
    },
    "mapping": lambda value: {"patchesStrategicMerge": [value]},
    "list": lambda value: {"patchesJson6902": [{"target": _TARGET, "patch": _operations(value)}]},
}


def _around(api_version: str, kind: str, spec: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x"}, "spec": spec}


_HOLDERS: dict[str, Callable[[Any, Any], dict[str, Any]]] = {
    "Kustomization": lambda _, patches: {
        **_within({"current": "status.ready == true"}),
        "spec": {"interval": "1h", "prune": True, "sourceRef": {}, **patches},
    },
    "HelmRelease": lambda _, patches: _around(
        *("helm.toolkit.fluxcd.io/v2", "HelmRelease"), {"postRenderers": [{"kustomize": patches}]}
    ),
    "FluxInstance": lambda _, patches: _around(
        *("fluxcd.controlplane.io/v1", "FluxInstance"), {"kustomize": patches}
    ),
    "ResourceSet": lambda value, _: _around(
        *("fluxcd.controlplane.io/v1", "ResourceSet"), {"resources": [value]}
    ),
    "ResourceGraphDefinition": lambda value, _: _around(
        *("kro.run/v1alpha1", "ResourceGraphDefinition"),
        {"resources": [{"id": "apps", "template": value}]},
    ),
}


def test_every_kind_that_holds_objects_is_tried() -> None:
    assert _HOLDERS.keys() == {each.kind for each in holders() if each.plural}


@pytest.mark.parametrize("patch", _PATCHES)
@pytest.mark.parametrize("kind", _HOLDERS)
def test_a_wrong_expression_is_denied_wherever_it_is(kind: str, patch: str) -> None:
    wrong = _within({"current": "status.conditions.exists(e, "})
    value = _HOLDERS[kind](wrong, _PATCHES[patch](wrong))
    decision = decide(json.dumps(review(value)).encode(), AdmissionPolicy())
    assert [each.rule for each in decision.denials] == ["cel-syntax"]
    assert decision.denials[0].field.endswith("spec.healthCheckExprs[0].current") or (
        patch in ("operations", "list")
        and decision.denials[0].field.endswith("[0].value[0].current")
    )


def test_a_text_that_kro_computes_is_not_judged() -> None:
    value = _HOLDERS["ResourceGraphDefinition"](_within({"current": "${schema.spec.test}"}), {})
    value["spec"]["resources"][0]["template"]["spec"]["prune"] = "${schema.spec.prune}"
    fields = {"test": "string", "prune": "boolean"}
    value["spec"]["schema"] = {"apiVersion": "v1alpha1", "kind": "App", "spec": fields}
    assert {rule for rule, *_ in _of_the_webhook(value, InlineJudge())} <= {"ignored-expression"}
    assert lint_text(json.dumps(value), settings=_LINT).counts.unresolved == 0


_roles = st.fixed_dictionaries(
    {"current": st.sampled_from(_TEXTS)},
    optional={role: st.sampled_from(_TEXTS) for role in ("failed", "inProgress", "currnet")},
)


@given(_roles, st.sampled_from(sorted(_HOLDERS)), st.sampled_from(sorted(_PATCHES)), st.booleans())
@examples(200)
def test_on_what_an_object_holds(texts: dict[str, str], kind: str, patch: str, twice: bool) -> None:
    value = _within(texts)
    if twice:
        value["spec"]["patches"] = _PATCHES["strategic"](_within(texts))["patches"]
    held = _HOLDERS[kind](value, _PATCHES[patch](value))
    _assure_agreement(libyaml.dump(held))
    _assure_agreement(json.dumps({"apiVersion": "v1", "kind": "List", "items": [held]}))
