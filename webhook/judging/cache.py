"""What was judged before, as far as it fits."""

from __future__ import annotations

from collections import OrderedDict

from celvet.webhook.lint_result import Judgement

_ENTRY = 300
"""Bytes of a judgement that finds nothing, the place of it included."""


class Memory:
    """Judgements by key; those not asked for longest go when there are more than `size` bytes."""

    def __init__(self, size: int) -> None:
        self._room = size
        self._judgements: OrderedDict[bytes, Judgement] = OrderedDict()

    def __len__(self) -> int:
        """How many are remembered."""
        return len(self._judgements)

    def get(self, key: bytes) -> Judgement | None:
        """The judgement of a key, None if it was forgotten."""
        found = self._judgements.get(key)
        if found is not None:
            self._judgements.move_to_end(key)
        return found

    def put(self, key: bytes, judgement: Judgement) -> None:
        """Remember, and forget what there is no room for."""
        before = self._judgements.pop(key, None)
        self._room += _weight(before) if before else 0
        self._judgements[key] = judgement
        self._room -= _weight(judgement)
        while self._room < 0:
            _, oldest = self._judgements.popitem(last=False)
            self._room += _weight(oldest)


def _weight(judgement: Judgement) -> int:
    texts = (text for each in judgement.objections for text in (each.field, each.message))
    return _ENTRY + sum(_ENTRY + len(text) for text in texts)
