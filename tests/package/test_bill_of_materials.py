"""The bill of materials of images and archives, checked without a network."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

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

_TOOLS = Path(os.environ.get("CELVET_TOOLS", Path.home() / ".cache" / "celvet-tools"))
_ADVISORIES = _TOOLS / "advisories"
"""A clone of github.com/pypa/advisory-database: a file for each advisory, by package."""


def _bill(name: str) -> dict[str, tuple[Requirement, str]]:
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
        for package, (requirement, _) in _bill(name).items()
        if not requirement.marker or requirement.marker.evaluate()
    }
    assert {*_needed("celvet", _CHOSEN[name])} - {"celvet"} == here


@pytest.mark.parametrize("name", _CHOSEN)
def test_each_package_is_known_by_its_hashes_and_free(name: str) -> None:
    for package, (requirement, hashes) in _bill(name).items():
        assert len(_HASH.findall(hashes)) == hashes.count("--hash="), package
        assert all(pin.operator == "==" for pin in requirement.specifier), package
        try:
            found = distribution(package)
        except PackageNotFoundError:  # for another platform
            continue
        assert _FREE.search(_licence(found)), (package, _licence(found))


def _advisories(package: str, version: Version, database: Path) -> Iterator[str]:
    """The advisories on a version of a package (https://ossf.github.io/osv-schema/)."""
    for path in sorted((database / "vulns" / package).glob("*.yaml")):
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        if "withdrawn" in document:
            continue
        for affected in document["affected"]:
            for span in affected.get("ranges", ()):
                if span["type"] == "ECOSYSTEM" and _within(version, span["events"]):
                    yield document["id"]
            if str(version) in affected.get("versions", ()):
                yield document["id"]


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


@pytest.mark.skipif(not _ADVISORIES.is_dir(), reason="needs the advisories (`make advisories`)")
@pytest.mark.parametrize("name", ["lint", "webhook", "celvet", "archive", "build"])
def test_no_advisory_is_about_what_we_install(name: str) -> None:
    for package, (requirement, _) in _bill(name).items():
        (pin,) = requirement.specifier
        assert not {*_advisories(package, Version(pin.version), _ADVISORIES)}, package


@pytest.mark.parametrize(
    ("version", "told"), [("0.9", False), ("1.0", True), ("1.4", True), ("1.5", False)]
)
def test_an_advisory_is_about_the_versions_of_its_ranges(
    tmp_path: Path, version: str, told: bool
) -> None:
    events = [{"introduced": "1.0"}, {"fixed": "1.5"}]
    ranges = [{"type": "ECOSYSTEM", "events": events}, {"type": "GIT", "events": []}]
    document = {"id": "X-1", "affected": [{"ranges": ranges}]}
    (tmp_path / "vulns" / "some").mkdir(parents=True)
    (tmp_path / "vulns" / "some" / "X-1.yaml").write_text(yaml.safe_dump(document))
    assert [*_advisories("some", Version(version), tmp_path)] == ["X-1"] * told


def _licence(found: Distribution) -> str:
    metadata = found.metadata
    classifiers = [text for text in metadata.get_all("Classifier", ()) if "License" in text]
    return " ".join(
        [metadata.get("License-Expression", ""), metadata.get("License", ""), *classifiers]
    )
