"""What a reader of a cluster asks an API server for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Protocol, TypeAlias

from celvet.lint.model import GroupKind
from celvet.record import record
from celvet.wrong_input import WrongInputError

JsonObject: TypeAlias = dict[str, Any]

_CONNECTIONS = 8
"""Each may hold a page of whole objects."""


class ClusterError(WrongInputError):
    """The API server does not answer or fails; the message says what was tried."""


class ForbiddenError(ClusterError):
    """The right to read something is missing."""


class UnservedError(ClusterError):
    """The API server does not have the kind."""


@record
class ApiResource:
    """A kind as the API server serves it."""

    group: str
    version: str
    kind: str
    plural: str
    namespaced: bool = True

    @property
    def api_version(self) -> str:
        """`group/version`."""
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def group_kind(self) -> GroupKind:
        """The kind, without the version."""
        return GroupKind(self.group, self.kind)


class Api(Protocol):
    """Reads objects; each call may raise `ClusterError`."""

    def list(
        self, resource: ApiResource, namespace: str = "", labels: Mapping[str, str] | None = None
    ) -> Iterator[JsonObject]:
        """The objects of a kind, in pages; in all namespaces without one."""

    def get(self, resource: ApiResource, namespace: str, name: str) -> JsonObject | None:
        """An object, None if it does not exist."""

    def groups(self) -> frozenset[str]:
        """The groups that the API server has; none if it does not tell."""


ApiAnswer: TypeAlias = list[JsonObject] | ForbiddenError | UnservedError


@record
class ApiRequest:
    """Asks for an object by its `name`, or for those of a list that pass the `test`."""

    resource: ApiResource
    namespace: str = ""
    name: str = ""
    labels: Mapping[str, str] | None = None
    test: Callable[[JsonObject], bool] | None = None

    def answer(self, shape: Callable[[JsonObject], JsonObject], api: Api) -> ApiAnswer:
        """The objects, each in the shape in which it is kept, or why there are none."""
        try:
            return [shape(item) for item in self._items(api) if not self.test or self.test(item)]
        except (ForbiddenError, UnservedError) as error:
            return error

    def _items(self, api: Api) -> Iterator[JsonObject]:
        if not self.name:
            yield from api.list(self.resource, self.namespace, self.labels)
        elif (item := api.get(self.resource, self.namespace, self.name)) is not None:
            yield item


def answers(
    requests: Iterable[ApiRequest], shape: Callable[[JsonObject], JsonObject], api: Api
) -> Iterator[tuple[ApiRequest, ApiAnswer]]:
    """Each request with its answer, in their order."""
    requests = [*requests]
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        replies = pool.map(partial(ApiRequest.answer, shape=shape, api=api), requests)
        yield from zip(requests, replies, strict=True)
