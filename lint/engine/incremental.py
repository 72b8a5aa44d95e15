"""Caches the findings about each check of an object, for an editor.

While a user types, one check of many changes at a time. A rule reads one check at a time and the
object around all checks, so the findings about the other checks stay valid as long as the object
around them is the same. If a rule looks up the schema of a kind that no check is about, nothing is
cached, since it is not known which check needed it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from celvet.lint.checks import AnyExpression, Check, CheckedObject, Place
from celvet.lint.crds.schema import CrdSchema, Schemas
from celvet.lint.engine.result import Crash
from celvet.lint.engine.run_rules import run_rules_on
from celvet.lint.engine.settings import Settings
from celvet.lint.model import Change, Finding, Path, Related, Span, Value, Where
from celvet.lint.values import tree_of
from celvet.record import field, record, replace

_MOST_CACHED = 4_096
"""A file of 2,000 lines has 250 checks; most have no findings, and then take 200 bytes."""


@record
class _Cached:
    """The findings about a check that was at `path`, and the schema that they depend on."""

    path: Path
    schema: CrdSchema | None
    findings: tuple[Finding, ...]


@record
class _RecordedSchemas:
    """Schemas of kinds that record which of them the rules look up."""

    schemas: Schemas
    _found: set[tuple[str, str]] = field(default_factory=set, compare=False)

    def find(self, api_version: str, kind: str) -> CrdSchema | None:
        """See `celvet.lint.crds.Schemas`."""
        self._found.add((api_version, kind))
        return self.schemas.find(api_version, kind)

    @property
    def problems(self) -> tuple[str, ...]:
        """The schema sources that could not be read so far."""
        return self.schemas.problems

    def beyond(self, checked: CheckedObject) -> bool:
        """Whether a rule looked up a kind that no check is about."""
        return not self._found <= {check.objects for check in checked.checks}


@record
class CheckKey:
    """Identifies a check and everything that the rules may read with it.

    `digest` covers the check, how its texts are read, and the object without its other
    checks. `schema` is that of the objects under check, None if it is not known.
    """

    check: Check
    digest: bytes
    schema: CrdSchema | None

    @property
    def path(self) -> Path:
        """The place of the check in the object."""
        return self.check.path


@record
class _Keys:
    """The keys of the checks of an object, by the identity of each, for what is `around` them."""

    around: bytes = b""
    by_check: Mapping[int, CheckKey] = field(default_factory=dict)

    @classmethod
    def of(cls, checked: CheckedObject, earlier: _Keys) -> _Keys:
        """The keys of an object's checks; `earlier` has those of unchanged checks."""
        rest = _without(checked.value, tree_of(check.path for check in checked.checks))
        around = _digest(checked.partial, rest)
        known = earlier.by_check if earlier.around == around else {}
        keys = {}
        for check in checked.checks:
            key, schema = known.get(id(check)), checked.schema_of(*check.objects)
            if key is None or key.check is not check or key.schema is not schema:
                read_as = [_read_as(each) for each in check.expressions]
                digest = _digest(around, check.value, check.strategy, read_as)
                key = CheckKey(check, digest, schema)
            keys[id(check)] = key
        return cls(around, keys)


@record(frozen=False)
class IncrementalCache:
    """The latest findings by check, emptied when the settings change; the last objects."""

    checked: Sequence[CheckedObject] = ()
    _keys: _Keys = field(default_factory=_Keys)
    _settings: Settings | None = None
    _cached: dict[bytes, _Cached] = field(default_factory=dict)

    def outcomes(self, checked: CheckedObject, settings: Settings) -> Iterator[Finding | Crash]:
        """The findings about an object; rules run on the changed checks only."""
        if settings is not self._settings:
            self._settings, self._cached = settings, {}
        self._keys = _Keys.of(checked, self._keys)
        keys = [*self._keys.by_check.values()]
        new = [key for key in keys if not self._holds(key)]
        general = list(run_rules_on(_narrowed(checked), settings))
        recorded = _RecordedSchemas(checked.schemas)
        shown = replace(_narrowed(checked, [key.path for key in new]), schemas=recorded)
        with_new = list(run_rules_on(shown, settings))
        by_check = None if recorded.beyond(shown) else _by_check(_besides(with_new, general), keys)
        if by_check is None or any(isinstance(each, Crash) for each in general):
            yield from run_rules_on(checked, settings)
            return
        for key in new:
            findings = tuple(by_check.get(key.path, ()))
            self._cached[key.digest] = _Cached(key.path, key.schema, findings)
        yield from (_moved(each, (), (), checked.place) for each in _findings(general))
        yield from self._findings_of(keys, checked.place)

    def _holds(self, key: CheckKey) -> bool:
        cached = self._cached.get(key.digest)
        return cached is not None and cached.schema is key.schema

    def _findings_of(self, keys: Sequence[CheckKey], place: Place) -> Iterator[Finding]:
        """The findings about these checks; drops the least recently used of all others."""
        for key in keys:
            cached = self._cached[key.digest] = self._cached.pop(key.digest)
            yield from (_moved(each, cached.path, key.path, place) for each in cached.findings)
        while len(self._cached) > max(_MOST_CACHED, len(keys)):
            del self._cached[next(iter(self._cached))]


def _findings(outcomes: Iterable[Finding | Crash]) -> Iterator[Finding]:
    return (each for each in outcomes if isinstance(each, Finding))


def _besides(
    outcomes: Iterable[Finding | Crash], general: Iterable[Finding | Crash]
) -> list[Finding | Crash]:
    """The outcomes, except those that the object has even without its checks."""
    left = Counter(map(_sign, general))
    besides = []
    for each in outcomes:
        if left[_sign(each)]:
            left[_sign(each)] -= 1
        else:
            besides.append(each)
    return besides


def _sign(outcome: Finding | Crash) -> tuple[str, str, Where]:
    text = outcome.message if isinstance(outcome, Finding) else outcome.error
    return outcome.rule, text, outcome.where


def _by_check(
    outcomes: Iterable[Finding | Crash], keys: Iterable[CheckKey]
) -> Mapping[Path, Sequence[Finding]] | None:
    """The findings by check; None if one is not about a single check, or if a rule failed."""
    found: dict[Path, list[Finding]] = {key.path: [] for key in keys}
    for outcome in outcomes:
        path = outcome.where.path
        around = [path[:size] for size in range(len(path) + 1) if path[:size] in found]
        if isinstance(outcome, Crash) or len(around) != 1:
            return None
        found[around[0]].append(outcome)
    return found


def _changes(changes: Iterable[Change], at: Callable[[Where], Where]) -> tuple[Change, ...]:
    return tuple(replace(each, where=at(each.where)) for each in changes)


def _moved(finding: Finding, old: Path, new: Path, place: Place) -> Finding:
    """A finding of a check that moved from one path to another, at its places in the text."""

    def at(where: Where) -> Where:
        inside = where.path[: len(old)] == old
        path = new + where.path[len(old) :] if inside else where.path
        return place(path, where.span, where.on_key)

    return replace(
        finding,
        where=at(finding.where),
        related=tuple(Related(each.message, at(each.where)) for each in finding.related),
        fix=finding.fix and replace(finding.fix, changes=_changes(finding.fix.changes, at)),
    )


def _narrowed(checked: CheckedObject, paths: Iterable[Path] = ()) -> CheckedObject:
    """The object with only these of its checks; its places are plain paths."""
    kept = set(paths)
    checks = tuple(check for check in checked.checks if check.path in kept)
    return replace(checked, checks=checks, place=_in_object)


def _in_object(path: Path, span: Span | None = None, on_key: bool = False) -> Where:
    return Where(path=path, span=span, on_key=on_key)


def _read_as(expression: AnyExpression) -> tuple[Any, ...]:
    dialect = expression.dialect
    variables = tuple(dialect.variables.items())
    return (
        *(expression.path[-1], expression.role, dialect.name, variables),
        *(expression.program.text, expression.objects),
    )


def _digest(*parts: Value) -> bytes:
    """A digest of the parts; `repr` distinguishes 1 from `true`, and keeps the order of keys."""
    return blake2b(repr(parts).encode(errors="surrogatepass"), digest_size=20).digest()


def _without(value: Value, tree: Mapping[str | int, Any]) -> Value:
    """A value with None at the ends of a tree of paths."""
    if not tree:
        return None
    steps: Iterator[tuple[str | int, Value]] = iter(
        value.items() if isinstance(value, Mapping) else enumerate(value)
    )
    return [(step, _without(each, tree[step]) if step in tree else each) for step, each in steps]
