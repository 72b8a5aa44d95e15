"""`celvet rules`: the manual at the terminal."""

from __future__ import annotations

import click

from celvet.lint.cli.options.choices import rule_ids
from celvet.lint.similar import did_you_mean


@click.command("rules")
@click.argument("name", required=False, shell_complete=rule_ids)
def command(name: str | None) -> None:
    """List the rules, or show the page of one."""
    from celvet.lint.rules import Rule, rules

    if name is None:
        width = max(len(rule.id) for rule in rules())
        for rule in rules():
            click.echo(f"{rule.id:<{width}}  {rule.severity!s:<7}  {rule.summary}")
        return
    rules_by_id: dict[str, Rule] = {rule.id: rule for rule in rules()}
    if name not in rules_by_id:
        remedy = did_you_mean(name, rules_by_id, "`celvet rules` lists them")
        raise click.UsageError(f"there is no rule `{name}`; {remedy}")
    rule = rules_by_id[name]
    click.echo(f"# {rule.id} ({rule.severity})\n\n{rule.page}")
