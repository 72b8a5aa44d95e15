"""Records Go's answers to the templates in `cases`, and to some random ones.

`python -m tests.gotemplate.record` writes vectors.jsonl. Its first line has the inputs; in each
further line `t` is a template, `i` the index of its inputs, and `w` the text that Go gives, or `e`
its error.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from tests.gotemplate.cases import INPUTS, TEMPLATES
from tests.gotemplate.differential import ask, build
from tests.gotemplate.random_templates import Generator

FILE = Path(__file__).parent / "vectors.jsonl"
RANDOM = 300
LONGEST = 300


def main() -> None:
    generator = Generator(20261122)
    inputs = [INPUTS] + [generator.inputs() for _ in range(12)]
    requests = [{"template": text, "data": INPUTS, "index": 0} for text in TEMPLATES]
    while len(requests) < len(TEMPLATES) + RANDOM:
        index = generator.random.randrange(1, len(inputs))
        template = generator.template()
        if len(template) <= LONGEST:
            requests.append({"template": template, "data": inputs[index], "index": index})
    with tempfile.TemporaryDirectory() as directory:
        answers = ask(build(directory), requests)
    lines: list[Any] = [{"inputs": inputs}]
    for request, answer in zip(requests, answers, strict=True):
        vector = {"t": request["template"], "i": request["index"]}
        if answer["ok"]:
            vector["w"] = answer["text"].decode("utf-8", "surrogateescape")
        else:
            vector["e"] = answer["error"]
        lines.append(vector)
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    FILE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
