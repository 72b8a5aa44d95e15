"""What a new kind or system still lacks: one list of the files, each with what belongs there."""

from __future__ import annotations

import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from celvet.lint import controllers
from celvet.lint.manifest import read, whole_objects
from celvet.lint.values import group_kind_of
from celvet.schemas import BUILT_IN, Kind, expression_sites, load
from celvet.schemas.reader import read_dialects, read_kinds
from celvet.schemas.sites import pattern, subschemas
from tests.tables import read_table
from tests.validation.rendering import validated

TESTS = Path(__file__).parents[1]
EXAMPLES = TESTS.parent / "examples" / "health-tests"
OWN = {"celvet"}
"""The system of celvet's own kinds, which are in no cluster."""

ELSEWHERE = {"cozystack"}
"""Systems whose entries apply to objects of another one, which decides by them."""

SHARED_ROLES = {"cartographer": {"key", "messagePath"}}
"""The roles that all templates of a system have in common: a case of one of them is enough."""


def test_nothing_is_missing_for_a_kind_or_system() -> None:
    kinds = read_kinds(BUILT_IN, read_dialects(BUILT_IN))
    tables = Tables()
    missing: dict[str, list[str]] = defaultdict(list)
    for kind in kinds:
        missing[f"{kind.system} {kind}"] += tables.missing_for(kind)
    for title in tables.sites.keys() - {f"{kind.system} {kind}" for kind in kinds}:
        missing[title].append(f"tests/schemas/sites.yaml: remove `{title}`, which has no schema")
    for name, groups in controller_packages():
        missing[f"lint/controllers/{name}"] += missing_for_package(name, groups)
    sections = [
        "\n  ".join((f"{name} still needs:", *lines)) for name, lines in missing.items() if lines
    ]
    if sections:
        pytest.fail("\n".join(sections) + "\nCONTRIBUTING.md has the recipes.", pytrace=False)


class Tables:
    """The tables of cases in which each kind has its place."""

    def __init__(self) -> None:
        self.sites: dict[str, dict[str, str]] = read_table(TESTS / "schemas" / "sites.yaml")
        rules = self.sites.pop("health rules")
        for title in self.sites:
            if title.startswith("cartographer"):
                self.sites[title] |= rules
        self.generated = {(kind.group, kind.kind) for kind in load().kinds}
        self.roles = set(roles_in_cases({name for _, name in self.generated}))
        self.reviewed = {
            row["good"]["kind"]
            for name in ("kinds.yaml", "other_kinds.yaml")
            for row in read_table(TESTS / "webhook" / name)
        }

    def missing_for(self, kind: Kind) -> Iterator[str]:
        """A line for each file in which something about a kind is missing."""
        file = f"schemas/{kind.system}/{kind.kind}.json"
        if not kind.documentation.startswith("https://"):
            yield f"{file}: `x-documentation`, the URL of the reference"
        if (kind.scope == "None") != (kind.plural == ""):
            yield f"{file}: `x-plural`, as in the CRD, or `x-scope: None` if no API server has it"
        for place, names in unmarked_mappings(kind):
            yield f"{file}: `x-fields` at {place}, the mapping around {names}"
        if (kind.group, kind.kind) not in self.generated:
            yield "schemas/built_in.py: run `make generate`"
        yield from self._missing_sites(kind)
        yield from self._missing_cases(kind)
        has_sites = any(expression_sites(kind))
        if has_sites and kind.kind not in self.reviewed and kind.system not in OWN:
            yield (
                "tests/webhook/kinds.yaml: a right object, and where a wrong expression is refused"
                " (or other_kinds.yaml, if the API server refuses it first)"
            )
        strategies = any(
            "strategy" in part.get("x-check", {}) for _, part in subschemas(kind.schema)
        )
        groups = {group for _, groups in controller_packages() for group in groups}
        if strategies and kind.system not in ELSEWHERE and kind.group not in groups:
            yield (
                f"lint/controllers/{kind.system}/__init__.py: `GROUPS` with {kind.group}, and"
                " `evaluators`, since an `x-check` has a `strategy`"
            )

    def _missing_sites(self, kind: Kind) -> Iterator[str]:
        title = f"{kind.system} {kind}"
        sites = {site.pattern: site.dialect for site in expression_sites(kind)}
        listed_sites = self.sites.get(title, {})
        for place, dialect in sites.items():
            if listed_sites.get(place) != dialect:
                yield f"tests/schemas/sites.yaml: `{place}: {dialect}` under `{title}`"
        for place in listed_sites.keys() - sites.keys():
            yield f"tests/schemas/sites.yaml: no `{place}` under `{title}`"

    def _missing_cases(self, kind: Kind) -> Iterator[str]:
        file = f"tests/validation/cases/{kind.system}.yaml"
        if (kind.kind, "", "") not in self.roles:
            yield f"{file}: cases with an object of kind {kind.kind}"
        shared_roles = SHARED_ROLES.get(kind.system, set())
        roles = {(site.dialect, site.role) for site in expression_sites(kind)}
        for dialect, role in sorted(roles):
            if role not in shared_roles and (kind.kind, dialect, role) not in self.roles:
                yield f"{file}: a {kind.kind} whose `{role}` is an expression of {dialect}"


def roles_in_cases(names: set[str]) -> Iterator[tuple[str, str, str]]:
    """Kind, dialect and role of the expressions in the cases; the kind alone for any object."""
    for file in sorted((TESTS / "validation" / "cases").glob("*.yaml")):
        for case in read_table(file):
            name = case["object"]["kind"]
            yield name, "", ""
            if name in names:
                for site in validated(case).sites:
                    yield name, site.dialect.name, site.role


def unmarked_mappings(kind: Kind) -> Iterator[tuple[str, str]]:
    """The mappings around expressions without `x-fields`, each with the fields that lead there."""
    for segments, schema in subschemas(kind.schema):
        fields = [name for name, part in schema.get("properties", {}).items() if leads_on(part)]
        if fields and not schema.get("x-fields"):
            place = f"`{pattern(segments)}`" if segments else "the root"
            yield place, ", ".join(f"`{name}`" for name in fields)


def leads_on(schema: Any) -> bool:
    return any("x-expression" in part for _, part in subschemas(schema))


def controller_packages() -> Iterator[tuple[str, frozenset[str]]]:
    for module in pkgutil.iter_modules(controllers.__path__):
        if module.ispkg:
            package = importlib.import_module(f"{controllers.__name__}.{module.name}")
            yield module.name, package.GROUPS


def missing_for_package(name: str, groups: frozenset[str]) -> Iterator[str]:
    """A line for each file in which something about the package of a controller is missing."""
    if not any((TESTS / "controllers" / name).glob("test_*.py")):
        yield f"tests/controllers/{name}/: tests of its verdicts"
    if groups and not groups & groups_with_health_tests():
        yield (
            f"examples/health-tests/{name}/: a health test, and an object of"
            f" {' or '.join(sorted(groups))} that declares the checks"
        )


def groups_with_health_tests() -> set[str]:
    """The API groups of the objects beside the health tests of the examples."""
    groups: set[str] = set()
    for directory in EXAMPLES.iterdir():
        objects = [
            obj.value
            for file in directory.glob("*.yaml")
            for obj in whole_objects(read(file.read_bytes(), "", {}))
        ]
        if any(value.get("kind") == "HealthTest" for value in objects):
            groups |= {group_kind_of(value).group for value in objects}
    return groups
