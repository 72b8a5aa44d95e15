"""Load as a cluster has it: objects created through the API server as fast as it takes them."""

from __future__ import annotations

import asyncio
import itertools
import json
import ssl
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from tests.e2e.cluster import Cluster, Document
from tests.tables import read_table
from tests.webhook.reviews import kustomization

NAMESPACES = 20
_CLIENTS = 8
_TEMPLATE = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: << inputs.tenant >>
  namespace: flux-system
spec:
  interval: 1h
  prune: true
  path: ./tenants/<< inputs.tenant >>
  sourceRef: {kind: GitRepository, name: tenants}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Tenant
      failed: status.phase == 'Failed'
      current: EXPRESSION
"""


@dataclass
class LoadResult:
    """What became of the objects: they `failed`, passed `unjudged`, or had a `wrong` answer."""

    failed: list[str] = field(default_factory=list)
    unjudged: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        return not (self.failed or self.unjudged or self.wrong)

    def __str__(self) -> str:
        p99 = statistics.quantiles(self.seconds, n=100)[98] * 1000
        counts = (len(self.seconds), len(self.failed), len(self.unjudged), len(self.wrong))
        return "{} objects: {} failed, {} unjudged, {} wrong, p99 {:.0f} ms".format(*counts, p99)


class Load:
    """Clients that create objects, three in ten of them ResourceSets, one in ten wrong."""

    def __init__(self, cluster: Cluster) -> None:
        config: Any = read_table(cluster.kubeconfig)
        server = config["clusters"][0]["cluster"]
        authority = cluster.kubeconfig.parent / server["certificate-authority"]
        self._url = server["server"]
        self._trust = ssl.create_default_context(cafile=str(authority))
        self._token = config["users"][0]["user"]["token"]
        self.result = LoadResult()
        self.ended = False

    async def create(self, count: int, seconds: float = 0.0) -> None:
        """Create so many objects, evenly over so many seconds, and more until it has `ended`."""
        headers = {"Authorization": f"Bearer {self._token}"}
        connector = aiohttp.TCPConnector(ssl=self._trust)
        timeout = aiohttp.ClientTimeout(total=60)
        start = time.monotonic()
        numbers = itertools.count()
        async with aiohttp.ClientSession(
            self._url, connector=connector, timeout=timeout, headers=headers
        ) as session:

            async def client() -> None:
                while (number := next(numbers)) < count or not self.ended:
                    await asyncio.sleep(start + number * seconds / count - time.monotonic())
                    await self._create(session, number)

            await asyncio.gather(*(client() for _ in range(_CLIENTS)))

    async def _create(self, session: aiohttp.ClientSession, number: int) -> None:
        bad = number % 10 == 9
        group, plural, document = _document(number, bad=bad)
        namespace = document["metadata"]["namespace"]
        path = f"/apis/{group}/v1/namespaces/{namespace}/{plural}"
        start = time.perf_counter()
        try:
            async with session.post(path, json=document) as answer:
                told = f"{answer.status} {await answer.text()}"
                warnings = answer.headers.getall("Warning", [])
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            self.result.failed.append(f"{type(error).__name__}: {error}")
            return
        self.result.seconds.append(time.perf_counter() - start)
        if any("celvet did not check it" in text for text in warnings):
            self.result.unjudged.append(document["metadata"]["name"])
        elif "failed calling webhook" in told or answer.status not in (201, 422):
            self.result.failed.append(told[:300])
        elif (answer.status == 422 and "[celvet: " in told) is not bad:
            self.result.wrong.append(told[:300])


def _document(number: int, *, bad: bool) -> tuple[str, str, Document]:
    """Group, plural and content of an object that differs from all others."""
    text = f"status.phase =={'' if bad else f' {number}'}"
    metadata = {"name": f"app-{number}", "namespace": f"load-{number % NAMESPACES}"}
    if number % 10 in (1, 5, 9):
        template = _TEMPLATE.replace("EXPRESSION", json.dumps(text))
        tenants = [{"tenant": f"t{tenant}"} for tenant in range(3)]
        document = {
            "apiVersion": "fluxcd.controlplane.io/v1",
            "kind": "ResourceSet",
            "metadata": metadata,
            "spec": {"inputs": tenants, "resourcesTemplate": template},
        }
        return "fluxcd.controlplane.io", "resourcesets", document
    document = {**kustomization(text), "metadata": metadata}
    return "kustomize.toolkit.fluxcd.io", "kustomizations", document


def namespaces() -> Iterator[Document]:
    for number in range(NAMESPACES):
        yield {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": f"load-{number}"}}
