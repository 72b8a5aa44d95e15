"""The configuration of the engine's environments: libraries, and functions of their own.

The type checker of the engine learns from it what cel-go declares and the engine does not.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any

from celvet.schemas.library import Library, library

_ORDER = {"_<_": "less", "_<=_": "less_equals", "_>_": "greater", "_>=_": "greater_equals"}
_NUMBERS = ("int", "uint", "double")
_ORDERED = ("bool", *_NUMBERS, "string", "bytes", "timestamp", "duration")

_NEWEST = {"bindings": 0, "encoders": 0}
"""Library -> the newest version that the engine has, where cel-go has a newer one."""

_PRINTED = "bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint"
"""The types that `string` takes."""

_JOINING = 2
"""The version of the engine's strings extension that has `join`; cel-go has it in each."""

_ELEMENT = {"type_name": "T", "is_type_param": True}
_OPTIONALS = {"type_name": "list", "params": [{"type_name": "optional_type", "params": [_ELEMENT]}]}
_ELEMENTS = {"type_name": "list", "params": [_ELEMENT]}
_STRING = {"type_name": "string"}
_STRINGS = {"type_name": "list", "params": [_STRING]}
_JOIN = {
    "name": "join",
    "overloads": [
        {"id": f"celvet_join_{len(args)}", "target": _STRINGS, "args": args, "return": _STRING}
        for args in ([], [_STRING])
    ],
}


def own_functions(libraries: tuple[str, ...]) -> Mapping[str, list[tuple[str, ...]]]:
    """The functions of these libraries that the engine lacks and celvet has, by name."""
    overloads: dict[str, list[tuple[str, ...]]] = {}
    for source in map(library, libraries):
        for function in source.functions.values():
            if function.overloads:
                kinds = [(function.style, *kinds) for kinds in function.overloads]
                overloads.setdefault(function.name, []).extend(kinds)
    return overloads


def configuration(libraries: tuple[str, ...], *, cross_type: bool, checks: bool) -> str:
    """YAML, in its JSON form, for `cel.NewEnvConfigFromYaml`.

    cel-cpp evaluates an order across numeric types (`1 < 2u`) and `optional.unwrap`, and its type
    checker knows neither; so the operators are taken out of the standard library and declared
    again with all their overloads.

    Libraries have the same version in the engine (cel-cpp) as in cel-go. What the engine lacks is
    declared here, and `lint.cel.compat` replaces its calls.
    """
    engine_libraries = [source for source in map(library, libraries) if source.in_engine]
    functions = [_order(name, overload, cross_type=cross_type) for name, overload in _ORDER.items()]
    # Functions that the type checker of the engine does not know.
    if any("unwrapOpt" in source.functions for source in engine_libraries):
        functions += [
            _function("optional.unwrap", {"args": [_OPTIONALS], "return": _ELEMENTS}),
            _function("unwrapOpt", {"target": _OPTIONALS, "return": _ELEMENTS}),
        ]
    if any("json.encode" in source.functions for source in engine_libraries):
        overload = {"args": [{"type_name": "dyn"}], "return": {"type_name": "string"}}
        functions.append(_function("json.encode", overload))
    in_engine = {name for source in engine_libraries for name in source.functions}
    functions += [
        _declared(name, overloads)
        for name, overloads in own_functions(libraries).items()
        if name not in in_engine
    ]
    # Kubernetes declares `string` of addresses and networks with them (`ip.go`, `cidr.go`).
    results = {row[-1] for rows in own_functions(libraries).values() for row in rows}
    networks = sorted(results & {"net.CIDR", "net.IP"})
    kinds = [("function", kind, "string") for kind in (*_PRINTED, *networks)]
    functions += [_declared("string", kinds)] if networks else []
    old_strings = any(
        "join" in source.functions and source.version < _JOINING for source in engine_libraries
    )
    if old_strings and checks:
        functions.append(_JOIN)
    extensions = [
        {"name": source.name, "version": _engine_version(source, checks=checks)}
        for source in engine_libraries
    ]
    declared_names = [*_ORDER, "string"] if networks else _ORDER
    stdlib = {"exclude_functions": [{"name": name} for name in declared_names]}
    return json.dumps({"extensions": extensions, "stdlib": stdlib, "functions": functions})


def _engine_version(source: Library, *, checks: bool) -> int:
    """The version of a library in the engine; a tree that is checked may have any function."""
    version = min(source.version, _NEWEST.get(source.name, source.version))
    return max(version, _JOINING) if "join" in source.functions and not checks else version


def _order(name: str, overload: str, *, cross_type: bool) -> dict[str, Any]:
    pairs = [*zip(_ORDERED, _ORDERED, strict=True)]
    if cross_type:
        pairs += itertools.permutations(_NUMBERS, 2)
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


def _declared(name: str, overloads: Sequence[tuple[str, ...]]) -> dict[str, Any]:
    """A function of ours, for the type checker; each overload has its style in front."""
    rows = []
    for style, *kinds, result in overloads:
        row: dict[str, Any] = {"id": f"{name}({', '.join(kinds)})", "return": _type(result)}
        if style == "method":
            row["target"] = _type(kinds.pop(0))
        row["args"] = [_type(kind) for kind in kinds]
        rows.append(row)
    return {"name": name, "overloads": rows}


def _type(text: str) -> dict[str, Any]:
    """A type such as `list(T)` or `kubernetes.Quantity`."""
    name, _, params = text.partition("(")
    if len(name) == 1:
        return {"type_name": name, "is_type_param": True}
    types = [_type(part) for part in params.removesuffix(")").split(", ")] if params else []
    return {"type_name": name, **({"params": types} if types else {})}


def _function(name: str, overload: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "overloads": [{"id": f"celvet_{name}", **overload}]}
