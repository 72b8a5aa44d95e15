"""An API server that also has CRDs: lists in pages, and watches.

As in the page "API concepts" of Kubernetes: a list has a `resourceVersion` and
`continue`; a watch sends one event a line from a version on, and answers 410 Gone if
that is too old.
"""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any

from aiohttp import web

from tests.certs.api_server import ApiServer, JsonObject, _json, _status

COLLECTION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


def crd(kind: str, group: str = "example.com", **status: Any) -> JsonObject:
    """A CRD whose objects have these fields in their status."""
    fields = {name: {"type": type_, "description": "prose"} for name, type_ in status.items()}
    properties = {"status": {"type": "object", "properties": fields}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": properties}}
    versions = [{"name": "v1", "served": True, "storage": True, "schema": schema}]
    names = {"kind": kind, "plural": f"{kind.lower()}s"}
    metadata = {"name": f"{names['plural']}.{group}"}
    return {"metadata": metadata, "spec": {"group": group, "names": names, "versions": versions}}


class CrdServer(ApiServer):
    """Serves CRDs too. `pages` counts the pages sent; `too_old` ends the next watch."""

    def __init__(self) -> None:
        super().__init__()
        self.pages = 0
        self.too_old = False
        self.watching = asyncio.Event()
        self._crds: dict[str, JsonObject] = {}
        self._events: list[tuple[int, str, JsonObject]] = []
        self._watches: list[Any] = []
        self._happened = asyncio.Condition()

    async def apply(self, definition: JsonObject) -> None:
        """Make or change a CRD."""
        definition, name = copy.deepcopy(definition), definition["metadata"]["name"]
        self._stamp(definition)
        await self._tell("MODIFIED" if name in self._crds else "ADDED", definition)
        self._crds[name] = definition

    async def delete(self, definition: JsonObject) -> None:
        """Delete a CRD."""
        gone = self._crds.pop(definition["metadata"]["name"])
        self._stamp(gone)
        await self._tell("DELETED", gone)

    def break_watches(self) -> None:
        """Close the connections of all watches."""
        for transport in self._watches:
            transport.abort()

    async def _tell(self, event: str, definition: JsonObject) -> None:
        async with self._happened:
            self._events.append((self._version, event, definition))
            self._happened.notify_all()

    def _app(self) -> web.Application:
        app = super()._app()
        listed = self._handle(self._listed)

        async def get(request: web.Request) -> web.StreamResponse:
            watched = request.query.get("watch") == "true" and self.fault(request) is None
            return await (self._watched(request) if watched else listed(request))

        app.router.add_get(COLLECTION, get)
        return app

    def _listed(self, request: web.Request, _body: JsonObject) -> web.Response:
        self.pages += 1
        names = sorted(self._crds)
        begin, count = int(request.query.get("continue", 0)), int(request.query["limit"])
        items = [self._crds[name] for name in names[begin : begin + count]]
        metadata = {"resourceVersion": str(self._version)}
        if begin + count < len(names):
            metadata["continue"] = str(begin + count)
        head = {"kind": "CustomResourceDefinitionList", "apiVersion": "apiextensions.k8s.io/v1"}
        return _json({**head, "metadata": metadata, "items": items})

    async def _watched(self, request: web.Request) -> web.StreamResponse:
        if self.too_old:
            self.too_old = False
            return _status(410, "too old resource version", "Expired")
        response = web.StreamResponse()
        await response.prepare(request)
        seen = int(request.query["resourceVersion"])
        self._watches.append(request.transport)
        self.watching.set()
        while True:
            for version, event, definition in list(self._events):
                if version > seen:
                    line = json.dumps({"type": event, "object": definition})
                    await response.write(line.encode() + b"\n")
                    seen = version
            async with self._happened:
                if not self._events or self._events[-1][0] <= seen:
                    await self._happened.wait()
