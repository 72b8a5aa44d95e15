"""A bundle in a Kubernetes Secret, shared by replicas without a leader."""

from __future__ import annotations

import base64
import binascii

from celvet.certs.errors import ConflictError
from celvet.certs.pki.material import CERTIFICATE, ENTRIES, KEY, Material
from celvet.certs.stores.cluster import Cluster, JsonObject, NotFoundError
from celvet.certs.stores.store import StoreContent

_TYPE = "kubernetes.io/tls"
_LABELS = {"app.kubernetes.io/managed-by": "celvet"}


class SecretStore:
    """A Secret of type `kubernetes.io/tls`, made on the first write.

    An existing Secret is used as it is, whatever its type; entries with other names, labels and
    owners stay. Writes name the `resourceVersion` that was read: if two replicas write, one gets a
    `ConflictError` and reads what the other wrote. Needs the verbs get and patch on the Secret,
    and create on Secrets.
    """

    def __init__(self, cluster: Cluster, namespace: str, name: str) -> None:
        self._cluster = cluster
        self._namespace = namespace
        self._name = name

    @property
    def place(self) -> str:
        """The Secret, for messages."""
        return f"Secret `{self._namespace}/{self._name}`"

    async def read(self) -> StoreContent:
        """The stored content; empty if there is no such Secret."""
        secret = await self._cluster.secret(self._namespace, self._name)
        if secret is None:
            return StoreContent({}, None)
        data = secret.get("data") or {}
        texts = {entry: _decode(data[entry]) for entry in ENTRIES if data.get(entry)}
        return StoreContent(texts, secret["metadata"]["resourceVersion"])

    async def write(self, texts: Material, version: str | None) -> None:
        """Make the Secret, or replace our entries in it."""
        if version is None:
            await self._cluster.create_secret(self._namespace, self._secret(texts))
        else:
            await self._patch(texts, version)

    async def _patch(self, texts: Material, version: str) -> None:
        data = {entry: _encode(texts.get(entry)) for entry in ENTRIES}
        patch = {"metadata": {"resourceVersion": version}, "data": data}
        try:
            await self._cluster.patch_secret(self._namespace, self._name, patch)
        except NotFoundError as error:
            raise ConflictError(f"{self.place} was deleted meanwhile") from error

    def _secret(self, texts: Material) -> JsonObject:
        data = {entry: _encode(text) for entry, text in texts.items()}
        return {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": self._name, "labels": dict(_LABELS)},
            "type": _TYPE,
            "data": {CERTIFICATE: "", KEY: "", **data},
        }


def _encode(text: bytes | None) -> str | None:
    """Base64, or None, with which a merge patch removes an entry."""
    return None if text is None else base64.b64encode(text).decode()


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text)
    except binascii.Error:
        return b""  # an API server never stores this, so it counts as damaged
