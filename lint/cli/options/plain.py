"""Reads the arguments of `celvet lint` where they are plain, without click.

Loading click and declaring the options takes a third of a run on a file without checks. Plain
arguments are paths, and options in full with a valid value. Anything else (help, abbreviations,
mistakes) is left to click, so that nothing is explained here. `make generate` writes `plain_table`
from click's options.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from celvet.lint.cli.options.plain_table import OPTIONS
from celvet.record import record


@record
class PlainOption:
    """An option: the field that it sets, if any, and what its value may be.

    `kind` is `flag`, `path`, `text`, `choice` or, if click must read it, `other`. A `variable` of
    the environment may set it.
    """

    field: str
    kind: str
    choices: Sequence[str] = ()
    multiple: bool = False
    variable: str = ""

    def value(self, arguments: Iterator[str]) -> str | Path | bool | None:
        """The value, taken from the next arguments; None if it is not plain."""
        if self.kind == "flag":
            return True
        text = next(arguments, "")
        if not _is_plain(text) or self.kind == "other":
            return None
        if self.kind == "path":
            return Path(text)
        return text if self.kind == "text" or text in self.choices else None


_OPTIONS = {name: PlainOption(*each) for name, each in OPTIONS.items()}
_VARIABLES = {each.variable: each for each in _OPTIONS.values() if each.variable}


def plain_options(
    arguments: Sequence[str], environment: Mapping[str, str]
) -> dict[str, Any] | None:
    """The fields of `LintOptions`; None if click must read them, as for another command."""
    if arguments[:1] != ["lint"] or "_CELVET_COMPLETE" in environment:
        return None
    given: dict[str, Any] = {}
    for name in environment.keys() & _VARIABLES.keys():
        option = _VARIABLES[name]
        if option.kind != "flag" or environment[name] != "1":
            return None
        given[option.field] = True
    left = iter(arguments[1:])
    for argument in left:
        path = argument == "-" or _is_plain(argument)
        found = _PATHS if path else _OPTIONS.get(argument)
        value = found and (Path(argument) if path else found.value(left))
        if found is None or value is None:
            return None
        given[found.field] = (*given.get(found.field, ()), value) if found.multiple else value
    given.pop("", None)
    return given


_PATHS = PlainOption("paths", "path", multiple=True)


def _is_plain(text: str) -> bool:
    """Whether it is certainly not an option."""
    return text[:1] not in ("", "-")
