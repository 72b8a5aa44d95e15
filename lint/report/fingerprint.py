"""Identifies findings, so that a later run recognizes them after lines have moved."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import NamedTuple

from celvet.lint.manifest.objects.entry_names import field_without_indices
from celvet.lint.model import ObjectRef
from celvet.lint.report.located import LocatedFinding
from celvet.lint.report.report import Report


class Identity(NamedTuple):
    """The part of a finding that stays the same when lines around it change.

    `file` is relative to the root of the repository. `object` has no version and `field` no
    indices, so that an upgrade or a further list item changes nothing; `entry` names the item.
    `text` is the first line of the finding, without its indentation. The message is not a part: a
    new release may reword it.
    """

    file: str
    rule: str
    object: str
    field: str
    entry: str
    text: str


def identity(located_finding: LocatedFinding, file: str) -> Identity:
    """The identity of a finding in a file of this name."""
    finding = located_finding.finding
    return Identity(
        file,
        finding.rule,
        _object(finding.object),
        field_without_indices(finding.where),
        located_finding.entry,
        " ".join(located_finding.source.split()),
    )


def fingerprints(report: Report) -> list[str]:
    """A unique text of 64 hexadecimal digits for each finding."""
    occurrences: Counter[Identity] = Counter()
    digests = []
    for finding in report.findings:
        finding_identity = identity(finding, report.path(finding.file))
        text = "\0".join([*finding_identity, str(occurrences[finding_identity])])
        occurrences[finding_identity] += 1
        digests.append(hashlib.sha256(text.encode(errors="replace")).hexdigest())
    return digests


def _object(reference: ObjectRef) -> str:
    """`Kustomization.kustomize.toolkit.fluxcd.io flux-system/apps`; empty without an object."""
    name = "/".join(part for part in (reference.namespace, reference.name) if part)
    return f"{reference.group_kind} {name}".strip()
