"""CRDs in files, directories and archives, including hostile ones."""

from __future__ import annotations

import gzip
import io
import json
import pickle
import subprocess
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from celvet.lint.crds import SchemaSources, archives, files
from celvet.lint.crds.files import CrdFiles
from celvet.lint.model import GroupKind
from tests.crds.definitions import definition, fields

_DATABASE = GroupKind("example.com", "Database")
_TEXT = yaml.safe_dump(definition())
_OTHER = yaml.safe_dump(definition(kind="Other"))


def _kinds(files_: CrdFiles, *kinds: str) -> list[str]:
    found = (files_.find(GroupKind("example.com", kind)) for kind in kinds)
    return [schema.group_kind.kind for schemas in found for schema in schemas]


def _tar(path: Path, members: dict[str, str], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            archive.addfile(info, io.BytesIO(text.encode()))
    return path


def _zip(path: Path, members: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        _TEXT,
        f"# comment\n---\na: 1\n---\n{_TEXT}---\n{_OTHER}",
        json.dumps(definition()),
        yaml.safe_dump({"apiVersion": "v1", "kind": "List", "items": [definition()]}),
        "\ufeff" + _TEXT,
        _TEXT.replace("\n", "\r\n"),
    ],
)
def test_a_file(tmp_path: Path, text: str) -> None:
    file = tmp_path / "crds.yaml"
    file.write_text(text, encoding="utf-8", newline="")
    assert _kinds(CrdFiles.of([file]), "Database") == ["Database"]


def test_a_directory_with_everything(tmp_path: Path) -> None:
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / "deep" / "er" / "a.yml").write_text(_TEXT)
    (tmp_path / "b.md").write_text(_OTHER)
    _tar(tmp_path / "chart.tgz", {"chart/crds/o.yaml": _OTHER, "chart/README.md": _TEXT})
    (tmp_path / "loop").symlink_to(tmp_path, target_is_directory=True)
    read = CrdFiles.of([tmp_path])
    assert _kinds(read, "Database", "Other") == ["Database", "Other"]
    assert read.problems == []


@pytest.mark.parametrize(
    "make",
    [
        lambda path: _tar(path / "a.tgz", {"x/o.yaml": _OTHER, "x/d.json": _TEXT}),
        lambda path: _tar(path / "a.tar.gz", {"x/d.yaml": _TEXT + "---\n" + _OTHER}),
        lambda path: _tar(path / "a.tar", {"x/d.yaml": _TEXT, "y.yml": _OTHER}, "w"),
        lambda path: _tar(path / "plain.tgz", {"x/d.yaml": _TEXT, "y.yml": _OTHER}, "w"),
        lambda path: _zip(path / "a.zip", {"x/d.yaml": _TEXT, "y.yaml": _OTHER}),
    ],
)
def test_an_archive(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    read = CrdFiles.of([make(tmp_path)])
    assert _kinds(read, "Database", "Other") == ["Database", "Other"]
    assert read.problems == []


def test_several_definitions_of_a_kind_all_count(tmp_path: Path) -> None:
    new = definition(fields(status=fields(health={"type": "string"})))
    (tmp_path / "old.yaml").write_text(_TEXT)
    (tmp_path / "new.yaml").write_text(yaml.safe_dump(new))
    schema = SchemaSources((tmp_path,)).find("example.com/v1", "Database")
    assert schema is not None
    assert len(schema.versions) == 2
    assert schema.at("status", "phase")
    assert schema.at("status", "health")


def test_a_document_is_parsed_only_for_a_kind_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.yaml").write_text(f"{_TEXT}---\n{_OTHER}---\nCustomResourceDefinition: [broken")
    read = CrdFiles.of([tmp_path])
    parsed: list[bytes] = []
    monkeypatch.setattr(
        CrdFiles, "_definitions", lambda _, *document: parsed.append(document[-1]) or ()
    )
    read.find(GroupKind("example.com", "Another"))
    assert parsed == []
    read.find(GroupKind("example.com", "Other"))
    read.find(GroupKind("example.com", "Other"))
    assert len(parsed) == 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.yaml", None, ": No such file or directory"),
        ("broken.tgz", b"\x1f\x8b nonsense", ": not a readable archive"),
        ("broken.zip", b"PK nonsense", ": not a readable archive"),
        ("short.tgz", gzip.compress(b"x" * 3000, mtime=0)[:-9], ": not a readable archive"),
        (
            "broken.yaml",
            b"kind: CustomResourceDefinition\na: [example.com Database",
            ", line 2: a CRD cannot",
        ),
    ],
)
def test_what_cannot_be_read_is_reported_once(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    sources = SchemaSources((path,))
    assert sources.find("example.com/v1", "Database") is None
    assert sources.find("example.com/v1", "Database") is None
    (problem,) = sources.problems
    assert problem.startswith(f"{path}{message}")


def test_a_helm_template_of_a_crd_is_not_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "t.yaml"
    file.write_text("{{- if .Values.crds }}\n" + _TEXT + "{{- end }}\n")
    sources = SchemaSources((file,))
    sources.find("example.com/v1", "Database")
    assert sources.problems == ()


@pytest.mark.parametrize("make", [_tar, _zip])
def test_bombs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[..., Path]) -> None:
    monkeypatch.setattr(archives, "MAX_UNPACKED", 2**20)
    name = "bomb.tgz" if make is _tar else "bomb.zip"
    path = make(tmp_path / name, {"d.yaml": _TEXT, "bomb.yaml": " " * 2**21, "o.yaml": _OTHER})
    read = CrdFiles.of([path])
    assert _kinds(read, "Database", "Other") == ["Database"]
    assert read.problems == [f"{path}: unpacks to more than 1 MiB"]


@pytest.mark.parametrize("make", [_tar, _zip])
def test_too_large_a_member(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[..., Path]
) -> None:
    monkeypatch.setattr(archives, "MAX_FILE", 2**20)
    name = "large.tgz" if make is _tar else "large.zip"
    path = make(tmp_path / name, {"d.yaml": _TEXT, "large.yaml": " " * 2**21, "o.yaml": _OTHER})
    read = CrdFiles.of([path])
    assert _kinds(read, "Database", "Other") == ["Database"]
    assert read.problems == [f"{path}: large.yaml has more than 1 MiB"]


def test_a_kind_that_is_not_a_string(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(_TEXT)
    assert CrdFiles.of([tmp_path]).find(GroupKind("example.com", "\ud800")) == []


def test_paths_without_a_crd_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("kind: Deployment")
    assert CrdFiles.of([tmp_path]).problems == [f"no CRD in {tmp_path}"]
    assert CrdFiles.of([]).problems == []


def test_too_many_files_and_members(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MAX_FILES", 2)
    monkeypatch.setattr(archives, "MAX_FILES", 2)
    many = tmp_path / "many"
    many.mkdir()
    members = {"a.yaml": _TEXT, "b.yaml": "a: 1", "c.yaml": _OTHER}
    for name, text in members.items():
        (many / name).write_text(text)
    read = CrdFiles.of([many, _tar(tmp_path / "x.tgz", members), _zip(tmp_path / "x.zip", members)])
    assert _kinds(read, "Database", "Other") == ["Database"] * 2
    assert [problem.partition(": ")[2] for problem in read.problems] == [
        "over 2 files; none is read",
        "has more than 2 members",
        "has more than 2 members",
    ]


@pytest.mark.usefixtures("outside")
def test_a_sparse_member_counts_with_what_it_reads_as(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "MAX_UNPACKED", 2**20)
    sparse = tmp_path / "sparse.yaml"
    with sparse.open("wb") as file:
        file.truncate(2**20 + 4096)
    subprocess.run(["tar", "-C", tmp_path, "-cSf", tmp_path / "x.tar", "sparse.yaml"], check=True)
    read = CrdFiles.of([tmp_path / "x.tar"])
    assert read.problems == [f"{tmp_path / 'x.tar'}: unpacks to more than 1 MiB"]


def test_too_large_a_file_and_too_many_crds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.yaml").write_text(_TEXT)
    (tmp_path / "b.yaml").write_text(_OTHER + "#" * 2**20)
    monkeypatch.setattr(files, "MAX_FILE", 2**20)
    read = CrdFiles.of([tmp_path])
    assert _kinds(read, "Database", "Other") == ["Database"]
    assert read.problems == [f"{tmp_path / 'b.yaml'}: over 1 MiB; it is not read"]
    monkeypatch.setattr(files, "MAX_KEPT", 100)
    read = CrdFiles.of([tmp_path])
    assert read.find(_DATABASE) == []
    assert read.problems == [f"{tmp_path / 'a.yaml'}: over 0 MiB of CRDs; no more are read"]


def test_aliases_and_depth_are_bounded_by_the_reader(tmp_path: Path) -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"b{index}: &b{index} [*{'a' if not index else f'b{index - 1}'}, *a]\n"
        for index in range(40)
    )
    (tmp_path / "bomb.yaml").write_text(f"kind: CustomResourceDefinition\nx: example.com\n{bomb}")
    (tmp_path / "deep.yaml").write_text(
        f"kind: CustomResourceDefinition\nx: example.com Database\ny: {'[' * 5000}"
    )
    sources = SchemaSources((tmp_path,))
    assert sources.find("example.com/v1", "Database") is None


def test_sources_are_names_that_can_be_sent_to_another_process(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(_TEXT)
    sources = SchemaSources((tmp_path,))
    assert sources.find("example.com/v1", "Database")
    assert len(pickle.dumps(sources)) < 500
    assert pickle.loads(pickle.dumps(sources)) == sources


@given(st.binary(max_size=200), st.sampled_from(["x.yaml", "x.tgz", "x.zip", "x.json"]))
def test_no_file_raises_and_none_is_taken_for_a_crd(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, name: str
) -> None:
    file = tmp_path_factory.mktemp("any") / name
    file.write_bytes(b"CustomResourceDefinition a b " + data if name == "x.yaml" else data)
    assert CrdFiles.of([file]).find(GroupKind("a", "b")) == []
