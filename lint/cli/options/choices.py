"""Shell completion for the values of options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def rule_ids(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The ids of rules with this beginning."""
    from celvet.lint.rules import rules

    return [rule.id for rule in rules() if rule.id.startswith(incomplete)]


def dialects(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The names of built-in dialects with this beginning."""
    from celvet import schemas

    return [name for name in schemas.load().dialects if name.startswith(incomplete)]


def kinds_or_files(
    _ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The kinds of the catalogue with this beginning; files, where there are none."""
    from click.shell_completion import CompletionItem

    from celvet.schemas.known_kinds import known_kinds

    names = (f"{kind}.{group}".removesuffix(".") for group, kind in known_kinds())
    found = [name for name in names if name.lower().startswith(incomplete.lower())]
    return [CompletionItem(name) for name in found] or [CompletionItem(incomplete, type="file")]
