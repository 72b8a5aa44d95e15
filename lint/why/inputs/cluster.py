"""An API server, read with the rights of a kubeconfig or of a pod."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from lightkube import Client
from lightkube.config.kubeconfig import SingleConfig
from lightkube.config.models import User
from lightkube.core.exceptions import ApiError, ConfigError
from lightkube.core.resource_registry import resource_registry
from lightkube.generic_resource import create_global_resource, create_namespaced_resource

from celvet.kubeconfig import KubeconfigError, client_config
from celvet.lint.why.inputs.api import (
    ApiResource,
    ClusterError,
    ForbiddenError,
    JsonObject,
    UnservedError,
)

_PAGE = 500
_TIMEOUT = 30.0
_MANAGER = "celvet"
_MOST_REPEATS = 10
_LONGEST_DELAY = 10
"""In seconds."""

_REGISTRATION = threading.Lock()
"""Lists of one kind in several namespaces begin at once, and the library refuses a second class."""


class ClusterApi:
    """A connection to an API server."""

    def __init__(self, config: SingleConfig, transport: httpx2.BaseTransport | None = None) -> None:
        self._client = Client(
            config._replace(user=config.user or User()),
            timeout=httpx2.Timeout(_TIMEOUT),
            transport=transport,
        )
        self._http = self._client._client
        # The library does not try again.
        self._http.send = _patient(self._http.send)  # type: ignore[method-assign]

    @property
    def namespace(self) -> str:
        """The namespace of the context."""
        return str(self._client.namespace)

    @classmethod
    def connect(cls, kubeconfig: Path | None, context: str | None) -> ClusterApi:
        """Connect with a kubeconfig, by default the one of kubectl; raises `ClusterError`."""
        try:
            config = client_config(kubeconfig, context)
        except KubeconfigError as error:
            raise ClusterError(str(error)) from error
        try:
            return cls(config)
        except (ConfigError, httpx2.InvalidURL, OSError, ValueError) as error:
            raise ClusterError(str(KubeconfigError.of(config.fname, str(error)))) from error

    def list(
        self, resource: ApiResource, namespace: str = "", labels: Mapping[str, str] | None = None
    ) -> Iterator[JsonObject]:
        """The objects of a kind, in pages."""
        where = f" in `{namespace}`" if namespace else ""
        with _cluster_errors(f"list {resource.plural}{where}"):
            for item in self._client.list(
                _class(resource),
                namespace=(namespace or "*") if resource.namespaced else None,
                chunk_size=_PAGE,
                labels=dict(labels) if labels else None,
            ):
                yield _object(resource, item)

    def get(self, resource: ApiResource, namespace: str, name: str) -> JsonObject | None:
        """An object, None if it does not exist."""
        attempt = f"get {resource.kind} `{namespace}/{name}`"
        try:
            with _cluster_errors(attempt):
                return _object(
                    resource, self._client.get(_class(resource), name, namespace=namespace or None)
                )
        except UnservedError:
            return None

    def groups(self) -> frozenset[str]:
        """The groups that the API server has; none if it does not tell."""
        try:
            with _cluster_errors("list the groups"):
                # The library has no call for it.
                answer = self._http.send(self._http._client.build_request("GET", "/apis"))
                answer.raise_for_status()
                return frozenset(str(group["name"]) for group in answer.json()["groups"])
        except (ClusterError, KeyError, TypeError, ValueError):
            return frozenset()

    def apply(self, resource: ApiResource, obj: JsonObject) -> None:
        """Create an object, or make it as it is here, by server-side apply."""
        with _cluster_errors(f"apply {_title(resource, obj)}"):
            self._client.apply(_class(resource)(obj), field_manager=_MANAGER, force=True)

    def delete(self, resource: ApiResource, namespace: str, name: str) -> None:
        """Delete an object, if it is still there."""
        try:
            with _cluster_errors(f"delete {resource.kind} `{namespace}/{name}`"):
                self._client.delete(_class(resource), name, namespace=namespace or None)
        except UnservedError:
            return


def _patient(send: Callable[..., httpx2.Response]) -> Callable[..., httpx2.Response]:
    """Sends a request again if the server asks for that, as client-go does (rest/with_retry.go)."""

    def resend(request: httpx2.Request, stream: bool = False) -> httpx2.Response:
        for _ in range(_MOST_REPEATS):
            response = send(request, stream=stream)
            delay = response.headers.get("Retry-After", "")
            if not (
                delay.isdecimal() and (response.status_code == 429 or response.is_server_error)
            ):
                return response
            time.sleep(min(int(delay), _LONGEST_DELAY))
        return send(request, stream=stream)

    return resend


def _title(resource: ApiResource, obj: JsonObject) -> str:
    place = f"{obj['metadata']['namespace']}/" if resource.namespaced else ""
    return f"{resource.kind} `{place}{obj['metadata']['name']}`"


def _class(resource: ApiResource) -> Any:
    """The library's class of a kind; it registers each only once."""
    with _REGISTRATION:
        resource_class = resource_registry.get(resource.api_version, resource.kind)
        if resource_class is not None:
            return resource_class
        create = create_namespaced_resource if resource.namespaced else create_global_resource
        return create(resource.group, resource.version, resource.kind, resource.plural)


def _object(resource: ApiResource, item: JsonObject) -> JsonObject:
    """A plain object; in a list, the API server leaves out its kind."""
    return {**item, "apiVersion": resource.api_version, "kind": resource.kind}


@contextmanager
def _cluster_errors(attempt: str) -> Iterator[None]:
    """Turn failures into `ClusterError`; the message says what was tried."""
    try:
        yield
    except httpx2.HTTPStatusError as error:
        code = error.response.status_code
        message = error.status.message if isinstance(error, ApiError) else None
        kinds = {403: ForbiddenError, 401: ForbiddenError, 404: UnservedError}
        reason = message or f"the API server answered {code}"
        raise kinds.get(code, ClusterError)(f"cannot {attempt}: {reason}") from error
    except httpx2.HTTPError as error:
        reason = str(error) or f"no answer within {_TIMEOUT:g} seconds"
        raise ClusterError(
            f"cannot {attempt}: the API server does not answer ({reason})"
        ) from error
    except (ConfigError, OSError) as error:  # a token file or a credential plugin failed
        raise ClusterError(f"cannot {attempt}: no credentials ({error})") from error
