"""Records Go's answers to templates: `python -m tests.gotemplate.record` rewrites vectors.jsonl.

The first line has the inputs. In each further line `t` is a template, `i` the index of its inputs,
and `w` the text that Go gives, or `e` its error. Those with the first inputs are written by hand,
and have every construct and function; to add one, add a line with its `t` and `i`. The others are
random ones.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from tests.gotemplate.differential import ask, build

FILE = Path(__file__).parent / "vectors.jsonl"


def main() -> None:
    first, *vectors = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    requests = [
        {"template": vector["t"], "data": first["inputs"][vector["i"]]} for vector in vectors
    ]
    with tempfile.TemporaryDirectory() as directory:
        answers = ask(build(directory), requests)
    lines = [first]
    for vector, answer in zip(vectors, answers, strict=True):
        line = {"t": vector["t"], "i": vector["i"]}
        if answer["ok"]:
            line["w"] = answer["text"].decode("utf-8", "surrogateescape")
        else:
            line["e"] = answer["error"]
        lines.append(line)
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
