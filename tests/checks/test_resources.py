"""The kind of the objects under check, where the declaration names a resource."""

from __future__ import annotations

import pytest

from celvet.lint.checks.object_kind import kind_of_objects


@pytest.mark.parametrize(
    ("resource", "kind"),
    [
        ({"group": "apps", "resource": "deployments"}, ("apps/v1", "Deployment")),
        ({"group": "", "resource": "pods"}, ("v1", "Pod")),
        (
            {"group": "networking.k8s.io", "resource": "ingresses"},
            ("networking.k8s.io/v1", "Ingress"),
        ),
        (
            {"group": "cert-manager.io", "resource": "certificates"},
            ("cert-manager.io/v1", "Certificate"),
        ),
        ({"group": "example.com", "resource": "widgets"}, ("", "")),
        ({"group": "apps", "resource": 1}, ("", "")),
    ],
)
def test_a_resource(resource: object, kind: tuple[str, str]) -> None:
    assert kind_of_objects("on", (), {"on": resource}) == kind
