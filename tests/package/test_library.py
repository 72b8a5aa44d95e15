"""celvet as a library: what `import celvet` offers."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import celvet
from tests.files import write_files

_BLOCK = re.compile(r"^```pycon\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_GUIDE = Path(__file__).parents[2] / "docs" / "library.md"

_EXAMPLES = {
    "docstring": celvet.__doc__ or "",
    "guide": "\n".join(_BLOCK.findall(_GUIDE.read_text(encoding="utf-8"))),
}

_MANIFEST = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  wait: true
  healthCheckExprs:
    - apiVersion: cert-manager.io/v1
      kind: Certificate
      current: status.ready == true
      failed: "status.failed = true"
"""


@pytest.mark.parametrize("name", _EXAMPLES)
def test_the_examples_run(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(_EXAMPLES[name], {}, name, None, 0)
    assert test.examples
    runner = doctest.DocTestRunner()
    runner.run(test)
    assert runner.failures == 0


def test_a_finding_says_where_it_is() -> None:
    (finding,) = celvet.lint_text(_MANIFEST, "apps.yaml").findings
    assert finding.rule == "cel-syntax"
    assert finding.severity is celvet.Severity.ERROR
    assert (finding.line, finding.column) == (10, 30)
    assert (finding.end_line, finding.end_column) == (10, 31)
    assert finding.field == "spec.healthCheckExprs[0].failed"
    assert finding.object.title == "Kustomization apps"


def test_findings_come_in_the_order_of_the_text() -> None:
    text = "\n---\n".join([_MANIFEST] * 3)
    lines = [finding.line for finding in celvet.lint_text(text).findings]
    assert len(lines) == 3
    assert lines == sorted(lines)


def test_an_object_has_no_lines() -> None:
    value = {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "spec": {"dependsOn": [{"name": "a", "readyExpr": "dep.status ="}]},
    }
    result = celvet.lint_object(value)
    assert result.worst is celvet.Severity.ERROR
    assert {(finding.line, finding.column) for finding in result.findings} == {(0, 0)}
    assert result.findings[0].field == "spec.dependsOn[0].readyExpr"


def test_each_object_gets_a_verdict() -> None:
    declaration = {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "spec": {
            "wait": True,
            "healthCheckExprs": [
                {"apiVersion": "example.com/v1", "kind": "Thing", "current": "status.ok"}
            ],
        },
    }
    things = [
        {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": name}, **rest}
        for name, rest in [("a", {"status": {"ok": True}}), ("b", {})]
    ]
    first, second = celvet.evaluate(declaration, things)
    assert (first.status, first.objects[0].name) == ("Current", "a")
    assert second.objects[0].name == "b"
    assert second.expressions[0].error == "no such attribute(s): status.ok"
    assert second.expressions[0].error in second.error
    assert celvet.evaluate({"apiVersion": "v1", "kind": "ConfigMap"}, things) == ()


def test_a_field_whose_name_is_not_a_string_is_not_seen() -> None:
    declaration = {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "spec": {
            "wait": True,
            "healthCheckExprs": [{"apiVersion": "v1", "kind": "Thing", "current": "status.ok"}],
        },
    }
    thing = {"apiVersion": "v1", "kind": "Thing", 1: 2, "status": {"ok": True}}
    (verdict,) = celvet.evaluate(declaration, thing)  # type: ignore[arg-type]
    assert verdict.status == "Current"


def test_settings_come_from_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert celvet.load_settings() == celvet.Settings(crds=celvet.CrdSources((), ()))
    Path(".celvet.yaml").write_text("rules: {cel-syntax: off}\n")
    assert celvet.lint_text(_MANIFEST, settings=celvet.load_settings()).findings == ()
    Path(".celvet.yaml").write_text("nothing: known\n")
    with pytest.raises(celvet.ConfigError, match="unknown key"):
        celvet.load_settings()


def test_every_public_name_is_there() -> None:
    assert {name for name in dir(celvet) if hasattr(celvet, name)} == set(celvet.__all__)
    assert celvet.__all__ == sorted(celvet.__all__)


def test_a_name_that_is_not_public_is_not_an_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lint_file'"):
        _ = celvet.lint_file  # type: ignore[attr-defined]


def test_importing_it_loads_nothing_else(python: Callable[[str], str]) -> None:
    code = "import sys; before = {*sys.modules}; import celvet; print(*{*sys.modules} - before)"
    loaded = set(python(code).split())
    assert {name for name in loaded if name.partition(".")[0] == "celvet"} == {
        "celvet",
        "celvet.version",
    }
    assert not {"dataclasses", "yaml", "jsonschema", "click", "google.protobuf"} & loaded


@pytest.mark.parametrize(("implementation", "loaded"), [("upb", "False"), ("python", "True")])
def test_messages_written_in_python_are_loaded_only_for_want_of_others(
    python: Callable[[str], str], implementation: str, loaded: str
) -> None:
    code = (
        "import os, sys, celvet\n"
        f"os.environ['PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION'] = {implementation!r}\n"
        f"found = celvet.lint_text({_MANIFEST!r}).findings\n"
        "print(len(found), 'google.protobuf.internal.encoder' in sys.modules)"
    )
    assert python(code).split() == [str(len(celvet.lint_text(_MANIFEST).findings)), loaded]


def test_a_fix_is_a_list_of_edits() -> None:
    (finding,) = celvet.lint_text(_MANIFEST, "apps.yaml").findings
    assert finding.fix
    (edit,) = finding.fix.edits
    assert (edit.line, edit.column, edit.text) == (10, 30, "==")
    assert finding.fix.safe


_REPOSITORY = {
    "clusters/apps.yaml": """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  prune: true
  interval: 1h
  sourceRef: {kind: GitRepository, name: flux-system}
  patches:
    - target: {kind: Kustomization}
      patch: "[{op: add, path: /spec/wait, value: true}]"
""",
    "apps/ks.yaml": """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: certs, namespace: flux-system}
spec:
  path: ./certs
  prune: true
  interval: 1h
  sourceRef: {kind: GitRepository, name: flux-system}
  healthCheckExprs:
    - apiVersion: example.com/v1
      kind: Example
      failed: status.phase == 'Broken'
      current: status.phase == 'Up'
""",
}


def test_a_repository_counts_only_with_its_root(tmp_path: Path) -> None:
    write_files(tmp_path, _REPOSITORY)
    file = tmp_path / "apps/ks.yaml"
    text = file.read_text(encoding="utf-8")

    alone = celvet.lint_text(text, str(file))
    with_root = celvet.lint_text(text, str(file), root=tmp_path)
    of_paths = celvet.lint_paths([tmp_path])
    assert "ignored-expression" in {finding.rule for finding in alone.findings}
    assert "ignored-expression" not in {finding.rule for finding in with_root.findings}
    assert {result.name for result in of_paths} == {str(tmp_path / name) for name in _REPOSITORY}
    (result,) = (result for result in of_paths if result.name == str(file))
    assert result.findings == with_root.findings


def test_a_path_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        celvet.lint_paths([tmp_path / "nowhere.yaml"])


def test_a_kind_of_which_nothing_is_known_is_an_error() -> None:
    assert celvet.suggest("Certificate.cert-manager.io").fields["kind"] == "Certificate"
    with pytest.raises(celvet.UnknownKindError):
        celvet.suggest("Widget.acme.example")
