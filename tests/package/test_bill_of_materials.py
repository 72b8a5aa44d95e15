"""The bill of materials of images and archives, checked without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.tables import read_table

_LISTS = Path(__file__).parents[2] / ".github" / "requirements"
_PINNED = re.compile(
    r"^(?P<requirement>[a-z0-9._-]+==[^\\\n]+?) *\\\n(?P<hashes>(?:    --hash=.*\n?)+)",
    re.MULTILINE,
)
_HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")
_FREE = re.compile(
    r"\b(MIT|Apache|BSD|ISC|PSF|Python Software Foundation|MPL-2\.0|Mozilla Public License 2\.0)\b"
)
_CHOSEN = {"lint": set[str](), "webhook": {"webhook"}, "celvet": {"cluster", "lsp", "lua"}}
"""The extras of celvet for each list."""

INSTALLED = (*_CHOSEN, "archive", "build")
ADVISORIES = Path(__file__).with_name("advisories.yaml")
"""Those of PyPA on the packages of these lists, as `make advisories` last saw them."""


def bill(name: str) -> dict[str, tuple[Requirement, str]]:
    """The packages of a list by name, each with its hashes."""
    text = (_LISTS / f"{name}.txt").read_text(encoding="utf-8")
    entries = [match.group("requirement", "hashes") for match in _PINNED.finditer(text)]
    requirements = [(Requirement(requirement), hashes) for requirement, hashes in entries]
    assert len(requirements) == len(re.findall(r"^[a-z0-9]", text, re.MULTILINE))
    return {canonicalize_name(each.name): (each, hashes) for each, hashes in requirements}


def _needed(name: str, extras: set[str]) -> Iterator[str]:
    """What a package needs here, and what that needs, by the metadata of what is installed."""
    waiting, seen = [(name, frozenset(extras))], set[tuple[str, frozenset[str]]]()
    while waiting:
        package = waiting.pop()
        if package in seen:
            continue
        seen.add(package)
        yield package[0]
        for text in distribution(package[0]).requires or ():
            requirement = Requirement(text)
            environments = [{"extra": extra} for extra in (package[1] or {""})]
            if not requirement.marker or any(map(requirement.marker.evaluate, environments)):
                waiting.append((canonicalize_name(requirement.name), frozenset(requirement.extras)))


@pytest.mark.parametrize("name", _CHOSEN)
def test_the_list_has_what_is_needed_and_nothing_else(name: str) -> None:
    here = {
        package
        for package, (requirement, _) in bill(name).items()
        if not requirement.marker or requirement.marker.evaluate()
    }
    assert {*_needed("celvet", _CHOSEN[name])} - {"celvet"} == here


@pytest.mark.parametrize("name", _CHOSEN)
def test_each_package_is_known_by_its_hashes_and_free(name: str) -> None:
    for package, (requirement, hashes) in bill(name).items():
        assert len(_HASH.findall(hashes)) == hashes.count("--hash="), package
        assert all(pin.operator == "==" for pin in requirement.specifier), package
        try:
            found = distribution(package)
        except PackageNotFoundError:  # for another platform
            continue
        assert _FREE.search(_licence(found)), (package, _licence(found))


def _advisories(package: str, version: Version, database: dict[str, Any]) -> Iterator[str]:
    """The advisories on a version of a package (https://ossf.github.io/osv-schema/)."""
    for entry in database.get(package, ()):
        in_range = any(_within(version, events) for events in entry.get("ranges", ()))
        if in_range or str(version) in entry.get("versions", ()):
            yield entry["id"]


def _within(version: Version, events: list[dict[str, str]]) -> bool:
    """Whether a version lies in a range that these events begin and end, in their order."""
    inside = False
    for event in events:
        ((name, text),) = event.items()
        if name == "introduced" and version >= Version(text):
            inside = True
        if name == "fixed" and version >= Version(text):
            inside = False
        if name == "last_affected" and version > Version(text):
            inside = False
    return inside


@pytest.mark.parametrize("name", INSTALLED)
def test_no_advisory_is_about_what_we_install(name: str) -> None:
    database = read_table(ADVISORIES)
    for package, (requirement, _) in bill(name).items():
        (pin,) = requirement.specifier
        assert not {*_advisories(package, Version(pin.version), database)}, package


@pytest.mark.parametrize(
    ("package", "version", "told"),
    [
        ("some", "0.9", False),
        ("some", "1.0", True),
        ("some", "1.4", True),
        ("some", "1.5", False),
        ("other", "1.0", False),
        ("listed", "1.0", True),
        ("listed", "1.1", False),
    ],
)
def test_an_advisory_is_about_the_versions_of_its_ranges(
    package: str, version: str, told: bool
) -> None:
    events = [{"introduced": "1.0"}, {"fixed": "1.5"}]
    database = {
        "some": [{"id": "X-1", "ranges": [events]}],
        "listed": [{"id": "X-1", "versions": ["1.0"]}],
    }
    assert [*_advisories(package, Version(version), database)] == ["X-1"] * told


def test_an_old_release_would_be_told_of() -> None:
    assert "PYSEC-2024-26" in {*_advisories("aiohttp", Version("3.9.1"), read_table(ADVISORIES))}


def _licence(found: Distribution) -> str:
    metadata = found.metadata
    classifiers = [text for text in metadata.get_all("Classifier", ()) if "License" in text]
    return " ".join(
        [metadata.get("License-Expression", ""), metadata.get("License", ""), *classifiers]
    )
