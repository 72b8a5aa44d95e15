"""Runs a health script in Lua, bounded in steps and memory.

Argo CD runs scripts with gopher-lua for one second (`util/lua/lua.go` v3.5.1). It is Lua 5.1 with
`goto`, so Lua 5.2 reads the same scripts, with three functions of 5.1 beside its own. It words
errors differently; status and message are the same.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from celvet.lint.model import Value
from celvet.lint.safe_text import one_line
from celvet.lint.values import kubernetes_number
from celvet.lint.waiters.argocd.health import STATUSES, Health
from celvet.lint.waiters.argocd.scripts import Script
from celvet.wrong_input import WrongInputError

_MEMORY = 32 << 20
_STEPS = 2_000_000
_MOST_DEPTH = 100

_SANDBOX = """
local steps, limit = 0, ...
local sethook, raise, floor, now, date = debug.sethook, error, math.floor, os.time, os.date
-- A field that is no number has its default; months and days may be any (`oslib_safe.go`).
local function time(...)
  if select("#", ...) == 0 then
    return now()
  end
  local given = ...
  local function field(name, default)
    local value = given[name]
    return type(value) == "number" and floor(value) or default
  end
  local month = field("month", -1) - 1
  local year = field("year", -1) + floor(month / 12) - (month % 12 < 2 and 1 or 0)
  local days = floor(year * 365.25) - floor(year / 100) + floor(year / 400)
    + floor((153 * ((month + 10) % 12) + 2) / 5) + field("day", -1) - 719469
  return ((days * 24 + field("hour", 12)) * 60 + field("min", 0)) * 60 + field("sec", 0)
end
local function utc(format, ...) return date("!" .. string.gsub(format or "%c", "^!", ""), ...) end
local modules = {os = {time = time, date = utc}}
local function count()
  steps = steps + 1000
  if steps > limit then
    sethook(count, "", 1)
    raise("the script takes too long", 0)
  end
end
local find, sub, tostring = string.find, string.sub, tostring
-- Where a class of a pattern ends that begins at a place.
local function class_end(pattern, at)
  local char = sub(pattern, at, at)
  if char == "%" then
    return sub(pattern, at + 1, at + 1) == "b" and at + 3 or at + 1
  elseif char ~= "[" then
    return at
  end
  at = sub(pattern, at + 1, at + 1) == "^" and at + 2 or at + 1
  repeat
    at = sub(pattern, at, at) == "%" and at + 2 or at + 1
  until at > #pattern or sub(pattern, at, at) == "]"
  return at
end
-- How many places of a text a part of a pattern can go on from, given how many lead to each place.
local function reached(text, class, sign, counts)
  local after = {}
  local function add(at, count) after[at] = (after[at] or 0) + count end
  for at, count in pairs(counts) do
    if sign ~= "" and sign ~= "+" then add(at, count) end
    local is_any = find(class, "^%%[b%df]")
    while at <= #text and (is_any or find(sub(text, at, at), class)) do
      at = at + 1
      add(at, count)
      if sign == "?" or sign == "" and not is_any then break end
    end
  end
  return after
end
-- A match tries each length of each repetition.
local function attempts(text, pattern)
  if not find(pattern, "[?*+%-]") and not find(pattern, "%%[b%d]") then
    return #text
  end
  local total, at, counts = 0, 1, {}
  local is_anchored = sub(pattern, 1, 1) == "^"
  for place = 1, is_anchored and 1 or #text + 1 do counts[place] = 1 end
  at = is_anchored and 2 or 1
  while at <= #pattern do
    local last = class_end(pattern, at)
    local class, sign = sub(pattern, at, last), sub(pattern, last + 1, last + 1)
    sign = find(sign, "^[?*+-]$") and sign or ""
    if class ~= "(" and class ~= ")" and not (class == "$" and last == #pattern) then
      counts = reached(text, class, sign, counts)
      for _, count in pairs(counts) do total = total + count end
      last = last + #sign
    end
    at = last + 1
  end
  return total
end
for _, name in ipairs({"find", "match", "gmatch", "gsub"}) do
  local search = string[name]
  string[name] = function(text, pattern, at, plain)
    local is_pattern = name ~= "find" or not plain
    if is_pattern and attempts(tostring(text), tostring(pattern)) > 1e7 then
      raise("the pattern may take too long", 2)
    end
    return search(text, pattern, at, plain)
  end
end
string.dump = nil
-- No hook counts the steps of a finalizer, which Lua 5.1 has not.
local setmeta, rawget = setmetatable, rawget
setmetatable = function(object, meta)
  return setmeta(object, type(meta) == "table" and rawget(meta, "__gc") and {} or meta)
end
unpack, table.getn, math.mod = table.unpack, function(list) return #list end, math.fmod
for _, name in ipairs({"debug", "io", "package", "dofile", "loadfile", "load", "loadstring",
    "collectgarbage", "module", "python", "os", "coroutine"}) do  -- a hook is of one thread only
  _G[name] = nil
end
-- An error handler runs inside the hook that raised the error, where no steps count.
local pcall, unpack = pcall, table.unpack
xpcall = function(call, handler)
  local results = {pcall(call)}
  if results[1] then
    return unpack(results)
  end
  return false, handler(results[2])
end
print = function() end
require = function(name)
  return modules[name] or raise("module " .. tostring(name) .. " not found", 2)
end
return function(run, opened)
  if opened then
    os = modules.os
  else
    string, math = nil, nil
    getmetatable("").__index = nil
  end
  sethook(count, "", 1000)
  return pcall(run)
end
"""


class EngineMissingError(WrongInputError):
    """The engine of Lua is not installed."""

    def __init__(self) -> None:
        super().__init__("Lua is not installed; install `celvet[lua]`")


class _SyntaxRefusedError(ValueError):
    """The parser refuses a script; the message has its line."""


def run(script: Script, obj: Value) -> Health:
    """The health that a script gives to an object.

    Raises:
        EngineMissingError: the extra `lua` is not installed.
    """
    engine, runtime = _engine(), _runtime()
    try:
        chunk = _compile(runtime, script.text)
        start = runtime.execute(_SANDBOX, _STEPS)
        runtime.globals()["obj"] = _table(runtime, obj, 0)
        is_done, *results = _sequence(start(chunk, script.libraries))
    except _SyntaxRefusedError as error:
        return _failed(str(error))
    except (engine.LuaError, engine.LuaMemoryError, RecursionError) as error:
        return _failed(str(error))
    if not is_done:
        return _failed(str(results[0]) if results else "")
    return _health(engine, results[-1] if results else None)


def syntax_error(script: Script) -> str:
    """Why the parser refuses a script; empty if it does not. Raises as `run` does."""
    engine, runtime = _engine(), _runtime()
    try:
        _compile(runtime, script.text)
    except (_SyntaxRefusedError, engine.LuaError, engine.LuaMemoryError) as error:
        return one_line(str(error))
    return ""


def _runtime() -> Any:
    return _engine().LuaRuntime(
        register_eval=False,
        register_builtins=False,
        unpack_returned_tuples=True,
        max_memory=_MEMORY,
        attribute_filter=_refuse,
    )


def require_engine() -> None:
    """Load the engine of Lua; raises `EngineMissingError`."""
    _engine()


@cache
def _engine() -> Any:
    try:
        import lupa.lua52
    except ImportError:
        raise EngineMissingError from None
    return lupa.lua52


def _refuse(_: Any, name: Any, __: Any) -> Any:
    """No attribute of a Python object is for a script."""
    raise AttributeError(name)


def _compile(runtime: Any, text: str) -> Any:
    """A function of a script; `<string>` is the name that gopher-lua gives it."""
    if text.startswith("\x1b"):
        raise _SyntaxRefusedError("the script is not text")
    load = runtime.eval('function(text) return load(text, "=<string>", "t") end')
    chunk = load(text)
    if isinstance(chunk, tuple):
        raise _SyntaxRefusedError(str(chunk[1]))
    return chunk


def _sequence(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def _failed(text: str) -> Health:
    message = one_line(text)
    return Health("Unknown", message, error=message)


def _table(runtime: Any, value: Value, depth: int) -> Any:
    """A value as Lua has it; null is nil, so a key with null is absent."""
    if depth > _MOST_DEPTH:
        raise RecursionError("the object is nested too deep")
    if isinstance(value, dict):
        fields = {key: _table(runtime, item, depth + 1) for key, item in value.items()}
        return runtime.table_from({key: item for key, item in fields.items() if item is not None})
    if isinstance(value, list):
        items = [_table(runtime, item, depth + 1) for item in value]
        return runtime.table_from([item for item in items if item is not None])
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    return float(kubernetes_number(value))


def _health(engine: Any, result: Any) -> Health:
    """`ExecuteHealthLua`: nothing and an empty table are no health at all."""
    if result is None:
        return Health("")
    if engine.lua_type(result) != "table":
        kind = engine.lua_type(result) or _LUA_TYPES.get(type(result), "userdata")
        return _failed(f"expect table output from Lua script, not {kind}")
    fields = dict(result.items())
    if not all(isinstance(key, str) for key in fields):
        is_list = [*fields] == [*range(1, len(fields) + 1)]
        return Health("") if is_list else _failed("cannot encode mixed or invalid key types")
    # encoding/json matches names of fields in any case.
    names = {key.lower(): value for key, value in fields.items()}
    status, message = names.get("status", ""), names.get("message", "")
    if not fields or not (isinstance(status, str) and isinstance(message, str)):
        return Health("")
    if status not in STATUSES:
        return Health("Unknown", "Lua returned an invalid health status")
    return Health(status, message)


_LUA_TYPES: dict[type, str] = {bool: "boolean", int: "number", float: "number", str: "string"}
