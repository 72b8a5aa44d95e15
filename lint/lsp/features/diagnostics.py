"""Findings as the diagnostics of an editor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, MutableMapping, Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

from lsprotocol import types as lsp

from celvet.lint.lsp.protocol import Plain
from celvet.lint.lsp.state.analysis import Analysis, PlacedAnalysis
from celvet.lint.lsp.state.positions import EditorText
from celvet.lint.model import Finding, Severity
from celvet.lint.rules import on_suppressions

_SOURCE = "celvet"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
    Severity.INFO: lsp.DiagnosticSeverity.Information,
}


class Diagnostics:
    """Makes diagnostics in the form in which they are sent, with `plain`.

    The diagnostics of a document are kept until it moves.
    """

    def __init__(self, plain: Callable[[Sequence[lsp.Diagnostic]], list[Plain]]) -> None:
        self._plain = plain
        self._latest: MutableMapping[Analysis, _DocumentDiagnostics] = WeakKeyDictionary()

    def of(
        self, uri: str, text: EditorText, parts: Iterable[PlacedAnalysis], minimum: Severity
    ) -> list[Plain]:
        """The findings of a file at or above a severity, in the order of the text, as `parts` are.

        Nothing else affects the order, so findings do not jump around while the user types.
        """
        return [
            diagnostic
            for part in parts
            for diagnostic in self._of_document(uri, text, part, minimum)
        ]

    def _of_document(
        self, uri: str, text: EditorText, part: PlacedAnalysis, minimum: Severity
    ) -> list[Plain]:
        start = text.position(part.start)
        place = (uri, start.line, start.character, minimum)
        latest = self._latest.get(part.analysis)
        if latest is None or latest.place != place:
            diagnostics = (
                diagnostic(uri, text, part, finding)
                for finding in part.analysis.result.findings
                if (finding.severity or Severity.INFO) >= minimum
            )
            latest = _DocumentDiagnostics(place, self._plain(sorted(diagnostics, key=_order)))
            self._latest[part.analysis] = latest
        return latest.diagnostics


class _DocumentDiagnostics(NamedTuple):
    """The diagnostics of a document, and what else they depend on."""

    place: tuple[str, int, int, Severity]
    diagnostics: list[Plain]


def _order(diagnostic: lsp.Diagnostic) -> tuple[int, int, int, int, str, str]:
    start, end = diagnostic.range.start, diagnostic.range.end
    place = start.line, start.character, end.line, end.character
    return (*place, str(diagnostic.code), str(diagnostic.message))


def diagnostic(
    uri: str, text: EditorText, part: PlacedAnalysis, finding: Finding
) -> lsp.Diagnostic:
    """One finding: what is wrong, an object that shows it, and what to do."""
    notes = [
        lsp.DiagnosticRelatedInformation(
            lsp.Location(uri, text.range(part.extent(note.where))), note.message
        )
        for note in finding.related
    ]
    return lsp.Diagnostic(
        range=text.range(part.extent(finding.where)),
        message=_message(finding),
        severity=_SEVERITIES[finding.severity or Severity.INFO],
        code=finding.rule,
        code_description=lsp.CodeDescription(finding.url) if finding.url else None,
        source=_SOURCE,
        tags=[lsp.DiagnosticTag.Unnecessary] if finding.rule in on_suppressions() else None,
        related_information=notes or None,
    )


def _message(finding: Finding) -> str:
    counterexample = finding.counterexample
    example = (
        [f"{counterexample.verdict}: an object {counterexample.description}"]
        if counterexample
        else []
    )
    return "\n".join([finding.message, *example, *([finding.help] if finding.help else [])])
