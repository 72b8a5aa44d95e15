"""Shell completion beyond click's own: rules, dialects, kinds, values after `=` in bash."""

from __future__ import annotations

import click
from click import shell_completion


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
) -> list[shell_completion.CompletionItem]:
    """The kinds of the catalogue with this beginning; files, where there are none."""
    from celvet.schemas.facts import known_kinds

    names = (f"{kind}.{group}".removesuffix(".") for group, kind in known_kinds())
    found = [name for name in names if name.lower().startswith(incomplete.lower())]
    items = [shell_completion.CompletionItem(name) for name in found]
    return items or [shell_completion.CompletionItem(incomplete, type="file")]


class BashComplete(shell_completion.BashComplete):
    """Accepts `--format=sa` as bash passes it: in three words, of which `=` is one."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one to complete, and that one."""
        words, incomplete = super().get_completion_args()
        return [word for word in words if word != "="], incomplete


def install() -> None:
    """Register this class with click."""
    shell_completion.add_completion_class(BashComplete)
