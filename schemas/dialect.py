"""How a controller reads an expression: language, variables, libraries, result and purpose.

A dialect is a file `schemas/dialects/<name>.json`. No code knows a dialect by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeAlias, get_args

from celvet.record import field, record, replace
from celvet.schemas.library import reference_in
from celvet.schemas.walk import steps

Wrap: TypeAlias = Literal["none", "ends", "relaxed", "pair", "braces", "${}"]
"""How a text is completed or unwrapped before it is parsed.

`${}` marks CEL that is in `${...}`, as in KRO; for the others, which are
of JSONPath, see `celvet.lint.jsonpath.compiled`.
"""

Purpose: TypeAlias = Literal["health", "readiness", "filter", "validation", "text"]
"""How the controller uses the answer.

`health` is a verdict on the life of an object, of several expressions;
`readiness` a gate of one; `filter` chooses objects or events, `validation`
accepts or refuses them, `text` is a text and no verdict.
"""


Option: TypeAlias = Literal[
    "CrossTypeNumericComparisons", "HomogeneousAggregateLiterals", "OptOptimize"
]
"""An option of a controller's CEL environment or program, under cel-go's name.

With them, the type checker knows an order of numbers of two types (`1 < 2.0`); a literal list or
map has values of one type; and the program refuses what a constant call fails on, such as
`int('x')` or a regular expression that does not compile, before it is evaluated.
"""


@record
class Role:
    """How the controller uses one expression of a check.

    `answer` is the verdict if the expression is true, empty if it gives none. `never` is a clause
    with the consequence of an expression that is never true. If a role has several expressions,
    `all` must be true, or `any` suffices. With `skips`, one that is refused or fails counts as
    false. With `absent`, the role counts as true if the check has no expression of it.
    """

    name: str
    answer: str = ""
    never: str = ""
    join: Literal["all", "any"] = "all"
    skips: bool = False
    absent: bool = False


@record
class Variable:
    """A variable that depends on the object that declares the expression.

    A `name` in `$(...)` is the text at that path of the mapping of the check; `$(/refs[].name)`
    stands for the names of the entries of that list of the root, each a variable. With
    `when`, the variable exists only if that path of the object has one of these texts. With `keys`,
    `variables[].name`, it is a map: each entry of that list in the mapping of the check gives it
    the key in that field, and an expression in an entry sees only the keys of the earlier ones.
    """

    name: str
    type: str
    when: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    keys: str = ""

    def known_keys(self, beside: Any, within: tuple[str | int, ...]) -> tuple[str, ...]:
        """The keys that an expression sees; `within` is its path in the mapping of the check."""
        path, _, name = self.keys.partition("[].")
        entries = _at(beside, path)
        before = len(steps(path))
        entries = entries if isinstance(entries, list) else []
        if within[:before] == steps(path) and len(within) > before:
            entries = entries[: int(within[before])]
        names = (entry.get(name) for entry in entries if isinstance(entry, Mapping))
        return tuple(text for text in names if isinstance(text, str))


@record
class Hidden:
    """A field that the controller removes from an object before an expression sees it.

    With `of`, only from objects of that `apiVersion/kind`; with `elsewhere`, only from objects in
    another namespace than the declaring object. `help` says what to do instead.
    """

    path: tuple[str, ...]
    help: str
    of: str = ""
    elsewhere: bool = False


@record
class Struct:
    """An object type with named fields, each with its type.

    A type is one of CEL's, the name of a struct, `list(...)` or `map(string, ...)` of one.
    """

    name: str
    fields: tuple[tuple[str, str], ...]


@record
class Dialect:
    """How one controller compiles and evaluates one kind of expression.

    `variables` maps a name to its CEL type; a CEL dialect without any sees the top-level fields of
    the object under check. `dependent` are variables that the declaring object decides about;
    `for_object` resolves them. `object` is the variable that holds the object under check, `owner`
    the one that holds the declaring object. `typed` are the variables that hold the controller's
    typed copy of an object of the declaring kind, each with the top-level fields that this copy
    lacks. `floats` are the variables whose numbers are all floats. `checked` tells the sites that
    the controller type-checks from those that it only parses. `result` is the type demanded, at
    compile time where the site is checked, unless it is `late`, else at run time; `results` are
    others that will do. `options` are those of the CEL environment. `libraries` are the CEL
    extension libraries, each as `NAME` or `NAME@VERSION` (see `celvet.schemas.library`).
    `controller` is the controller, if its releases are known (see `celvet.schemas.controller`), and
    `cel_go` its version of cel-go, empty for the newest; `at` makes the dialect of another version,
    whose `libraries` are those `references` in the file, in the versions that it has.

    `structs` are the object types that `variables` may have. No file of a dialect has any; the
    package of a controller adds those of the objects that a declaration is about.

    `roles` are tried in their order: the first that is true, or that fails, gives the verdict; if
    none is true, the verdict is `otherwise`. `fails` is the verdict if an expression is refused or
    fails, `refused` a clause with the consequence of one that is refused. With `observes` the
    controller waits, whatever the expressions say, while the object's status is of an older
    generation. `needs` is the role without which there is no verdict. `hides` are the
    fields that an expression does not see. `bare` marks the dialect of expressions that stand
    alone, outside of a manifest.

    For JSONPath, `missing` tells whether an absent key is an empty result rather than an error,
    and `single` whether more than one result is an error. With `printed` the controller prints the
    result as JSON and reads it again: all numbers become floats, and an empty result is a panic.
    `errors` is the beginning of its messages.
    """

    name: str
    language: Literal["cel", "jsonpath", "dotted", "fieldpath", "selector", "waits"]
    description: str
    purpose: Purpose = "health"
    checked: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)
    dependent: tuple[Variable, ...] = ()
    object: str = ""
    owner: str = ""
    typed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    floats: tuple[str, ...] = ()
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    listed: Mapping[str, str] = field(default_factory=dict)
    result: str = ""
    results: tuple[str, ...] = ()
    late: bool = False
    options: tuple[Option, ...] = get_args(Option)
    libraries: tuple[str, ...] = ()
    references: tuple[str, ...] = ()
    controller: str = ""
    cel_go: str = ""
    roles: tuple[Role, ...] = ()
    otherwise: str = ""
    fails: str = "Unknown"
    refused: str = "the controller refuses the expression"
    observes: bool = False
    needs: str = ""
    hides: tuple[Hidden, ...] = ()
    bare: bool = False
    structs: tuple[Struct, ...] = ()
    wrap: Wrap = "none"
    missing: bool = False
    single: bool = False
    printed: bool = False
    errors: str = ""

    def __hash__(self) -> int:
        """The hash of the name: few dialects share one."""
        return hash(self.name)

    @classmethod
    def from_json(cls, name: str, data: Mapping[str, Any]) -> Dialect:
        """The dialect that a file's content describes, which has been checked."""
        values = {key: value for key, value in data.items() if not key.startswith("$")}
        values["libraries"] = tuple(values.get("libraries", ()))
        values["typed"] = {key: tuple(names) for key, names in values.get("typed", {}).items()}
        cel_go = values.pop("celGo", "")
        if isinstance(results := values.get("result"), list):
            values["result"], values["results"] = results[0], tuple(results[1:])
        for key in {"options", "floats"} & values.keys():
            values[key] = tuple(values[key])
        values["roles"] = tuple(
            Role(role, **fields) for role, fields in values.get("roles", {}).items()
        )
        values["hides"] = tuple(
            Hidden(**{**fields, "path": steps(fields["path"])})
            for fields in values.get("hides", ())
        )
        variables = values.pop("variables", {})
        plain = {key: kind for key, kind in variables.items() if _is_plain(key, kind)}
        values["variables"] = plain
        values["dependent"] = tuple(
            _dependent(key, kind) for key, kind in variables.items() if key not in plain
        )
        dialect = cls(name=name, **values)
        return dialect.at(cel_go) if cel_go else dialect

    def at(self, cel_go: str) -> Dialect:
        """The dialect in a release of cel-go."""
        references = self.references or self.libraries
        libraries = tuple(reference_in(reference, cel_go) for reference in references)
        return replace(self, cel_go=cel_go, libraries=libraries, references=references)

    @property
    def has_optionals(self) -> bool:
        """Whether expressions may have optional fields, `.?`."""
        return any(name.partition("@")[0] == "optional" for name in self.libraries)

    def role(self, name: str) -> Role:
        """The role with this name; if the dialect has none, a role without an answer."""
        for role in self.roles:  # asked for each outcome of each state
            if role.name == name:
                return role
        return Role(name)

    def hidden_fields(self, api_version: str, kind: str, *, elsewhere: bool) -> Iterator[Hidden]:
        """The fields hidden from an expression; `elsewhere`: the object is in another namespace."""
        for item in self.hides:
            if item.of in ("", f"{api_version}/{kind}") and item.elsewhere <= elsewhere:
                yield item

    def for_object(self, root: Any, beside: Any, within: tuple[str | int, ...] = ()) -> Dialect:
        """The dialect with the variables that depend on an object.

        `root` is the declaring object, `beside` the mapping of the check, `within` the path of the
        expression in it. A variable does not exist if the object lacks its name.
        """
        if not self.dependent:
            return self
        variables = {
            name: variable
            for variable in self.dependent
            for name in _names(variable.name, root, beside)
            if _holds(variable.when, root)
        }
        return replace(
            self,
            variables={
                **self.variables,
                **{name: variable.type for name, variable in variables.items()},
            },
            keys={
                name: variable.known_keys(beside, within)
                for name, variable in variables.items()
                if variable.keys
            },
            sources={name: variable.keys for name, variable in variables.items() if variable.keys},
            listed={
                name: variable.name[3:-1]
                for name, variable in variables.items()
                if variable.name.startswith("$(/")
            },
            dependent=(),
            object=_named(self.object, beside),
        )


def _is_plain(name: str, kind: str | Mapping[str, Any]) -> bool:
    return isinstance(kind, str) and not name.startswith("$(")


def _dependent(name: str, kind: str | Mapping[str, Any]) -> Variable:
    if isinstance(kind, str):
        return Variable(name, kind)
    when = {path: tuple(values) for path, values in kind.get("when", {}).items()}
    return Variable(name, kind["type"], when, kind.get("keys", ""))


def _names(name: str, root: Any, beside: Any) -> tuple[str, ...]:
    """The names that a variable stands for: those of a list of the root, or one at most."""
    if name.startswith("$(/"):
        return Variable("", "", keys=name[3:-1]).known_keys(root, ())
    return tuple(filter(None, (_named(name, beside),)))


def _named(name: str, beside: Any) -> str:
    """A plain name, or the text at the path of `$(path)`; empty if there is none."""
    if not name.startswith("$("):
        return name
    text = _at(beside, name[2:-1])
    return text if isinstance(text, str) else ""


def _holds(when: Mapping[str, tuple[str, ...]], root: Any) -> bool:
    return all(_at(root, path) in values for path, values in when.items())


def _at(value: Any, path: str) -> Any:
    for key in steps(path):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
