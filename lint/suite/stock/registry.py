"""Which module makes up what for which judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from lint.cel import Compiled
from lint.model import Value
from lint.suite.stock import cartographer, gardener, rukpak
from lint.suite.stock.conventional import conventional
from lint.suite.stock.expressions import states
from lint.suite.stock.made_up import MadeUp
from lint.systems.cartographer.judges import OwnerJudge
from lint.systems.cartographer.template_judges import DefaultJudge, RuleJudge
from lint.systems.gardener.extension_judge import ExtensionJudge
from lint.systems.gardener.managed_resource import ResourcesHealthy
from lint.systems.gardener.shoot_condition import ShootCondition
from lint.systems.judge import Judge
from lint.systems.rukpak.judges import Deployment, Probes

_BY_JUDGE: dict[type, Callable[[Any, Value], Iterator[MadeUp]]] = {
    Deployment: rukpak.of_deployment,
    Probes: rukpak.of_probes,
    DefaultJudge: cartographer.of_default,
    RuleJudge: cartographer.of_rule,
    # What it is judged by stands in templates, which no setting of a test holds.
    OwnerJudge: lambda *_: iter(()),
    ExtensionJudge: gardener.of_extension,
    ResourcesHealthy: gardener.of_resources,
    ShootCondition: gardener.of_shoot,
}


def made_up(judge: Judge, declaration: Value) -> Iterator[MadeUp]:
    """Situations that a judge may tell apart, the plainest first."""
    if any(isinstance(program.compiled, Compiled) for program in judge.programs):
        return states(judge, declaration)
    return _BY_JUDGE.get(type(judge), conventional)(judge, declaration)
