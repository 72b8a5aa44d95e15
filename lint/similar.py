"""Finds the name that a misspelt one probably means."""

from __future__ import annotations

from collections.abc import Collection, Iterable

_ALIKE = 0.75
_LONGEST = 60
"""Longer names are not compared: that takes too long."""


def similar(name: str, names: Iterable[str], alike: float = _ALIKE) -> str:
    """The name most like `name`, ignoring case, or the empty string.

    `alike` is the least similarity, from 0 to 1.
    """
    if len(name) > _LONGEST:
        return ""
    import difflib  # only a misspelt name needs it

    plain = {candidate.lower(): candidate for candidate in names}
    close = difflib.get_close_matches(name.lower(), plain, n=1, cutoff=alike)
    return plain[close[0]] if close else ""


def did_you_mean(name: str, names: Collection[str], otherwise: str = "") -> str:
    """The advice for an unknown name: the nearest of `names`, else `otherwise`, else all names."""
    near = similar(name, names)
    return f"did you mean `{near}`?" if near else otherwise or f"choose from {', '.join(names)}"
