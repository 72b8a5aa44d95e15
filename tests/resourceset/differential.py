"""Random YAML texts, here and in Go: `python -m tests.resourceset.differential 20000 [SEED]`.

Go is the program in tests/gotemplate/oracle, which is built into a temporary directory.
"""

from __future__ import annotations

import json
import random
import sys
import tempfile
from collections import Counter
from typing import Any

from celvet.lint.go.step_meter import UnsupportedError
from celvet.lint.gotemplate.formats.json_text import encode
from celvet.lint.gotemplate.formats.yaml_text import YamlError, to_yaml
from celvet.lint.gotemplate.template_limits import Meter, TemplateLimits
from celvet.lint.resourceset.documents import read_value
from celvet.lint.resourceset.errors import ReadError
from tests.gotemplate.differential import BATCH, ask, build
from tests.gotemplate.random_templates import Generator

LINES = [
    "a: b",
    "- x",
    "  c: d",
    "k: |",
    "  text",
    "  more",
    "a: 1.0",
    "b: 0x1F",
    "c: yes",
    "d: ~",
    "e: 2024-01-02",
]
LINES += [
    "f: 'it''s'",
    'g: "x\\ty"',
    "h: [1, 2.5, a b]",
    "i: {x: 1, y: [z]}",
    "# note",
    "",
    "j: a: b",
    "key only",
    "? q",
]
LINES += [
    "&x a: 1",
    "b: *x",
    "<<: {m: 1}",
    "n: !!str 1",
    "o: >-",
    "1: one",
    "1.5: x",
    "true: y",
    "null: z",
    "p: 1_000",
]
LINES += [
    "---",
    "...",
    "q: @bad",
    "r: `x`",
    "s: %x",
    "t: - u",
    "v: 0o7",
    "w: 017",
    "x: +1",
    "y: .5",
    "z: 1e3",
    "aa: .inf",
]
LINES += [
    "bb: =",
    "cc: <<",
    "dd: 12:30",
    "ee: a #b",
    "ff: 'open",
    'gg: "open',
    "hh: [1,",
    "ii: }",
    "\tjj: 1",
    "kk:\tx",
    "ll:x",
]
LINES += ["mm: é", "nn: 9223372036854775808", "oo: 18446744073709551616", "pp: 1e400", "qq: -0"]
LINES += ["rr: 0b11", "ss: a: 'b'"]


def text(generator: Generator) -> str:
    """A text: arbitrary lines, or the YAML of a value, perhaps broken."""
    pick: random.Random = generator.random
    if pick.random() < 0.4:
        lines = [pick.choice(LINES) for _ in range(pick.randrange(1, 6))]
        return "\n".join(" " * pick.choice([0, 0, 0, 2]) + line for line in lines) + "\n"
    try:
        made = to_yaml(generator.inputs(), Meter(TemplateLimits()))
    except (YamlError, UnsupportedError):
        return ""
    return generator.damage(made) if pick.random() < 0.7 else made


def whole(digits: str) -> int | float:
    """A whole number as the operator reads it from JSON."""
    number = int(digits)
    return number if -(2**63) <= number < 2**63 else float(number)


def answer(source: str) -> dict[str, Any]:
    """The answer of this package, in the form of Go's."""
    try:
        value = read_value(source)
    except ReadError as error:
        return {"ok": False, "error": str(error).removeprefix("error converting YAML to JSON: ")}
    return {"ok": True, "text": encode(value, Meter(TemplateLimits(steps=10**6))).encode()}


def main() -> int:
    count, seed = int(sys.argv[1]), int((*sys.argv, "1")[2])
    generator, failures = Generator(seed), 0
    tally, words = Counter[str](), Counter[tuple[str, str]]()
    with tempfile.TemporaryDirectory() as directory:
        program = build(directory)
        for _ in range(0, count, BATCH):
            requests = [{"yaml": text(generator)} for _ in range(BATCH)]
            for request, go in zip(requests, ask(program, requests), strict=True):
                here = answer(request["yaml"])
                agree = here["ok"] == go["ok"]
                if agree and go["ok"]:
                    agree = json.loads(here["text"], parse_int=whole) == json.loads(
                        go["text"], parse_int=whole
                    )
                tally["value" if go["ok"] else "error"] += agree
                if agree and here.get("error") != go.get("error"):
                    tally["other words"] += 1
                    words[here["error"][:60], go["error"][:60]] += 1
                failures += not agree
                if not agree and failures <= 20:
                    print(json.dumps(request, ensure_ascii=False))
                    print("  go  ", go.get("text", go.get("error")))
                    print("  here", here.get("text", here.get("error")), flush=True)
    for told, times in words.most_common(25):
        print(times, *told, sep=" | ")
    print(f"{count} texts, seed {seed}: {failures} disagree; {dict(tally)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
