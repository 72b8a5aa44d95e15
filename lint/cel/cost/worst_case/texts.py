"""What cel-go's functions on texts make of a sample, and how long they take on the whole text."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from functools import lru_cache

from celvet.lint.cel.cost.worst_case.values import Group, Items, Text, items, made, text
from celvet.lint.go.regexp.regex import Regex, RegexError
from celvet.lint.go.step_meter import LimitError, StepMeter, UnsupportedError

_COMPARED = 18
"""Characters that cel-go compares in one step."""

_MATCH_STEPS = 20_000

_LONGER = 300
"""Characters of a text that is too long for most patterns with a limit."""


def places(held: Text, part: Text) -> int:
    """How often a text contains another one, without overlap."""
    if not part.size:
        return held.size + 1
    if part.size > held.size:
        return 0
    found = held.sample.count(part.within(held))
    if part.size >= 4 * held.scale:
        return found
    count = held.counted(found)
    return count if part.scale <= 1 or found == count else max(count // part.size, 1)


def begins(held: Text, part: Text) -> bool:
    """Whether a text begins with another one."""
    return part.size <= held.size and held.sample.startswith(part.within(held))


def ends(held: Text, part: Text) -> bool:
    """Whether a text ends with another one."""
    return part.size <= held.size and held.sample.endswith(part.within(held))


def searched(held: Text, part: Text, *, backwards: bool = False) -> tuple[int, int]:
    """The place of a part, and the steps of cel-go, which compares it at each place."""
    read = (held.size + part.size) // 8
    if part.size > held.size:
        return -1, read
    wanted = part.within(held)
    place = held.sample.rfind(wanted) if backwards else held.sample.find(wanted)
    at, size, last = held.sample, len(held.sample), len(held.sample) - len(wanted)
    if part.size < 4 * held.scale:
        wanted = part.sample
    if len(wanted) > size > 1 and len(set(at[:-1])) == 1:
        at = at[0] * len(wanted) + at
    tried = range(size) if place < 0 else range(place, size) if backwards else range(place + 1)
    common = sum(1 + _common(at[index:], wanted) for index in tried)
    each = part.size / len(wanted) if wanted else 1
    free = 1 - (part.size / held.size if held.size else 0)
    compared = common * held.scale * max(each, 1) * max(free, 0)
    if place < 0:
        found = -1
    elif place == last:
        found = held.size - part.size
    else:
        found = round(place * held.scale)
    return found, read + int(compared) // _COMPARED


def _common(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def compared(one: Text, other: Text) -> int:
    """The steps to see whether two texts are equal."""
    if one.size != other.size:
        return 1
    return 1 + _common(one.sample, other.sample) * int(one.scale) // 64


def ordered(one: Text, other: Text) -> int:
    """The steps to see which of two texts is less."""
    least = min(one, other, key=lambda each: each.size)
    return 1 + _common(one.sample, other.sample) * int(least.scale) // 64


def replaced(held: Text, old: Text, new: Text, most: int) -> Text:
    """The text with each place of a part replaced."""
    count = places(held, old)
    if 0 <= most < count:
        count = most
    if not count:
        return held
    size = held.size + count * (new.size - old.size)
    wanted = old.within(held) if old.size else ""
    return made(held.sample.replace(wanted, new.sample), max(size, 0))


def split(held: Text, separator: Text, most: int) -> Items:
    """The parts between separators."""
    if not separator.size and most < 0:
        return items(
            Group(text(each), round(times * held.scale)) for each, times in _runs([*held.sample])
        )
    wanted = separator.within(held)
    if most == 0:
        return Items(())
    if not wanted:
        return Items((Group(held, 1),))
    parts = held.sample.split(wanted, most - 1 if most > 0 else -1)
    repeated = most < 0 and len(parts) > 3 and separator.size < 4 * held.scale
    if not repeated:
        return items(Group(made(part, round(len(part) * held.scale)), 1) for part in parts)
    return items([*_scaled(_runs(parts[:-1]), held.scale), Group(text(parts[-1]), 1)])


def _scaled(runs: Iterator[tuple[str, int]], scale: float) -> Iterator[Group]:
    for each, times in runs:
        yield Group(text(each), round(times * scale))


def _runs(parts: list[str]) -> Iterator[tuple[str, int]]:
    """Equal parts one after the other; of many runs, all equal parts."""
    found: list[tuple[str, int]] = []
    for part in parts:
        if found and found[-1][0] == part:
            found[-1] = (part, found[-1][1] + 1)
        else:
            found.append((part, 1))
    if len(found) <= 4:
        yield from found
        return
    counted: dict[str, int] = {}
    for part in parts:
        counted[part] = counted.get(part, 0) + 1
    yield from counted.items()


def joined(held: Items, separator: Text) -> Text:
    """The elements of a list with a separator between them."""
    sample, size = "", 0
    for group in held.groups:
        part = group.value
        size += group.times * (part.size + separator.size)
        times = min(group.times, max(40 // (len(part.sample) + 1), 1))
        sample += (part.sample + separator.sample) * times
    end = len(separator.sample)
    return made(sample[:-end] if end else sample, max(size - separator.size, 0))


def trimmed(held: Text) -> Text:
    """The text without white space around it."""
    left = held.sample.strip()
    return made(left, round(len(left) * held.scale))


def part_of(held: Text, first: int, last: int | None) -> Text:
    """The characters from `first` to before `last`."""
    end = held.size if last is None else last
    if not 0 <= first <= end <= held.size:
        raise ValueError(first)
    size, start = end - first, first % max(len(held.sample), 1)
    times = min((start + size) // max(len(held.sample), 1) + 1, 2) if held.scale > 1 else 1
    return made((held.sample * times)[start : start + size], size)


def base64_of(held: Text) -> Text:
    """The text in base64."""
    return made(base64.b64encode(held.sample.encode()).decode(), 4 * ((held.size + 2) // 3))


_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


def quoted(held: Text) -> Text:
    """The text in quotes, with escapes."""
    inner = held.sample.translate(_ESCAPES)
    return made(f'"{inner}"', 2 + round(len(inner) * held.scale))


def found(held: Text, pattern: str) -> tuple[int, int] | None:
    """Begin and end of the first match in the sample, unless a longer text has none."""
    match = matched(held, pattern)
    if match == (0, len(held.sample)) and held.scale > 1:
        times = min(_LONGER // len(held.sample) + 1, round(held.scale) + 1)
        longer = made((held.sample * times)[-held.size :], held.size)
        return match and matched(longer, pattern) and match
    return match


@lru_cache(maxsize=1_024)
def matched(held: Text, pattern: str) -> tuple[int, int] | None:
    """Begin and end of the first match in the sample."""
    try:
        meter = StepMeter("a match", _MATCH_STEPS)
        found = Regex(pattern, meter).search(held.sample, meter)
    except (RegexError, LimitError, UnsupportedError):
        return None
    return (found[0], found[1]) if found else None
