"""Runs recorded answers of the real controllers against our engine.

    python -m tests.conformance FILE.jsonl... [--show N]

Prints `NAME AGREE/TOTAL` a file, and `positions A/B` where a file has syntax
errors with a place. Exit status 1 on any disagreement, 2 on bad usage or for
vectors of a mode that nothing here answers.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.conformance.run import Score, UnknownModeError, run_file


def main(argv: list[str] | None = None) -> int:
    """Run the files named and print one line each."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE.jsonl")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="show N disagreements")
    options = parser.parse_args(argv)
    try:
        scores = [_report(path, options.show) for path in options.files]
    except UnknownModeError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0 if all(not score.wrong for score in scores) else 1


def _report(path: Path, show: int) -> Score:
    score = run_file(path)
    positions = f"  positions {score.placed}/{score.places}" if score.places else ""
    print(f"{path.stem} {score.total - len(score.wrong)}/{score.total}{positions}")
    for vector, answer in (score.wrong + score.misplaced)[:show]:
        print(f"  {vector}\n    got {answer}")
    return score


if __name__ == "__main__":
    sys.exit(main())
