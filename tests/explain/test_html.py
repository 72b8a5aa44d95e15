"""The page is self-contained, and no text of a manifest becomes markup."""

from __future__ import annotations

from html.parser import HTMLParser

from celvet.lint.engine import lint_text
from celvet.lint.explain.output import FORMATS
from celvet.lint.explain.pages import pages

_VOID = {"meta", "!doctype"}

_MANIFEST = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: "<script>alert(1)</script>"}
spec:
  wait: true
  healthCheckExprs:
    - apiVersion: bitnami.com/v1alpha1
      kind: "</td><b>"
      failed: status.conditions.filter(e, e.type == '</pre>').all(e, e.status == 'False')
      current: status.x < 5 && status.conditions.exists(e, e.type == '</pre>' && e.status == 'True')
"""


class _Tags(HTMLParser):
    """Checks that every element is closed, and records external references."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        given = dict(attrs)
        self.links += [value for key in ("href", "src") if (value := given.get(key))]
        self.anchors |= {value for key in ("id",) if (value := given.get(key))}
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_and_loads_nothing() -> None:
    found = list(pages(lint_text(_MANIFEST)))
    text = FORMATS.renderer("html")(found, False)
    tags = _Tags()
    tags.feed(text)
    assert tags.open == []
    assert "script" not in tags.seen
    assert "b" not in tags.seen
    assert {link for link in tags.links if link.startswith("#")} <= {f"#{a}" for a in tags.anchors}
    assert any(link.startswith("#note-") for link in tags.links)
    assert all(link.startswith(("#", "https://celvet.dev/rules/")) for link in tags.links)


def test_every_state_shows_its_object() -> None:
    (page,) = pages(lint_text(_MANIFEST))
    text = FORMATS.renderer("html")([page], False)
    assert text.count("<details>") == len(page.lines) > 5


def test_every_finding_of_an_entry_is_a_note_and_its_proof_a_line() -> None:
    (page,) = pages(lint_text(_MANIFEST))
    marked = {number for line in page.lines for marks in line.marks.values() for number in marks}
    proofs = {n for n, note in enumerate(page.notes, start=1) if note.counterexample}
    assert proofs
    assert marked == proofs
