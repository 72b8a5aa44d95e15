"""Runs what is printed for other systems over the lives of the kinds.

python -m tests.suggest.snippets              # all kinds and systems: counts
python -m tests.suggest.snippets FILE.jsonl   # the same, and each snippet with the states, to ask
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from celvet import schemas
from celvet.lint.crds import NOTHING
from celvet.lint.model import GroupKind
from celvet.lint.model import Path as Steps
from celvet.lint.suggest.snippets.fill import filled, identities
from celvet.lint.suggest.snippets.generate import in_dialect
from celvet.lint.suggest.snippets.trial import differences, judge_of
from celvet.lint.suggest.suggest import Suggester
from celvet.lint.suggest.suggestion import Suggestion
from celvet.schemas.known_kinds import known_kinds
from celvet.schemas.snippets import SnippetForm, snippet_form, snippet_names
from tests import libyaml

CATALOG = schemas.load()


def suggestion(kind: GroupKind, dialect: str) -> Suggestion:
    """The suggestion for a kind as it is written for a system."""
    answer = in_dialect(Suggester(CATALOG, NOTHING).of(kind), dialect, CATALOG)
    assert isinstance(answer, Suggestion)
    return answer


def contradictions(kind: GroupKind, dialect: str) -> list[str]:
    """The states in which the text gives another verdict than the life, and does not say so."""
    answer, form = suggestion(kind, dialect), snippet_form(dialect)
    snippet = answer.snippet
    assert snippet
    if not snippet.text:
        return [] if snippet.needless or snippet.unsaid else ["nothing is printed or said"]
    declaration = _declaration(answer, form, snippet.text)
    judge = judge_of(form, declaration, _values(snippet.text), CATALOG)
    actual = {item.state.name: item.gives for item in differences(answer.life, judge)}
    said = {item.state: item.gives for item in snippet.differs}
    words = " ".join(snippet.unsaid)
    unsaid = [name for name in said if f"`{name}`" not in words]
    return [name for name in actual | said if actual.get(name) != said.get(name)] + unsaid


def _declaration(answer: Suggestion, form: SnippetForm, text: str) -> Any:
    """The declaration of a system with the printed part read again."""
    names = next(identities(answer.kind, answer.api_version))
    whole = filled(
        form.declaration, {**names, "current": "", "failed": "", "health": "", "check": ""}
    )
    return _put(whole, form.print, libyaml.load(text) if _is_yaml(form) else text)


def _is_yaml(form: SnippetForm) -> bool:
    return form.language not in ("for", "cue")


def _put(value: Any, path: Steps, part: Any) -> Any:
    if not path:
        return part
    return {**value, path[0]: _put(value[path[0]], path[1:], part)}


def _values(text: str) -> dict[str, Any]:
    """What a command or a container waits for, or a check in CUE names, read from the text."""
    if "#HealthCheck" in text:
        return _check(text)
    words = shlex.split(text, comments=True) if "--for" in text else []
    return {"current": next((word[6:] for word in words if word.startswith("--for=")), "")}


def _check(text: str) -> dict[str, Any]:
    fields = dict(re.findall(r"^\t(\w+): +(.*)$", text, re.MULTILINE))
    if "conditionType" in fields:
        names = {"ready": "conditionType", "failed": "failedConditionType"}
        return {name: json.loads(fields[field]) for name, field in names.items()}
    tests = {
        role: re.findall(r'#object\.([\w.]+) == ("(?:[^"\\]|\\.)*")', fields.get(role, ""))
        for role in ("current", "failed")
    }
    values = {role: [json.loads(value) for _, value in pairs] for role, pairs in tests.items()}
    return {"path": tests["current"][0][0], "ready": values["current"], "failed": values["failed"]}


def _measure() -> Iterator[dict[str, Any]]:
    kinds = [GroupKind(*pair) for pair in known_kinds()]
    for dialect in snippet_names():
        counts: Counter[str] = Counter()
        for kind in kinds:
            wrong = contradictions(kind, dialect)
            answer = suggestion(kind, dialect)
            snippet = answer.snippet
            assert snippet
            counts["printed" if snippet.text else "needless" if snippet.needless else "none"] += 1
            counts["as the catalogue"] += bool(snippet.text) and not snippet.differs
            counts["contradictions"] += len(wrong)
            yield {
                "dialect": dialect,
                "kind": str(kind),
                "text": snippet.text,
                "variable": snippet.variable,
                "expressions": snippet.expressions,
                "differs": {item.state: item.gives for item in snippet.differs},
                "states": [
                    {"state": state.name, "verdict": state.verdict, "object": state.object}
                    for state in answer.life
                ],
            }
        print(dialect, dict(counts), flush=True)


if __name__ == "__main__":
    rows = _measure()
    if len(sys.argv) > 1:
        with Path(sys.argv[1]).open("w", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(row)}\n" for row in rows)
    else:
        for _ in rows:
            pass
