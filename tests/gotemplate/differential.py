"""Random templates, here and in Go: `python -m tests.gotemplate.differential 20000 [SEED]`.

Go is the program in oracle/, which is built into a temporary directory. With `--record FILE N`
the answers of Go to N templates are written as vectors.
"""

from __future__ import annotations

import argparse
import base64
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from celvet.lint.go.quoting import to_bytes
from celvet.lint.gotemplate import ErrorKind, TemplateError, parse
from tests.gotemplate.irreducible import reason
from tests.gotemplate.random_templates import Generator

ORACLE = Path(__file__).parent / "oracle"
BATCH = 500


def build(directory: str) -> str:
    """Build the Go program."""
    program = str(Path(directory) / "oracle")
    subprocess.run(["go", "build", "-o", program, "."], cwd=ORACLE, check=True)
    return program


def _bounded() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def ask(program: str, requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Go's answers. Where Go crashes, or runs out of memory, the answer says so."""
    answers: list[dict[str, Any]] = []
    while len(answers) < len(requests):
        lines = "".join(json.dumps(request) + "\n" for request in requests[len(answers) :])
        result = subprocess.run(
            [program], input=lines.encode(), capture_output=True, check=False, preexec_fn=_bounded
        )
        answers += [json.loads(line) for line in result.stdout.splitlines()]
        if result.returncode and len(answers) < len(requests):
            answers.append({"ok": False, "error": "CRASH"})
    for answer in answers:
        if answer["ok"]:
            answer["text"] = base64.b64decode(answer.get("text", ""))
    return answers


def answer(template: str, data: dict[str, Any]) -> dict[str, Any]:
    """The answer of this package, in the same form."""
    try:
        return {"ok": True, "text": to_bytes(parse(template).execute(data).text)}
    except TemplateError as error:
        words = to_bytes(str(error)).decode(errors="replace")
        return {"ok": False, "error": words, "kind": error.kind}


def same(here: dict[str, Any], go: dict[str, Any]) -> bool:
    """Whether two answers agree, word for word."""
    key = "text" if go["ok"] else "error"
    return here["ok"] == go["ok"] and here[key] == go[key]


def requests(generator: Generator, count: int) -> Iterator[dict[str, Any]]:
    for _ in range(count):
        data = generator.inputs()
        yield {"template": generator.template(), "data": data}


def compare(count: int, seed: int, shown: int) -> int:
    """Compare, print disagreements, and return their number."""
    tally = {"text": 0, "error": 0, "bounded": 0, "listed": 0}
    failures = 0
    generator = Generator(seed)
    with tempfile.TemporaryDirectory() as directory:
        program = build(directory)
        for begin in range(0, count, BATCH):
            batch = list(requests(generator, min(BATCH, count - begin)))
            for request, go in zip(batch, ask(program, batch), strict=True):
                here = answer(request["template"], json.loads(json.dumps(request["data"])))
                if same(here, go):
                    tally["text" if go["ok"] else "error"] += 1
                elif here.get("kind") in (ErrorKind.LIMIT, ErrorKind.UNSUPPORTED):
                    tally["bounded"] += 1
                elif reason(here, go):
                    tally["listed"] += 1
                else:
                    failures += 1
                    if failures <= shown:
                        print(json.dumps(request, ensure_ascii=False))
                        print("  go  ", go.get("text", go.get("error")))
                        print("  here", here.get("text", here.get("error")), flush=True)
    print(f"{count} templates, seed {seed}: {failures} disagree; {tally}")
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--shown", type=int, default=20)
    args = parser.parse_args()
    return 1 if compare(args.count, args.seed, args.shown) else 0


if __name__ == "__main__":
    sys.exit(main())
