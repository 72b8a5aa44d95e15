"""Writes the comments that suppress the findings of a file.

A comment on a line of its own covers all that begins next, perhaps more than the finding. So each
one stays only if a new run shows that just the findings above which it stands are gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable

from celvet.lint.engine import Settings, lint_text
from celvet.lint.engine.fix import FileFixes
from celvet.lint.manifest import Manifest
from celvet.lint.model import Finding, Severity
from celvet.lint.rules import on_suppressions


def ignore(
    data: bytes, name: str, settings: Settings, *, minimum: Severity = Severity.INFO
) -> FileFixes:
    """Write a comment for the findings of each line from `minimum` on; never raises."""
    result = lint_text(data, name, settings)
    manifest = result.manifest
    old_text = text = manifest.text if manifest else ""
    titles: list[str] = []
    findings_by_line: dict[int, list[Finding]] = {}
    for finding in result.findings if manifest and not name.endswith(".json") else ():
        start = _line_start(manifest, finding) if manifest else None
        if start is not None and (finding.severity or minimum) >= minimum:
            findings_by_line.setdefault(start, []).append(finding)
    # From the end on, so that the places of the others stay.
    for start, findings in sorted(findings_by_line.items(), reverse=True):
        rules = ", ".join(sorted({finding.rule for finding in findings}))
        new_text = _with_comment(text, start, f"# celvet: ignore[{rules}]")
        new_data = ("\ufeff" if manifest and manifest.bom else "") + new_text
        new_result = lint_text(new_data, name, settings)
        if _identities(new_result.findings) == _identities(result.findings) - _identities(findings):
            text, result = new_text, new_result
            titles.append(rules)
    return FileFixes(result, old_text, text, tuple(reversed(titles)))


def _line_start(manifest: Manifest, finding: Finding) -> int | None:
    """Where the line of a finding's key begins; None for a finding that no comment may suppress."""
    document = manifest.document(finding.where.document)
    if finding.rule in on_suppressions() or finding.where.source or document is None:
        return None
    part = document.key_at(finding.where.path) or document.node_at(finding.where.path)
    return None if part is None else manifest.text.rfind("\n", 0, part.start) + 1


def _with_comment(text: str, start: int, comment: str) -> str:
    """The text with a comment above the line that begins at an offset, as far to the right."""
    line = text[start:]
    indent = line[: len(line) - len(line.lstrip(" "))]
    newline = "\r\n" if "\r\n" in text else "\n"
    return f"{text[:start]}{indent}{comment}{newline}{line}"


def _identities(findings: Iterable[Finding]) -> Counter[Hashable]:
    """What stays the same of findings when lines move."""
    return Counter(
        (finding.rule, finding.message, repr(finding.where))
        for finding in findings
        if finding.where.source is None
    )
