"""A cache of judgements, bounded by size."""

from __future__ import annotations

from collections import OrderedDict

from celvet.webhook.judgement import Judgement

_OVERHEAD = 300
"""Bytes of an empty judgement with its key, and of each finding without its texts."""


class JudgementCache:
    """Judgements by key; beyond `size` bytes in all, the least recently used are evicted."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._judgements: OrderedDict[bytes, Judgement] = OrderedDict()

    def get(self, key: bytes) -> Judgement | None:
        """The judgement of a key, None if it is not cached."""
        found = self._judgements.get(key)
        if found is not None:
            self._judgements.move_to_end(key)
        return found

    def put(self, key: bytes, judgement: Judgement) -> None:
        """Store a judgement and evict old ones."""
        replaced = self._judgements.pop(key, None)
        self._free += _size(replaced) if replaced else 0
        self._judgements[key] = judgement
        self._free -= _size(judgement)
        while self._free < 0:
            _, oldest = self._judgements.popitem(last=False)
            self._free += _size(oldest)


def _size(judgement: Judgement) -> int:
    texts = (text for each in judgement.findings for text in (each.field, each.message))
    return _OVERHEAD + sum(_OVERHEAD + len(text) for text in texts)
