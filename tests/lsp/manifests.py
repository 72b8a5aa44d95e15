"""Manifests that the tests open: a head, and entries of health checks to put below it."""

from __future__ import annotations

from celvet.lint.crds import KnownSchemas, by_kind, of_definition
from celvet.lint.engine import Settings
from tests.crds.definitions import definition, fields

HEAD = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs, namespace: flux-system}
spec:
  interval: 1h
  prune: true
  wait: true
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
"""
_NEWEST = "e.observedGeneration == metadata.generation"
ISSUER = f"""\
    - apiVersion: cert-manager.io/v1
      kind: Issuer
      current: status.conditions.exists(e, e.type == 'Ready' && e.status == 'True' && {_NEWEST})
"""
CERTIFICATE = """\
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      failed: status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'False')
      current: status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')
"""

CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: issuers.cert-manager.io}
spec:
  group: cert-manager.io
  names: {kind: Issuer, plural: issuers}
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema: {type: object, properties: {status: {type: object, properties: {}}}}
"""
"""A definition by which an `Issuer` has an empty status."""

_PHASE = {"type": "string", "description": "What it is at.", "enum": ["Up", "Down"]}


def with_crd() -> Settings:
    """Settings that know the kind `Issuer`."""
    schema = of_definition(
        definition(fields(status=fields(phase=_PHASE)), "cert-manager.io", "Issuer")
    )
    assert schema
    return Settings(crds=KnownSchemas(by_kind([schema])))


RESOURCE_SET = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: flux-system}
spec:
  inputsFrom: [{name: sizes}]
  resourcesTemplate: |
    apiVersion: kustomize.toolkit.fluxcd.io/v1
    kind: Kustomization
    metadata: {name: apps, namespace: flux-system}
    spec:
      interval: 1h
      prune: true
      wait: true
      sourceRef: {kind: GitRepository, name: apps}
      healthCheckExprs:
        - apiVersion: example.com/v1
          kind: Thing
          failed: has(status.error) && status.error != ''
          current: status.size >= << inputs.size >>
"""
PROVIDER = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSetInputProvider
metadata: {name: sizes, namespace: flux-system}
spec: {type: Static, defaultValues: {size: 1 and 2}}
"""

CLUSTER = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: cluster, namespace: flux-system}
spec:
  path: ./
  sourceRef: {kind: GitRepository, name: flux-system}
  patches:
    - target: {kind: Kustomization}
      patch: "PATCH"
"""
