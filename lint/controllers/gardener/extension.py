"""An extension resource (`Worker`, `Infrastructure`...) and the conditions written to it.

Mirrors `reconciler.go` of `extensions/pkg/controller/healthcheck` of Gardener (v1.149).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from celvet.lint.controllers.gardener.aggregation import aggregate, successful
from celvet.lint.controllers.gardener.checks import CheckResult
from celvet.lint.model import Value
from celvet.lint.values import ABSENT
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.lint.verdicts.unstructured import FieldTypeError, field, optional_list, optional_text
from celvet.lint.verdicts.verdict import Verdict
from celvet.record import replace

_OF_A_SHOOT = ("shoot", None, ABSENT)
"""Classes of an extension that belongs to a Shoot."""


def examine(
    extension: Value, kind: str, results: Sequence[CheckResult], cluster: ClusterState
) -> Verdict | None:
    """The verdict on a condition type by the results of its checks; None if it is not checked.

    An extension that is being deleted or migrated is not checked. While its Shoot, a setting, is
    hibernated, an extension is healthy. The condition before is that of the previous verdict, else
    that in the status.
    """
    try:
        if _is_skipped(extension):
            return None
        verdict = _verdict(extension, kind, results, cluster)
    except FieldTypeError as error:
        return Verdict(status="Unknown", error=str(error))
    stays = cluster.previous is not None and cluster.previous.status == verdict.status
    return replace(verdict, since=_began(cluster) if stays else cluster.now)


def _verdict(
    extension: Value, kind: str, results: Sequence[CheckResult], cluster: ClusterState
) -> Verdict:
    is_of_shoot = field(extension, "spec", "class") in _OF_A_SHOOT
    if is_of_shoot and _hibernated(cluster.settings.get("shoot")):
        return successful("Shoot is hibernated")
    conditions = optional_list(extension, "status", "conditions")
    condition = next((item for item in conditions if optional_text(item, "type") == kind), None)
    # A sequence of cases gives its own history, which replaces that of the manifest.
    if cluster.previous is not None:
        instant = f"{_began(cluster).astimezone(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
        condition = {"status": cluster.previous.status, "lastTransitionTime": instant}
    return aggregate(results, condition, cluster.now)


def _began(cluster: ClusterState) -> datetime:
    """The time when the previous verdict got its status."""
    since = cluster.previous.since if cluster.previous else None
    return since or cluster.now - cluster.waited


def _hibernated(shoot: Value) -> bool:
    """Whether hibernation is switched on in the Shoot's spec."""
    return field(shoot, "spec", "hibernation", "enabled") is True


def _is_skipped(extension: Value) -> bool:
    """Whether the extension is being deleted or migrated."""
    return (
        bool(optional_text(extension, "metadata", "deletionTimestamp"))
        or field(extension, "metadata", "annotations", "gardener.cloud/operation") == "migrate"
        or field(extension, "status", "lastOperation", "type") == "Migrate"
    )
