"""A report that has everything, and texts that a format could stumble over.

python -m tests.report.sample    write each format of it to golden/
"""

from __future__ import annotations

import sys
from pathlib import Path
from unittest import mock

from celvet.lint.engine import Counts, Crash
from celvet.lint.locate import LineRange
from celvet.lint.model import Counterexample, Finding, ObjectRef, Severity, Where
from celvet.lint.report.located import LocatedFinding, LocatedFix, Note
from celvet.lint.report.output import FORMATS
from celvet.lint.report.report import FileReport, Report, report
from celvet.lint.rules import Rule

GOLDEN = Path(__file__).parent / "golden"
ENDINGS = {"markdown": "md", "json": "json", "sarif": "json", "gitlab": "json", "junit": "xml"}
APPS = ObjectRef("kustomize.toolkit.fluxcd.io/v1", "Kustomization", "flux-system", "apps")
PLACE = LineRange(3, 5, 3, 9)
WHERE = Where(1, ("spec", "items", 0, "wait"))
HOSTILE = "100%, a: b\r\n::error::\x1b[31m</failure>]]>\x00\ud800 日本"


def _rule(id_: str, severity: Severity) -> Rule:
    """A rule whose page does not change with the manual."""

    def nothing(_: object) -> object:
        return iter(())

    page = f"What `{id_}` reports.\n\nWhy it matters.\n"
    return Rule(id_, severity, page, nothing, nothing, nothing)  # type: ignore[arg-type]


RULES = (
    _rule("first-rule", Severity.ERROR),
    _rule("second-rule", Severity.INFO),
    _rule("silent-rule", Severity.WARNING),
)


def located(
    rule: str = "first-rule",
    severity: Severity = Severity.ERROR,
    place: LineRange = PLACE,
    source: str = "    wait: 1",
    *,
    file: str = "clusters/apps.yaml",
    message: str = "`1` is not a boolean",
    fix: LocatedFix | None = None,
    related: tuple[Note, ...] = (),
    shown: Counterexample | None = None,
    where: Where = WHERE,
    about: ObjectRef = APPS,
) -> LocatedFinding:
    """A finding, with arbitrary values for what is not given."""
    finding = Finding(
        message=message,
        where=where,
        help="Write `true`." if fix else "",
        severity=severity,
        counterexample=shown,
        rule=rule,
        url=f"https://github.com/celvet/celvet/blob/main/docs/rules/{rule}.md",
        object=about,
    )
    return LocatedFinding(file, finding, place, source, related, fix)


def sample() -> Report:
    """The report."""
    again = Note("the first one is here", LineRange(1, 1, 1, 5))
    fix = LocatedFix("Write `true`.", True, ((LineRange(3, 11, 3, 12), "true"),))
    state = Counterexample("new", "just created", {"kind": "A", "status": {}}, "InProgress")
    findings = (
        located(fix=fix),
        located(place=LineRange(7, 5, 9, 1), related=(again,)),
        located("second-rule", Severity.INFO, shown=state, where=Where(2), about=ObjectRef()),
    )
    hostile = located(
        "second-rule", Severity.WARNING, message=HOSTILE, source=HOSTILE, file="a, b:\udcff%.yaml"
    )
    files = (
        FileReport("clusters/apps.yaml", findings, counts=Counts(objects=2, expressions=3)),
        FileReport(hostile.file, (hostile,), counts=Counts(objects=1, suppressed=1)),
        FileReport("clusters/clean.yaml", counts=Counts(objects=1, expressions=1)),
        FileReport("broken.yaml", crashes=(Crash("first-rule", Where(2), "KeyError: 'a'"),)),
        FileReport("secret.yaml", unread="Permission denied", notes=("CRDs x.yaml: no YAML",)),
        FileReport("other.yaml"),
    )
    return report(files, known_count=2)


def rendered(name: str) -> str:
    """The sample in a format, without parts that a release or the manual changes."""
    with (
        mock.patch("celvet.lint.report.output.sarif.rules", return_value=RULES),
        mock.patch("celvet.lint.report.output.sarif.__version__", "0.0.0"),
    ):
        return FORMATS.renderer(name)(sample(), False)


def path(name: str) -> Path:
    """The golden file of a format."""
    return GOLDEN / f"{name}.{ENDINGS.get(name, 'txt')}"


def main() -> None:
    """Write the golden files; ends with a message for a format that cannot be written."""
    for name in FORMATS.names():
        try:
            path(name).write_bytes(rendered(name).encode())
        except UnicodeEncodeError:
            sys.exit(
                f"{name}: a lone surrogate, from the name of a file or a text, cannot be written:"
                " put texts through `unicode_text` of celvet.lint.safe_text"
            )


if __name__ == "__main__":
    main()
