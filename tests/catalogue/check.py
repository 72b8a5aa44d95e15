"""What a kind's file cites and quotes, looked up in the sources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tests.catalogue.claims import Word, words
from tests.catalogue.trees import GitTree, Sources, ZipTree

_RUN = 3
"""How many words in a row a file must have of a message, between the values that were put in."""

_LEAST = 2
"""Fewer words than these tell nothing."""


class Cited(NamedTuple):
    """A cited place: its revision, the sources at it if they are at hand, and the files there."""

    name: str
    repository: str
    revision: str
    tree: GitTree | ZipTree | None
    files: tuple[str, ...]

    @property
    def place(self) -> str:
        return f"{self.repository}@{self.revision}"


class Outcome(NamedTuple):
    """The places of a kind, and its words: those in a cited file, explained, and neither.

    `unchecked` counts the words that may stand in the places that nobody could read.
    """

    places: int
    unread: tuple[str, ...]
    missing: tuple[str, ...]
    words: int
    explained: tuple[Word, ...]
    unexplained: tuple[Word, ...]
    unchecked: int
    misexplained: tuple[str, ...]
    ahead: str


def outcome(content: Mapping[str, Any], sources: Sources) -> Outcome:
    """What is true of the citations and quotations of a kind's file."""
    cited = citations(content, sources)
    texts = texts_of(cited)
    said = content.get("quoted", {}).get("elsewhere", {})
    missing = [f"{one.place}: {_path(content, one)}" for one in cited if one.tree and not one.files]
    missing += _missing_symbols(content, cited)
    quoted = words(content)
    absent = {word for word in quoted if not any(stands(word, text) for text in texts)}
    unread = tuple(sorted({one.place for one in cited if not one.tree}))
    return Outcome(
        places=len(cited),
        unread=unread,
        missing=tuple(missing),
        words=len(quoted),
        explained=tuple(sorted(word for word in absent if word.text in said)),
        unexplained=tuple(sorted(w for w in absent if w.text not in said)) * (not unread),
        unchecked=len([word for word in absent if word.text not in said]) if unread else 0,
        misexplained=tuple(sorted(said.keys() - {word.text for word in absent})) * (not unread),
        ahead=_wrong_distance(content["source"], sources),
    )


def citations(content: Mapping[str, Any], sources: Sources, newer: str = "") -> list[Cited]:
    """Each cited place; what is cited at the release of the source, at a `newer` one if given."""
    source = content["source"]
    read = source.get("commit") or source.get("release", "")
    found = []
    for name, evidence in content["evidence"].items():
        repository = evidence.get("repository", source["repository"])
        own = repository == source["repository"]
        revision = evidence.get("release") or (newer or read if own else "")
        tree = sources.tree(repository, revision)
        if tree is None and own and "release" not in evidence and "ahead" not in source:
            tree = sources.tree(repository, newer or source.get("release", ""))
        files = tuple(tree.files(evidence["path"])) if tree else ()
        found.append(Cited(name, repository, revision, tree, files))
    return found


def texts_of(cited: Iterable[Cited]) -> list[str]:
    """What the cited files have."""
    return [one.tree.text(file) for one in cited if one.tree for file in one.files]


def stands(word: Word, text: str) -> bool:
    """Whether a file has a word: as it is, in the name of a constant, or most of a message."""
    if word.what == "message":
        return _quotes(text, word.text)
    name = re.escape(word.text)
    return bool(
        re.search(rf"(?<![A-Za-z0-9_]){name}(?![A-Za-z0-9_])", text)
        or re.search(rf"(?<![a-z]){name}(Reason|Condition|Type|State|Status|Phase)\b", text)
        or re.search(
            rf"\b\w*(Reason|Condition|Type|State|Status|Phase|Mark|Backup)_?{name}\b", text
        )
    )


def _quotes(text: str, message: str) -> bool:
    """Whether a file has a message, the longest literal part of a pattern, or words in a row."""
    if message in text:
        return True
    parts = re.split(r"[][\\(){}|*+?^$]+|\.\*", message)
    longest = max((re.sub(r'["`]', "", part).split() for part in parts), key=len)
    plain = " ".join(re.sub(r'[\\"`]', "", text).split())
    length = min(_RUN, len(longest))
    runs = (" ".join(longest[at : at + length]) for at in range(len(longest) - length + 1))
    return len(longest) >= _LEAST and any(run in plain for run in runs)


def _path(content: Mapping[str, Any], one: Cited) -> str:
    return str(content["evidence"][one.name]["path"])


def _missing_symbols(content: Mapping[str, Any], cited: Iterable[Cited]) -> list[str]:
    missing = []
    for one in cited:
        symbol = content["evidence"][one.name].get("symbol", "")
        last = re.escape(symbol.rpartition(".")[2])
        texts = texts_of([one])
        if symbol and texts and not any(re.search(rf"\b{last}\b", text) for text in texts):
            missing.append(f"{one.place}: {_path(content, one)} has no `{symbol}`")
    return missing


def _wrong_distance(source: Mapping[str, Any], sources: Sources) -> str:
    """How the commit that was read differs from the release, if the file says it wrongly."""
    trees = [
        sources.tree(source["repository"], source.get(key, "")) for key in ("release", "commit")
    ]
    release, commit = trees
    if not (isinstance(release, GitTree) and isinstance(commit, GitTree)):
        return ""
    count = commit.ahead(release.commit) if release.commit != commit.commit else 0
    said = source.get("ahead", 0)
    return (
        ""
        if count == said
        else f"{source['commit']} is {count} after {source['release']}, not {said}"
    )
