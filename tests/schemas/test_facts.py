"""The facts of a kind, built in or from the user."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from celvet.schemas import CatalogError, kind_facts, load
from celvet.schemas.facts_reader.read import read_kind
from celvet.schemas.kind_files import READ, built_in_kinds, built_in_scope
from celvet.schemas.known_kinds import known_kinds
from celvet.version import __version__
from tests.tables import read_table

CASES = read_table(Path(__file__).parent / "kinds.yaml")
WIDGET: dict[str, Any] = CASES["widget"]


def _write(directory: Path, content: Any, name: str = "kinds/acme.example/Widget.yaml") -> Path:
    file = directory / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(content if isinstance(content, str) else yaml.safe_dump(content))
    return directory


def test_a_kind_of_the_catalogue() -> None:
    facts = kind_facts("dragonflydb.io", "Dragonfly")
    assert facts is not None
    assert not facts.fails
    assert facts.entry.keys() == {"current"}
    assert facts.phases[0].former["ready"] == "1.2.0"
    assert "ready" not in facts.phases[0].values
    ready = next(state for state in facts.life if state.name == "Ready")
    assert ready.object["status"] == {"phase": "Ready"}
    assert ready.object["apiVersion"] == "dragonflydb.io/v1alpha1"


def test_a_variant_takes_the_rest_from_the_entry() -> None:
    facts = kind_facts("postgresql.cnpg.io", "Cluster")
    assert facts is not None
    assert facts.variants["patient"].entry == {"current": facts.entry["current"]}


def test_every_file_of_ours_makes_a_record() -> None:
    kinds = known_kinds()
    assert len(kinds) > 60
    for group, kind in kinds:
        facts = kind_facts(group, kind)
        assert facts is not None
        assert (facts.group, facts.kind) == (group, kind)
        assert facts.life


@pytest.mark.parametrize(
    ("group", "kind"),
    [
        ("acme.example", "Widget"),
        ("..", "kinds"),
        ("", ""),
        ("a/b", "C"),
        ("dragonflydb.io", "../x"),
    ],
)
def test_a_kind_that_nobody_has_read(group: str, kind: str) -> None:
    assert kind_facts(group, kind) is None


def test_a_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file_names: list[str] = []

    def counted(file: Path) -> Any:
        file_names.append(file.name)
        return read_kind(file)

    monkeypatch.setattr("celvet.schemas.known_kinds.read_kind", counted)
    for _ in range(3):
        kind_facts("acme.example", "Widget", [_write(tmp_path, WIDGET)])
    assert file_names == ["Widget.yaml"]


def test_a_group_that_nobody_has_read_is_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    kind_facts("", "Pod")
    monkeypatch.delattr("celvet.schemas.known_kinds.kind_file")
    assert {kind_facts(f"g{number}.example", "Widget") for number in range(3)} == {None}


def test_a_kind_of_the_users_own(tmp_path: Path) -> None:
    catalog = load([_write(tmp_path, WIDGET)])
    facts = kind_facts("acme.example", "Widget", catalog.directories)
    assert facts is not None
    assert [state.name for state in facts.life] == ["applied", "ready"]


def test_the_users_own_takes_precedence(tmp_path: Path) -> None:
    widget = {**WIDGET, "group": "dragonflydb.io", "kind": "Dragonfly"}
    _write(tmp_path, widget, "kinds/dragonflydb.io/Dragonfly.yaml")
    facts = kind_facts("dragonflydb.io", "Dragonfly", load([tmp_path]).directories)
    assert facts is not None
    assert facts.project == "Acme"


def test_a_kind_like_another_says_only_what_differs(tmp_path: Path) -> None:
    _write(tmp_path, WIDGET)
    _write(tmp_path, CASES["like"], "kinds/acme.example/Gadget.yaml")
    facts = kind_facts("acme.example", "Gadget", load([tmp_path]).directories)
    assert facts is not None
    assert facts.content == CASES["whole"]


@pytest.mark.parametrize("like", ["ClusterIssuer", "Issuer"])
def test_a_kind_may_be_like_one_of_ours(like: str, tmp_path: Path) -> None:
    content = {"group": "cert-manager.io", "kind": "NamespacedIssuer", "like": like}
    _write(tmp_path, content, "kinds/cert-manager.io/NamespacedIssuer.yaml")
    facts = kind_facts("cert-manager.io", "NamespacedIssuer", load([tmp_path]).directories)
    issuer = kind_facts("cert-manager.io", like)
    assert facts is not None
    assert issuer is not None
    assert facts.entry == issuer.entry


def test_a_kind_of_a_family_has_the_facts_of_the_family() -> None:
    facts = kind_facts("s3.aws.upbound.io", "Bucket")
    assert facts is not None
    assert facts.family == "Crossplane managed resources"
    assert (facts.scope, facts.life[0].object["kind"]) == ("Cluster", "Bucket")
    namespaced = kind_facts("s3.aws.m.upbound.io", "Bucket")
    assert namespaced is not None
    assert namespaced.scope == "Namespaced"


@pytest.mark.parametrize(
    ("group", "kind", "family"),
    [
        ("s3.aws.upbound.io", "bucket", None),
        ("upbound.io", "Bucket", None),
        ("template.fn.crossplane.io", "Input", None),
        ("aws.upbound.io", "StoreConfig", None),
        ("aws.upbound.io", "ProviderConfig", "configurations of Crossplane's providers"),
        ("pkg.crossplane.io", "Provider", ""),
        ("pkg.crossplane.io", "Lock", None),
    ],
)
def test_who_is_no_member_of_a_family(group: str, kind: str, family: str | None) -> None:
    facts = kind_facts(group, kind)
    assert (facts.family if facts else None) == family


def test_a_family_of_the_users_own(tmp_path: Path) -> None:
    family = {key: value for key, value in WIDGET.items() if key not in ("group", "kind")}
    members = {
        "groups": ["*.acme.example"],
        "kinds": ["*Widget"],
        "example": "Widget.a.acme.example",
    }
    _write(tmp_path, {**family, "family": "widgets", "members": members}, "kinds/families/w.yaml")
    directories = load([tmp_path]).directories
    facts = kind_facts("b.acme.example", "BigWidget", directories)
    assert facts is not None
    assert facts.life[1].object["kind"] == "BigWidget"
    assert kind_facts("b.acme.example", "Gadget", directories) is None


@pytest.mark.parametrize("case", CASES["wrong"], ids=lambda case: case["error"])
def test_what_is_not_understood_is_an_error(case: dict[str, Any], tmp_path: Path) -> None:
    content = case["text"] if "text" in case else {**WIDGET, **case["with"]}
    content = {k: v for k, v in content.items() if v != "DROP"} if "with" in case else content
    name = case.get("name", "kinds/acme.example/Widget.yaml")
    with pytest.raises(CatalogError) as error_info:
        load([_write(tmp_path, content, name)])
    assert case["error"] in error_info.value.reason
    assert error_info.value.path == tmp_path / case.get("at", name)


def test_the_kinds_built_in_are_no_directory_of_the_user() -> None:
    assert load().directories == ()


def test_scopes_of_kubernetes_own_kinds() -> None:
    assert built_in_scope("", "Secret") == "Namespaced"
    assert built_in_scope("", "Node") == "Cluster"
    assert built_in_scope("", "Certificate") == ""
    assert {("", "Binding"), ("", "ServiceAccount"), ("apps", "Deployment")} < set(built_in_kinds())
    assert ("", "Deployment") not in built_in_kinds()


def test_scopes_of_built_in_kinds_agree_with_their_files() -> None:
    for group, kind in known_kinds():
        if scope := built_in_scope(group, kind):
            facts = kind_facts(group, kind)
            assert facts is not None
            assert facts.scope == scope


def test_the_catalogue_is_one_json_object() -> None:
    """Other programs read it from the wheel or from a release."""
    catalogue = json.loads(READ.read_bytes())
    assert catalogue["licence"] == "Apache-2.0"
    assert catalogue["schema"].endswith("/kind.schema.json")
    assert catalogue["version"] == __version__
    kinds = {(content.get("group"), content.get("kind")) for content in catalogue["files"].values()}
    assert {*known_kinds()} <= kinds
