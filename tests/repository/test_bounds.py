"""Repositories in which everything applies everything."""

from __future__ import annotations

from pathlib import Path

import pytest

from celvet.lint.repository.questions import DependencyCycle, ObjectForms
from celvet.lint.repository.surroundings import Repository, Surroundings
from tests import libyaml

_APP = {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization"}


def _surroundings(file: Path) -> Surroundings:
    root = next(parent for parent in file.parents if parent.name.startswith("test_"))
    return Repository(root).surroundings_of(str(file))


def _app(name: str, path: str) -> dict[str, object]:
    source = {"kind": "GitRepository", "name": "flux-system"}
    return {**_APP, "metadata": {"name": name}, "spec": {"path": path, "sourceRef": source}}


@pytest.mark.parametrize(("number", "forms", "known"), [(3, 3, True), (101, 1, False)])
def test_a_file_with_many_applications_is_unknown(
    tmp_path: Path, number: int, forms: int, known: bool
) -> None:
    clusters = [_app(f"apps-{index}", "./apps") for index in range(number)]
    (tmp_path / "clusters").mkdir()
    (tmp_path / "clusters/all.yaml").write_text(libyaml.dump_all(clusters))
    (tmp_path / "apps").mkdir()
    app = _app("app", "./app")
    (tmp_path / "apps/app.yaml").write_text(libyaml.dump(app))
    found = _surroundings(tmp_path / "apps/app.yaml").ask(ObjectForms(app))
    assert len(found) == forms
    assert all(each.resource.knows("spec") is known for each in found)


@pytest.mark.slow
def test_kustomizations_that_apply_each_other_end(tmp_path: Path) -> None:
    every = [_app(f"app-{index}", "./all") for index in range(400)]
    (tmp_path / "all").mkdir()
    (tmp_path / "all/all.yaml").write_text(libyaml.dump_all(every))
    (found,) = _surroundings(tmp_path / "all/all.yaml").ask(ObjectForms(every[0]))
    assert not found.resource.knows("spec")


def test_of_a_directory_with_too_many_files_nothing_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("celvet.lint.repository.files._MOST_FILES", 2)
    app = _app("app", "./apps")
    for name in ("app", "other", "third"):
        (tmp_path / f"{name}.yaml").write_text(libyaml.dump(app))
    around = _surroundings(tmp_path / "app.yaml")
    (found,) = around.ask(ObjectForms(app))
    assert not found.resource.knows("spec")
    assert "too many YAML files" in around.problems[0]


def test_directories_that_name_each_other_in_a_long_row_end(tmp_path: Path) -> None:
    for number in range(1_200):
        (tmp_path / f"d{number}").mkdir()
        text = f"resources: [../d{number + 1}]\n"
        (tmp_path / f"d{number}/kustomization.yaml").write_text(text)
    app = _app("app", "./d0")
    (tmp_path / "app.yaml").write_text(libyaml.dump(app))
    (found,) = _surroundings(tmp_path / "app.yaml").ask(ObjectForms(app))
    assert found.resource.value == app


@pytest.mark.parametrize(
    ("number", "after"), [(1, 0), (2, 0), pytest.param(1_200, 1_199, marks=pytest.mark.slow)]
)
def test_directories_that_configure_each_other_end(tmp_path: Path, number: int, after: int) -> None:
    for index in range(number):
        following = index + 1 if index + 1 < number else after
        (tmp_path / f"d{index}").mkdir()
        text = f"resources: [app.yaml]\ntransformers: [../d{following}]\n"
        (tmp_path / f"d{index}/kustomization.yaml").write_text(text)
        (tmp_path / f"d{index}/app.yaml").write_text(libyaml.dump(_app("app", "./d0")))
    app = _app("app", "./d0")
    found = _surroundings(tmp_path / "d0/app.yaml").ask(ObjectForms(app))
    assert not any(each.resource.knows("spec") for each in found)


def test_a_config_map_of_many_is_looked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts: list[tuple[bytes, ...]] = []

    def looked_for(_: bytes, wanted: tuple[bytes, ...]) -> bool:
        texts.append(wanted)
        return True

    monkeypatch.setattr("celvet.lint.repository.files.may_hold", looked_for)
    build = {"substituteFrom": [{"kind": "ConfigMap", "name": "settings"}]}
    every = [_app(f"app-{index}", "./app") for index in range(9)]
    for app in every:
        app["spec"] = {**app["spec"], "postBuild": build}  # type: ignore[dict-item]
    settings = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}}
    (tmp_path / "app").mkdir()
    (tmp_path / "app/app.yaml").write_text(libyaml.dump(_app("app", "./other")))
    (tmp_path / "all.yaml").write_text(libyaml.dump_all([*every, settings]))
    _surroundings(tmp_path / "all.yaml").ask(ObjectForms(every[0]))
    assert texts == [(b"settings",)]


def test_a_cycle_through_one_of_two_kustomizations_of_a_name_is_found(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "apps").mkdir()
    first, second, other = (_app(name, "./none") for name in ("app", "app", "other"))
    for app, needed in ((first, "other"), (other, "app")):
        app["spec"] = {**app["spec"], "dependsOn": [{"name": needed}]}  # type: ignore[dict-item]
    for name, app in (("a", first), ("b", other), ("c", second)):
        (tmp_path / f"apps/{name}.yaml").write_text(libyaml.dump(app))
    (tmp_path / "all.yaml").write_text(libyaml.dump(_app("all", "./apps")))
    around = _surroundings(tmp_path / "apps/a.yaml")
    (form,) = around.ask(ObjectForms(first))
    assert [each.name for each in around.ask(DependencyCycle(form, ("spec", "dependsOn")))] == [
        "other",
        "app",
    ]
