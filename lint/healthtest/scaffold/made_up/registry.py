"""Which module makes up what for which judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from celvet.lint.cel import Compiled
from celvet.lint.controllers.cartographer.judges import OwnerJudge
from celvet.lint.controllers.cartographer.template_judges import DefaultJudge, RuleJudge
from celvet.lint.controllers.gardener.extension_judge import ExtensionJudge
from celvet.lint.controllers.gardener.managed_resource import ResourcesHealthy
from celvet.lint.controllers.gardener.shoot_condition import ShootCondition
from celvet.lint.controllers.judge import Judge
from celvet.lint.controllers.rukpak.judges import Deployment, Probes
from celvet.lint.healthtest.scaffold.made_up import cartographer, gardener, rukpak
from celvet.lint.healthtest.scaffold.made_up.conventional import conventional
from celvet.lint.healthtest.scaffold.made_up.expressions import states
from celvet.lint.healthtest.scaffold.made_up.situation import MadeUp
from celvet.lint.model import Value

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
