"""A health script of Argo CD, in Lua, from CEL expressions by role."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping

from celvet.lint.cel.syntax.parser import parse
from celvet.lint.cel.syntax.tree import Call, Ident, ListExpr, Literal, Macro, Node, Select
from celvet.lint.suggest.snippets.lua_patterns import patterns
from celvet.lint.suggest.snippets.reading import STATUS, SnippetReading
from celvet.regex import regex

_OBJECT = "obj"
_HELPERS = {
    "exists": """local function exists(values, holds)
  for key, item in pairs(values or {}) do
    if type(key) == "string" then item = key end
    if holds(item) then return true end
  end
  return false
end""",
    "all": """local function all(values, holds)
  for key, item in pairs(values or {}) do
    if type(key) == "string" then item = key end
    if not holds(item) then return false end
  end
  return true
end""",
    "filter": """local function filter(list, holds)
  local items = {}
  for _, item in ipairs(list or {}) do
    if holds(item) then table.insert(items, item) end
  end
  return items
end""",
    "size": """local function size(value)
  if type(value) == "string" then return #value end
  local count = 0
  for _ in pairs(value or {}) do count = count + 1 end
  return count
end""",
    "within": """local function within(value, values)
  for _, item in ipairs(values or {}) do
    if item == value then return true end
  end
  return values ~= nil and type(value) == "string" and values[value] ~= nil
end""",
    "contains": """local function contains(text, part)
  return string.find(text, part, 1, true) ~= nil
end""",
    "startsWith": """local function startsWith(text, part)
  return string.sub(text, 1, #part) == part
end""",
    "endsWith": """local function endsWith(text, part)
  return part == "" or string.sub(text, -#part) == part
end""",
    "matches": """local function matches(text, patterns)
  for _, pattern in ipairs(patterns) do
    if string.find(text, pattern) then return true end
  end
  return false
end""",
}
_WITH_LIBRARY = frozenset({"contains", "startsWith", "endsWith", "matches"})
_SIGNS = {
    **{f"_{sign}_": sign for sign in ("==", "<", "<=", ">", ">=", "-", "*", "/", "%")},
    "_!=_": "~=",
}
_HEALTH = {"failed": ("Degraded", "has failed"), "current": ("Healthy", "is ready")}


class UntranslatableError(Exception):
    """An expression has something that Lua lacks."""


def script(reading: SnippetReading, kind: str) -> dict[str, str]:
    """The script, and whether it needs Lua's standard library; raises `UntranslatableError`."""
    writer = _Writer()
    body = [*_body(reading, kind, writer)]
    helpers = [_HELPERS[name] for name in _HELPERS if name in writer.used]
    text = "\n".join((*helpers, *body)) + "\n"
    return {"health": text, **({"useOpenLibs": "true"} if writer.used & _WITH_LIBRARY else {})}


def _body(reading: SnippetReading, kind: str, writer: _Writer) -> Iterator[str]:
    yield f'local hs = {{status = "Progressing", message = "{kind} is not ready yet"}}'
    status = f"{_OBJECT}.{STATUS}"
    if reading.needs_status:
        yield from _if(f"{status} == nil", [])
    if reading.observes:
        generation_path = f"{status}.observedGeneration"
        message = 'hs.message = "the status is of an older generation"'
        unseen = f"{generation_path} ~= nil and {generation_path} ~= {_OBJECT}.metadata.generation"
        yield from _if(unseen, [message])
    for role, text in reading.roles.items():
        condition = writer.condition(parse(text))
        health, clause = _HEALTH.get(role, ("", ""))
        changes = [f'hs.status = "{health}"', f'hs.message = "{kind} {clause}"'] if health else []
        yield from _if(condition, changes)
    yield "return hs"


def _if(condition: str, changes: list[str]) -> Iterator[str]:
    yield f"if {condition} then"
    yield from (f"  {line}" for line in (*changes, "return hs"))
    yield "end"


class _Writer:
    """Writes expressions; `used` are the helpers that they need."""

    def __init__(self) -> None:
        self.used: set[str] = set()
        self._bound: tuple[str, ...] = ()

    def condition(self, node: Node) -> str:
        """An expression with each part of a conjunction on a line of its own."""
        parts = [*_parts(node, "_&&_")]
        return "\n    and ".join(self._operand(part, loose=_LOGIC) for part in parts)

    def _text(self, node: Node) -> str:
        if isinstance(node, Literal):
            return _literal(node)
        if isinstance(node, Ident):
            name = node.name.removeprefix(".")
            return name if name in self._bound else f"{_OBJECT}.{name}"
        if isinstance(node, Select) and not node.optional:
            return f"{self._text(node.operand)}{_key(node.field)}"
        if isinstance(node, ListExpr) and not node.optional:
            return f"{{{', '.join(map(self._text, node.elements))}}}"
        if isinstance(node, Macro):
            return self._macro(node)
        if isinstance(node, Call):
            return self._call(node)
        raise UntranslatableError(type(node).__name__)

    def _macro(self, node: Macro) -> str:
        if node.name == "has":
            return f"{self._text(node.args[0])} ~= nil"
        if node.name not in _HELPERS or node.target is None or len(node.variables) != 1:
            raise UntranslatableError(node.name)
        target = self._text(node.target)
        outer, self._bound = self._bound, (*self._bound, *node.variables)
        body = self._text(node.args[0])
        self._bound = outer
        self.used.add(node.name)
        return f"{node.name}({target}, function({node.variables[0]}) return {body} end)"

    def _call(self, node: Call) -> str:
        name, args = node.function, node.args
        if name in _LOGIC:
            word = " and " if name == "_&&_" else " or "
            return word.join(self._operand(part, loose=_LOGIC) for part in _parts(node, name))
        if name == "!_":
            return f"not ({self._text(args[0])})"
        if name == "_?_:_":
            condition, first, second = map(self._text, args)
            return f"(function() if {condition} then return {first} end return {second} end)()"
        if name in _SIGNS or name == "_+_":
            joins_texts = name == "_+_" and any(map(_is_text, args))
            sign = ".." if joins_texts else _SIGNS.get(name, "+")
            return f" {sign} ".join(self._operand(arg) for arg in args)
        return self._element(*args) if name == "_[_]" else self._function(node)

    def _element(self, operand: Node, key: Node) -> str:
        if isinstance(key, Literal) and key.kind == "int":
            return f"{self._text(operand)}[{int(str(key.value)) + 1}]"  # Lua counts from 1
        return f"{self._text(operand)}[{self._text(key)}]"

    def _function(self, node: Call) -> str:
        arguments = [*((node.target,) if node.target else ()), *node.args]
        if node.function == "string" and len(arguments) == 1:
            return f"tostring({self._text(arguments[0])})"
        if node.function == "int" and len(arguments) == 1:
            return f"tonumber({self._text(arguments[0])})"
        helper = "within" if node.function == "@in" else node.function
        if helper not in _HELPERS:
            raise UntranslatableError(node.function)
        self.used.add(helper)
        if helper == "matches":
            texts = ", ".join(map(json.dumps, _patterns(arguments[1])))
            return f"matches({self._text(arguments[0])}, {{{texts}}})"
        return f"{helper}({', '.join(map(self._text, arguments))})"

    def _operand(self, node: Node, *, loose: frozenset[str] = frozenset()) -> str:
        """A part of an operation, in brackets if it is an operation that binds less tightly."""
        text = self._text(node)
        is_test = isinstance(node, Macro) and node.name == "has"
        name = _TEST if is_test else node.function if isinstance(node, Call) else ""
        return f"({text})" if name in (loose or _OPERATIONS) else text


_LOGIC = frozenset({"_&&_", "_||_"})
_TEST = "_!=_"
_OPERATIONS = _LOGIC | {"_+_", "!_", *_SIGNS}


def _parts(node: Node, function: str) -> Iterator[Node]:
    """The operands of a chain of one operator."""
    if isinstance(node, Call) and node.function == function:
        for arg in node.args:
            yield from _parts(arg, function)
    else:
        yield node


def _key(field: str) -> str:
    return f"[{json.dumps(field)}]" if _KEYWORD.fullmatch(field) else f".{field}"


_KEYWORD = regex(
    r"and|break|do|else(if)?|end|false|for|function|goto|if|in|local|nil|not|or|repeat|return|then"
    r"|true|until|while"
)


def _is_text(node: Node) -> bool:
    if isinstance(node, Literal):
        return node.kind == "string"
    return isinstance(node, Call) and (
        node.function == "string" or (node.function == "_+_" and any(map(_is_text, node.args)))
    )


def _literal(node: Literal) -> str:
    writers: Mapping[str, Callable[[object], str]] = {
        "string": lambda value: json.dumps(value, ensure_ascii=False),
        "int": str,
        "uint": str,
        "double": str,
        "bool": lambda value: str(value).lower(),
        "null": lambda _: "nil",
        "null_type": lambda _: "nil",
    }
    if node.kind not in writers:
        raise UntranslatableError(node.kind)
    return writers[node.kind](node.value)


def _patterns(node: Node) -> list[str]:
    """The patterns of Lua of which any matches what a regular expression does."""
    if not isinstance(node, Literal):
        raise UntranslatableError("matches")
    try:
        return patterns(str(node.value))
    except ValueError:
        raise UntranslatableError("matches") from None
