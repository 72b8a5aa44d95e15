"""Every link to celvet's own repository, in a document or an output, names a file of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from celvet.lint.rules import Rule, rules
from celvet.version import REPOSITORY

_ROOT = Path(__file__).parents[2]
# What celvet prints, serves or is read with; what the tests expect of it is in `tests`.
_PLACES = (
    ".github", "certs", "charts", "docs", "examples", "lint", "schemas", "templates", "webhook",
    "editors/vscode/README.md", "editors/vscode/package.json", "CHANGELOG.md",
    "CONTRIBUTING.md", "README.md", "SECURITY.md", "action.yml", "pyproject.toml",
)  # fmt: skip
_TEXTS = {"", ".1", ".html", ".js", ".json", ".md", ".py", ".svg", ".tmpl", ".toml", ".txt"}
_TEXTS |= {".yaml", ".yml"}
_OWN_PAGE = re.compile(rf"{REPOSITORY}/(?:blob|raw|tree)/main/([\w./-]*\w)")
_RELATIVE = re.compile(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)")
# The site that is not up; its name is also that of an API group, which no one opens.
_SITE = re.compile(r"https?://celvet\.dev")


def _texts() -> Iterator[tuple[Path, str]]:
    for place in _PLACES:
        start = _ROOT / place
        for path in [start] if start.is_file() else sorted(start.rglob("*")):
            if path.is_file() and path.suffix in _TEXTS:
                yield path, path.read_text(encoding="utf-8")


def test_a_link_to_the_repository_names_a_file_of_it() -> None:
    links = [(path, link) for path, text in _texts() for link in _OWN_PAGE.findall(text)]
    assert len(links) > 3
    assert [(path, link) for path, link in links if not (_ROOT / link).exists()] == []


def test_no_link_leads_to_the_site_that_is_not_up() -> None:
    assert [path for path, text in _texts() if _SITE.search(text)] == []


@pytest.mark.parametrize("rule", rules(), ids=lambda rule: rule.id)
def test_the_link_of_a_finding_names_the_page_of_its_rule(rule: Rule) -> None:
    (page,) = _OWN_PAGE.findall(rule.url)
    assert f"\n# {rule.id}\n" in (_ROOT / page).read_text(encoding="utf-8")


def test_a_relative_link_of_a_document_names_a_file() -> None:
    documents = [(path, text) for path, text in _texts() if path.suffix == ".md"]
    links = [(path, link) for path, text in documents for link in _RELATIVE.findall(text)]
    assert len(links) > 100
    assert [(path, link) for path, link in links if not (path.parent / link).exists()] == []
