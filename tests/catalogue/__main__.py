"""The command line; see the package."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from celvet.schemas.facts_reader.read import whole
from celvet.schemas.kind_files import OURS, parsed
from tests.catalogue.check import Outcome, citations, outcome, stands, texts_of
from tests.catalogue.claims import Word, words
from tests.catalogue.trees import Sources

RECORD = OURS / "checked.jsonl"
"""The outcome for each kind, a line each."""


def main(arguments: Sequence[str]) -> int:
    """Check, print and record; the exit status is 1 if something is unexplained."""
    parser = argparse.ArgumentParser(prog="python -m tests.catalogue", description=__doc__)
    parser.add_argument("command", choices=["check", "newer"])
    parser.add_argument("--sources", type=Path, required=True, help="directory of repositories")
    parser.add_argument("--record", action="store_true", help=f"write {RECORD.name}")
    parser.add_argument("kinds", nargs="*", help="KIND.GROUP; without any, all")
    options = parser.parse_intermixed_args(arguments)
    sources = Sources(options.sources)
    files = dict(_files(options.kinds))
    if options.command == "newer":
        return _tell_newer(files, sources, options.record)
    outcomes = {name: outcome(content, sources) for name, content in files.items()}
    problems = [f"{name}: {line}" for name, one in outcomes.items() for line in _problems(one)]
    print(*problems, _figures(outcomes), sep="\n")
    if options.record:
        record(outcomes)
    return 1 if problems else 0


def _files(kinds: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for file in sorted(OURS.glob("*/*.yaml")):
        content = whole(file, parsed(file))
        kind = f"{content.get('kind')}.{content.get('group')}".removesuffix(".")
        name = file.stem if "members" in content else kind
        if not kinds or name in kinds:
            yield name, content


def _problems(one: Outcome) -> Iterator[str]:
    yield from (f"no file at {place}" for place in one.missing)
    yield from (f"{word.what} {word.text!r} stands in no cited file" for word in one.unexplained)
    yield from (f"{text!r} is explained, and stands in a cited file" for text in one.misexplained)
    if one.ahead:
        yield one.ahead


def _figures(outcomes: Mapping[str, Outcome]) -> str:
    listed = [*outcomes.values()]
    places = sum(one.places for one in listed)
    total = sum(one.words for one in listed)
    explained = sum(len(one.explained) for one in listed)
    unexplained = sum(len(one.unexplained) for one in listed)
    unchecked = sum(one.unchecked for one in listed)
    unread = sum(bool(one.unread) for one in listed)
    missing = sum(len(one.missing) for one in listed)
    return (
        f"{len(listed)} kinds, {unread} of them with sources that are not at hand: "
        f"{places} places, {missing} missing; {total} words, "
        f"{total - explained - unexplained - unchecked} in a cited file, {explained} explained, "
        f"{unexplained} unexplained, {unchecked} not checked"
    )


def record(outcomes: Mapping[str, Outcome]) -> None:
    """Write the outcomes, those of other kinds as they were."""
    before = _recorded()
    rows = {
        name: {
            "places": one.places,
            "missing": len(one.missing),
            "words": one.words,
            "explained": len(one.explained),
            "unexplained": len(one.unexplained),
            **({"unchecked": one.unchecked, "unread": one.unread} if one.unread else {}),
            **({"newer": newer} if (newer := before.get(name, {}).get("newer")) else {}),
        }
        for name, one in outcomes.items()
    }
    _write(before | rows)


def _recorded() -> dict[str, dict[str, Any]]:
    text = RECORD.read_text(encoding="utf-8") if RECORD.exists() else ""
    rows = map(json.loads, text.splitlines())
    return {row["kind"]: row for row in rows}


def _write(rows: Mapping[str, Mapping[str, Any]]) -> None:
    lines = (json.dumps({"kind": name, **rows[name]}) for name in sorted(rows))
    RECORD.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _tell_newer(files: Mapping[str, Mapping[str, Any]], sources: Sources, is_recorded: bool) -> int:
    rows = _recorded()
    newer = {}
    for name, content in files.items():
        source = content["source"]
        rows.get(name, {}).pop("newer", None)
        if newest := sources.newest_release(source["repository"], source.get("release", "")):
            gone = vanished(content, sources, newest)
            newer[name] = {"release": newest, "gone": [word.text for word in gone]}
            for word in gone:
                print(f"{name}: {newest} has {word.what} {word.text!r} no longer in a cited file")
            print(f"{name}: {newest} is newer")
    count = sum(len(row["gone"]) for row in newer.values())
    print(
        f"{len(files)} kinds, {len(newer)} with a newer release at hand: {count} words disappeared"
    )
    if is_recorded:
        checked = rows.keys() & newer.keys()
        _write(rows | {name: {**rows[name], "newer": newer[name]} for name in checked})
    return 1 if count else 0


def vanished(content: Mapping[str, Any], sources: Sources, newer: str) -> list[Word]:
    """The words of a kind that its cited files have no longer in a newer release."""
    before, after = (texts_of(citations(content, sources, at)) for at in ("", newer))
    return sorted(
        word
        for word in words(content)
        if any(stands(word, text) for text in before)
        and not any(stands(word, text) for text in after)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
