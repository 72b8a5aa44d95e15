"""`celvet completion`: what a shell needs to complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from celvet.lint.cli import Exit
from celvet.lint.cli.commands import celvet
from celvet.lint.cli.options.completion import install

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
    click.echo(completer(celvet, {}, "celvet", "_CELVET_COMPLETE").source())
    return Exit.CLEAN
