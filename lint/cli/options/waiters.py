"""The options that choose a waiter: its name, the text behind `--for`, health scripts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from celvet.lint.cli.options import common

NAMES = ("flux", "kstatus", "helm4", "helm4-legacy", "helm3", "kubectl-wait", "argocd", "timoni")
"""The waiters by name; a test compares them with those of `celvet.lint.waiters`."""

_FunctionT = TypeVar("_FunctionT", bound=Callable[..., Any])


def waiter_options(*, required: bool) -> Callable[[_FunctionT], _FunctionT]:
    """`--as`, `--for` and `--scripts`, as `waiter_name`, `condition` and `scripts`."""
    chosen = click.option(
        "--as",
        "waiter_name",
        required=required,
        type=click.Choice(NAMES),
        metavar="WAITER",
        help=f"Judge as {', '.join(NAMES[:-1])} or {NAMES[-1]} does.",
    )
    condition = click.option(
        "--for",
        "condition",
        metavar="TEXT",
        help="What kubectl-wait waits for, as in condition=Ready.",
    )
    scripts = click.option(
        "--scripts",
        type=common.NAMED_FILE,
        metavar="PATH",
        help="Health scripts of argocd: a checkout, or argocd-cm.",
    )
    return lambda command: chosen(condition(scripts(command)))
