"""Completion items, independent of the protocol's options."""

from __future__ import annotations

from collections.abc import Iterable

from lsprotocol import types as lsp

from celvet.record import record, replace


@record
class Proposal:
    """A proposal: `insert` is the text, a snippet with `snippet`, else the label itself.

    `rank` sorts: 0 is known to fit here, 1 usually fits, 2 is the rest.
    """

    label: str
    kind: lsp.CompletionItemKind
    detail: str = ""
    documentation: str = ""
    insert: str = ""
    snippet: bool = False
    rank: int = 0


@record
class Proposals:
    """Items for an unfinished word, whose last `replaced_size` code points are replaced.

    With `more`, another letter may bring others.
    """

    items: list[Proposal]
    replaced_size: int = 0
    more: bool = False

    def with_items(self, proposals: Iterable[Proposal]) -> Proposals:
        """These and others, of which there may be more."""
        new_items = list(proposals)
        return replace(self, items=[*self.items, *new_items], more=self.more or bool(new_items))
