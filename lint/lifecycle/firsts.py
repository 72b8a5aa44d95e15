"""Conditions that are there as soon as any is, for kinds whose controllers have been read.

Nothing tells of a kind in general which condition its controller writes first,
so that of a kind not listed here any other may come before the one that is
waited for.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lint.model import GroupKind

_FIRST: Mapping[GroupKind, frozenset[str]] = {
    GroupKind(group, kind): frozenset(types)
    for group, kinds, types in (
        # pkg/apis/certmanager/v1/types_issuer.go of cert-manager has one type.
        ("cert-manager.io", ("ClusterIssuer", "Issuer"), ("Ready",)),
        # apis/externalsecrets of external-secrets; `Deleted` comes when the Secret has gone.
        (
            "external-secrets.io",
            ("ClusterSecretStore", "ExternalSecret", "PushSecret", "SecretStore"),
            ("Ready",),
        ),
        # kustomization_controller.go patches `Ready` as unknown with the first `Reconciling`.
        ("kustomize.toolkit.fluxcd.io", ("Kustomization",), ("Ready",)),
        # The naming controller of apiextensions-apiserver sets both in one update.
        ("apiextensions.k8s.io", ("CustomResourceDefinition",), ("NamesAccepted", "Established")),
    )
    for kind in kinds
}


def comes_first(kind: GroupKind, types: Collection[str]) -> bool:
    """Whether one of these conditions is known to be among the first of a kind's objects."""
    return not _FIRST.get(kind, frozenset()).isdisjoint(types)
