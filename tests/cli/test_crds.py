"""Where `celvet lint` finds the kinds under check: the tree itself, `--crds`, locations."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest
import yaml

from tests.cli.command import Ran, celvet
from tests.crds.definitions import definition, fields

_ENTRY = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: data}
spec:
  wait: true
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Database
      failed: status.phase == 'Failed'
      current: status.fase == 'Ready'
"""
_CRD = yaml.safe_dump(definition())


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "apps").mkdir()
    (tmp_path / "apps" / "data.yaml").write_text(_ENTRY)
    return tmp_path


def _found(ran: Ran) -> bool:
    return "[crd-field]" in ran.out


def test_without_crds_nothing_is_reported(tree: Path) -> None:
    ran = celvet("lint", ".", cwd=tree)
    assert (ran.status, ran.err, _found(ran)) == (0, "", False)


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("name", ["aaa/crd.yaml", "zzz/crd.json"])
def test_crds_among_the_manifests(tree: Path, name: str, jobs: str) -> None:
    file = tree / name
    file.parent.mkdir()
    file.write_text(_CRD if name.endswith("yaml") else json.dumps(definition()))
    (tree / "zzz.yaml").write_text(_ENTRY.replace("example.com", "example.org"))
    ran = celvet("lint", ".", "--jobs", jobs, cwd=tree)
    assert ran.out.count("[crd-field]") == 1
    assert "checked 4 expressions in 2 objects" in ran.out, "read twice, counted once"


def test_standard_input_is_judged_by_its_own_crds(tree: Path) -> None:
    assert _found(celvet("lint", "-", cwd=tree, stdin=f"{_ENTRY}---\n{_CRD}"))
    (tree / "crd.yaml").write_text(_CRD)
    assert not _found(celvet("lint", "-", "crd.yaml", cwd=tree, stdin=_ENTRY))


@pytest.mark.parametrize("given", ["crd.yaml", "crds", "crds.tgz"])
def test_the_option(tree: Path, given: str) -> None:
    outside = tree / "outside"
    (outside / "crds").mkdir(parents=True)
    for name in ("crd.yaml", "crds/crd.yaml"):
        (outside / name).write_text(_CRD)
    with tarfile.open(outside / "crds.tgz", "w:gz") as archive:
        archive.add(outside / "crd.yaml", "crds/crd.yaml")
    assert _found(celvet("lint", "apps", "--crds", outside / given, cwd=tree))


def test_the_configuration_counts_from_where_it_lies(tree: Path) -> None:
    (tree / "crd.yaml").write_text(_CRD)
    (tree / ".celvet.yaml").write_text("crds: [crd.yaml]\n")
    assert _found(celvet("lint", "data.yaml", cwd=tree / "apps"))
    (tree / "example.com").mkdir()
    schema = fields(status=fields(phase={"type": "string"}))
    (tree / "example.com" / "database.json").write_text(json.dumps(schema))
    (tree / ".celvet.yaml").write_text(
        "schema-location: ['{{ .Group }}/{{ .ResourceKind }}.json']\n"
    )
    assert _found(celvet("lint", "data.yaml", cwd=tree / "apps"))


def test_a_schema_location(tree: Path) -> None:
    (tree / "database.json").write_text(json.dumps(fields(status=fields(phase={}))))
    ran = celvet("lint", "apps", "--schema-location", "{{ .ResourceKind }}.json", cwd=tree)
    assert _found(ran)


def test_without_a_network_one_message_and_the_lint_goes_on(tree: Path) -> None:
    for index in range(30):
        text = _ENTRY.replace("example.com", f"example{index}.com")
        (tree / "apps" / f"more-{index}.yaml").write_text(text)
    location = "http://127.0.0.1:1/{{ .Group }}/{{ .ResourceKind }}.json"
    options = ("--schema-location", location, "--jobs", "2")
    ran = celvet("lint", ".", *options, cwd=tree, env={"XDG_CACHE_HOME": str(tree)})
    assert ran.status == 0
    assert "in 31 objects" in ran.out
    (message,) = ran.err.splitlines()
    assert message.startswith(f"celvet: schema location {location}: cannot be reached (")


def test_a_crd_that_is_broken_is_named_with_its_line(tree: Path) -> None:
    (tree / "crds.yaml").write_text(f"{_CRD}---\n{_CRD}broken: [\n", encoding="utf-8")
    line = len(_CRD.splitlines()) * 2 + 2
    ran = celvet("lint", "apps", "--crds", "crds.yaml", cwd=tree)
    assert _found(ran)
    assert ran.err.startswith(f"celvet: crds.yaml, line {line}: a CRD cannot be read: ")


def test_an_archive_that_is_broken_is_named(tree: Path) -> None:
    (tree / "crds.tgz").write_bytes(b"\x1f\x8b nonsense")
    ran = celvet("lint", "apps", "--crds", "crds.tgz", cwd=tree)
    assert ran.status == 0
    assert ran.err.startswith("celvet: crds.tgz: not a readable archive")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--crds", "none"), "CRDs none: No such file or directory"),
        (("--schema-location", "{{ .Kind }}.json"), "there is no `.Kind`"),
        (("--schema-location", "none/{{ .Group }}.json"), "there is no directory none"),
    ],
)
def test_wrong_usage(tree: Path, arguments: tuple[str, ...], message: str) -> None:
    ran = celvet("lint", "apps", *arguments, cwd=tree)
    assert ran.status == 2
    assert message in ran.err
