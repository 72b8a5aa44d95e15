"""Shell completion for the values of options."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pathlib import Path

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
    ctx: click.Context, _param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """The kinds of the catalogue with this beginning, and files; only these after `--missing`."""
    from click.shell_completion import CompletionItem

    from celvet.schemas.known_kinds import named_kinds

    kinds = () if ctx.params.get("repository") else named_kinds(_directories(ctx))
    names = (f"{kind}.{group}".removesuffix(".") for group, kind in kinds)
    matches = [name for name in names if name.lower().startswith(incomplete.lower())]
    return [*map(CompletionItem, matches), CompletionItem(incomplete, type="file")]


def variants(ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[str]:
    """The variants of the kinds on the line, with this beginning."""
    from celvet.lint.suggest.kind_names import UnknownKindError, catalog_kind
    from celvet.schemas import kind_facts

    directories = _directories(ctx)
    names: dict[str, None] = {}
    # click leaves the arguments before an option without a value unread
    for subject in (*(ctx.params.get("subjects") or ()), *ctx.args):
        with suppress(UnknownKindError):
            kind = catalog_kind(subject, directories)
            facts = kind_facts(kind.group, kind.kind, directories)
            names |= dict.fromkeys(facts.variants if facts else ())
    return [name for name in names if name.startswith(incomplete)]


def _directories(ctx: click.Context) -> tuple[Path, ...]:
    """The user's directories of kinds; none if the configuration is wrong."""
    from celvet.lint.cli.run.session import configuration
    from celvet.wrong_input import WrongInputError

    try:
        return configuration(ctx.params.get("config")).schemas
    except WrongInputError:
        return ()
