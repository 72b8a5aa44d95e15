"""Kinds, dialects and fields are data: general code does not name them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path

import pytest

import celvet
from celvet.schemas import load
from celvet.schemas.facts import ROLES
from celvet.schemas.sites import expression_sites, subschemas

_ROOT = Path(celvet.__file__).parent
_MIRRORS = (
    "lint/controllers/*/*",  # each does what one controller does
    "lint/waiters/*",  # each does what one program does
    "lint/waiters/argocd/*",
    "lint/resourceset/*",  # Flux Operator
    "lint/manifest/objects/resourceset",
    "lint/manifest/substitute/*",  # the substitution of kustomize-controller
    "lint/kustomize/replacements",  # kustomize itself
    "lint/repository/sources",  # the sources of Flux
    "lint/repository/documents",  # the names of kustomize's files
    "lint/repository/builds/accumulation",  # the kind that kustomize assumes
    "lint/repository/builds/readings",  # the kinds of kustomize's own files
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


_WORD = re.compile("[A-Za-z]?[a-z]+")
"""A name that other code may use as a word of its own: `gate`, but not `HelmRelease`."""

_HOLDERS = {
    "kind": re.compile("kinds?$", re.IGNORECASE),
    "dialect": re.compile("dialects?$", re.IGNORECASE),
    "group": re.compile("(groups?|api_?versions?)$", re.IGNORECASE),
}
"""What a variable, field or function is called whose values are names of the catalogue."""

_READ = re.compile(r"\b\w+\b(?!\.(?!name\b|get\b))")
"""The last name of `check.dialect` and `dialect.name`, but no `dialect` in `dialect.purpose`."""

_BINDING = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.comprehension, ast.For)
_COLLECTIONS = ("frozenset", "set", "tuple", "list")


def _context(leaf: ast.AST, parents: Mapping[ast.AST, ast.AST]) -> str:
    """The source of what a constant is compared with, given to or held by."""
    node, parent = leaf, parents[leaf]
    while not isinstance(parent, ast.stmt) or isinstance(parent, _BINDING):
        match parent:
            case ast.Call(func=ast.Name(id=name)) if name in _COLLECTIONS:
                pass
            case ast.Dict(keys=keys, values=values) if node in values:
                key = keys[values.index(node)]
                return ast.unparse(key) if key else ""
            case ast.arguments():
                named = [*zip(parent.args[::-1], parent.defaults[::-1], strict=False)]
                named += [*zip(parent.kwonlyargs, parent.kw_defaults, strict=True)]
                return next((arg.arg for arg, default in named if default is node), "")
            case ast.match_case() | ast.Compare() | ast.Call() | ast.keyword() | ast.Subscript():
                user = parents[parent].subject if isinstance(parent, ast.match_case) else parent
                return ast.unparse(user)
            case _ if isinstance(parent, _BINDING):
                targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
                return " ".join(map(ast.unparse, targets))
        node, parent = parent, parents[parent]
    return ""


def _named_in(tree: ast.Module, names: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """The lines that name what is data, and what they name.

    A name that is an ordinary word counts only where the code uses it as such a name.
    """
    groups = [name for name, what in names.items() if what == "group" and "." in name]
    for line, text in _texts(tree):
        name = next((group for group in groups if group in text), text) if "." in text else text
        if name in names and not _WORD.fullmatch(name):
            yield line, f"the {names[name]} `{text}`"
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    strings = [node for node in parents if isinstance(node, ast.Constant) and node.value in names]
    for node, name in ((node, str(node.value)) for node in strings):
        read = _READ.findall(_context(node, parents).replace(repr(name), ""))
        if _WORD.fullmatch(name) and any(map(_HOLDERS[names[name]].search, read)):
            yield node.lineno, f"the {names[name]} `{name}`"


def _read(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@pytest.mark.slow
def test_no_code_names_what_is_data() -> None:
    assert not [
        f"{file.relative_to(_ROOT)}:{line}: {what}"
        for file in _modules()
        for line, what in _named_in(_read(file), _NAMES)
    ]


_PATHS = frozenset(
    fields[:end]
    for kind in load().kinds
    for path, schema in subschemas(kind.schema)
    if not {"x-check", "x-expression"}.isdisjoint(schema)
    for fields in [tuple(step for step in path if step != "[]")]
    for end in range(2, len(fields) + 1)
    if fields[0] != "metadata" and fields[:end] != ("spec", "template")
)
"""The paths of checks and expressions, and the beginnings of these; `spec` alone leads to all.

Every object has `metadata.labels`, and many a `spec.template`, which controllers read for other
reasons as well.
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


@pytest.mark.slow
def test_no_package_of_a_controller_has_a_path_of_a_check_or_a_dialect() -> None:
    files = sorted((_ROOT / "lint/controllers").rglob("*.py"))
    texts = {file.parent.name + "/" + file.name: file.read_text("utf-8") for file in files}
    assert not {name: found for name, text in texts.items() if (found := _paths_in(text))}
    dialects = dict.fromkeys(load().dialects, "dialect")
    assert not {
        name: found
        for name, text in texts.items()
        if (found := [*_named_in(ast.parse(text), dialects)])
    }


def test_the_paths_are_found() -> None:
    assert _paths_in("a(b, 'spec', 'healthCheckExprs', c)") == ["1: spec.healthCheckExprs"]
    assert _paths_in("a = ('spec', 'dependsOn', 'readyExpr')")[-1] == "1: spec.dependsOn.readyExpr"
    assert not _paths_in("a = field(value, 'spec', 'replicas')")


def test_the_names_are_found() -> None:
    found = [what for _, what in _named_in(_read(_ROOT / "webhook/judging/child.py"), _NAMES)]
    assert all(f"the {what} " in "\n".join(found) for what in ("kind", "group", "field"))
    everywhere = "f(HelmRelease='HelmRelease')", "print('see HelmRelease', 'flux-health')"
    counts = [len([*_named_in(ast.parse(text), _NAMES)]) for text in everywhere]
    assert counts == [1, 1]


_ORDINARY = {"Gate": "kind", "gate": "dialect", "apps": "group"}


@pytest.mark.parametrize(
    "text",
    [
        "kind == 'Gate'",
        "'Gate' != obj['kind']",
        "obj.get('kind') in ('Other', 'Gate')",
        "text(obj, 'kind') == 'Gate'",
        "str(source.get('kind', 'Gate'))",
        "GroupKind(group, 'Gate')",
        "{'kind': 'Gate'}",
        "_KINDS = frozenset({'Gate'})",
        "_HANDLERS[kind] if kind else kinds['Gate']",
        "[GroupKind('x', kind) for kind in ('Gate', 'Other')]",
        "def f(name, kind='Gate', *, dialect=''): pass",
        "match obj.kind:\n    case 'Gate' | 'Other': pass",
        "Check(dialect='gate')",
        "check.dialect.name == 'gate'",
        "load().dialects['gate']",
        "load().dialects.get('gate')",
        "group = 'apps' if new else 'extensions'",
        "ref.api_version == 'apps'",
    ],
)
def test_an_ordinary_word_is_found_where_it_names_something(text: str) -> None:
    assert [*_named_in(ast.parse(text), _ORDINARY)]


@pytest.mark.parametrize(
    "text",
    [
        "how: Literal['gate', 'open'] = 'gate'",
        "proof == 'gate' and row.verdict == 'Gate'",
        "dialect.purpose == 'gate'",
        "token.kind == 'gate'",
        "words = {'gate': 'Gate', 'apps': 'maps apps'}",
        "f'{kind} of the gate'",
        "value.get('gate', 'Gate')",
    ],
)
def test_an_ordinary_word_may_mean_something_else(text: str) -> None:
    assert not [*_named_in(ast.parse(text), _ORDINARY)]
