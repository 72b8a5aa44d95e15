"""Limits on the size of a file; a file beyond them is refused.

Manifests may be hostile. Each limit is far above what a cluster accepts (etcd stores objects up to
1.5 MB), and low enough that walking a document with expanded aliases takes seconds at most.
"""

from __future__ import annotations

from itertools import islice

from celvet.record import record
from celvet.regex import regex

MAX_BYTES = 10 * 1024 * 1024
"""Size of a file in bytes, or of a text in code points."""

MAX_NODES = 500_000
"""Scalars and collections that a file may write out; 10 MB of CRDs have about 400,000."""

MAX_DOCUMENTS = 10_000
"""Documents in a file."""

MAX_VARIABLES = 50_000
"""Uses of `${VAR}` in a file."""

MAX_ALIASED = 100_000
"""Nodes that aliases and merge keys may add to a file when expanded."""

MAX_DEPTH = 200
"""Collections within collections; the deepest public CRD has about 70."""

MAX_NESTED_TEXTS = 4
"""Texts of manifests within texts of manifests (patches within patches)."""

_BEGINNINGS = ("-", ":", ",", "[", "{", "?")
_ALIAS = regex(r"(?<![^\s\[{,:-])\*[^\s,\[\]{}'\"]")


@record(frozen=False)
class Budget:
    """The remaining budget of a file, counted down while it is read; below zero, it is exceeded.

    A file, its documents and the texts inside them share one. `characters` are those of inner
    texts, since the size of the file itself has already been checked.
    """

    nodes: int = MAX_NODES
    aliased: int = MAX_ALIASED
    variables: int = MAX_VARIABLES
    characters: int = MAX_BYTES

    @property
    def spent(self) -> bool:
        """Whether to stop reading; a file with too many aliases can continue."""
        return min(self.nodes, self.variables, self.characters) < 0


def may_spend(text: str, documents: int) -> bool:
    """Whether the documents of a file together may exceed what one of them may not.

    Counts what begins values, a mapping with its first key as three, in each of the nested texts.
    """
    if documents < 2:
        return False
    values = 3 * (documents + sum(map(text.count, _BEGINNINGS)))
    texts = 1 + MAX_NESTED_TEXTS
    return (
        values * texts > MAX_NODES
        or len(text) * texts > MAX_BYTES
        or text.count("${") * texts > MAX_VARIABLES
        or ("*" in text and len([*islice(_ALIAS.finditer(text), 2)]) > 1)
    )
