"""The judge of one entry of `dependsOn`.

Mirrors `checkDependencies` of kustomize-controller v1.9.5 and of
helm-controller v1.6.4. The condition is the declaration's `Ready`: True where
this dependency does not hold it up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from celvet.lint.controllers.expression import refusal, terminal, truth
from celvet.lint.controllers.flux.kinds import Controller
from celvet.lint.controllers.flux.readiness import ready, revision_is_old, typed
from celvet.lint.controllers.judge import Program, Situation
from celvet.lint.controllers.unstructured import names
from celvet.lint.controllers.verdict import Cause, Verdict
from celvet.lint.model import GroupKind, Path, Value

ADDITIVE = "AdditiveCELDependencyCheck"
"""The feature gate, as a key of the settings, that adds a `readyExpr` to the built-in test."""

_READY = Verdict(status="True")


@dataclass(frozen=True, slots=True)
class Dependency:
    """Judges one dependency by its `readyExpr`, or by its condition `Ready`.

    `stalled` is the verdict where Flux does not even come to dependencies.
    The settings are `AdditiveCELDependencyCheck`, and `revision`, that of the
    source as it is now, for a dependency with the same source.
    """

    path: Path
    group_kind: GroupKind
    namespace: str
    name: str
    program: Program | None
    declaration: Value
    controller: Controller
    stalled: Verdict | None

    @property
    def title(self) -> str:
        """The dependency's key."""
        return f"dependency {self._key}"

    @property
    def programs(self) -> Sequence[Program]:
        """The `readyExpr`, if there is one."""
        return (self.program,) if self.program else ()

    @property
    def statuses(self) -> Sequence[str]:
        """Without True where the `readyExpr` is refused."""
        if self.stalled:
            return ("Stalled",)
        return ("False", "Stalled") if self._refusal else ("True", "False")

    def applies(self, obj: Value) -> bool:
        """Whether this is the dependency; a namespace left open matches any."""
        return names(obj, self.group_kind, self.namespace, self.name)

    def variables(self, situation: Situation) -> Mapping[str, Value]:
        """`self`, the owner, and `dep`."""
        return {"self": typed(self._owner(situation)), "dep": typed(self._found(situation))}

    def judge(self, situation: Situation) -> Verdict:
        """Whether the dependency is ready to be depended on, None or no object being missing."""
        if self.stalled:
            return self.stalled
        if self._found(situation) is None:
            error = f'{self.controller.resource} "{self.name}" not found'
            return _waits(self.controller.not_found.format(key=self._key, error=error))
        refused = self._by_expression(situation)
        if refused or (self.program and not situation.settings.get(ADDITIVE)):
            return refused or Verdict(status="True", cause=self._cause)
        return self._built_in(situation)

    def _by_expression(self, situation: Situation) -> Verdict | None:
        """The verdict of a `readyExpr` that does not hold."""
        if self.program is None:
            return None
        if self._refusal:
            return terminal(
                f"failed to evaluate dependency {self.name}: {self._refusal}", self.program.path
            )
        true, error = truth(self.program, self.variables(situation))
        if true:
            return None
        words = f"dependency '{self._key}' is not ready according to readyExpr eval"
        return _waits(error or words, error, self._cause)

    def _built_in(self, situation: Situation) -> Verdict:
        owner, found = self._owner(situation), self._found(situation)
        if not ready(found):
            return _waits(f"dependency '{self._key}' is not ready")
        if revision_is_old(owner, found, situation.settings.get("revision")):
            return _waits(f"dependency '{self._key}' revision is not up to date")
        return _READY

    def _found(self, situation: Situation) -> Value:
        return situation.covered(self.applies)[0]

    def _owner(self, situation: Situation) -> Value:
        return self.declaration if situation.owner is None else situation.owner

    @property
    def _key(self) -> str:
        return f"{self.namespace}/{self.name}"

    @property
    def _refusal(self) -> str:
        return refusal(self.program) if self.program else ""

    @property
    def _cause(self) -> Cause | None:
        return Cause(self.program.path) if self.program else None


def _waits(message: str, error: str = "", cause: Cause | None = None) -> Verdict:
    reason = "DependencyNotReady"
    return Verdict(status="False", reason=reason, message=message, error=error, cause=cause)
