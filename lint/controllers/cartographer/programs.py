"""The paths by which a template decides, as programs."""

from __future__ import annotations

from collections.abc import Iterator

from celvet.lint.controllers.cartographer.matchers import FieldMatcher
from celvet.lint.controllers.cartographer.paths import compiled
from celvet.lint.controllers.cartographer.rule import HealthRule
from celvet.lint.controllers.judge import Program
from celvet.lint.controllers.unstructured import elements, text_or
from celvet.lint.model import Path, Value

OUTPUTS: dict[str, tuple[Path, ...]] = {
    "ClusterTemplate": (),
    "ClusterSourceTemplate": (("urlPath",), ("revisionPath",)),
    "ClusterImageTemplate": (("imagePath",),),
    "ClusterConfigTemplate": (("configPath",),),
    "ClusterDeploymentTemplate": (
        ("observedCompletion", "failed", "key"),
        ("observedCompletion", "succeeded", "key"),
    ),
}
"""Kind of a template -> where in its spec the paths of its outputs are.

A ClusterRunTemplate is none of them: it has no health rule, and its outputs
decide nothing.
"""


def programs_of(place: Path, rule: HealthRule) -> Iterator[Program]:
    """The paths of the matchers of a rule, in the order in which they are asked."""
    if rule.multi is None:
        return
    for matcher in (*rule.multi.unhealthy, *rule.multi.healthy):
        if isinstance(matcher, FieldMatcher):
            texts = {"key": matcher.key, "messagePath": matcher.message_path}
            for role, text in texts.items():
                yield from _program((*place, *matcher.path, role), text)


def outputs_of(template: Value) -> Iterator[Program]:
    """The paths of the outputs of a template."""
    kind = text_or("", template, "kind")
    for path in OUTPUTS.get(kind, ()):
        names = ("spec", *map(str, path))
        yield from _program(names, text_or("", template, *names))
    if kind == "ClusterDeploymentTemplate":
        for index, pair in enumerate(elements(template, "spec", "observedMatches")):
            for role in ("input", "output"):
                place = ("spec", "observedMatches", index, role)
                yield from _program(place, text_or("", pair, role))


def _program(place: Path, text: str) -> Iterator[Program]:
    """One, unless there is no text."""
    if text:
        yield Program(place, str(place[-1]), compiled(text))
