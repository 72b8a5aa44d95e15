"""Finds the name that was probably meant by a misspelt one."""

from __future__ import annotations

from collections.abc import Collection, Iterable

_ALIKE = 0.75
_LONGEST = 60
"""Longer names are not compared: that takes too long."""


def similar(name: str, among: Iterable[str], alike: float = _ALIKE) -> str:
    """The name most like `name`, letter case aside, or the empty string.

    `alike` is how much of it must be the same, from 0 to 1.
    """
    if len(name) > _LONGEST:
        return ""
    import difflib  # only a misspelt name needs it

    plain = {candidate.lower(): candidate for candidate in among}
    close = difflib.get_close_matches(name.lower(), plain, n=1, cutoff=alike)
    return plain[close[0]] if close else ""


def did_you_mean(name: str, known: Collection[str], otherwise: str = "") -> str:
    """What to say after a name that is not known: the nearest, `otherwise`, or all that are."""
    near = similar(name, known)
    return f"did you mean `{near}`?" if near else otherwise or f"known are {', '.join(known)}"
