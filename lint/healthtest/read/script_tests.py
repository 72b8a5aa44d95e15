"""Reads the tests of Argo CD's health scripts: `health_test.yaml` beside `health.lua`.

Mirrors `util/lua/health_test.go` of argoproj/argo-cd (v3.5.1): each test names an object, and the
health that the script must give to it, with the whole message and without an error.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache, partial
from pathlib import Path as File

from celvet.lint.checks import AnyExpression
from celvet.lint.engine import FileResult
from celvet.lint.healthtest.health_test import (
    Case,
    Expectation,
    HealthTest,
    Step,
    Target,
    UnusableTestError,
    unusable,
)
from celvet.lint.healthtest.read.fixtures import Fixtures, require_readable
from celvet.lint.manifest import Manifest, read
from celvet.lint.manifest.objects.health_scripts import FILE, HealthScript, script_in_file
from celvet.lint.manifest.source.files import read_source
from celvet.lint.model import GroupKind, ObjectRef, Path, Value, Where
from celvet.lint.values import group_kind_of, list_at, mapping_at, text_at
from celvet.lint.verdicts.evaluator import BaseEvaluator, ClusterState
from celvet.lint.verdicts.verdict import Verdict
from celvet.lint.waiters.argocd.health import STATUSES
from celvet.lint.waiters.argocd.scripts import FOLDER, Script, Scripts, ScriptsError, read_scripts
from celvet.record import record

_NAME = "health_test.yaml"
_FIELDS = {"verdict": "status", "message": "message"}
"""What a difference is about -> the field that has it."""
_PLACE = partial(Where, 1)
_START = datetime.fromtimestamp(0, UTC)


@record
class ScriptEvaluator(BaseEvaluator):
    """Gives the health by scripts, of which one is for the kinds of `group_kind`."""

    scripts: Scripts
    group_kind: GroupKind

    @property
    def path(self) -> Path:
        """All of the file."""
        return ()

    @property
    def title(self) -> str:
        """The kind that the script is for: `Certificate.cert-manager.io`."""
        return str(self.group_kind)

    @property
    def expressions(self) -> Sequence[AnyExpression]:
        """None; a script is one program."""
        return ()

    @property
    def statuses(self) -> Sequence[str]:
        """The status codes of Argo CD."""
        return sorted(STATUSES)

    def applies(self, obj: Value) -> bool:
        """Whether there is a script for the kind of an object."""
        return self.scripts.of(group_kind_of(obj)) is not None

    def evaluate(self, cluster: ClusterState) -> Verdict:
        """Status and message of the script; the status is empty if it returns nothing."""
        from celvet.lint.waiters.argocd.lua import run  # loads the Lua engine

        script = self.scripts.of(group_kind_of(cluster.object)) or Script("")
        health = run(script, cluster.object)
        return Verdict(status=health.status, message=health.message, error=health.error)


def is_script_test(path: File) -> bool:
    """Whether a file has tests of the health script beside it."""
    return path.name == _NAME and path.with_name(FILE).is_file()


def script_tests(path: File, data: bytes) -> tuple[FileResult, tuple[HealthTest, ...]]:
    """The tests of a script; the findings of the result say why others cannot run."""
    manifest = read(data, path.as_posix(), substitute=False)
    problems: list[UnusableTestError] = []
    tests: tuple[HealthTest, ...] = ()
    try:
        require_readable(manifest)
        evaluator = _evaluator(path.with_name(FILE))
        if cases := [*_cases(manifest, evaluator, Fixtures(path.parent), problems)]:
            target = Target(manifest.name, manifest, _PLACE, ObjectRef(), evaluator)
            test = HealthTest(manifest.name, evaluator.title, _PLACE, target, tuple(cases))
            tests = (test,)
    except UnusableTestError as problem:
        problems.append(problem)
    findings = tuple(unusable(problem, _PLACE) for problem in problems)
    return FileResult(manifest.name, manifest, findings), tests


def _evaluator(file: File) -> ScriptEvaluator:
    from celvet.lint.waiters.argocd.lua import EngineMissingError, require_engine

    try:
        require_engine()
        script = script_in_file(str(file.resolve()), read_source(file).decode())
        return ScriptEvaluator(_scripts(file.resolve(), script), script.group_kind)
    except (EngineMissingError, ScriptsError) as error:
        raise UnusableTestError(str(error), ()) from None
    except (OSError, UnicodeDecodeError) as error:
        raise UnusableTestError(f"`{file}` cannot be read: {error}", ()) from None


def _scripts(file: File, script: HealthScript) -> Scripts:
    """The scripts of the tree, of which the most exact one runs; the script alone outside of one.

    An object may be of another kind than the directory (`GetHealthScript`).
    """
    tree = next((folder for folder in file.parents if folder.name == FOLDER), None)
    if tree:
        return _of_tree(tree)
    key = "/".join(filter(None, script.group_kind))
    return Scripts(builtin={key: Script(script.text, script.libraries)})


_of_tree = lru_cache(maxsize=4)(read_scripts)


def _cases(
    manifest: Manifest,
    evaluator: ScriptEvaluator,
    fixtures: Fixtures,
    problems: list[UnusableTestError],
) -> Iterator[Case]:
    """The cases that can run; adds to `problems` why others cannot."""
    tests = list_at(manifest.documents[0].value if manifest.documents else None, ("tests",))
    if not tests:
        raise UnusableTestError("the file has no `tests`", ())
    for index, content in enumerate(tests):
        try:
            yield _case(content, ("tests", index), evaluator, fixtures)
        except UnusableTestError as problem:
            problems.append(problem)


def _case(content: Value, path: Path, evaluator: ScriptEvaluator, fixtures: Fixtures) -> Case:
    name = _text(content, "inputPath")
    if not name:
        raise UnusableTestError("the test has no `inputPath`", path, "Name the file of an object.")
    objects = fixtures.all(name, path)
    if not objects or not evaluator.applies(objects[0]):
        message = f"`{name}` has no object for which there is a script"
        raise UnusableTestError(message, path, f"Give an object of `{evaluator.title}`.")
    key = _key(content, "healthStatus")
    health = mapping_at(content, (key,))
    # Argo CD reads the file with Go's JSON, which takes keys in any case.
    places = {part: (*path, key, _key(health, field)) for part, field in _FIELDS.items()}
    return Case(
        name=name,
        path=path,
        start=_START,
        steps=(Step((objects[0],)),),
        expectations=(
            Expectation(
                (*path, key),
                {part: place for part, place in places.items() if place[-1] in health},
                verdict=_text(health, "status"),
                whole_message=_text(health, "message"),
                error="",
            ),
        ),
    )


def _text(value: Value, name: str) -> str:
    return text_at(value, (_key(value, name),))


def _key(value: Value, name: str) -> str:
    """The key of a field; Go matches it in any case."""
    keys = (key for key in mapping_at(value) if key.lower() == name.lower())
    return next(keys, name)
