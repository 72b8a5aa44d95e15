"""Completes a file of `kinds/` that says only how its kind differs from another of its group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

LIKE = "like"
"""Names the kind whose file has what this one leaves out."""

_WORDS = "words"
_WITHOUT = "without"
_JOINED = ("entry", "evidence")


def completed(content: Mapping[str, Any], *, base: Mapping[str, Any]) -> dict[str, Any]:
    """The whole content of a file that is like `base`.

    A key of the file replaces that of `base`; `evidence` and the expressions of `entry` are added
    to those of `base`. What is taken over has the name of the kind, and each text in `words`,
    exchanged.
    """
    kinds = (base["kind"], content["kind"])
    words = {kinds[0]: kinds[1], kinds[0].lower(): kinds[1].lower(), **content.get(_WORDS, {})}
    base_part = {key: value for key, value in base.items() if key not in content.get(_WITHOUT, ())}
    own_part = {key: value for key, value in content.items() if key not in (LIKE, _WORDS, _WITHOUT)}
    words_part = _exchanged(base_part, _exchange(words))
    joined = {key: {**words_part.get(key, {}), **own_part.get(key, {})} for key in _JOINED}
    facts = {**words_part, **own_part, **{key: value for key, value in joined.items() if value}}
    names = {name for claim in claims(facts) for name in claim["evidence"]}
    evidence = {name: place for name, place in joined["evidence"].items() if name in names}
    return {**facts, "evidence": evidence}


def claims(value: Any) -> Iterator[Mapping[str, Any]]:
    """All mappings with `evidence` in the content of a file."""
    if isinstance(value, Mapping):
        if isinstance(value.get("evidence"), list):
            yield value
        for key, part in value.items():
            if key not in ("status", "object"):
                yield from claims(part)
    elif isinstance(value, list):
        for part in value:
            yield from claims(part)


def _exchange(words: Mapping[str, str]) -> Callable[[str], str]:
    import re  # only a user's files, and those who generate ours, need it

    pattern = re.compile("|".join(map(re.escape, sorted(words, key=len, reverse=True))))
    return lambda text: pattern.sub(lambda match: words[match[0]], text)


def _exchanged(value: Any, exchange: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return exchange(value)
    if isinstance(value, Mapping):
        return {exchange(key): _exchanged(part, exchange) for key, part in value.items()}
    return [_exchanged(part, exchange) for part in value] if isinstance(value, list) else value
