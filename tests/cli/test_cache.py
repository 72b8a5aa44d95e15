"""The output of `celvet lint` does not depend on the content of its cache."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from celvet.lint.cli.run import cache
from tests.cli.command import celvet
from tests.cli.test_lint import BAD, HEAD
from tests.files import write_files

_REPORTS = "reports/*/*"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    return write_files(tmp_path, {"a.yaml": BAD, "b.yaml": "kind: ConfigMap\n"})


def _lint(tree: Path, *options: str) -> tuple[int, str, str]:
    command = ("lint", "--cache-dir", "kept", "--format", "json", *options, ".")
    ran = celvet(*command, cwd=tree, env={"CELVET_NO_CACHE": ""})
    return ran.status, ran.out, ran.err


def _kept(tree: Path) -> list[Path]:
    return sorted((tree / "kept").glob(_REPORTS))


def test_a_report_from_the_cache_is_the_same(tree: Path) -> None:
    first = _lint(tree)
    assert first[0] == 1
    (file,) = _kept(tree)
    written = file.stat().st_mtime_ns
    assert _lint(tree) == first
    assert file.stat().st_mtime_ns == written
    file.write_text(file.read_text().replace("result-type", "from-the-cache"))
    assert "from-the-cache" in _lint(tree)[1]
    assert "from-the-cache" not in _lint(tree, "--no-cache")[1]


@pytest.mark.parametrize(
    "damage",
    [
        "",
        "\n",
        "\n{",
        "{",
        "null",
        "[]",
        '["Where"]',
        '["eval", "1"]',
        '["FileReport", 1]',
        "\udcff",
    ],
)
def test_what_is_not_a_report_is_computed_again(tree: Path, damage: str) -> None:
    first = _lint(tree)
    (file,) = _kept(tree)
    file.write_text(damage, encoding="utf-8", errors="surrogateescape")
    assert _lint(tree) == first
    assert file.read_text() != damage


def test_a_change_of_the_file_counts(tree: Path) -> None:
    before = _lint(tree)
    (tree / "a.yaml").write_text(BAD.replace("certs", "other"), encoding="utf-8")
    after = _lint(tree)
    assert after != before
    assert after == _lint(tree, "--no-cache")


@pytest.mark.parametrize(
    "options", [("--ignore", "result-type"), ("--select", "cel-syntax"), ("--substitute", "A=1")]
)
def test_a_change_of_the_settings_counts(tree: Path, options: tuple[str, ...]) -> None:
    _lint(tree)
    assert _lint(tree, *options) == _lint(tree, "--no-cache", *options)
    assert len(_kept(tree)) == 2


def test_the_crds_count(tree: Path) -> None:
    crds = tree / "crds"
    crds.mkdir()
    _lint(tree, "--crds", "crds")
    (crds / "a.yaml").write_text("kind: CustomResourceDefinition\n", encoding="utf-8")
    _lint(tree, "--crds", "crds")
    assert len(_kept(tree)) == 2


def test_the_repository_counts_for_what_asks_about_it(tree: Path) -> None:
    parent = HEAD.replace("name: certs", "name: parent") + "  path: .\n"
    (tree / "parent.yaml").write_text(parent, encoding="utf-8")
    _lint(tree)
    patched = parent + (
        "  patches:\n    - target: {kind: Kustomization, name: certs}\n      patch: |\n"
        "        - {op: remove, path: /spec/wait}\n"
    )
    (tree / "parent.yaml").write_text(patched, encoding="utf-8")
    assert _lint(tree) == _lint(tree, "--no-cache")


_CHILD = HEAD.replace("  wait: true\n", "").replace("name: certs", "name: child") + (
    "  healthCheckExprs:\n    - apiVersion: example.com/v1\n      kind: Widget\n"
    "      current: status.ready == true\n"
)
_CHANGE = '{"op": "%s", "path": "/spec/%s", "value": true}'
_INLINE = f"patches: [{{target: {{kind: Kustomization}}, patch: '[{_CHANGE}]'}}]\n"
_TRANSFORMER = (
    "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: %s}\nlabels: {%s: yes}\n"
    "fieldSpecs: [{path: spec, kind: Kustomization}]\n"
)
_PATCHED = "patches: [{target: {kind: Kustomization}, path: %s}]\n"
_DECIDING = {
    "flux/kustomization.yaml": ("", _INLINE),
    "flux/Kustomization": ("", _INLINE),
    "flux/patch.yaml": (_PATCHED % "patch.yaml", f"[{_CHANGE}]"),
    "flux/patch.json": (_PATCHED % "patch.json", f"[{_CHANGE}]"),
    "flux/patch.txt": (_PATCHED % "patch.txt", f"[{_CHANGE}]"),
    "flux/ignored.yaml": (_PATCHED % "ignored.yaml", f"[{_CHANGE}]"),
    "flux/transformer.yaml": ("transformers: [transformer.yaml]\n", _TRANSFORMER),
    "flux/transformer": ("transformers: [transformer]\n", _TRANSFORMER),
    "component/kustomization.yaml": (
        "components: [../component]\n",
        f"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n{_INLINE}",
    ),
    "component/Kustomization": (
        "components: [../component]\n",
        f"apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n{_INLINE}",
    ),
}
"""The files that may change an object, with the references to them."""


@pytest.mark.parametrize("file", _DECIDING)
def test_each_file_that_changes_an_object_counts(tmp_path: Path, file: str) -> None:
    naming, text = _DECIDING[file]
    resources = "resources: [child.yaml]\n"
    files = {
        ".git/HEAD": "",
        ".gitignore": "ignored.yaml\n",
        "parent.yaml": HEAD.replace("name: certs", "name: parent") + "  path: flux\n",
        "flux/child.yaml": _CHILD,
        "flux/kustomization.yaml": resources + naming,
    }
    if file.startswith("flux/") and not naming:
        del files["flux/kustomization.yaml"]
        text = resources + text
    write_files(tmp_path, {**files, file: text % ("add", "suspend")})
    assert "ignored-expression" in _lint(tmp_path)[1]
    (tmp_path / file).write_text(text % ("add", "wait"), encoding="utf-8")
    found = _lint(tmp_path)
    assert found == _lint(tmp_path, "--no-cache")
    assert "ignored-expression" not in found[1]


@pytest.mark.parametrize(
    ("change", "counts"),
    [
        ({"parent.yaml": "# more\n"}, False),
        ({"other.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n"}, False),
        ({"parent.yaml": f"  {_INLINE % ('add', 'wait')}"}, True),
    ],
)
def test_only_a_change_that_changes_an_answer_counts(
    tmp_path: Path, change: dict[str, str], counts: bool
) -> None:
    parent = HEAD.replace("name: certs", "name: parent") + "  path: flux\n"
    write_files(tmp_path, {".git/HEAD": "", "parent.yaml": parent, "flux/child.yaml": _CHILD})
    _lint(tmp_path)
    for kept in _kept(tmp_path):
        kept.write_text(kept.read_text().replace("ignored-expression", "from-the-cache"))
    for name, added in change.items():
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(added)
    for _ in range(2):
        assert ("from-the-cache" in _lint(tmp_path)[1]) is not counts


def test_a_file_of_another_name_has_a_report_of_its_own(tree: Path) -> None:
    (tree / "c.yaml").write_text(BAD, encoding="utf-8")
    assert _lint(tree) == _lint(tree)
    assert "c.yaml" in _lint(tree)[1]


def test_a_directory_that_cannot_be_used_is_not_an_error(tree: Path) -> None:
    (tree / "kept").mkdir()
    (tree / "kept" / "reports").write_text("a file")
    assert _lint(tree) == _lint(tree, "--no-cache")


def test_a_file_in_place_of_the_directory_is_wrong_usage(tree: Path) -> None:
    (tree / "kept").write_text("a file")
    status, out, err = _lint(tree)
    assert (status, out) == (2, "")
    assert "--cache-dir kept: Not a directory" in err


def test_the_oldest_reports_make_room(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "c.yaml").write_text(BAD, encoding="utf-8")
    _lint(tree)
    old, new = _kept(tree)
    os.utime(old, (1, 1))
    (tree / "kept" / "CACHEDIR.TAG").unlink()
    monkeypatch.setattr(cache, "_MOST_BYTES", 5_000)
    cache.prune(tree / "kept")
    assert _kept(tree) == [new]


def test_it_is_in_the_cache_of_the_user(tree: Path) -> None:
    celvet("lint", ".", cwd=tree, env={"CELVET_NO_CACHE": "", "XDG_CACHE_HOME": str(tree / "xdg")})
    assert len([*(tree / "xdg" / "celvet").glob(_REPORTS)]) == 1
