"""The known fields of the objects that the expression under the cursor is evaluated on."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from celvet.lint.engine import Settings
from celvet.lint.healthtest.model import HealthTest
from celvet.lint.lsp.features.completion.cursor import InExpression
from celvet.lint.lsp.features.fields import KnownFields, Steps, compared
from celvet.lint.lsp.features.kind_words import words_of
from celvet.lint.lsp.state.analysis import Analysis
from celvet.lint.model import GroupKind, Value
from celvet.lint.values import object_ref_of
from celvet.schemas import kind_facts

_LONGEST = 1_000
"""Longer expressions than anybody writes are not searched for texts."""
_TYPES: Steps = ("status", "conditions", None, "type")
_CUSTOMARY = ("Ready", "Reconciling", "Stalled")
"""Condition types of kstatus and of most controllers."""


def known_fields(
    at: InExpression,
    settings: Settings,
    parts: Iterable[Analysis],
    tests: Iterable[HealthTest],
    quoted: Container[str],
) -> KnownFields:
    """From CRDs and the catalogue, from fixtures of health tests and other expressions of the file.

    The analyses may be of earlier texts: a text that is no longer `quoted` in the file is left out.
    """
    kind = at.context.objects
    wanted = GroupKind.of(*kind)
    schema = settings.crds.find(*kind) if kind[1] else None
    objects = [each for each in _fixtures(tests) if object_ref_of(each).group_kind == wanted]
    facts = kind_facts(wanted.group, wanted.kind, settings.catalog.directories)
    words = words_of(facts) if facts else {}
    seen = _seen(parts, wanted, quoted)
    if _TYPES not in words:
        seen[_TYPES] = list(dict.fromkeys((*seen.get(_TYPES, ()), *_CUSTOMARY)))
    return KnownFields.of(schema, objects, seen, words)


def _fixtures(tests: Iterable[HealthTest]) -> Iterator[Mapping[str, Value]]:
    for test in tests:
        for case in test.cases:
            for step in case.steps:
                every = (*step.objects, step.owner)
                yield from (each for each in every if isinstance(each, Mapping))


def _seen(
    parts: Iterable[Analysis], wanted: GroupKind, quoted: Container[str]
) -> dict[Steps, Sequence[str]]:
    """The texts that expressions about the same kind compare fields with."""
    found: dict[Steps, dict[str, None]] = {}
    for part in parts:
        for checked in part.result.checked:
            for each in checked.cel:
                short = len(each.program.text) <= _LONGEST
                if each.program.tree and short and GroupKind.of(*each.objects) == wanted:
                    for at, text, _ in compared(each.program.tree, each.program.dialect):
                        if text in quoted:
                            found.setdefault(at, {})[text] = None
    return {at: list(texts) for at, texts in found.items()}
