"""The entries for a group are right on the lives of all of its kinds."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from celvet import schemas
from celvet.lint.cli.subcommands import celvet
from celvet.lint.suggest.groups import is_group, of_group
from celvet.schemas.known_kinds import known_kinds
from tests.kinds.folding import by_kstatus, folded
from tests.kinds.known import facts_of
from tests.properties import sample

CATALOG = schemas.load()
GROUPS = sample(sorted({group for group, _ in known_kinds() if "." in group}))


@pytest.mark.parametrize("group", GROUPS)
def test_each_kind_gets_the_right_verdict(group: str) -> None:
    """By its own entry, else by that of the group, as Flux takes them."""
    entries = {suggestion.kind.kind: suggestion.entry for suggestion in of_group(group, CATALOG)}
    wrong = []
    for facts in (facts_of(*pair) for pair in known_kinds() if pair[0] == group):
        entry = entries.get(facts.kind) or entries.get("")
        for state in facts.life:
            obj = dict(state.object)
            verdict = folded(entry, obj)[0] if entry else by_kstatus(obj)
            waits = {verdict, state.verdict} <= {"InProgress", "Unknown"}
            if verdict != state.verdict and not waits:
                wrong.append((facts.kind, state.name, verdict))
    assert not wrong


def test_one_entry_is_enough_where_all_kinds_share_it() -> None:
    (suggestion,) = of_group("deviceplugin.intel.com", CATALOG)
    assert suggestion.fields.keys() == {"apiVersion", "current"}


def test_a_family_has_the_entry_of_its_groups() -> None:
    (suggestion,) = of_group("s3.aws.upbound.io", CATALOG)
    assert "Synced" in suggestion.fields["current"]
    assert "kind" not in suggestion.fields


def test_no_entry_is_for_a_group_with_kinds_that_none_may_cover() -> None:
    """A DeploymentRuntimeConfig has no status, so the entry of a Provider would wait for ever."""
    kinds = [suggestion.kind.kind for suggestion in of_group("pkg.crossplane.io", CATALOG)]
    assert kinds == ["Configuration", "Function", "Provider"]


@pytest.mark.parametrize("text", ["apps", "example.com", "infrastructure.cluster.x-k8s.example"])
def test_what_is_no_group(text: str) -> None:
    assert not is_group(text, CATALOG)


def test_the_command_prints_an_entry_without_a_kind() -> None:
    result = _suggest("deviceplugin.intel.com")
    assert result.exit_code == 0
    assert "\n- apiVersion: deviceplugin.intel.com/v1\n  current: " in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--for", "argocd"], "an entry for a group is for flux"),
        (["--variant", "simple"], "is a group; name the kind whose variant you want"),
        (["--test"], "name: life of every kind of deviceplugin.intel.com"),
    ],
)
def test_options_with_a_group(arguments: list[str], message: str) -> None:
    assert message in _suggest("deviceplugin.intel.com", *arguments).output


def _suggest(*arguments: str) -> Result:
    return CliRunner().invoke(celvet, ["suggest", *arguments], prog_name="celvet")
