"""The site: no page is lost, no link leads nowhere, people find a kind, and can read it."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from docs.generate import ROOT
from docs.site.build import CONFIGURATION, build
from tests.browser import Page, chromium, served

_DOCS = ROOT / "docs"
_KIND = "kinds/Dragonfly.dragonflydb.io.html"
_LOOKED_AT = ("kinds/", "kinds/flux-cheat-sheet.html", _KIND, "rules/", "rules/never-true.html")
"""What axe looks at, beside the pages that are no table's."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("site")
    build(directory)
    return directory


class _Document(HTMLParser):
    """The links of a page, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {key: value or "" for key, value in attrs}
        self.anchors |= {named[key] for key in ("id", "name") if key in named}
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        elif tag == "link" and named.get("rel") not in ("canonical", "prev", "next"):
            self.loads.append(named.get("href", ""))
        elif tag in ("script", "img", "iframe"):
            self.loads.append(named.get("src", ""))


def _documents(site: Path) -> Iterator[tuple[str, _Document]]:
    for file in sorted(site.rglob("*.html")):
        yield f"/{file.relative_to(site)}", _Document(file.read_text(encoding="utf-8"))


def _path(url: str) -> str:
    """The file of an address within the site."""
    path = re.sub("^/celvet/", "/", unquote(urlsplit(url).path))  # which 404.html has
    return f"{path}index.html" if path.endswith("/") else path


def test_each_document_is_a_page(site: Path) -> None:
    documents = {path.relative_to(_DOCS) for path in _DOCS.rglob("*.md")}
    pages = {page.relative_to(site) for page in site.rglob("*.html")}
    named = {
        path.with_name("index.html") if path.name == "README.md" else path.with_suffix(".html")
        for path in documents
    }
    assert len(named) == len(documents) > 400
    assert named - pages == set()


def test_a_reader_reaches_each_page_by_links(site: Path) -> None:
    documents = dict(_documents(site))
    reached: set[str] = set()
    new = {"/index.html"}
    while new:
        reached |= new
        links = {urljoin(url, link) for url in new for link in documents[url].links}
        new = ({_path(link) for link in links} & documents.keys()) - reached
    assert documents.keys() - reached == {"/404.html"}


def test_each_link_and_anchor_leads_somewhere(site: Path) -> None:
    documents = dict(_documents(site))
    broken, count = [], 0
    for url, document in documents.items():
        for link in (*document.links, *document.loads):
            parts = urlsplit(urljoin(url, link))
            if parts.netloc or parts.scheme:
                continue
            count += 1
            path = _path(parts.path)
            anchors = documents[path].anchors if path in documents else set()
            lost = parts.fragment and unquote(parts.fragment) not in anchors
            if lost or not (site / path.lstrip("/")).is_file():
                broken.append((url, link))
    assert count > 10_000
    assert broken == []


def test_the_pages_load_nothing_from_elsewhere(site: Path) -> None:
    loads = [load for _, document in _documents(site) for load in document.loads]
    assert len(loads) > 1_000
    assert [load for load in loads if urlsplit(load).netloc] == []


def _built(directory: Path, text: str) -> bool:
    """Whether two pages are built, the first with a text; they take the place of the documents."""
    (directory / "docs").mkdir()
    (directory / "docs" / "README.md").write_text(f"# Start\n\n{text}\n")
    (directory / "docs" / "other.md").write_text("# Other\n\n[x](README.md)\n\n## A part\n")
    hooks = str(CONFIGURATION.with_name("hooks.py"))
    own = (
        CONFIGURATION.read_text()
        .replace("docs_dir: ..", "docs_dir: docs")
        .replace("hooks.py", hooks)
    )
    configuration = directory / "mkdocs.yml"
    configuration.write_text(re.sub(r"nav:\n( .*\n)+", "", own, count=1))
    try:
        build(directory / "site", configuration)
    except subprocess.CalledProcessError:
        return False
    return True


@pytest.mark.parametrize(
    ("link", "leads"),
    [
        ("other.md#a-part", True),
        ("../README.md", True),
        ("nowhere.md", False),
        ("other.md#x", False),
    ],
)
def test_a_broken_link_of_a_document_stops_the_build(
    tmp_path: Path, link: str, leads: bool
) -> None:
    assert _built(tmp_path, f"[x]({link})") == leads


async def _results(page: Page, url: str, words: str) -> list[str]:
    """The addresses that a search for some words finds, the best first."""
    await page.open(f"{url}?q={words}")
    await page.until("document.querySelector('.md-search-result__link')")
    links: list[str] = await page.value(
        "[...document.querySelectorAll('.md-search-result__item > a')].map(node => node.pathname)"
    )
    return links


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ("Dragonfly", "Dragonfly.dragonflydb.io"),
        ("dragonfly operator", "Dragonfly.dragonflydb.io"),
        ("SealedSecret", "SealedSecret.bitnami.com"),
        ("sealed secret", "SealedSecret.bitnami.com"),
        ("cert-manager certificate", "Certificate.cert-manager.io"),
        ("cnpg", "Cluster.postgresql.cnpg.io"),
    ],
)
def test_a_kind_is_found_by_its_name_and_its_operator(
    site: Path, tmp_path: Path, words: str, kind: str
) -> None:
    async def work(url: str) -> list[str]:
        async with chromium(tmp_path) as page:
            await page.window(1280)
            return await _results(page, url, words)

    with served(site) as url:
        assert f"/kinds/{kind}.html" in asyncio.run(work(url))[:5]


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (1280, True), (360, False)])
def test_axe_finds_nothing_and_a_phone_scrolls_one_way(
    site: Path, tmp_path: Path, width: int, dark: bool
) -> None:
    async def work(url: str) -> dict[str, list[str]]:
        breaches = {}
        async with chromium(tmp_path) as page:
            await page.window(width, dark=dark)
            guides = [page.name for page in site.glob("*.html") if page.name != "404.html"]
            for path in (*guides, *_LOOKED_AT):
                await page.open(url + path)
                await page.until("document.querySelector('.md-search[aria-label]')")
                breaches[path] = await page.breaches()
                assert await page.value("document.documentElement.scrollWidth") <= width
        return breaches

    with served(site) as url:
        breaches = asyncio.run(work(url))
    assert not any(breaches.values()), json.dumps(breaches, indent=1)
