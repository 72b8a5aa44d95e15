"""`celvet completion`: a script by which a shell completes commands and options."""

from __future__ import annotations

import click
from click import shell_completion
from click.shell_completion import get_completion_class

from celvet.lint.cli.exit import Exit

_SHELLS = ("bash", "fish", "zsh")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS), metavar="SHELL")
def command(shell: str) -> Exit:
    """Print the completion script for bash, fish or zsh.

    \b
    bash  eval "$(celvet completion bash)"       in ~/.bashrc
    zsh   eval "$(celvet completion zsh)"        in ~/.zshrc
    fish  celvet completion fish | source        in config.fish
    """  # noqa: D301 - click wants the escape
    install()
    completer = get_completion_class(shell)
    if completer is None:
        raise click.UsageError(f"there is no completion for {shell}")
    celvet = click.get_current_context().find_root().command
    click.echo(completer(celvet, {}, "celvet", "_CELVET_COMPLETE").source())
    return Exit.CLEAN


class _BashComplete(shell_completion.BashComplete):
    """Accepts `--format=sa` as bash passes it: as three words, one of them `=`."""

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the one to complete, and that one."""
        words, incomplete = super().get_completion_args()
        return [word for word in words if word != "="], incomplete


def install() -> None:
    """Register the class for bash with click."""
    shell_completion.add_completion_class(_BashComplete)
