"""Publishes and repairs the `caBundle` of the webhook's ValidatingWebhookConfiguration."""

from __future__ import annotations

import base64
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

from celvet.certs.errors import ConflictError, StoreError
from celvet.certs.pki.names import Names
from celvet.certs.stores.cluster import Cluster, JsonObject
from celvet.certs.stores.store import Publication, Store, read_bundle

_ATTEMPTS = 10
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0


class WebhookConfiguration:
    """A configuration in which only the webhooks that call one of our names are changed.

    Webhooks of other services in the same configuration are left alone. Needs the
    verbs get and patch on this one object.
    """

    def __init__(self, cluster: Cluster, name: str, names: Names) -> None:
        self._cluster = cluster
        self._name = name
        self._names = names

    async def publish(self, store: Store) -> Publication:
        """Set the stored bundle in every webhook that calls us; raises `StoreError`.

        The store is read after the configuration. A write over a `resourceVersion` is then never
        older than the write that made that version, however many replicas publish at once.
        """
        pauses = self._cluster.clock.pauses(_FIRST_PAUSE, _LONGEST_PAUSE)
        for pause in islice(pauses, _ATTEMPTS):
            try:
                return await self._try_publish(store)
            except ConflictError:
                await self._cluster.clock.sleep(pause)
        raise StoreError(f"other processes keep changing {self._place}")

    @property
    def _place(self) -> str:
        return f"ValidatingWebhookConfiguration `{self._name}`"

    async def _try_publish(self, store: Store) -> Publication:
        configuration = await self._cluster.webhook_configuration(self._name)
        if configuration is None:
            raise StoreError(f"there is no {self._place}")
        ours = [hook for hook in configuration.get("webhooks") or [] if self._is_ours(hook)]
        if not ours:
            names = ", ".join(self._names.texts)
            raise StoreError(f"no webhook of {self._place} calls `{names}`")
        bundle, problems = await read_bundle(store)
        if problems or not bundle.trusted:
            raise StoreError(f"{store.place} was damaged or deleted just now")
        ca_bundle = base64.b64encode(bundle.ca_bundle).decode()
        stale = [hook for hook in ours if hook["clientConfig"].get("caBundle") != ca_bundle]
        if stale:
            patch = _patch(configuration, stale, ca_bundle)
            await self._cluster.patch_webhook_configuration(self._name, patch)
        return Publication(bundle, repaired=bool(stale))

    def _is_ours(self, hook: dict[str, Any]) -> bool:
        return _host(hook.get("clientConfig") or {}) in self._names.texts


def _host(client: dict[str, Any]) -> str:
    """The name by which the API server calls a webhook, and checks its certificate."""
    if service := client.get("service"):
        return f"{service.get('name')}.{service.get('namespace')}.svc"
    try:
        return urlsplit(client.get("url") or "").hostname or ""
    except ValueError:
        return ""


def _patch(configuration: JsonObject, stale: list[dict[str, Any]], ca_bundle: str) -> JsonObject:
    return {
        "metadata": {"resourceVersion": configuration["metadata"]["resourceVersion"]},
        "webhooks": [
            {"name": hook["name"], "clientConfig": {"caBundle": ca_bundle}} for hook in stale
        ],
    }
