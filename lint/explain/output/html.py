"""A self-contained HTML file: the life of an object as a line of verdicts, and tables.

It loads nothing and has no script, so it can be mailed, and shown where scripts do not run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from celvet.lint.explain.page import VERDICT, Line, Page
from celvet.lint.model import Severity
from celvet.lint.prose import html, html_document, html_text
from celvet.lint.safe_text import yaml_text
from celvet.regex import regex

_STYLE = Path(__file__).parents[1] / "page.css"
_NO_WORD = regex(r"[^a-z0-9]+")
_MEANINGS = {
    "good": "the wait succeeds",
    "wait": "the controller keeps waiting",
    "open": "an evaluation error, or no object: the controller checks again until the timeout",
    "bad": "the wait fails at once",
    "wrong": "not what the recommended entry says",
}
"""The CSS classes of verdicts, in the order of the legend."""
_CLASSES = {
    **dict.fromkeys(("Current", "Ready", "True"), "good"),
    **dict.fromkeys(("Failed", "Stalled"), "bad"),
    **dict.fromkeys(("Unknown", "NotFound"), "open"),
}
"""The class of each verdict; at any other, the controller keeps waiting."""


def render(report: Sequence[Page], color: bool) -> str:
    """One document, which loads nothing: checks with findings first, the others folded."""
    pages = sorted(report, key=_worst, reverse=True)
    anchors = _anchors(pages)
    parts = [*_contents(pages, anchors), *_legend(report)]
    for number, (page, anchor) in enumerate(zip(pages, anchors, strict=True)):
        parts += _page(page, number, anchor, folded=len(pages) > 1 and not page.notes)
    title = _heading(report[0]) if len(report) == 1 else f"{len(report)} checks"
    style, body = _STYLE.read_text(encoding="utf-8"), "\n".join(parts)
    return html_document(f"{title} - celvet explain", style=style, body=body)


def _heading(page: Page) -> str:
    return f"{page.title}: {page.subject}"


def _worst(page: Page) -> int:
    return max((note.severity or Severity.INFO for note in page.notes), default=0)


def _anchors(report: Sequence[Page]) -> list[str]:
    """The anchor of each page: its heading, which stays when other checks come and go."""
    counts: Counter[str] = Counter()
    anchors = []
    for page in report:
        slug = _NO_WORD.sub("-", page.heading.lower()).strip("-") or "check"
        counts[slug] += 1
        anchors.append(slug if counts[slug] == 1 else f"{slug}-{counts[slug]}")
    return anchors


def _contents(report: Sequence[Page], anchors: Sequence[str]) -> Iterator[str]:
    """The title; of several pages also the counts, and links to the checks with findings."""
    yield "<h1>Health checks</h1>"
    if len(report) < 2:
        return
    faulty = [(page, anchor) for page, anchor in zip(report, anchors, strict=True) if page.notes]
    findings = sum(len(page.notes) for page in report)
    yield (
        f'<p class="place">{len(report)} checks: {len(faulty)} with {findings}'
        f" finding{'' if findings == 1 else 's'}, {len(report) - len(faulty)} without</p>"
    )
    if faulty:
        yield '<nav aria-label="checks with findings"><ul>'
        for page, anchor in faulty:
            rules = ", ".join(dict.fromkeys(note.rule for note in page.notes))
            yield f'<li><a href="#{anchor}">{html_text(page.heading)}</a> {html_text(rules)}</li>'
        yield "</ul></nav>"


def _legend(report: Sequence[Page]) -> Iterator[str]:
    """The meaning of the colors that occur."""
    words_by_class: dict[str, dict[str, None]] = {name: {} for name in _MEANINGS}
    for page in report:
        for line in (*page.life, *page.lines):
            for name in verdict_classes(line.cells[VERDICT]):
                words_by_class[name].setdefault(_word(line.cells[VERDICT]))
    if any(words_by_class.values()):
        yield '<ul class="legend" aria-label="legend">'
        for name, words in words_by_class.items():
            if words:
                label = "not as recommended" if name == "wrong" else ", ".join(words)
                sample = f'<span class="verdict {name}">{html_text(label)}</span>'
                yield f"<li>{sample} {_MEANINGS[name]}</li>"
        yield "</ul>"


def _page(page: Page, index: int, anchor: str, *, folded: bool) -> Iterator[str]:
    field = f", <code>{html_text(page.field)}</code>" if page.field else ""
    heading = f"<h2>{html_text(page.title)}{field}: {html_text(page.subject)}</h2>"
    yield f'<section id="{anchor}">'
    yield f'<details class="healthy"><summary>{heading}</summary>' if folded else heading
    link = f'<a href="#{anchor}" aria-label="link to {html_text(page.heading)}">link</a>'
    yield f'<p class="place">{html_text(page.place)} {link}</p>'
    yield '<div class="entry">'
    yield from _expressions("As it is" if page.fixed_texts else "", page.texts)
    if page.fixed_texts:
        yield from _expressions("Fixed", {**page.texts, **page.fixed_texts})
    yield "</div>"
    if page.timing:
        yield f"<p>{html(page.timing)}</p>"
    yield from _notes(page, index)
    yield from _life(page)
    for head, pages in page.tables:
        heads = "".join(f"<th>{html_text(head)}</th>" for head in (head, *page.columns))
        yield f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>"
        yield from (_row(line, page, index) for line in pages)
        yield "</tbody>\n</table>"
    yield f"{'</details>' if folded else ''}</section>"


def _expressions(title: str, texts: Mapping[str, str]) -> Iterator[str]:
    yield f"<div>{f'<h3>{title}</h3>' if title else ''}<dl>"
    for role, text in texts.items():
        yield f"<dt>{html_text(role)}</dt><dd><pre>{html_text(text.strip())}</pre></dd>"
    yield "</dl></div>"


def _life(page: Page) -> Iterator[str]:
    """The states in their order, each with its verdict: those of the kind, or the stock states."""
    pages = page.life or page.lines
    if pages:
        yield '<ol class="life" aria-label="life of an object">'
        for line in pages:
            verdict = _verdict(line.cells[VERDICT])
            yield f"<li>{html(line.description)}<div>{verdict}</div></li>"
        yield "</ol>"


def _notes(page: Page, index: int) -> Iterator[str]:
    if page.notes:
        yield "<ol>"
        for number, note in enumerate(page.notes, start=1):
            rule = f'<a href="{html_text(note.url)}">{html_text(note.rule)}</a>'
            yield (
                f'<li id="note-{index}-{number}">{html(note.message)} ({rule}).'
                f" {html(note.help)}</li>"
            )
        yield "</ol>"


def _row(line: Line, page: Page, index: int) -> str:
    text = yaml_text(line.object, allow_unicode=True)
    summary = f"<summary>{html(line.description)}</summary>"
    state = f"<details>{summary}<pre>{html_text(text)}</pre></details>"
    cells = "".join(_cell(role, text, line, page, index) for role, text in line.cells.items())
    return f"<tr><td>{state}</td>{cells}</tr>"


def _cell(role: str, text: str, line: Line, page: Page, index: int) -> str:
    content = _verdict(text) if role == VERDICT else html_text(text)
    numbers = line.marks.get(role, ())
    severities = [severity for number in numbers if (severity := page.notes[number - 1].severity)]
    look = f' class="{max(severities)}"' if severities else ""
    links = "".join(f' <a href="#note-{index}-{number}">({number})</a>' for number in numbers)
    return f'<td data-role="{html_text(role)}"{look}>{content}{links}</td>'


def _verdict(text: str) -> str:
    return f'<span class="verdict {" ".join(verdict_classes(text))}">{html_text(text)}</span>'


def verdict_classes(text: str) -> list[str]:
    """The classes of a verdict such as `Failed, not InProgress`."""
    wrong = ["wrong"] if text != _word(text) else []
    return [_CLASSES.get(_word(text), "wait"), *wrong]


def _word(text: str) -> str:
    return text.partition(",")[0]
