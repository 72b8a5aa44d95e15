"""Shell completion beyond click's own: rules, dialects, values after `=` in bash."""

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


class BashComplete(shell_completion.BashComplete):
    """Accepts `--format=sa` as bash passes it: in three words, of which `=` is one."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one to complete, and that one."""
        words, incomplete = super().get_completion_args()
        return [word for word in words if word != "="], incomplete


def install() -> None:
    """Register this class with click."""
    shell_completion.add_completion_class(BashComplete)
