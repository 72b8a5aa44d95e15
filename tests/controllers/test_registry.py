from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from celvet import schemas
from celvet.lint import controllers
from celvet.lint.checks import check_value
from tests.conformance.__main__ import main
from tests.controllers.evaluating import evaluators

_FOREIGN = Path(__file__).parents[1] / "checks" / "foreign"


def test_importing_the_package_loads_neither_cel_nor_a_system(python: Callable[[str], str]) -> None:
    names = "[name for name in sys.modules if name.startswith(('celvet.lint.', 'cel_expr'))]"
    code = f"import sys, celvet.lint.controllers; print(sorted({names}))"
    assert python(code).strip() == "['celvet.lint.controllers']"


def test_a_kind_of_the_users_own_in_the_group_of_a_system(tmp_path: Path) -> None:
    for name in ("sveltos/HealthCheck.json", "dialects/sveltos-cel.json"):
        file = tmp_path / name
        file.parent.mkdir()
        text = (_FOREIGN / name).read_text()
        file.write_text(text.replace("lib.projectsveltos.io", "kustomize.toolkit.fluxcd.io"))
    value = {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1beta1",
        "kind": "HealthCheck",
        "spec": {"resourceSelectors": [{"kind": "A", "evaluateCEL": [{"rule": "true"}]}]},
    }
    checked = check_value(value, schemas.load((tmp_path,)))
    assert [each.path for each in controllers.evaluators(checked)] == [
        ("spec", "resourceSelectors", 0)
    ]


@pytest.mark.parametrize("package", [{}, {"GROUPS": ["a"]}, {"GROUPS": frozenset({"a"})}])
def test_a_package_that_is_not_a_system_is_an_error(package: dict[str, Any]) -> None:
    module = ModuleType("odd")
    module.__file__ = "odd.py"
    vars(module).update(package)
    with pytest.raises(TypeError, match=r"odd.py is not a controller"):
        controllers._groups(module)


@pytest.mark.parametrize("value", [None, 1, [], {}, {"apiVersion": []}, {"apiVersion": "a/b/c"}])
def test_what_is_not_a_declaration_has_no_evaluators(value: Any) -> None:
    assert evaluators(value) == ()


def test_vectors_that_nothing_answers(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "x.jsonl"
    file.write_text('{"objects": {}}\n{"mode": "odd", "want": {"ok": true}}\n')
    assert main([str(file)]) == 2
    assert capsys.readouterr().err == "error: no module here answers vectors of mode `odd`\n"
