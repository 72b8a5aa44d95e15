"""The bill of materials of images and archives, checked without a network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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


def _licence(found: Distribution) -> str:
    metadata = found.metadata
    classifiers = [text for text in metadata.get_all("Classifier", ()) if "License" in text]
    return " ".join(
        [metadata.get("License-Expression", ""), metadata.get("License", ""), *classifiers]
    )
