"""What the shell completes beyond what click knows: rules, dialects, values after `=` in bash."""

from __future__ import annotations

import click
from click import shell_completion


def rule_ids(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The ids of rules that begin like this."""
    from celvet.lint.rules import rules

    return [rule.id for rule in rules() if rule.id.startswith(incomplete)]


def dialects(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The names of the dialects that celvet knows by itself and that begin like this."""
    from celvet import schemas

    return [name for name in schemas.load().dialects if name.startswith(incomplete)]


class BashComplete(shell_completion.BashComplete):
    """Takes `--format=sa` as bash hands it over: in three words, of which `=` is one."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one to complete, and that."""
        words, incomplete = super().get_completion_args()
        return [word for word in words if word != "="], incomplete


def install() -> None:
    """Let click answer bash in this way."""
    shell_completion.add_completion_class(BashComplete)
