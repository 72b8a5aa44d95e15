"""A stand-in for an API server with the objects of a recorded cluster, without sockets."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import httpx2
from lightkube.config.kubeconfig import KubeConfig

from celvet.lint.controllers.flux_operator.reference import guessed_plural
from celvet.lint.why.inputs.cluster import ClusterApi


class ApiServer:
    """Answers lists and reads; `forbidden` are plurals that it refuses.

    It serves the kinds of its objects, and `served`. So many first requests as `busy` says come too
    early.
    """

    def __init__(
        self,
        objects: Iterable[Mapping[str, Any]],
        forbidden: Iterable[str] = (),
        served: Iterable[str] = (),
    ) -> None:
        self.objects = [*objects]
        self.forbidden = {*forbidden}
        self.served = {*served}
        self.busy = 0
        self.requests: list[str] = []

    def api(self) -> ClusterApi:
        """A connection to it."""
        config = KubeConfig.from_server("http://api.test").get()
        assert config
        return ClusterApi(config, transport=httpx2.MockTransport(self.answer))

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(f"{request.method} {request.url.path}")
        if self.busy:
            self.busy -= 1
            return httpx2.Response(429, headers={"Retry-After": "0"})
        return self._answer(request)

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        parts = request.url.path.strip("/").split("/")
        if parts == ["apis"]:
            groups = {o["apiVersion"].rpartition("/")[0] for o in self.objects}
            return self._json({"groups": [{"name": name} for name in sorted(groups) if name]})
        parts = parts[1:] if parts[0] == "apis" else ["", *parts[1:]]
        group, version, *rest = parts
        namespace = ""
        if rest[0] == "namespaces" and len(rest) > 2:
            namespace, rest = rest[1], rest[2:]
        plural, name = rest[0], rest[1] if len(rest) > 1 else ""
        if plural in self.forbidden:
            return self._status(403, f"{plural} is forbidden: User cannot list resource")
        api_version = f"{group}/{version}" if group else version
        if request.method != "GET":
            return self._write(request, plural, namespace, name)
        kinds = [
            o
            for o in self.objects
            if o["apiVersion"] == api_version and guessed_plural(o["kind"]) == plural
        ]
        items = [
            o
            for o in kinds
            if namespace in ("", o["metadata"].get("namespace"))
            and name in ("", o["metadata"]["name"])
        ]
        if name:
            return (
                self._json(items[0]) if items else self._status(404, f"{plural} {name} not found")
            )
        if not kinds and plural not in self.served:
            return self._status(404, "the server could not find the requested resource")
        for pair in request.url.params.get("labelSelector", "").split(","):
            key, _, value = pair.partition("=")
            if key:
                items = [o for o in items if o["metadata"].get("labels", {}).get(key) == value]
        start = int(request.url.params.get("continue", "0"))
        size = int(request.url.params.get("limit", str(len(items) + 1)))
        more = {"continue": str(start + size)} if start + size < len(items) else {}
        bare = [
            {k: v for k, v in o.items() if k not in ("apiVersion", "kind")}
            for o in items[start : start + size]
        ]
        return self._json({"metadata": {"resourceVersion": "1", **more}, "items": bare})

    def _write(
        self, request: httpx2.Request, plural: str, namespace: str, name: str
    ) -> httpx2.Response:
        """Put an object in the place of one with its name, or delete that one."""
        place = (plural, namespace, name)
        self.objects = [
            o
            for o in self.objects
            if (
                guessed_plural(o["kind"]),
                o["metadata"].get("namespace", ""),
                o["metadata"]["name"],
            )
            != place
        ]
        if request.method == "PATCH":
            self.objects.append(json.loads(request.content))
            return self._json(self.objects[-1])
        return self._json({"kind": "Status", "apiVersion": "v1"})

    @staticmethod
    def _json(document: Any, code: int = 200) -> httpx2.Response:
        return httpx2.Response(
            code, content=json.dumps(document), headers={"Content-Type": "application/json"}
        )

    def _status(self, code: int, message: str) -> httpx2.Response:
        return self._json(
            {"kind": "Status", "apiVersion": "v1", "code": code, "message": message}, code
        )
