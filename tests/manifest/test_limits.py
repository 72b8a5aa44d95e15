"""Hostile input is refused while it is cheap: run under limits of memory and processor time."""

from __future__ import annotations

import json
import resource
import sys
from functools import partial

import pytest

from celvet.lint.manifest import comments, objects_in, read
from celvet.lint.manifest.file_limits import (
    MAX_ALIASED,
    MAX_BYTES,
    MAX_DEPTH,
    MAX_DOCUMENTS,
    Budget,
)
from tests.forked import forked

_PROGRAM = """
import json, sys
from functools import partial
from celvet.lint.manifest import comments, objects_in, read
from celvet.lint.manifest.file_limits import Budget

limits = json.loads(sys.argv[2])
if limits:
    sys.modules["celvet.lint.manifest.reader"].Budget = partial(Budget, **limits)
manifest = read(eval(sys.argv[1]))
made = sum(1 for document in manifest.documents for _ in objects_in(document))
kinds = sorted({problem.kind for problem in manifest.all_problems()})
print(*kinds, made, len(comments(manifest)))
"""
_LAUGHS = (
    "'a0: &a0 [x]\\n' + ''.join(f'a{n}: &a{n} [' + f'*a{n-1},' * 10 + ']\\n' for n in range(1, 15))"
)

_LIMITS = {resource.RLIMIT_CPU: 60, resource.RLIMIT_AS: 2 * 2**30}


def _ask(text: str, **limits: int) -> str:
    """The result of reading a text in a separate process, with these limits for a file."""
    ran = forked(_PROGRAM, ["-c", text, json.dumps(limits)], limits=_LIMITS)
    assert not ran.err
    return ran.out.strip()


@pytest.mark.usefixtures("outside")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("b'a' * 50_000_000", "too-large 0 0"),
        ("'[' * 100_000", "too-deep 0 0"),
        ("'{a: ' * 100_000", "too-deep 0 0"),
        ("'- ' * 100_000", "too-deep 0 0"),
        ("''.join(' ' * n + 'a:\\n' for n in range(3000))", "too-deep 0 0"),
        (_LAUGHS, "alias-bomb 0 0"),
        ("'a: &a {k: 1}\\nb:\\n' + '  <<: *a\\n' * 500_000", "alias-bomb 0 0"),
        ("'---\\n' * 2_500_000", "too-large 0 0"),
        ("'a: ' + '${b:=c}' * 1_000_000", "too-large 0 0"),
        ("'a: \"' + ' ' * 9_000_000 + 'x\"'", "0 0"),
        ("'a: \"' + '{{' * 4_000_000", "yaml-syntax 0 0"),
        ("'a: b\\n' + '#' * 9_000_000", "0 1"),
        (
            "'patches:\\n- patch: &p \"' + 'x' * 100_000 + '\"\\n' + '- patch: *p\\n' * 900",
            "too-large 0 0",
        ),
        ("'patches:\\n' + '- patch: \"[{op: add, path: /a/-, value: 1}]\"\\n' * 2_000", "2000 0"),
    ],
)  # fmt: skip
def test_hostile_text(text: str, said: str) -> None:
    assert _ask(text) == said


@pytest.mark.usefixtures("outside")
def test_reading_ends_at_the_node_that_is_too_many() -> None:
    """All 3,000,000 would take half a minute."""
    assert _ask("'[' + '[],' * 3_000_000", nodes=10_000) == "too-large 0 0"


@pytest.mark.slow
def test_what_is_just_within_the_limits_is_read() -> None:
    assert read(" " * (MAX_BYTES - 4) + "a: 1").documents[0].value == {"a": 1}
    assert not list(read("[" * MAX_DEPTH + "]" * MAX_DEPTH).all_problems())
    half = MAX_ALIASED // 2
    assert not list(read(f"- &a [{'x,' * (half - 1)}]\n- *a\n- *a\n").all_problems())
    assert len(read("---\n- a\n" * MAX_DOCUMENTS).documents) == MAX_DOCUMENTS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (" " * (MAX_BYTES - 3) + "a: 1", "too-large"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "too-deep"),
        (f"- &a [{'x,' * (MAX_ALIASED // 2)}]\n- *a\n- *a\n", "alias-bomb"),
        ("---\n- a\n" * (MAX_DOCUMENTS + 1), "too-large"),
    ],
)
def test_what_is_just_beyond_is_not(text: str, kind: str) -> None:
    assert [problem.kind for problem in read(text).all_problems()] == [kind]


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        ("nodes", "[a, a, a, a, a, a, a, a, a]"),
        ("variables", "a: " + "${b:=c}" * 10),
        ("characters", "patches:\n- patch: abcde\n- patch: abcde\n"),
    ],
)
def test_a_file_holds_so_much_and_no_more(
    monkeypatch: pytest.MonkeyPatch, limit: str, text: str
) -> None:
    module = sys.modules["celvet.lint.manifest.reader"]
    for most, kinds in ((10, []), (9, ["too-large"])):
        monkeypatch.setattr(module, "Budget", partial(Budget, **{limit: most}))
        assert [problem.kind for problem in read(text).all_problems()] == kinds


def test_a_bomb_spares_the_other_documents() -> None:
    laughs = eval(_LAUGHS)
    first, bomb, last = read(f"a: 1\n---\n{laughs}---\nb: 2\n").documents
    assert (first.value, bomb.value, last.value) == ({"a": 1}, None, {"b": 2})


def test_patches_in_patches_end() -> None:
    text = "kind: Last"
    for _ in range(8):
        text = "patches:\n- patch: |\n" + "".join(f"    {line}\n" for line in text.splitlines())
    document = read(text).documents[0]
    made = list(objects_in(document))
    assert len(made) == 4
    assert all(found.partial for found in made)
    assert comments(read(text)) == []
