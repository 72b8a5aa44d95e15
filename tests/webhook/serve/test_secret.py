"""Issued certificates in a Secret, the caBundle that clients trust, and the cluster's CRDs."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.webhook.crd_server import CrdServer, crd
from tests.webhook.reviews import kustomization, review
from tests.webhook.serving import CELVET, Serving, serving

OPTIONS = (
    *("--tls-secret", "ns/name", "--service-name", "webhook", "--crds-from-api-server"),
    *("--webhook-configuration", "hooks", "--reload-interval", 0.1),
)
SERVICE: Any = {"service": {"name": "webhook", "namespace": "ns"}}


def test_two_replicas_serve_what_their_cluster_holds(tmp_path: Path) -> None:
    async def main() -> list[int]:
        api = CrdServer()
        api.configure("hooks", [{"name": "a.celvet", "clientConfig": SERVICE}])
        await api.apply(crd("X", phase="string"))
        async with api.serving(tmp_path) as kubeconfig:
            return await asyncio.to_thread(
                _statuses_of_replicas, api, tmp_path, kubeconfig, asyncio.get_running_loop()
            )

    assert asyncio.run(asyncio.wait_for(main(), 600)) == [0, 0]


def _statuses_of_replicas(
    api: CrdServer, directory: Path, kubeconfig: Path, loop: asyncio.AbstractEventLoop
) -> list[int]:
    """The exit statuses of two replicas that have followed each change of their cluster."""
    with _replicas(directory, kubeconfig) as replicas:
        _assert_certificates_are_kept(api, replicas, kubeconfig)
        for each in replicas:
            each.until(lambda each=each: "crd-field" in _warnings(each, api, "status.no == 1"))
            assert "crd-type" in _warnings(each, api, "status.phase == 1")
        changed = api.apply(crd("X", no="integer"))
        asyncio.run_coroutine_threadsafe(changed, loop).result()
        for each in replicas:
            each.until(lambda each=each: not _warnings(each, api, "status.no == 1"))
            assert "crd-field" in _warnings(each, api, "status.phase == 1")
            assert "celvet_crds 1.0" in each.get("/metrics")[1]
        return [each.end() for each in replicas]


@contextmanager
def _replicas(directory: Path, kubeconfig: Path) -> Iterator[list[Serving]]:
    """Two, started at the same instant."""
    with ExitStack() as stack, ThreadPoolExecutor(2) as pool:
        contexts = []
        for name in ("one", "other"):
            (directory / name).mkdir()
            contexts.append(serving(directory / name, *OPTIONS, "--kubeconfig", kubeconfig))
        yield list(pool.map(stack.enter_context, contexts))


def _assert_certificates_are_kept(
    api: CrdServer, replicas: list[Serving], kubeconfig: Path
) -> None:
    """Created, agreed on, published, replaced, repaired."""
    for each in replicas:
        assert _denied(each, api, "status.a ==")
    first = api.entry("tls.crt")
    command = [CELVET, "certs", "rotate", "--secret", "ns/name", "--kubeconfig", str(kubeconfig)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert api.entry("tls.crt") != first
    for each in replicas:
        each.until(lambda each=each: each.log.read_text().count("serving a new certificate") == 2)
        assert _denied(each, api, "status.a ==")
    bundle = api.ca_bundle()
    api.configure("hooks", [{"name": "a.celvet", "clientConfig": SERVICE}])
    replicas[0].until(lambda: api.ca_bundle() == bundle)


def _denied(served: Serving, api: CrdServer, text: str) -> bool:
    allowed: bool = _response(served, api, text)["allowed"]
    return not allowed


def _warnings(served: Serving, api: CrdServer, text: str) -> str:
    return "".join(_response(served, api, text).get("warnings", ()))


def _response(served: Serving, api: CrdServer, text: str) -> dict[str, Any]:
    """The answer to a client that calls the Service and trusts the caBundle."""
    served.ca = api.ca_bundle()
    served.name = "webhook.ns.svc"
    return served.review(review(kustomization(text)))
