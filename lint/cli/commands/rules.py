"""`celvet rules`: the manual at the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import click

from celvet.lint.cli.options.choices import rule_ids
from celvet.lint.similar import did_you_mean

if TYPE_CHECKING:
    from celvet.lint.rules import Rule


@click.command("rules")
@click.argument("name", required=False, shell_complete=rule_ids)
def command(name: str | None) -> None:
    """List the rules, or show the page of one."""
    from celvet.lint.rules import rules

    rules_by_id: dict[str, Rule] = {rule.id: rule for rule in rules()}
    if name is None:
        click.echo("\n".join(_listed(rules_by_id)))
        return
    if name not in rules_by_id:
        remedy = did_you_mean(name, rules_by_id, "`celvet rules` lists them")
        raise click.UsageError(f"there is no rule `{name}`; {remedy}")
    rule = rules_by_id[name]
    click.echo(f"# {rule.id} ({rule.severity})\n\n{rule.page}")


def _listed(rules_by_id: Mapping[str, Rule]) -> Iterator[str]:
    """A line for each rule, under the question that it answers."""
    from celvet.lint.report.printer import MARK
    from celvet.lint.rules.shared.groups import fixable, groups

    width = max(map(len, rules_by_id))
    for question, names in groups().items():
        yield question
        for rule in map(rules_by_id.__getitem__, names):
            mark = MARK if rule.id in fixable() else ""
            yield f"  {rule.id:<{width}}  {rule.severity!s:<7}  {mark:<3}  {rule.summary}"
        yield ""
    yield f"{MARK} --fix, or --fix=unsafe, repairs some findings. `celvet rules NAME` shows a page."
