"""Kinds, dialects and fields are data: general code does not name them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import celvet
from celvet.schemas import load
from celvet.schemas.facts import ROLES
from celvet.schemas.sites import expression_sites, subschemas

_ROOT = Path(celvet.__file__).parent
_MIRRORS = (
    "lint/controllers/*/*",  # each does what one controller does
    "lint/resourceset/*",  # Flux Operator
    "lint/manifest/objects/resourceset",
    "lint/manifest/substitute/*",  # the substitution of kustomize-controller
    "lint/repository/files",  # the names of kustomize's files
    "lint/suggest/health_test",  # writes a Kustomization with the entry that it suggests
    "webhook/judging/child",  # lints an object before the first one comes
    "schemas/built_in",  # the catalogue
)
"""Code that mirrors one program, or makes an object for it."""

_OURS = "celvet"


def _names() -> dict[str, str]:
    """Each name that only the catalogue has to know, with what it is.

    The roles of an entry are the words of the catalogue for verdicts as well.
    """
    catalog = load()
    known = [kind for kind in catalog.kinds if kind.system != _OURS]
    fields = {field for kind in known for site in expression_sites(kind) for field in site.fields}
    return {
        **{field: "field" for field in fields - ROLES.keys() if not field.islower()},
        **dict.fromkeys(catalog.dialects, "dialect"),
        **{kind.kind: "kind" for kind in known},
        **{kind.group: "group" for kind in known},
    }


_NAMES = _names()
_GROUPS = tuple(name for name, what in _NAMES.items() if what == "group")


def _modules() -> Iterator[Path]:
    for package in ("lint", "schemas", "webhook", "certs"):
        for file in sorted((_ROOT / package).rglob("*.py")):
            name = file.relative_to(_ROOT).with_suffix("")
            if not any(name.match(mirror) for mirror in _MIRRORS):
                yield file


def _texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The strings of a module except documentation, with their lines."""
    documentation = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and id(each) not in documentation:
            value = each.value.decode("latin-1") if isinstance(each.value, bytes) else each.value
            if isinstance(value, str):
                yield each.lineno, value


def _named(text: str) -> str:
    found = next((group for group in _GROUPS if group in text), text)
    return _NAMES.get(found, "")


def _named_in(file: Path) -> list[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    place = file.relative_to(_ROOT)
    return [
        f"{place}:{line}: the {_named(text)} `{text}`"
        for line, text in _texts(tree)
        if _named(text)
    ]


def test_no_code_names_what_is_data() -> None:
    assert not [each for file in _modules() for each in _named_in(file)]


_PATHS = frozenset(
    fields[:end]
    for kind in load().kinds
    for path, schema in subschemas(kind.schema)
    if not {"x-check", "x-expression"}.isdisjoint(schema)
    for fields in [tuple(step for step in path if step != "[]")]
    for end in range(2, len(fields) + 1)
    if fields[0] != "metadata"
)
"""The paths of checks and expressions, and the beginnings of these; `spec` alone leads to all.

Every object has `metadata.labels`, which controllers read for other reasons as well.
"""


def _ways(tree: ast.Module) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The runs of strings in tuples, lists and arguments, with their lines."""
    for each in ast.walk(tree):
        if not isinstance(each, (ast.Tuple, ast.List, ast.Call)):
            continue
        parts = each.args if isinstance(each, ast.Call) else each.elts
        texts = [part.value if isinstance(part, ast.Constant) else None for part in parts]
        for start, end in combinations(range(len(texts) + 1), 2):
            way = tuple(text for text in texts[start:end] if isinstance(text, str))
            if len(way) == end - start:
                yield each.lineno, way


def _paths_in(text: str) -> list[str]:
    return [f"{line}: {'.'.join(way)}" for line, way in _ways(ast.parse(text)) if way in _PATHS]


def test_no_package_of_a_controller_has_a_path_of_a_check_or_a_dialect() -> None:
    files = sorted((_ROOT / "lint/controllers").rglob("*.py"))
    texts = {file.parent.name + "/" + file.name: file.read_text("utf-8") for file in files}
    assert not {name: found for name, text in texts.items() if (found := _paths_in(text))}
    dialects = {
        name: text
        for name, source in texts.items()
        for _, text in _texts(ast.parse(source))
        if text in load().dialects
    }
    assert not dialects


def test_the_paths_are_found() -> None:
    assert _paths_in("a(b, 'spec', 'healthCheckExprs', c)") == ["1: spec.healthCheckExprs"]
    assert _paths_in("a = ('spec', 'dependsOn', 'readyExpr')")[-1] == "1: spec.dependsOn.readyExpr"
    assert not _paths_in("a = field(value, 'spec', 'replicas')")


def test_the_names_are_found() -> None:
    found = "\n".join(_named_in(_ROOT / "webhook/judging/child.py"))
    assert all(f"the {what} " in found for what in ("kind", "group", "field"))
