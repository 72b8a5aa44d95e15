"""The configuration text of the engine's environment.

cel-cpp evaluates an order across numeric types (`1 < 2u`) and `optional.unwrap`,
and its type checker knows neither; so the operators are taken out of the
standard library and declared again with all their overloads.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

from celvet.schemas.library import library

_ORDER = {"_<_": "less", "_<=_": "less_equals", "_>_": "greater", "_>=_": "greater_equals"}
_NUMBERS = ("int", "uint", "double")
_ORDERED = ("bool", *_NUMBERS, "string", "bytes", "timestamp", "duration")

_NEWEST = {"encoders": 0}
"""Library -> the newest version that the engine has, where cel-go has a newer one."""

_ELEMENT = {"type_name": "T", "is_type_param": True}
_OPTIONALS = {
    "type_name": "list",
    "params": [{"type_name": "optional_type", "params": [_ELEMENT]}],
}
_ELEMENTS = {"type_name": "list", "params": [_ELEMENT]}


def configuration(libraries: tuple[str, ...]) -> str:
    """YAML, in its JSON form, for `cel.NewEnvConfigFromYaml`.

    A library has the same version in the engine (cel-cpp) as in cel-go, but for what the engine
    lacks: that is declared here, and `lint.cel.compat` replaces its calls.
    """
    used = [each for each in map(library, libraries) if each.evaluated]
    functions = [_order(name, overload) for name, overload in _ORDER.items()]
    if any("unwrapOpt" in each.functions for each in used):
        functions += [
            _function("optional.unwrap", {"args": [_OPTIONALS], "return": _ELEMENTS}),
            _function("unwrapOpt", {"target": _OPTIONALS, "return": _ELEMENTS}),
        ]
    if any("json.encode" in each.functions for each in used):
        taken = {"args": [{"type_name": "dyn"}], "return": {"type_name": "string"}}
        functions.append(_function("json.encode", taken))
    extensions = [
        {"name": each.name, "version": min(each.version, _NEWEST.get(each.name, each.version))}
        for each in used
    ]
    stdlib = {"exclude_functions": [{"name": name} for name in _ORDER]}
    return json.dumps({"extensions": extensions, "stdlib": stdlib, "functions": functions})


def _order(name: str, overload: str) -> dict[str, Any]:
    pairs = [*zip(_ORDERED, _ORDERED, strict=True), *itertools.permutations(_NUMBERS, 2)]
    return {
        "name": name,
        "overloads": [
            {
                "id": f"{overload}_{left}_{right}",
                "args": [{"type_name": left}, {"type_name": right}],
                "return": {"type_name": "bool"},
            }
            for left, right in pairs
        ],
    }


def _function(name: str, overload: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "overloads": [{"id": f"celvet_{name}", **overload}]}
