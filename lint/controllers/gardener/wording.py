"""Texts as Gardener's Go code words them."""

from __future__ import annotations

from collections.abc import Sequence


def listed(details: Sequence[str]) -> str:
    """Details as sentences, numbered where there are several."""
    sentences = [detail if detail.endswith(".") else f"{detail}." for detail in details]
    if len(sentences) == 1:
        return sentences[0]
    return " ".join(f"{number}) {sentence}" for number, sentence in enumerate(sentences, start=1))


def checks(number: int) -> str:
    """The word for so many checks."""
    return "checks" if number > 1 else "check"
