"""Certificates of our own, in a Secret, and the caBundle that clients trust."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

from tests.certs.api_server import ApiServer
from tests.webhook.reviews import kustomization, review
from tests.webhook.serving import CELVET, Serving, serving

OPTIONS = (
    *("--tls-secret", "ns/name", "--service-name", "webhook"),
    *("--webhook-configuration", "hooks", "--reload-interval", 0.1),
)


def test_made_published_rotated_and_repaired(tmp_path: Path) -> None:
    api = ApiServer()
    service = {"name": "webhook", "namespace": "ns"}
    api.configure("hooks", [{"name": "a.celvet", "clientConfig": {"service": service}}])

    async def main() -> None:
        async with api.serving(tmp_path) as kubeconfig:
            await asyncio.to_thread(_check, api, tmp_path, kubeconfig)

    asyncio.run(asyncio.wait_for(main(), 100))


def _check(api: ApiServer, directory: Path, kubeconfig: Path) -> None:
    given = (*OPTIONS, "--kubeconfig", kubeconfig, "--workers", 2)
    with serving(directory, *given) as served:
        assert _judged(served, api)
        first = api.entry("tls.crt")
        command = [CELVET, "certs", "rotate", "--secret", "ns/name", "--kubeconfig", kubeconfig]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        assert api.entry("tls.crt") != first
        served.until(lambda: served.log.read_text().count("serving a new certificate") == 4)
        assert _judged(served, api)
        bundle = api.ca_bundle()
        service: Any = {"service": {"name": "webhook", "namespace": "ns"}}
        api.configure("hooks", [{"name": "a.celvet", "clientConfig": service}])
        served.until(lambda: api.ca_bundle() == bundle)
        assert served.end() == 0


def _judged(served: Serving, api: ApiServer) -> bool:
    """Whether a client that calls the Service and trusts the caBundle gets an answer."""
    served.ca = api.ca_bundle()
    served.name = "webhook.ns.svc"
    body = json.dumps(review(kustomization("status.a ==")))
    return served.post(body.encode())[1]["response"]["allowed"] is False
