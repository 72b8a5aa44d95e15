"""Reads the arguments of `celvet lint` without click, if they are paths and common flags.

Loading click and declaring the options takes 15 ms: a fourth of a run on a file without checks, and
a sixth of one whose report is cached. Click reads all other arguments, and explains mistakes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

FLAGS = {
    "--dashed-files": "",
    "--diff": "diff",
    "--fix": "fix",
    "--force-exclude": "force_exclude",
    "--no-cache": "no_cache",
    "--quiet": "quiet",
    "-q": "quiet",
}
"""The field of `LintOptions` that each sets; `--dashed-files` has an effect only on files that
begin with a dash."""


_NO_CACHE = ("CELVET_NO_CACHE", "1")
"""The variable of the environment that is read here too; others are options for click."""


def plain_options(
    arguments: Sequence[str], environment: Mapping[str, str]
) -> dict[str, Any] | None:
    """The fields of `LintOptions`; None if click must read them, as for another command."""
    variables = {
        item for item in environment.items() if item[0].startswith(("CELVET_", "_CELVET_"))
    }
    if arguments[:1] != ["lint"] or variables - {_NO_CACHE}:
        return None
    fields: dict[str, Any] = {"no_cache": True} if variables else {}
    paths: list[Path] = []
    for argument in arguments[1:]:
        if argument in FLAGS:
            fields[FLAGS[argument]] = True
        elif argument == "-" or argument[:1] not in ("", "-"):
            paths.append(Path(argument))
        else:
            return None
    fields.pop("", None)
    return {**fields, "paths": tuple(paths)}
