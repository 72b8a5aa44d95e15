"""What an expression at a site may say: language, variables, gates, result.

A dialect is a file `schemas/dialects/<name>.json`; the engines read it, no
code knows a dialect by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Wrap: TypeAlias = Literal["none", "cartographer", "kubectl", "template"]
"""How a path is completed before client-go parses it; see `celvet.lint.jsonpath.parse.wrap`."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one controller compiles and evaluates the texts of one kind of site.

    `variables` maps a name to its CEL type; a CEL dialect without any sees the
    top-level fields of the object under check. `checked` tells the sites that
    the controller type-checks from those that it only parses. `result` is the
    type demanded, at compile time where the site is checked, else at run time.
    `libraries` are the CEL extension libraries, each as
    `NAME` or `NAME@VERSION` (see `celvet.schemas.library`). For JSONPath, `wrap` names how
    the text is completed before client-go parses it, `missing` whether an
    absent key is an empty result rather than an error, and `single` whether
    more than one result is an error.
    """

    name: str
    language: Literal["cel", "jsonpath"]
    description: str
    checked: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)
    result: str = ""
    libraries: tuple[str, ...] = ()
    wrap: Wrap = "none"
    missing: bool = False
    single: bool = False

    @classmethod
    def from_json(cls, name: str, data: Mapping[str, Any]) -> Dialect:
        """The dialect that a file's content describes, which has been checked."""
        values = {key: value for key, value in data.items() if not key.startswith("$")}
        values["libraries"] = tuple(values.get("libraries", ()))
        return cls(name=name, **values)
