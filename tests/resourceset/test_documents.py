"""The examples of the design document build to the objects that it describes."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from celvet.lint.resourceset import BuildError, build, combine
from celvet.lint.resourceset.documents import read_objects, read_value
from celvet.lint.resourceset.errors import ReadError
from celvet.lint.resourceset.loader import ValueBudget


def objects(spec: str) -> list[dict[str, Any]]:
    resource_set = {"metadata": {"name": "x", "namespace": "d"}, "spec": yaml.safe_load(spec)}
    steps = build(resource_set, combine(resource_set))
    return [entry.value for step in steps for entry in step.objects]


def names(spec: str) -> list[str]:
    found = []
    for each in objects(spec):
        metadata = each["metadata"]
        found.append("/".join([each["kind"], metadata.get("namespace", ""), metadata["name"]]))
    return found


def test_the_podinfo_of_two_tenants() -> None:
    spec = """
inputs:
  - tenant: "team1"
    app: {version: "6.7.x", replicas: 2}
  - tenant: "team2"
    app: {version: "6.6.x", replicas: 3}
resources:
  - apiVersion: source.toolkit.fluxcd.io/v1beta2
    kind: OCIRepository
    metadata: {name: podinfo-<< inputs.tenant >>, namespace: default}
    spec:
      ref:
        semver: << inputs.app.version | quote >>
  - apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata: {name: podinfo-<< inputs.tenant >>, namespace: default}
    spec:
      values:
        replicaCount: << inputs.app.replicas | int >>
"""
    repositories, releases = objects(spec)[:2], objects(spec)[2:]
    assert [each["spec"]["ref"]["semver"] for each in repositories] == ["6.7.x", "6.6.x"]
    assert [each["spec"]["values"]["replicaCount"] for each in releases] == [2, 3]
    assert [each["metadata"]["name"] for each in releases] == ["podinfo-team1", "podinfo-team2"]


def test_three_objects_for_each_tenant() -> None:
    spec = """
inputs:
  - {tenant: team1, role: admin}
  - {tenant: team2, role: cluster-admin}
resources:
  - apiVersion: v1
    kind: Namespace
    metadata: {name: << inputs.tenant >>}
  - apiVersion: v1
    kind: ServiceAccount
    metadata: {name: flux, namespace: << inputs.tenant >>}
  - apiVersion: rbac.authorization.k8s.io/v1
    kind: RoleBinding
    metadata: {name: flux, namespace: << inputs.tenant >>}
    roleRef: {kind: ClusterRole, name: << inputs.role >>, apiGroup: rbac.authorization.k8s.io}
"""
    assert names(spec) == [
        "Namespace//team1",
        "Namespace//team2",
        "ServiceAccount/team1/flux",
        "ServiceAccount/team2/flux",
        "RoleBinding/team1/flux",
        "RoleBinding/team2/flux",
    ]
    roles = [each["roleRef"]["name"] for each in objects(spec)[4:]]
    assert roles == ["admin", "cluster-admin"]


def test_a_nested_field_through_to_yaml() -> None:
    spec = """
inputs:
  - tenant: team1
    layerSelector:
      mediaType: "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
      operation: copy
resources:
  - apiVersion: source.toolkit.fluxcd.io/v1beta2
    kind: OCIRepository
    metadata: {name: << inputs.tenant >>}
    spec:
      layerSelector: << inputs.layerSelector | toYaml | nindent 4 >>
"""
    (repository,) = objects(spec)
    assert repository["spec"]["layerSelector"] == {
        "mediaType": "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
        "operation": "copy",
    }


def test_a_shared_source_is_created_once() -> None:
    spec = """
inputs:
  - {tenant: team1, replicas: "2"}
  - {tenant: team2, replicas: "3"}
resources:
  - apiVersion: source.toolkit.fluxcd.io/v1beta2
    kind: OCIRepository
    metadata: {name: podinfo, namespace: default}
    spec: {ref: {semver: '*'}}
  - apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata: {name: podinfo-<< inputs.tenant >>, namespace: default}
    spec: {values: {replicaCount: << inputs.replicas | int >>}}
"""
    assert names(spec) == [
        "OCIRepository/default/podinfo",
        "HelmRelease/default/podinfo-team1",
        "HelmRelease/default/podinfo-team2",
    ]
    assert [each["spec"]["values"]["replicaCount"] for each in objects(spec)[1:]] == [2, 3]


def test_an_annotation_excludes_an_object() -> None:
    spec = """
inputs:
  - tenant: "team1"
  - tenant: "team2"
resources:
  - apiVersion: v1
    kind: Namespace
    metadata: {name: << inputs.tenant >>}
  - apiVersion: v1
    kind: ServiceAccount
    metadata:
      name: flux
      namespace: << inputs.tenant >>
      annotations:
        fluxcd.controlplane.io/reconcile: >-
          << if eq inputs.tenant "team1" >>enabled<< else >>disabled<< end >>
"""
    assert names(spec) == ["Namespace//team1", "Namespace//team2", "ServiceAccount/team1/flux"]


BUNDLES = """
inputs:
  - bundle: addons
    decryption: false
    components: [ingress-nginx, cert-manager]
  - bundle: apps
    decryption: true
    components: [frontend, backend]
resourcesTemplate: |
  ---
  apiVersion: source.toolkit.fluxcd.io/v1beta2
  kind: OCIRepository
  metadata:
    name: << inputs.bundle >>
    namespace: flux-system
  spec:
    interval: 10m
    url: oci://registry.example.com/<< inputs.bundle >>
  <<- range $component := inputs.components >>
  ---
  apiVersion: kustomize.toolkit.fluxcd.io/v1
  kind: Kustomization
  metadata:
    name: << $component >>
    namespace: flux-system
  spec:
    interval: 1h
    prune: true
    <<- if inputs.decryption >>
    decryption:
      provider: sops
      secretRef:
        name: << inputs.bundle >>-sops
    <<- end >>
    sourceRef:
      kind: OCIRepository
      name: << inputs.bundle >>
    path: ./<< $component >>
  <<- end >>
"""


def test_conditional_and_repeated_blocks() -> None:
    found = objects(BUNDLES)
    kinds = [each["kind"] for each in found]
    assert (kinds.count("OCIRepository"), kinds.count("Kustomization")) == (2, 4)
    decrypted = {
        each["metadata"]["name"]: each["spec"].get("decryption", {}).get("secretRef")
        for each in found
        if each["kind"] == "Kustomization"
    }
    assert decrypted == {
        "ingress-nginx": None,
        "cert-manager": None,
        "frontend": {"name": "apps-sops"},
        "backend": {"name": "apps-sops"},
    }


def test_the_function_bool_of_the_document_does_not_exist() -> None:
    spec = """
inputs: [{enabled: "true"}]
resources:
  - {apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: << inputs.enabled | bool >>}}
"""
    with pytest.raises(BuildError, match='function "bool" not defined'):
        objects(spec)


def test_a_number_goes_through_json() -> None:
    spec = """
resourcesTemplate: |
  kind: ConfigMap
  apiVersion: v1
  metadata: {name: a}
  whole: [2.0, 9223372036854775807, -9223372036854775808]
  digits: 1234567890123456789.0
  beyond: [9223372036854775808, 9.223372036854775808e18, -9223372036854775808.0]
"""
    [found] = objects(spec)
    assert found["whole"] == [2, 2**63 - 1, -(2**63)]
    assert {type(each) for each in found["whole"]} == {int}
    assert found["digits"] == 1234567890123456800
    assert {type(each) for each in found["beyond"]} == {float}


_NAMED = "metadata: {name: a}\n"


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        (f"kind: X\napiVersion: v1\n{_NAMED}", ["X"]),
        (f"--- # a comment\nkind: X\napiVersion: v1\n{_NAMED}", ["X"]),
        (f"kind: X\n{_NAMED}", []),
        ("kind: X\napiVersion: v1\nmetadata: {}\n", []),
        (f"kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1\n{_NAMED}", []),
        (f"kind: KUSTOMIZATION\napiVersion: kustomize.config.k8s.io/v1\n{_NAMED}", []),
        (f"kind: Component\napiVersion: kustomize.config.k8s.io/v1\n{_NAMED}", ["Component"]),
        (
            f"kind: Kustomization\napiVersion: kustomize.toolkit.fluxcd.io/v1\n{_NAMED}",
            ["Kustomization"],
        ),
    ],
)
def test_what_is_no_object_is_left_out(text: str, kinds: list[str]) -> None:
    assert [each.value["kind"] for each in read_objects(text, ValueBudget())] == kinds


@pytest.mark.parametrize("separator", ["---a", "--- - x"])
def test_a_separator_has_nothing_beside_it(separator: str) -> None:
    rest = separator.removeprefix("---").strip()
    with pytest.raises(ReadError, match=f"invalid Yaml document separator: {rest}$"):
        read_objects(f"kind: X\napiVersion: v1\n{_NAMED}{separator}\n", ValueBudget())


@pytest.mark.parametrize(
    ("text", "error", "line"),
    [
        ("a: b: c", "line 1: mapping values are not allowed in this context", 1),
        ("a: 1\n b: 2", "line 2: mapping values are not allowed in this context", 2),
        ("a: @x", "line 1: found character that cannot start any token", 1),
        ("a:\n\tb: 1", "line 2: found character that cannot start any token", 2),
        ('a: "x', "line 1: found unexpected end of stream", 1),
        ("\n\na: [1", "line 4: did not find expected ',' or ']'", 4),
        ("- a\nb: c", "line 2: did not find expected '-' indicator", 2),
        ("\na: *x", "line 2: found undefined alias", 2),
    ],
)
def test_an_error_has_the_problem_with_its_line(text: str, error: str, line: int) -> None:
    with pytest.raises(ReadError) as raised:
        read_value(text)
    assert str(raised.value) == f"error converting YAML to JSON: yaml: {error}"
    assert raised.value.line == line


_JSON = '{"apiVersion": "v1", "kind": "X", "metadata": {"name": "%s"}}'


@pytest.mark.parametrize(
    ("text", "expected_names"),
    [
        (f"{_JSON % 'a'}{_JSON % 'b'}", "ab"),
        (f"\n{_JSON % 'a'}\n{_JSON % 'b'}\n\n{_JSON % 'c'}\n", "abc"),
        (f"{_JSON % 'a'}\n---\nkind: X\napiVersion: v1\nmetadata: {{name: b}}\n", "ab"),
        (f"{_JSON % 'a'}\r\n---\r\n{_JSON % 'b'}\r\n", "ab"),
        ("kind: X\r\napiVersion: v1\r\nmetadata:\r\n  name: a\r\n---\r\n" + _JSON % "b", "ab"),
    ],
)
def test_a_stream_of_json_and_the_line_breaks_of_windows(text: str, expected_names: str) -> None:
    documents = read_objects(text, ValueBudget())
    assert [document.value["metadata"]["name"] for document in documents] == [*expected_names]
    assert all(text[document.start :].lstrip()[:1] in ("{", "k") for document in documents)


@pytest.mark.parametrize("rest", ["x", "---\nkind: X", "[]", '{"kind": 1'])
def test_two_json_objects_are_followed_by_json(rest: str) -> None:
    with pytest.raises(ReadError, match="invalid JSON after 2 objects"):
        read_objects(f"{_JSON % 'a'}{_JSON % 'b'}{rest}", ValueBudget())


def test_json_keeps_its_integers_and_is_as_large_as_yaml() -> None:
    text = (
        '{"kind": "X", "apiVersion": "v1", "metadata": {"name": "\\ud83d\\ude00"}, "n": [1, 1.5]}'
    )
    (document,) = read_objects(text, ValueBudget())
    assert document.value["n"] == [1, 1.5]
    assert document.value["metadata"]["name"] == "\U0001f600"
    with pytest.raises(ReadError, match="values"):
        read_objects(text, ValueBudget(5, "more than 5 values"))
