"""Which part of a cluster is read."""

from __future__ import annotations

from zlib import crc32

from celvet.record import record


@record
class ReadScope:
    """What is read: a namespace, or all; `whole` adds what ready objects have waited for.

    Several processes share all namespaces: this one is number `shard` of `shards`.
    """

    namespace: str = ""
    whole: bool = False
    shard: int = 0
    shards: int = 1

    def covers(self, namespace: str) -> bool:
        """Whether what waits in a namespace is read; the same in each process."""
        if self.namespace:
            return namespace == self.namespace
        return self.shards == 1 or crc32(namespace.encode()) % self.shards == self.shard
