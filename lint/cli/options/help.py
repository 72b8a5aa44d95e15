"""Help pages: `--help` shows the options used most, `--help-all` all of them in groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeVar

import click

_ALL = f"{__name__}.all"
_SHOWN = "Options"

_FunctionT = TypeVar("_FunctionT", bound=Callable[..., Any])


class Option(click.Option):
    """An option of a `group`; only `--help-all` shows one that is `rare`."""

    def __init__(
        self, *declarations: Any, group: str = _SHOWN, rare: bool = False, **attributes: Any
    ) -> None:
        super().__init__(*declarations, **attributes)
        self.group = group
        self.rare = rare


def option_group(title: str) -> Callable[..., Callable[[_FunctionT], _FunctionT]]:
    """`click.option` for the options of a group; it also takes `rare`."""
    return partial(click.option, cls=Option, group=title)


class Command(click.Command):
    """A command that also has `--help-all` if one of its options is rare."""

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters, those about help last."""
        *parameters, help_option = super().get_params(ctx)
        help_all = [_HELP_ALL] if any(map(_is_rare, parameters)) else []
        return [*parameters, *help_all, help_option]

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options in one list, or all of them in their groups."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for group, record in self._records(ctx, everything=_ALL in ctx.meta):
            sections.setdefault(group, []).append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)

    def _records(
        self, ctx: click.Context, *, everything: bool
    ) -> Iterator[tuple[str, tuple[str, str]]]:
        for parameter in self.get_params(ctx):
            if not isinstance(parameter, click.Option) or (_is_rare(parameter) and not everything):
                continue
            record = parameter.get_help_record(ctx)
            if record is not None:
                group = parameter.group if everything and isinstance(parameter, Option) else _SHOWN
                yield group, record


def _is_rare(parameter: click.Parameter) -> bool:
    return isinstance(parameter, Option) and parameter.rare


def _show_all(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not ctx.resilient_parsing:
        ctx.meta[_ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def _help_all(*, hidden: bool) -> click.Option:
    return click.Option(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        hidden=hidden,
        callback=_show_all,
        help="Show every option, in groups.",
    )


_HELP_ALL, _HIDDEN = _help_all(hidden=False), _help_all(hidden=True)


def with_help_all(command: click.Command) -> click.Command:
    """A command that takes `--help-all`, even if `--help` shows all its options."""
    if not (_HIDDEN in command.params or any(map(_is_rare, command.params))):
        command.params.append(_HIDDEN)
    if isinstance(command, click.Group):
        for subcommand in command.commands.values():
            with_help_all(subcommand)
    return command
