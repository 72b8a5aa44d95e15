"""What mkdocs does beside its own: links that leave `docs` lead to the repository."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from celvet.version import REPOSITORY

_ROOT = Path(__file__).parents[2]
_PLAYGROUND = _ROOT / "dist" / "playground"
"""The static playground, which `python -m docs.site.playground` writes."""

_LINK = re.compile(r"(?<=\]\()[^)#:\s]+")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Name the playground, if it was built."""
    if _PLAYGROUND.exists() and config.nav:
        config.nav.insert(3, {"Playground": "try/index.html"})
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the style sheet, the script, and the playground."""
    added = {name: Path(__file__).with_name(name) for name in ("site.css", "site.js")}
    for file in filter(Path.is_file, _PLAYGROUND.rglob("*")):
        added[f"try/{file.relative_to(_PLAYGROUND)}"] = file
    for uri, file in added.items():
        files.append(File.generated(config, uri, abs_src_path=str(file)))
    return files


def on_page_markdown(text: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let the links that the site has no file for lead to the repository."""
    folder = posixpath.join("docs", posixpath.dirname(page.file.src_uri))

    def target(link: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, link[0]))
        if files.get_file_from_path(path.removeprefix("docs/")) and path.startswith("docs/"):
            return link[0]
        if not (_ROOT / path).exists():
            return link[0]  # which mkdocs reports
        return f"{REPOSITORY}/{'tree' if (_ROOT / path).is_dir() else 'blob'}/main/{path}"

    return _LINK.sub(target, text)


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """A head of a table without a text is none."""
    return html.replace("<th></th>", "<td></td>")
