"""An LRU cache of lint results, bounded in bytes."""

from __future__ import annotations

from collections import OrderedDict

from celvet.webhook.lint_result import LintResult

_OVERHEAD = 300
"""Bytes of an empty result with its key, and of each finding without its texts."""


class ResultCache:
    """Results by key; the least recently used go when all take more than `size` bytes."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._results: OrderedDict[bytes, LintResult] = OrderedDict()

    def get(self, key: bytes) -> LintResult | None:
        """The result of a key, None if it is not cached."""
        found = self._results.get(key)
        if found is not None:
            self._results.move_to_end(key)
        return found

    def put(self, key: bytes, result: LintResult) -> None:
        """Store a result and evict old ones."""
        replaced = self._results.pop(key, None)
        self._free += _size(replaced) if replaced else 0
        self._results[key] = result
        self._free -= _size(result)
        while self._free < 0:
            _, oldest = self._results.popitem(last=False)
            self._free += _size(oldest)


def _size(result: LintResult) -> int:
    texts = (text for each in result.findings for text in (each.field, each.message))
    return _OVERHEAD + sum(_OVERHEAD + len(text) for text in texts)
