"""A self-contained HTML file: the roots, and a table of all that waits.

It loads nothing and has no script, so it can be mailed, and shown where scripts do not run.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from celvet.lint.prose import html, html_document, html_text
from celvet.lint.safe_text import unicode_text
from celvet.lint.why.names import reason, title
from celvet.lint.why.report import Root, WaiterReport, WhyReport

_STYLE = Path(__file__).parents[2] / "explain/page.css"
_OUTLOOKS = {
    "needs-change": ("bad", "needs a change"),
    "recovers-by-itself": ("wait", "recovers by itself"),
    "unknown": ("open", "may need a change"),
}
_VERDICTS = {"ready": "good", "failed": "bad", "waiting": "wait"}


def render(report: WhyReport, color: bool) -> str:
    """One document, which loads nothing."""
    lines = (line for number, root in enumerate(report.roots) for line in _root(root, number))
    rows = "\n".join(_row(waiter, report) for waiter in report.waiters)
    heads = "".join(f"<th>{head}</th>" for head in ("object", "verdict", "since", "root", "next"))
    notes = "".join(f"<p>{html_text(note)}</p>" for note in report.notes)
    roots = "\n".join(lines)
    body = (
        f'<h1>{html_text(report.summary)}</h1>\n<p class="place">{_time(report.at)}</p>\n'
        f"{roots}\n<table>\n<thead><tr>{heads}</tr></thead>\n"
        f"<tbody>\n{rows}\n</tbody>\n</table>\n{notes}"
    )
    style = _STYLE.read_text(encoding="utf-8")
    return unicode_text(html_document("celvet why", style=style, body=body))


def _root(root: Root, number: int) -> Iterator[str]:
    look, words = _OUTLOOKS[root.outlook]
    yield f'<section id="root-{number}">'
    sample = f'<span class="verdict {look}">{words}</span>'
    yield f"<h2>{html_text(title(root.object))} {sample}</h2>"
    yield f"<p>{html(reason(root))}</p>"
    if root.field:
        holder = html_text(title(root.holder or root.object))
        yield f'<p class="place"><code>{html_text(root.field)}</code> of {holder}</p>'
    if root.finding:
        yield f"<p>celvet lint: {html(root.finding)}</p>"
    if root.command:
        yield f"<pre>{html_text(root.command)}</pre>"
    if root.observed:
        values = "".join(
            f"<dt><code>{html_text(path)}</code></dt><dd>{html_text(str(value))}</dd>"
            for path, value in root.observed.items()
        )
        yield f"<details><summary>what it says</summary><dl>{values}</dl></details>"
    yield "</section>"


def _row(waiter: WaiterReport, report: WhyReport) -> str:
    look = _VERDICTS.get(waiter.verdict, "open")
    links = ", ".join(
        f'<a href="#root-{index}">{html_text(title(report.roots[index].object))}</a>'
        for index in waiter.roots
    )
    cells = (
        html_text(title(waiter.object)),
        f'<span class="verdict {look}">{waiter.verdict}</span>',
        _time(waiter.since),
        links,
        f"{waiter.next.event} {_time(waiter.next.at)}".strip(),
    )
    return f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"


def _time(time: datetime | None) -> str:
    return time.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ") if time else ""
