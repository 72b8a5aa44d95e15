"""slim-sprig's defaults, reflection, paths and hashes (defaults.go and others, v3.0.0)."""

from __future__ import annotations

import hashlib
import posixpath
import zlib

from celvet.lint.go.quoting import to_bytes
from celvet.lint.gotemplate.errors import CallError
from celvet.lint.gotemplate.functions.comparison import deep_equal
from celvet.lint.gotemplate.functions.signature import Function, function
from celvet.lint.gotemplate.template_values import Value, kind, type_name


def _default(default: Value, *given: Value) -> Value:
    return given[0] if given and given[0] else default


def _coalesce(*values: Value) -> Value:
    return next((value for value in values if value), None)


def _ternary(if_true: Value, if_false: Value, test: bool) -> Value:
    return if_true if test else if_false


def _fail(message: str) -> Value:
    raise CallError(message)


def _clean(path: str) -> str:
    clean_path = posixpath.normpath(path) if path else "."
    # Python keeps two leading slashes, as POSIX allows.
    return clean_path[1:] if clean_path.startswith("//") else clean_path


def _base(path: str) -> str:
    if not path:
        return "."
    return path.rstrip("/").rpartition("/")[2] or "/"


def _dir(path: str) -> str:
    head, slash, _ = path.rpartition("/")
    return _clean(head + slash)


def _ext(path: str) -> str:
    name = path.rpartition("/")[2]
    return name[name.rindex(".") :] if "." in name else ""


_PATHS = {
    "base": function("string -> string", _base),
    "dir": function("string -> string", _dir),
    "clean": function("string -> string", _clean),
    "ext": function("string -> string", _ext),
    "isAbs": function("string -> bool", lambda path: path.startswith("/")),
}


def _sha256(text: str) -> str:
    return hashlib.sha256(to_bytes(text)).hexdigest()


def _sha1(text: str) -> str:
    return hashlib.sha1(to_bytes(text), usedforsecurity=False).hexdigest()


DEFAULTS: dict[str, Function] = {
    "default": function("any ...any -> any", _default),
    "empty": function("any -> bool", lambda value: not value),
    "coalesce": function("...any -> any", _coalesce),
    "all": function("...any -> bool", lambda *values: all(values)),
    "any": function("...any -> bool", lambda *values: any(values)),
    "ternary": function("any any bool -> any", _ternary),
    "fail": function("string -> string", _fail),
    "typeOf": function("any -> string", type_name),
    "typeIs": function("string any -> bool", lambda name, value: name == type_name(value)),
    "typeIsLike": function("string any -> bool", lambda name, value: name == type_name(value)),
    "kindOf": function("any -> string", kind),
    "kindIs": function("string any -> bool", lambda name, value: name == kind(value)),
    "deepEqual": function("any any -> bool", deep_equal, metered=True),
    "sha256sum": function("string -> string", _sha256),
    "sha1sum": function("string -> string", _sha1),
    "adler32sum": function("string -> string", lambda text: str(zlib.adler32(to_bytes(text)))),
    **_PATHS,
    **{f"os{name[0].upper()}{name[1:]}": path_function for name, path_function in _PATHS.items()},
}
