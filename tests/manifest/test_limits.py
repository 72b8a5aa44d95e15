"""Hostile input is refused while it is cheap: run under limits of memory and processor time."""

from __future__ import annotations

import resource

import pytest

from celvet.lint.manifest import comments, objects_in, read
from celvet.lint.manifest.limits import MAX_ALIASED, MAX_BYTES, MAX_DEPTH, MAX_DOCUMENTS, MAX_NODES
from tests.forked import forked

_PROGRAM = """
import sys
from celvet.lint.manifest import comments, objects_in, read
manifest = read(eval(sys.argv[1]))
made = sum(1 for document in manifest.documents for _ in objects_in(document))
print(*sorted({problem.kind for problem in manifest.all_problems()}), made, len(comments(manifest)))
"""
_LAUGHS = (
    "'a0: &a0 [x]\\n' + ''.join(f'a{n}: &a{n} [' + f'*a{n-1},' * 10 + ']\\n' for n in range(1, 15))"
)

_LIMITS = {resource.RLIMIT_CPU: 60, resource.RLIMIT_AS: 2 * 2**30}


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
        ("'[' + '[],' * 3_000_000", "too-large 0 0"),
        ("'---\\n' * 2_500_000", "too-large 0 0"),
        ("'a: ' + '${b:=c}' * 1_000_000", "too-large 0 0"),
        ("'a: \"' + ' ' * 9_000_000 + 'x\"'", "0 0"),
        ("'a: \"' + '{{' * 4_000_000", "yaml-syntax 0 0"),
        ("'a: b\\n' + '#' * 9_000_000", "0 1"),
        (
            "'patches:\\n- patch: &p \"' + 'x' * 100_000 + '\"\\n' + '- patch: *p\\n' * 900",
            "too-large 0 0",
        ),
        ("'patches:\\n' + '- patch: \"[{op: add, path: /a/-, value: 1}]\"\\n' * 4_000", "4000 0"),
    ],
)  # fmt: skip
def test_hostile_text(text: str, said: str) -> None:
    ran = forked(_PROGRAM, ["-c", text], limits=_LIMITS)
    assert (ran.out.strip(), ran.err) == (said, "")


def test_what_is_just_within_the_limits_is_read() -> None:
    assert read(" " * (MAX_BYTES - 4) + "a: 1").documents[0].value == {"a": 1}
    assert not list(read("[" * MAX_DEPTH + "]" * MAX_DEPTH).all_problems())
    half = MAX_ALIASED // 2
    assert not list(read(f"- &a [{'x,' * (half - 1)}]\n- *a\n- *a\n").all_problems())
    assert len(read("--- a\n" * MAX_DOCUMENTS).documents) == MAX_DOCUMENTS


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (" " * (MAX_BYTES - 3) + "a: 1", "too-large"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "too-deep"),
        (f"- &a [{'x,' * (MAX_ALIASED // 2)}]\n- *a\n- *a\n", "alias-bomb"),
        ("--- a\n" * (MAX_DOCUMENTS + 1), "too-large"),
        ("[" + "x," * MAX_NODES + "]", "too-large"),
    ],
)
def test_what_is_just_beyond_is_not(text: str, kind: str) -> None:
    assert [problem.kind for problem in read(text).all_problems()] == [kind]


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
