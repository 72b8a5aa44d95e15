"""The page is self-contained, and no text of a manifest becomes markup."""

from __future__ import annotations

from html.parser import HTMLParser

from celvet.lint.engine import lint_text
from celvet.lint.explain.output import FORMATS
from celvet.lint.explain.pages import pages
from celvet.version import REPOSITORY
from tests.manifests import with_entry

_MANIFEST = with_entry(
    "<script>alert(1)</script>",
    apiVersion="bitnami.com/v1alpha1",
    kind="</td><b>",
    failed="status.conditions.filter(e, e.type == '</pre>').all(e, e.status == 'False')",
    current="status.x < 5 && status.conditions.exists(e, e.type == '</pre>' && e.status == 'True')",
)
_FAILED = "has(status.phase) && status.phase == 'Broken'"


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
    assert all(link.startswith(("#", f"{REPOSITORY}/blob/main/docs/rules/")) for link in tags.links)


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


def test_checks_with_findings_come_first_and_the_others_are_folded() -> None:
    currents = {
        "Healthy": "has(status.phase) && status.phase == 'Up'",
        "Wrong": "status.phase == 'Up' && status.phase == 'Down'",
    }
    healthy, wrong = (
        with_entry(kind, kind=kind, failed=_FAILED, current=text) for kind, text in currents.items()
    )
    text = FORMATS.renderer("html")([*pages(lint_text(f"{healthy}---\n{wrong}"))], False)
    assert "2 checks: 1 with 1 finding, 1 without" in text
    first, second = (text.index(f"{kind}.example.com") for kind in ("Wrong", "Healthy"))
    assert first < second
    assert text.count('<details class="healthy">') == 1
    tags = _Tags()
    tags.feed(text)
    assert tags.open == []
    assert "kustomization-wrong-spec-healthcheckexprs-0-wrong-example-com" in tags.anchors


def test_two_checks_of_one_name_have_anchors_of_their_own() -> None:
    (page,) = pages(lint_text(_MANIFEST))
    tags = _Tags()
    tags.feed(FORMATS.renderer("html")([page, page], False))
    assert len({link for link in tags.links if link.startswith("#kustomization")}) == 2
