"""Argo CD's tests of its health scripts: `health_test.yaml` beside `health.lua`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.command import celvet
from tests.conformance.waiters import TOOLS
from tests.forked import Ran

pytestmark = pytest.mark.usefixtures("outside")

_EXAMPLE = Path(__file__).parents[2] / "examples" / "waiters" / "resource_customizations"
_TEST = Path("keda.sh", "ScaledJob", "health_test.yaml")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the example's tree."""
    return shutil.copytree(_EXAMPLE, tmp_path / "resource_customizations")


def _changed(tree: Path, old: str, new: str, *options: str) -> Ran:
    text = (tree / _TEST).read_text()
    assert old in text
    (tree / _TEST).write_text(text.replace(old, new))
    return celvet("test", tree, *options, cwd=tree)


def test_status_and_message_agree(tree: Path) -> None:
    ran = celvet("test", tree, cwd=tree)
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "2 passed")


def test_a_status_differs(tree: Path) -> None:
    ran = _changed(tree, "status: Healthy", "status: Degraded")
    assert ran.status == 1
    assert "FAIL ScaledJob.keda.sh: testdata/ready.yaml" in ran.out
    assert "verdict\n    expected  Degraded\n    got       Healthy" in ran.out


def test_the_message_counts_as_a_whole(tree: Path) -> None:
    ran = _changed(tree, "Waiting for KEDA", "Waiting")
    assert ran.status == 1
    assert "message\n    expected  Waiting\n    got       Waiting for KEDA" in ran.out


def test_an_error_is_a_failure(tree: Path) -> None:
    (tree / _TEST).with_name("health.lua").write_text("return obj.status.phase")
    ran = celvet("test", tree, cwd=tree)
    assert ran.status == 1
    assert "error\n    expected  none\n    got       <string>:1: attempt to index" in ran.out


def test_update_writes_the_answer_where_the_test_has_one(tree: Path) -> None:
    assert _changed(tree, "message: Waiting for KEDA", "message: other", "--update").status == 0
    assert 'message: "Waiting for KEDA"' in (tree / _TEST).read_text()


def test_update_adds_nothing(tree: Path) -> None:
    ran = _changed(tree, "    message: Waiting for KEDA\n", "", "--update")
    assert "1 case still fails" in ran.err


def test_names_of_fields_count_in_any_case(tree: Path) -> None:
    ran = _changed(tree, "inputPath", "inputpath")
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "2 passed")


def test_the_script_of_the_objects_own_kind_runs(tree: Path) -> None:
    """An object may lie beside the script of another kind (`GetHealthScript`)."""
    other = tree / "keda.sh" / "ScaledObject"
    other.mkdir()
    (other / "health.lua").write_text('return {status = "Suspended", message = obj.kind}')
    data = (tree / _TEST).with_name("testdata") / "ready.yaml"
    data.write_text(data.read_text().replace("ScaledJob\n", "ScaledObject\n"))
    ran = celvet("test", tree, cwd=tree)
    assert "got       Suspended" in ran.out
    assert "got       ScaledObject" in ran.out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("inputPath: testdata/fresh.yaml", "name: fresh", "the test has no `inputPath`"),
        ("testdata/fresh.yaml", "testdata/none.yaml", "cannot be read: No such file"),
        ("tests:", "cases:", "the file has no `tests`"),
        ("tests:", "tests: {", "error: "),
    ],
)
def test_what_cannot_run_is_said(tree: Path, old: str, new: str, message: str) -> None:
    ran = _changed(tree, old, new)
    assert ran.status == 2
    assert message in ran.err


def test_an_object_without_a_script_cannot_run(tree: Path) -> None:
    data = (tree / _TEST).with_name("testdata") / "ready.yaml"
    data.write_text(data.read_text().replace("keda.sh/v1alpha1", "v1"))
    ran = celvet("test", tree, cwd=tree)
    assert ran.status == 2
    assert "`testdata/ready.yaml` has no object for which there is a script" in ran.err
    assert "Give an object of `ScaledJob.keda.sh`." in ran.err


def test_a_script_outside_of_a_tree(tree: Path, tmp_path: Path) -> None:
    alone = shutil.copytree(tree / "keda.sh", tmp_path / "mine" / "keda.sh")
    ran = celvet("test", alone, cwd=tmp_path)
    assert (ran.status, ran.out.splitlines()[-1]) == (0, "2 passed")


def test_those_of_argo_cd_pass(tmp_path: Path) -> None:
    if not (TOOLS / "argo-cd").is_dir():
        pytest.skip("`make tools` puts the scripts in place")
    ran = celvet("test", TOOLS / "argo-cd", cwd=tmp_path)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[-1] == "1100 passed"
