"""What the page shows: the verdict on an object, its trace, the life of the kind, findings.

Whatever is typed is hostile input: each trial runs in a process of its own with little time and
memory, which `within_bounds` starts.
"""

from __future__ import annotations

import asyncio
import resource
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from celvet.lint.cli.run.fork import Fork
from celvet.lint.engine import Settings
from celvet.lint.explain.output.html import verdict_classes
from celvet.lint.explain.page import VERDICT, Line, Page
from celvet.lint.explain.pages import explained
from celvet.lint.healthtest.read.fixtures import Fixtures
from celvet.lint.healthtest.run import traces
from celvet.lint.healthtest.run.evaluation import Evaluation, evaluations
from celvet.lint.healthtest.run.reason import reason
from celvet.lint.manifest import read
from celvet.lint.model import Finding, GroupKind, Value
from celvet.lint.safe_text import yaml_text
from celvet.lint.suggest.health_test import case_of, declaration, health_test
from celvet.lint.suggest.kind_names import UnknownKindError, catalog_kind, parse_kind
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.suggest.suggestion import Suggestion
from celvet.lint.verdicts.evaluator import ClusterState
from celvet.record import record, replace
from celvet.schemas import Dialect, kind_facts
from celvet.schemas.controller import controllers
from celvet.schemas.known_kinds import named_kinds
from celvet.wrong_input import WrongInputError

_SECONDS = 5
_MEMORY = 2**29
_MOST_TEXT = 20_000
"""Characters of an object or of a trace in an answer."""

_NAME = "playground"


@record
class Trial:
    """What is typed: a kind, its expressions by role, an object as YAML, a version of Flux."""

    kind: str
    expressions: Mapping[str, str]
    object: str
    target: str

    @classmethod
    def of(cls, document: Value) -> Trial:
        """The trial in a request; raises `WrongInputError` for another document."""
        if not isinstance(document, dict):
            raise WrongInputError("the request is not an object")
        texts = [document.get(key, "") for key in ("kind", "object", "target")]
        expressions = document.get("expressions", {})
        if not isinstance(expressions, dict) or not all(
            isinstance(text, str) for text in (*texts, *expressions, *expressions.values())
        ):
            raise WrongInputError("the request has a field that is not a text")
        roles = {role.name for role in dialect(Settings()).roles}
        if unknown_roles := expressions.keys() - roles:
            raise WrongInputError(f"there is no expression `{min(unknown_roles):.50}`")
        kind, obj, target = texts
        used = {role: text for role, text in expressions.items() if text.strip()}
        return cls(kind.strip(), used, obj, target)


def dialect(settings: Settings) -> Dialect:
    """The dialect of the expressions."""
    return next(item for item in settings.catalog.dialects.values() if item.bare)


def choices(settings: Settings) -> dict[str, Any]:
    """What the page offers: kinds, roles of expressions, versions; the newest version first."""
    own_dialect = dialect(settings)
    controller = controllers()[own_dialect.controller]
    kinds = sorted(str(GroupKind(*pair)) for pair in named_kinds(settings.schemas))
    return {
        "kinds": kinds,
        "roles": [{"name": role.name, "verdict": role.answer} for role in own_dialect.roles],
        "target": controller.title,
        "versions": [
            {"version": release.since, "cel": release.cel_go}
            for release in reversed(controller.releases)
        ],
    }


def suggested(kind: str, settings: Settings) -> dict[str, Any]:
    """The recommended expressions of a kind, and its first object; raises `WrongInputError`."""
    suggestion = _suggestion(_group_kind(kind, settings), settings)
    if suggestion is None:
        raise WrongInputError(f"nothing is known about `{kind:.100}`; type expressions of your own")
    ready = [state for state in suggestion.life if state.stage == "ready"]
    return {
        "kind": str(suggestion.kind),
        "expressions": dict(suggestion.entry),
        "object": yaml_text(ready[0].object, allow_unicode=True) if ready else "",
        "needed": bool(suggestion.entry),
        "reasons": list(suggestion.reasons[:3]),
    }


def outcome(trial: Trial, settings: Settings) -> dict[str, Any]:
    """Everything about a trial; raises `WrongInputError`."""
    targets = ((controllers()[dialect(settings).controller].target, trial.target),)
    settings = replace(settings, everything=True, targets=targets if trial.target else ())
    kind = _group_kind(trial.kind, settings)
    suggestion = _suggestion(kind, settings)
    api_version = suggestion.api_version if suggestion else f"{kind.group}/v1".lstrip("/")
    entry = {"apiVersion": api_version, "kind": kind.kind, **trial.expressions}
    data = yaml_text(declaration(_NAME, entry if trial.expressions else {})).encode()
    pages = explained(data, f"{_NAME}.yaml", settings)[0] if trial.expressions else []
    evaluation, problem = None, ""
    if trial.object.strip():
        try:
            evaluation = _evaluation(trial, data, settings)
        except WrongInputError as error:
            problem = str(error)
    return {
        "kind": str(kind),
        "known": bool(suggestion and suggestion.life),
        "verdict": _verdict(evaluation) if evaluation else None,
        "problem": problem,
        "states": [state for page in pages for state in _states(page)],
        "findings": [_finding(note) for page in pages for note in page.notes],
        "fixed": {role: text for page in pages for role, text in page.fixed_texts.items()},
        "test": _test(trial, kind, entry, evaluation, settings),
    }


def warm_up(settings: Settings) -> None:
    """Make a trial in this process, so that each fork finds the engine and the kinds loaded."""
    role = dialect(settings).needs
    kind = choices(settings)["kinds"][0]
    outcome(Trial(kind, {role: "has(status.ready) && status.ready"}, "", ""), settings)


async def within_bounds(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """The result of work in a process of its own.

    Raises `WrongInputError` if the work does, or takes too long.
    """
    fork = Fork(partial(_bounded, work))
    try:
        answer = await asyncio.wait_for(asyncio.to_thread(fork.result), 2 * _SECONDS)
    except (EOFError, TimeoutError):
        raise WrongInputError(
            f"this takes more than {_SECONDS} seconds, or too much memory"
        ) from None
    finally:
        fork.kill()
    if "error" in answer:
        raise WrongInputError(answer["error"])
    result: dict[str, Any] = answer
    return result


def _bounded(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    if sys.platform == "linux":
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + _MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        return work()
    except WrongInputError as error:
        return {"error": str(error)}


def _group_kind(text: str, settings: Settings) -> GroupKind:
    try:
        return catalog_kind(text, settings.schemas)
    except UnknownKindError as error:
        kind = parse_kind(text)
        if kind:
            return kind
        problem = str(error).partition("; name one")[0]
        raise WrongInputError(problem if text else "name a kind") from None


def _suggestion(kind: GroupKind, settings: Settings) -> Suggestion | None:
    try:
        return Suggester(settings.catalog, settings.crds).of(kind)
    except UnknownKindError:
        return None


def _evaluation(trial: Trial, data: bytes, settings: Settings) -> Evaluation:
    objects = Fixtures(Path(), {}, settings.catalog).objects(trial.object.encode(), "the object")
    if len(objects) != 1:
        raise WrongInputError(f"there are {len(objects)} objects; give one")
    cluster = ClusterState(objects=objects, now=datetime.now(UTC))
    manifest = read(data, f"{_NAME}.yaml", {})
    # Flux would judge an object of another kind by itself; here it is a mistake.
    answers = [
        evaluation
        for evaluation in evaluations(manifest, cluster, settings.catalog)
        if evaluation.answer.evaluator.path or not trial.expressions
    ]
    if not answers:
        raise WrongInputError("the object is of another kind than the expressions")
    return answers[0]


def _verdict(evaluation: Evaluation) -> dict[str, Any]:
    answer = evaluation.answer
    status, cause = answer.verdict.status, reason(answer)
    return {
        "status": status,
        "look": " ".join(verdict_classes(status)),
        "because": (cause.sentence if cause else "") or answer.verdict.message,
        "expressions": [
            {
                "role": item.expression.role,
                "value": "" if item.refusal else traces.shown(item.outcome),
                "refused": item.refusal,
                "trace": "\n".join(_trace(evaluation, item.expression))[:_MOST_TEXT],
            }
            for item in answer.expressions
        ],
    }


def _trace(evaluation: Evaluation, expression: Any) -> Iterator[str]:
    trace = evaluation.answer.trace(expression)
    if trace:
        yield from traces.lines(trace)
        has_optionals = expression.dialect.has_optionals
        variables = evaluation.answer.variables
        yield from traces.explained(trace, variables, has_optionals=has_optionals)


def _states(page: Page) -> Iterator[dict[str, Any]]:
    for lines, is_life in ((page.life, True), (page.lines, False)):
        yield from (_state(line, is_life=is_life) for line in lines)


def _state(line: Line, *, is_life: bool) -> dict[str, Any]:
    verdict = line.cells[VERDICT]
    return {
        "name": line.description.replace("`", ""),
        "life": is_life,
        "verdict": verdict,
        "look": " ".join(verdict_classes(verdict)),
        "object": yaml_text(line.object, allow_unicode=True)[:_MOST_TEXT],
    }


def _finding(note: Finding) -> dict[str, str]:
    severity = str(note.severity) if note.severity else ""
    return {"rule": note.rule, "severity": severity, "message": note.message, "help": note.help}


def _test(
    trial: Trial,
    kind: GroupKind,
    entry: Mapping[str, str],
    evaluation: Evaluation | None,
    settings: Settings,
) -> str:
    """A health test of the expressions: the life of the kind, and the object with its verdict."""
    facts = kind_facts(kind.group, kind.kind, settings.schemas)
    suggestion = Suggestion(
        kind, entry["apiVersion"], trial.expressions, "", life=facts.life if facts else ()
    )
    documents: Sequence[dict[str, Value]] = health_test(suggestion, settings.catalog)
    if evaluation:
        verdict = evaluation.answer.verdict.status
        documents[1]["cases"].append(
            case_of("this object", evaluation.answer.cluster.object, verdict)
        )
    texts = (yaml_text(document, allow_unicode=True, width=1_000) for document in documents)
    return "---\n".join(texts) if documents[1]["cases"] else ""
