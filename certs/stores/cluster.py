"""The Kubernetes API server: Secrets, webhook configurations, CustomResourceDefinitions, Events.

Objects are plain JSON, so that unknown fields are kept.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import httpx2
from lightkube import AsyncClient
from lightkube.config.kubeconfig import SingleConfig
from lightkube.config.models import User
from lightkube.core.exceptions import ApiError, ConfigError
from lightkube.generic_resource import create_global_resource, create_namespaced_resource
from lightkube.types import PatchType

from celvet.certs.clock import Clock
from celvet.certs.errors import ConflictError, StoreError
from celvet.certs.references import ResourceName
from celvet.certs.small_file import read_small
from celvet.kubeconfig import KubeconfigError, client_config

JsonObject: TypeAlias = dict[str, Any]
"""A Kubernetes object as JSON has it."""

_Answer = TypeVar("_Answer")

_Secret: Any = create_namespaced_resource("", "v1", "Secret", "secrets")
_WebhookConfiguration: Any = create_global_resource(
    "admissionregistration.k8s.io",
    "v1",
    "ValidatingWebhookConfiguration",
    "validatingwebhookconfigurations",
)
_Definition: Any = create_global_resource(
    "apiextensions.k8s.io", "v1", "CustomResourceDefinition", "customresourcedefinitions"
)
_Event: Any = create_namespaced_resource("", "v1", "Event", "events")
_PAGE = 20
"""CRDs per page; each has at most 1.5 MiB."""

_TIMEOUT = 10.0
_FIELD_MANAGER = "celvet"


class NotFoundError(StoreError):
    """The object does not exist."""


class Cluster:
    """A connection to an API server; `clock` is for waiting between calls.

    Each call raises `StoreError` if the server does not answer, refuses, or fails, and
    `ConflictError` if an object exists already or has changed.
    """

    def __init__(self, config: SingleConfig, clock: Clock) -> None:
        self.clock = clock
        self._client = AsyncClient(
            config._replace(user=config.user or User()),
            timeout=httpx2.Timeout(_TIMEOUT),
            field_manager=_FIELD_MANAGER,
        )

    @classmethod
    def connect(cls, kubeconfig: Path | None = None, clock: Clock | None = None) -> Cluster:
        """Connect with a kubeconfig, by default the one that kubectl uses.

        Sends nothing yet. Raises `StoreError` if no usable configuration is found.
        """
        config = _client_config(kubeconfig)
        try:
            return cls(config, clock or Clock())
        except (ConfigError, httpx2.InvalidURL) as error:
            raise _config_error(config.fname, str(error)) from error
        except (OSError, ValueError) as error:  # a damaged file is an `ssl.SSLError`, an OSError
            reason = f"a certificate or key cannot be loaded: {_text_of(error)}"
            raise _config_error(config.fname, reason) from error

    async def close(self) -> None:
        """Close the connections; no call works after that."""
        await self._client.close()

    async def secret(self, namespace: str, name: str) -> JsonObject | None:
        """A Secret; None if it does not exist."""
        attempt = f"get Secret `{namespace}/{name}`"
        return await _find(attempt, self._client.get(_Secret, name, namespace=namespace))

    async def create_secret(self, namespace: str, secret: JsonObject) -> None:
        """Create a Secret; raises `ConflictError` if it exists."""
        attempt = f"create Secret `{namespace}/{secret['metadata']['name']}`"
        call = self._client.create(_Secret(secret), namespace=namespace)  # type: ignore[call-overload]
        await _send(attempt, call)

    async def patch_secret(self, namespace: str, name: str, patch: JsonObject) -> None:
        """Change a Secret by a merge patch; one with a `resourceVersion` may conflict."""
        kind = PatchType.MERGE
        call = self._client.patch(_Secret, name, patch, namespace=namespace, patch_type=kind)
        await _send(f"patch Secret `{namespace}/{name}`", call)

    async def webhook_configuration(self, name: str) -> JsonObject | None:
        """A ValidatingWebhookConfiguration; None if it does not exist."""
        attempt = f"get ValidatingWebhookConfiguration `{name}`"
        return await _find(attempt, self._client.get(_WebhookConfiguration, name))

    async def patch_webhook_configuration(self, name: str, patch: JsonObject) -> None:
        """Change one by a strategic merge patch, which knows webhooks by their names."""
        kind = PatchType.STRATEGIC
        call = self._client.patch(_WebhookConfiguration, name, patch, patch_type=kind)
        await _send(f"patch ValidatingWebhookConfiguration `{name}`", call)

    async def create_event(self, namespace: str, event: JsonObject) -> None:
        """Create an Event, which `kubectl describe` shows with its object."""
        call = self._client.create(_Event(event), namespace=namespace)  # type: ignore[call-overload]
        await _send(f"create an Event in `{namespace}`", call)

    async def uid(self, name: ResourceName) -> str:
        """The uid of an object; empty if it does not exist."""
        if not name.valid:
            return ""
        group, _, version = name.api_version.rpartition("/")
        kind: Any = create_namespaced_resource(group, version, name.kind, name.resource)
        call = self._client.get(kind, name.name, namespace=name.namespace)
        answer: Any = await _find(f"get {name.kind} `{name.namespace}/{name.name}`", call)
        return str(answer["metadata"]["uid"]) if answer else ""

    def definitions(self) -> CustomResourceDefinitions:
        """All CustomResourceDefinitions, and their changes."""
        return CustomResourceDefinitions(self._client)


def _client_config(path: Path | None) -> SingleConfig:
    """The configuration of a kubeconfig or a pod; raises `StoreError`."""
    try:
        return client_config(path, read=read_small)
    except KubeconfigError as error:
        raise StoreError(str(error)) from error


def _config_error(path: Path | None, reason: str) -> StoreError:
    return StoreError(str(KubeconfigError.of(path, reason)))


class CustomResourceDefinitions:
    """The CustomResourceDefinitions of a cluster; `watch` continues where `all` ended."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._version: str | None = None

    async def all(self) -> AsyncGenerator[JsonObject]:
        """Each of them, read in pages."""
        with _store_errors("list CustomResourceDefinitions"):
            definitions = self._client.list(_Definition, chunk_size=_PAGE)
            async for definition in definitions:
                yield definition
            self._version = definitions.resourceVersion

    async def watch(self) -> AsyncGenerator[tuple[JsonObject, bool]]:
        """Each one created, changed or deleted, and whether it still exists; never ends."""
        with _store_errors("watch CustomResourceDefinitions"):
            async for event, definition in self._client.watch(
                _Definition, resource_version=self._version
            ):
                yield definition, event != "DELETED"


async def _find(attempt: str, call: Awaitable[_Answer]) -> _Answer | None:
    try:
        return await _send(attempt, call)
    except NotFoundError:
        return None


async def _send(attempt: str, call: Awaitable[_Answer]) -> _Answer:
    with _store_errors(attempt):
        return await call


@contextmanager
def _store_errors(attempt: str) -> Iterator[None]:
    """Turn failures into `StoreError`; the message says what was tried."""
    try:
        yield
    except httpx2.HTTPStatusError as error:
        raise _refusal(attempt, error) from error
    except httpx2.HTTPError as error:
        reason = _text_of(error)
        raise StoreError(f"cannot {attempt}: the API server does not answer ({reason})") from error
    except (ConfigError, OSError) as error:  # a token file or a credential plugin failed
        raise StoreError(f"cannot {attempt}: no credentials ({_text_of(error)})") from error
    except Exception as error:  # the library may raise any error for an unexpected answer
        raise StoreError(f"cannot {attempt}: the answer is unusable ({_text_of(error)})") from error


def _text_of(error: Exception) -> str:
    """The reason of an error; timeouts have no text."""
    if isinstance(error, httpx2.TimeoutException):
        return f"no answer within {_TIMEOUT:g} seconds"
    return getattr(error, "strerror", None) or str(error) or "no reason given"


def _refusal(attempt: str, error: httpx2.HTTPStatusError) -> StoreError:
    code = error.response.status_code
    message = error.status.message if isinstance(error, ApiError) else None
    kinds: dict[int, type[StoreError]] = {404: NotFoundError, 409: ConflictError}
    return kinds.get(code, StoreError)(
        f"cannot {attempt}: {message or f'the API server answered {code}'}"
    )
