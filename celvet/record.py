"""Immutable classes of fields: dataclasses that are defined in a tenth of the time.

A run for one file defines 140 such classes, and `dataclass(frozen=True, slots=True)` compiles six
methods for each; a record compiles one. mypy reports assignments to fields, but nothing prevents
them at run time, so creating an instance also takes only a third of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from copy import copy
from functools import cache, lru_cache, partial
from operator import attrgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, dataclass_transform, overload

if TYPE_CHECKING:
    from dataclasses import Field, field, replace

__all__ = ["field", "field_names", "record", "replace"]

ClassT = TypeVar("ClassT", bound=type)
_MISSING: Any = object()


class _Given(NamedTuple):
    """The options of a field."""

    default: Any = _MISSING
    default_factory: Any = _MISSING
    repr: bool = True
    compare: bool = True

    @property
    def optional(self) -> bool:
        """Whether the field may be left out."""
        return self.default is not _MISSING or self.default_factory is not _MISSING


if not TYPE_CHECKING:  # mypy reads the types of `dataclasses`, which takes 15 ms to load
    field = _Given

    def replace(instance: Any, /, **changes: Any) -> Any:
        """A copy of a record or a dataclass with new values for some fields."""
        cls = type(instance)
        for name in vars(cls)["__dataclass_fields__"]:
            if name not in changes:
                changes[name] = getattr(instance, name)
        return cls(**changes)


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(cls: ClassT, /) -> ClassT: ...


@overload
@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def record(
    *, eq: bool = True, kw_only: bool = False, slots: bool = True, frozen: bool = True
) -> Callable[[ClassT], ClassT]: ...


def record(
    cls: Any = None,
    /,
    *,
    eq: bool = True,
    kw_only: bool = False,
    slots: bool = True,
    frozen: bool = True,
) -> Any:
    """Make a class with slots for its fields; without `eq`, an instance equals only itself.

    Methods of the class itself take precedence. Without `slots`, an instance can have other
    attributes, such as a `cached_property`, and weak references. Only mypy uses `frozen`.
    """
    if cls is None:
        return partial(record, eq=eq, kw_only=kw_only, slots=slots)
    fields = _Fields(cls, kw_only=kw_only)
    unslotted_names = {*fields.own, "__dict__", "__weakref__"}
    own = {name: value for name, value in vars(cls).items() if name not in unslotted_names}
    methods = {
        "__init__": fields.init(cls),
        "__repr__": _repr,
        **(fields.comparing() if eq else {}),
    }
    attributes = {
        "__qualname__": cls.__qualname__,
        "__match_args__": () if kw_only else (*fields.every,),
        "__dataclass_fields__": fields,
    }
    if slots:
        attributes["__slots__"] = fields.own
    return type(cls)(cls.__name__, cls.__bases__, {**methods, **own, **attributes})


def field_names(cls: type) -> tuple[str, ...]:
    """The names of the fields of a record or a dataclass; `dataclasses.fields` takes longer."""
    return (*vars(cls)["__dataclass_fields__"],)


class _Fields:
    """The fields of a record, those of its base first, in the form of `dataclasses` on access."""

    def __init__(self, cls: type, *, kw_only: bool) -> None:
        base = vars(cls.__base__).get("__dataclass_fields__")
        kinds = vars(cls).get("__annotations__", {})
        self.own = tuple(name for name in kinds if not kinds[name].startswith("ClassVar"))
        self.every: dict[str, _Given] = {**base.every} if base else {}
        for name in self.own:
            default = vars(cls).get(name, _MISSING)
            if type(default).__module__ == "dataclasses":
                raise TypeError(f"{cls.__name__}.{name}: use the `field` of {__name__}")
            self.every[name] = default if isinstance(default, _Given) else _Given(default)
        self._kw_only = kw_only
        self._described: Mapping[str, Field[Any]] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self.every)

    def __get__(self, _: object, owner: type) -> Mapping[str, Field[Any]]:
        """The fields in the form of `dataclasses`, so that its `replace` and others work."""
        if not self._described:
            self._described = {name: _described(name, field) for name, field in self.every.items()}
        return self._described

    def init(self, owner: type) -> FunctionType:
        """The `__init__` of a class, with a parameter for each field."""
        factories = [field.default_factory for field in self.every.values()]
        has_check = hasattr(owner, "__post_init__")
        code = _init(tuple(make is not _MISSING for make in factories), has_check).__code__
        names = {f"f{at}": name for at, name in enumerate(self.every)}
        by_keyword = len(names) if self._kw_only else 0
        own_code = code.replace(
            co_argcount=code.co_argcount - by_keyword,
            co_kwonlyargcount=by_keyword,
            co_qualname=f"{owner.__qualname__}.__init__",
            co_varnames=tuple(names.get(name, name) for name in code.co_varnames),
            co_names=tuple(names.get(name, name) for name in code.co_names),
        )
        scope = {"MISSING": _MISSING, **{f"make{at}": make for at, make in enumerate(factories)}}
        init = FunctionType(own_code, scope)
        defaults = {name: field.default for name, field in self.every.items() if field.optional}
        if self._kw_only:
            init.__kwdefaults__ = defaults
        else:
            init.__defaults__ = (*defaults.values(),)
        return init

    def comparing(self) -> dict[str, object]:
        """The methods that compare and hash instances by the fields with `compare`."""
        names = [name for name, field in self.every.items() if field.compare]
        values: Callable[[Any], Hashable] = attrgetter(*names) if names else type

        def equal(self: Any, other: object) -> bool:
            return values(self) == values(other) if type(other) is type(self) else NotImplemented

        def hashed(self: Any) -> int:
            return hash(values(self))

        return {"__eq__": equal, "__hash__": hashed}


def _described(name: str, given: _Given) -> Field[Any]:
    """The field that `dataclass` would make."""
    field = copy(_example())
    field.name, field.repr, field.compare = name, given.repr, given.compare
    if given.default is not _MISSING:
        field.default = given.default
    if given.default_factory is not _MISSING:
        field.default_factory = given.default_factory
    return field


@cache
def _example() -> Field[Any]:
    from dataclasses import fields, make_dataclass

    return fields(make_dataclass("Example", ["field"]))[0]


def _repr(self: Any) -> str:
    fields: _Fields = vars(type(self))["__dataclass_fields__"]
    names = (name for name, field in fields.every.items() if field.repr)
    texts = (f"{name}={getattr(self, name)!r}" for name in names)
    return f"{type(self).__qualname__}({', '.join(texts)})"


@lru_cache(maxsize=64)
def _init(made: tuple[bool, ...], checked: bool) -> FunctionType:
    """An `__init__` for fields `f0`, `f1` and so on; `made` are those with a default factory.

    It calls `__post_init__` at the end if the class is `checked` there.

    Compiling it takes 150 us, renaming the fields afterwards 6 us.
    """
    names = [f"f{at}" for at in range(len(made))]
    lines = [f"def __init__({', '.join(['self', *names])}):", "pass"]
    for at, name in enumerate(names):
        value = f"make{at}() if {name} is MISSING else {name}" if made[at] else name
        lines.append(f"self.{name} = {value}")
    if checked:
        lines.append("self.__post_init__()")
    scope: dict[str, FunctionType] = {}
    exec("\n ".join(lines), scope)  # noqa: S102 - the text has no name from outside
    return scope["__init__"]
