"""A Kubernetes API server of two resources, with its conflicts, patches and faults.

What it answers was read in Kubernetes' API concepts page (resource versions, patch
types) and API machinery: a create of what exists is 409 AlreadyExists, a patch that
names another `resourceVersion` is 409 Conflict, a Secret of type `kubernetes.io/tls`
must have both entries, dates come in the `Date` header.
"""

from __future__ import annotations

import asyncio
import base64
import copy
import enum
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import yaml
from aiohttp import web

JsonObject = dict[str, Any]

SECRETS = "/api/v1/namespaces/{namespace}/secrets"
CONFIGURATIONS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"


class Fault(enum.Enum):
    """What goes wrong with one request."""

    INTERNAL = "500 with a Status"
    GARBAGE = "500 of a proxy, no JSON"
    NO_OBJECT = "200 of a proxy, no JSON"
    FORBIDDEN = "403 of RBAC"
    LOST_REQUEST = "the connection breaks before anything is done"
    LOST_ANSWER = "the connection breaks after it was done"


class ApiServer:
    """Objects by path. `fault` is called before each request, `requests` counts them."""

    def __init__(self, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self.now = now
        self.objects: dict[str, JsonObject] = {}
        self.requests: list[tuple[str, str]] = []
        self.fault: Callable[[web.Request], Fault | None] = lambda _request: None
        self.before: Callable[[web.Request], Awaitable[None]] | None = None
        self._version = 100

    def secret(self, path: str = "ns/name") -> JsonObject | None:
        namespace, name = path.split("/")
        return self.objects.get(f"{SECRETS.format(namespace=namespace)}/{name}")

    def entry(self, name: str) -> bytes:
        secret = self.secret()
        assert secret is not None
        return base64.b64decode(secret["data"][name])

    def set_entry(self, name: str, text: bytes | None) -> None:
        """Change the Secret by hand, as with `kubectl edit`."""
        secret = self.secret()
        assert secret is not None
        if text is None:
            secret["data"].pop(name, None)
        else:
            secret["data"][name] = base64.b64encode(text).decode()
        self._stamp(secret)

    def configure(self, name: str, hooks: list[JsonObject]) -> JsonObject:
        """Make or overwrite a ValidatingWebhookConfiguration."""
        document: JsonObject = {"metadata": {"name": name, "labels": {"kept": "yes"}}}
        document["webhooks"] = copy.deepcopy(hooks)
        self._stamp(document)
        self.objects[f"{CONFIGURATIONS}/{name}"] = document
        return document

    def ca_bundle(self, name: str = "hooks", index: int = 0) -> bytes:
        hook = self.objects[f"{CONFIGURATIONS}/{name}"]["webhooks"][index]
        return base64.b64decode(hook["clientConfig"].get("caBundle", ""))

    @asynccontextmanager
    async def serving(
        self, directory: Path, tls: ssl.SSLContext | None = None, ca_bundle: bytes = b""
    ) -> AsyncIterator[Path]:
        """Run it, over TLS if told to; gives a kubeconfig that leads to it."""
        runner = web.AppRunner(self._app(), shutdown_timeout=0.1)
        await runner.setup()
        try:
            await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=tls).start()
            server = f"{'https' if tls else 'http'}://127.0.0.1:{runner.addresses[0][1]}"
            cluster = {"server": server}
            if ca_bundle:
                cluster["certificate-authority-data"] = base64.b64encode(ca_bundle).decode()
            yield _kubeconfig(directory, cluster)
        finally:
            await runner.cleanup()

    def _app(self) -> web.Application:
        app = web.Application()
        for collection in (SECRETS, CONFIGURATIONS):
            app.router.add_post(collection, self._handle(self._create))
            app.router.add_get(collection + "/{name}", self._handle(self._get))
            app.router.add_patch(collection + "/{name}", self._handle(self._patch))
        return app

    def _handle(
        self, action: Callable[[web.Request, JsonObject], web.Response]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handler(request: web.Request) -> web.StreamResponse:
            self.requests.append((request.method, request.path))
            body = await request.json() if request.can_read_body else {}
            if self.before:
                await self.before(request)
            response = self._answer(request, body, action, self.fault(request))
            if response is None:
                assert request.transport is not None
                request.transport.abort()
                raise asyncio.CancelledError
            response.headers["Date"] = format_datetime(self.now(), usegmt=True)
            return response

        return handler

    def _answer(
        self,
        request: web.Request,
        body: JsonObject,
        action: Callable[[web.Request, JsonObject], web.Response],
        fault: Fault | None,
    ) -> web.Response | None:
        """What is sent; None for a broken connection."""
        if fault in (Fault.INTERNAL, Fault.FORBIDDEN):
            return _status(500 if fault is Fault.INTERNAL else 403, fault.value)
        if fault in (Fault.GARBAGE, Fault.NO_OBJECT):
            status = 500 if fault is Fault.GARBAGE else 200
            return web.Response(status=status, text="<html>bad gateway</html>")
        if fault is Fault.LOST_REQUEST:
            return None
        response = action(request, body)
        return None if fault is Fault.LOST_ANSWER else response

    def _create(self, request: web.Request, body: JsonObject) -> web.Response:
        path = f"{request.path}/{body['metadata']['name']}"
        if path in self.objects:
            return _status(409, "already exists", "AlreadyExists")
        if problem := _invalid(body):
            return _status(422, problem, "Invalid")
        self._stamp(body)
        self.objects[path] = body
        return _json(body, 201)

    def _get(self, request: web.Request, _body: JsonObject) -> web.Response:
        found = self.objects.get(request.path)
        return _json(found) if found else _status(404, "not found", "NotFound")

    def _patch(self, request: web.Request, body: JsonObject) -> web.Response:
        found = self.objects.get(request.path)
        if found is None:
            return _status(404, "not found", "NotFound")
        named = body.get("metadata", {}).get("resourceVersion")
        if named not in (None, found["metadata"]["resourceVersion"]):
            return _status(409, "the object has been modified", "Conflict")
        strategic = request.content_type == "application/strategic-merge-patch+json"
        patched = _merge(found, body, strategic=strategic)
        if problem := _invalid(patched):
            return _status(422, problem, "Invalid")
        if patched != found:  # an API server does not write what does not change
            self._stamp(patched)
            self.objects[request.path] = patched
        return _json(patched)

    def _stamp(self, document: JsonObject) -> None:
        self._version += 1
        document["metadata"]["resourceVersion"] = str(self._version)


def _merge(old: Any, patch: Any, *, strategic: bool) -> Any:
    """RFC 7386; strategic: lists of webhooks are merged by name."""
    if not isinstance(patch, dict) or not isinstance(old, dict):
        return copy.deepcopy(patch)
    merged = copy.deepcopy(old)
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        elif strategic and key == "webhooks":
            changes = {hook["name"]: hook for hook in value}
            merged[key] = [
                _merge(hook, changes.get(hook["name"], {}), strategic=True) for hook in merged[key]
            ]
        else:
            merged[key] = _merge(merged.get(key), value, strategic=strategic)
    return merged


def _invalid(document: JsonObject) -> str | None:
    if document.get("type") == "kubernetes.io/tls":
        absent = {"tls.crt", "tls.key"} - document["data"].keys()
        return f"data: Required value: {sorted(absent)}" if absent else None
    return None


def _json(document: JsonObject, status: int = 200) -> web.Response:
    body = json.dumps(document).encode()
    return web.Response(body=body, status=status, content_type="application/json")


def _status(code: int, message: str, reason: str = "") -> web.Response:
    status = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code}
    return _json({**status, "message": message, "reason": reason}, code)


def _kubeconfig(directory: Path, cluster: dict[str, str]) -> Path:
    path = directory / "kubeconfig"
    context = {"cluster": "c", "user": "u", "namespace": "ns"}
    config = {
        "clusters": [{"name": "c", "cluster": cluster}],
        "users": [{"name": "u", "user": {}}],
        "contexts": [{"name": "x", "context": context}],
        "current-context": "x",
    }
    path.write_text(yaml.safe_dump(config))
    return path
