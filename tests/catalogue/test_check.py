"""The check of citations, on a small repository with two releases and on a zip file of a module."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.catalogue import __main__ as command_line
from tests.catalogue.__main__ import vanished
from tests.catalogue.check import Outcome, outcome
from tests.catalogue.trees import Sources

_FIRST = 'const ReasonStarting = "Starting"\nerr("%s is missing a key", name)\nReady "Ready"\n'


def _git(directory: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    command = ["git", "-C", str(directory), *identity, *arguments]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


@pytest.fixture
def sources(tmp_path: Path, outside: None) -> Sources:
    repository = tmp_path / "acme+widgets"
    repository.mkdir()
    _git(repository, "init", "--quiet")
    for release, text in (("v1.0.0", _FIRST), ("v1.1.0", _FIRST.replace("Starting", "Begun"))):
        (repository / "status.go").write_text(text)
        _git(repository, "add", ".")
        _git(repository, "commit", "--quiet", "--message", release)
        _git(repository, "tag", release)
    with zipfile.ZipFile(tmp_path / "acme+gadgets@v2.0.0.zip", "w") as packed:
        packed.writestr("github.com/acme/gadgets/v2@v2.0.0/pkg/status.go", _FIRST)
    return Sources(tmp_path)


def _kind(**changes: Any) -> dict[str, Any]:
    condition = {"type": "Ready", "status": "False", "reason": "Starting"}
    return {
        "source": {"repository": "acme/widgets", "release": "v1.0.0"},
        "conditions": {"Ready": {"True": "current", "evidence": ["status"]}},
        "life": [{"status": {"conditions": [condition]}}],
        "evidence": {"status": {"path": "status.go", "says": "Sets it."}},
        **changes,
    }


def _problems(one: Outcome) -> tuple[int, int, int]:
    return len(one.missing), len(one.unexplained), one.unchecked


def test_words_of_a_cited_file_stand_there(sources: Sources) -> None:
    one = outcome(_kind(), sources)
    assert _problems(one) == (0, 0, 0)
    assert (one.places, one.words) == (1, 2)


def test_a_path_a_symbol_and_a_word_that_are_not_there_are_told(sources: Sources) -> None:
    absent = {"path": "conditions.go", "says": "Nothing."}
    misnamed = {"path": "status.go", "symbol": "setReady", "says": "Nothing."}
    content = _kind(evidence={"absent": absent, "misnamed": misnamed})
    content["conditions"]["Synced"] = {"True": "current"}
    one = outcome(content, sources)
    assert one.missing == (
        "acme/widgets@v1.0.0: conditions.go",
        "acme/widgets@v1.0.0: status.go has no `setReady`",
    )
    assert [word.text for word in one.unexplained] == ["Synced"]


def test_a_word_may_be_explained_and_needs_it(sources: Sources) -> None:
    content = _kind(quoted={"elsewhere": {"Synced": "Put together.", "Ready": "It is there."}})
    content["conditions"]["Synced"] = {"True": "current"}
    one = outcome(content, sources)
    assert [word.text for word in one.explained] == ["Synced"]
    assert one.misexplained == ("Ready",)


@pytest.mark.parametrize(
    ("test", "count"),
    [
        ("c.message.contains('is missing a key')", 0),
        ("c.message.matches('^.* is missing a (key|value)')", 0),
        ("has(c.message) && !(has(c.message) && c.message.startsWith('is lacking a key'))", 1),
    ],
)
def test_a_message_that_an_expression_reads_stands_there(
    sources: Sources, test: str, count: int
) -> None:
    content = _kind(variants={"failFast": {"failed": f"status.conditions.exists(c, {test})"}})
    assert len(outcome(content, sources).unexplained) == count


def test_a_zip_file_of_a_module_is_read(sources: Sources) -> None:
    source = {"repository": "acme/gadgets", "release": "v2.0.0"}
    evidence = {"status": {"path": "pkg/status.go", "says": "Sets it."}}
    assert _problems(outcome(_kind(source=source, evidence=evidence), sources)) == (0, 0, 0)
    evidence["status"]["path"] = "pkg"
    assert _problems(outcome(_kind(source=source, evidence=evidence), sources)) == (0, 0, 0)


def test_sources_that_are_not_at_hand_tell_nothing(sources: Sources) -> None:
    one = outcome(_kind(source={"repository": "acme/other", "release": "v1"}), sources)
    assert (one.unread, *_problems(one)) == (("acme/other@v1",), 0, 0, 2)


def test_the_distance_from_the_release_is_counted(sources: Sources, tmp_path: Path) -> None:
    commit = _git(tmp_path / "acme+widgets", "rev-parse", "--short", "v1.1.0").strip()
    source = {"repository": "acme/widgets", "release": "v1.0.0", "commit": commit}
    assert outcome(_kind(source=source), sources).ahead == f"{commit} is 1 after v1.0.0, not 0"
    assert outcome(_kind(source={**source, "ahead": 1}), sources).ahead == ""


def test_words_that_a_newer_release_has_no_longer_are_told(sources: Sources) -> None:
    assert [word.text for word in vanished(_kind(), sources, "v1.1.0")] == ["Starting"]


def test_what_a_newer_release_lacks_is_recorded_beside_the_figures(
    sources: Sources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_line, "RECORD", tmp_path / "checked.jsonl")
    monkeypatch.setattr(command_line, "_files", lambda _: [("Widget.acme.io", _kind())])
    for name in ("check", "newer", "check"):
        command_line.main([name, "--sources", str(tmp_path), "--record"])
    (line,) = command_line.RECORD.read_text().splitlines()
    row = json.loads(line)
    assert (row["words"], row["newer"]) == (2, {"release": "v1.1.0", "gone": ["Starting"]})
