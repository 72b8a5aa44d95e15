"""Conditions that are there as soon as any is, for kinds whose controllers have been read.

Nothing tells of a kind in general which condition its controller writes first,
so that of a kind not listed here any other may come before the one that is
waited for. A kind is listed only where all of its controller's code, the ways
out by an error too, adds these conditions with the first. The code is that of
August 2026, named by its place in the controller's repository.

SealedSecret has one type and is left out, being the example that this check was made for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from celvet.lint.model import GroupKind

_Row: TypeAlias = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A group, kinds of it, and the types that come first."""

OF_OBJECTS: tuple[_Row, ...] = (
    # kubernetes: the naming controller of apiextensions-apiserver sets both in one update. For
    # groups under k8s.io its apiapproval controller may be a moment faster with a third.
    ("apiextensions.k8s.io", ("CustomResourceDefinition",), ("Established", "NamesAccepted")),
    # kubernetes: pkg/apis/apiregistration/v1/types.go of kube-aggregator has one type.
    ("apiregistration.k8s.io", ("APIService",), ("Available",)),
    # gateway-api: apis/v1 has it as a default of the CRD, so that objects are born with it. They
    # are with `Programmed` as well, but Traefik takes that away where a listener is not valid.
    ("gateway.networking.k8s.io", ("Gateway", "GatewayClass", "ListenerSet"), ("Accepted",)),
    # kustomize-controller: reconcile() patches both at once, each way out before it sets `Ready`.
    ("kustomize.toolkit.fluxcd.io", ("Kustomization",), ("Ready",)),
    # source-controller: each reconcile() begins with ProgressiveStatus() of fluxcd/pkg/runtime.
    (
        "source.toolkit.fluxcd.io",
        ("Bucket", "GitRepository", "HelmChart", "HelmRepository", "OCIRepository"),
        ("Ready",),
    ),
    # image-reflector- and image-automation-controller: the same; what stalls before it gets
    # `Ready` by ResultFinalizer, ahead of the only patch.
    (
        "image.toolkit.fluxcd.io",
        ("ImagePolicy", "ImageRepository", "ImageUpdateAutomation"),
        ("Ready",),
    ),
    # notification-controller: receiver_controller.go patches once, when `Ready` is set.
    ("notification.toolkit.fluxcd.io", ("Receiver",), ("Ready",)),
    # source-watcher: addFinalizer() and newTerminalErrorFor().
    ("source.extensions.fluxcd.io", ("ArtifactGenerator",), ("Ready",)),
    # flux-operator: initializeObjectStatus() comes with the finalizer.
    (
        "fluxcd.controlplane.io",
        ("FluxInstance", "ResourceSet", "ResourceSetInputProvider"),
        ("Ready",),
    ),
    # flagger: MakeStatusConditions() of pkg/canary/status.go always gives this one.
    ("flagger.app", ("Canary",), ("Promoted",)),
    # cert-manager: pkg/apis/certmanager/v1/types_issuer.go has one type.
    ("cert-manager.io", ("ClusterIssuer", "Issuer"), ("Ready",)),
    # trust-manager: pkg/bundle/bundle.go writes one type. The controller beside it that writes
    # `Deprecated` is not started by any release yet.
    ("trust.cert-manager.io", ("Bundle",), ("Synced",)),
    # external-secrets: apis/externalsecrets has one type that is ever written to an object.
    (
        "external-secrets.io",
        (
            "ClusterExternalSecret",
            "ClusterSecretStore",
            "ExternalSecret",
            "PushSecret",
            "SecretStore",
        ),
        ("Ready",),
    ),
    # onepassword-operator: updateStatus() writes a list of this one.
    ("onepassword.com", ("OnePasswordItem",), ("Ready",)),
    # tailscale: k8s-operator/apis has one type for each of these.
    ("tailscale.com", ("Connector",), ("ConnectorReady",)),
    ("tailscale.com", ("DNSConfig",), ("NameserverReady",)),
    ("tailscale.com", ("ProxyClass",), ("ProxyClassReady",)),
    ("tailscale.com", ("Recorder",), ("RecorderReady",)),
    ("tailscale.com", ("Tailnet",), ("TailnetReady",)),
    # keda: GetInitializedConditions() comes before anything else that sets one.
    ("keda.sh", ("ScaledJob", "ScaledObject"), ("Active", "Fallback", "Paused", "Ready")),
    # knative: PreProcessReconcile() of knative.dev/pkg/reconciler initializes the whole set.
    ("serving.knative.dev", ("Configuration", "Revision", "Route"), ("Ready",)),
    ("serving.knative.dev", ("Service",), ("ConfigurationsReady", "Ready", "RoutesReady")),
    # karpenter: ConditionTypes.For() of awslabs/operatorpkg/status does the same.
    ("karpenter.sh", ("NodePool",), ("NodeClassReady", "Ready", "ValidationSucceeded")),
    # kyverno: api/kyverno/v1/policy_status.go has one type.
    ("kyverno.io", ("ClusterPolicy", "Policy"), ("Ready",)),
    # gpu-operator: internal/conditions sets both in each update.
    ("nvidia.com", ("ClusterPolicy", "NVIDIADriver"), ("Error", "Ready")),
    # prometheus-operator: UpdateStatus() of each operator sets both.
    (
        "monitoring.coreos.com",
        ("Alertmanager", "Prometheus", "PrometheusAgent", "ThanosRuler"),
        ("Available", "Reconciled"),
    ),
    # rabbitmq/cluster-operator: SetConditions() is the only function that adds any.
    (
        "rabbitmq.com",
        ("RabbitmqCluster",),
        ("AllReplicasReady", "ClusterAvailable", "NoWarnings", "ReconcileSuccess"),
    ),
    # volsync: api/v1alpha1/common_types.go has one type.
    ("volsync.backube", ("ReplicationDestination", "ReplicationSource"), ("Synchronizing",)),
    # kubevirt: syncConditions() of pkg/virt-controller/watch/vm sets it whatever else there is.
    ("kubevirt.io", ("VirtualMachine",), ("Ready",)),
    # containerized-data-importer: updateConditions() of pkg/controller/datavolume sets all.
    ("cdi.kubevirt.io", ("DataVolume",), ("Bound", "Ready", "Running")),
)

OF_PARENTS: tuple[_Row, ...] = (
    # gateway-api demands it. Contour, Envoy Gateway, Istio, kgateway, Kong, NGINX Gateway Fabric
    # and Traefik add it with whatever else they say of a parent; of Cilium older code was read.
    ("gateway.networking.k8s.io", ("GRPCRoute", "HTTPRoute"), ("Accepted",)),
)

SOONER: tuple[_Row, ...] = (
    # cert-manager: the trigger controller has an update of its own.
    ("cert-manager.io", ("Certificate",), ("Issuing",)),
    # crossplane: before 2.1, Reconcile() of internal/controller/pkg/manager adds it alone.
    ("pkg.crossplane.io", ("Configuration", "Function", "Provider"), ("Installed",)),
    # helm-controller: reconcileRelease() patches it alone.
    ("helm.toolkit.fluxcd.io", ("HelmRelease",), ("Reconciling",)),
    # cloudnative-pg: updateResourceStatus() adds it alone.
    ("postgresql.cnpg.io", ("Cluster",), ("Initialized",)),
    # strimzi: initialStatus() of KafkaAssemblyOperator.
    ("kafka.strimzi.io", ("Kafka",), ("NotReady",)),
    # emqx-operator: status_machine.go of v2beta1.
    ("apps.emqx.io", ("EMQX",), ("CoreNodesProgressing",)),
    # tailscale: another controller than that of the rest, api-server-proxy-pg.go.
    ("tailscale.com", ("ProxyGroup",), ("KubeAPIServerProxyConfigured",)),
    # argo-rollouts: rollout/sync.go adds `Available` later.
    ("argoproj.io", ("Rollout",), ("Progressing",)),
)
"""Types that may be there before any other, and alone."""


def _by_kind(rows: Iterable[_Row]) -> Mapping[GroupKind, frozenset[str]]:
    return {
        GroupKind(group, kind): frozenset(types) for group, kinds, types in rows for kind in kinds
    }


_FIRST: Mapping[str, Mapping[GroupKind, frozenset[str]]] = {
    "status.conditions": _by_kind(OF_OBJECTS),
    "status.parents[0].conditions": _by_kind(OF_PARENTS),
}

_ALONE = _by_kind(SOONER)


def first_conditions(kind: GroupKind, conditions: str) -> frozenset[str]:
    """The types known to be there as soon as any is, in a list of conditions of a kind's objects.

    The list is named as messages do: `status.conditions`, `status.parents[0].conditions`.
    """
    return _FIRST.get(conditions, {}).get(kind, frozenset())


def early_of(kind: GroupKind, conditions: str) -> tuple[str, ...]:
    """The types that such a list is known to have early, those that may be alone first."""
    alone = _ALONE.get(kind, frozenset()) if conditions == "status.conditions" else frozenset()
    return tuple(sorted(alone) + sorted(first_conditions(kind, conditions)))
