"""What can be written at the cursor: words of an expression, keys and values of YAML.

`cursor` finds where the cursor is, in a text that is rarely valid YAML; `expression` proposes the
words of one.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from itertools import islice

from lsprotocol import types as lsp

from celvet.lint.engine import Settings
from celvet.lint.engine.resourceset.places import providers
from celvet.lint.gotemplate import ITEM, OPERATOR, complete
from celvet.lint.healthtest.health_test import HealthTest
from celvet.lint.list_item import item
from celvet.lint.lsp.features.completion.cursor import (
    AtKey,
    AtValue,
    InExpression,
    cursor,
    marked_scalar,
)
from celvet.lint.lsp.features.completion.expression import in_expression, in_path
from celvet.lint.lsp.features.completion.proposal import Proposal, Proposals
from celvet.lint.lsp.features.fields import KnownFields, Steps, comparisons
from celvet.lint.lsp.features.kind_words import words_of
from celvet.lint.lsp.state.analysis import Analysis, chunk_at
from celvet.lint.manifest import Document, all_objects, read
from celvet.lint.manifest.objects.resourceset import is_resource_set
from celvet.lint.model import GroupKind, Path, Span, Value
from celvet.lint.resourceset import InputSetError, all_providers, combine, wrong_type
from celvet.lint.resourceset.shape import TEMPLATES
from celvet.lint.suggest.from_catalog import of_facts
from celvet.lint.values import group_kind_of, object_ref_of, text_at
from celvet.record import record
from celvet.regex import regex
from celvet.schemas import Catalog, KindFacts, kind_facts
from celvet.schemas.kind import Schema
from celvet.schemas.known_kinds import known_kinds

_QUOTE = regex(r"['\"\\\n]")
"""The start and end of a string in quotes, in YAML too; it does not continue on another line."""

_OF_EVERY_OBJECT = ("apiVersion", "kind", "metadata")
_LONGEST = 1_000
"""Longer expressions than anybody writes are not searched for strings."""

_TYPES: Steps = ("status", "conditions", None, "type")
_CUSTOMARY = ("Ready", "Reconciling", "Stalled")
"""Condition types of kstatus and of most controllers."""

_KEYWORDS = ("if", "else", "end", "range", "with", "define", "template", "block")
_MOST = 512
"""Kinds that are read for one answer: a user's own file takes milliseconds at first."""


@record
class Examples:
    """The analyses of a file so far, and health tests whose fixtures may show fields."""

    parts: Iterable[Analysis]
    tests: Callable[[], Iterable[HealthTest]]


def proposals(text: str, offset: int, settings: Settings, examples: Examples) -> Proposals:
    """The proposals for the word before an offset."""
    span = chunk_at(text, offset)
    catalog = settings.catalog
    # From the inside out: an action of a template may stand in an expression, and an expression in
    # any value of YAML.
    template = _in_template(text, span, offset, settings.providers)
    if template is not None:
        return template
    position = cursor(text[span.start : span.end], offset - span.start, catalog)
    if position is None:
        return Proposals([])
    if isinstance(position, AtKey):
        return _keys(position, catalog).with_items(_entries(position, catalog))
    if not isinstance(position, InExpression):
        return values(position, catalog).with_items(_kinds(position, catalog))
    strings_elsewhere = _strings_elsewhere(text, offset)
    fields = _known_fields(position, settings, examples.parts, examples.tests(), strings_elsewhere)
    text = position.site.text
    if position.site.dialect.wrap == "${}":
        text = text.rpartition("${")[2]
    is_cel = position.site.dialect.language == "cel"
    dialect = position.site.dialect
    words = in_expression(text, dialect, fields) if is_cel else in_path(text, fields)
    return Proposals(words.items, position.size(words.replaced_size))


def _strings_elsewhere(text: str, offset: int) -> frozenset[str]:
    """The strings in quotes of a text, except the one around an offset."""
    start = max(text.rfind(mark, 0, offset) for mark in "'\"\n") + 1
    end = _QUOTE.search(text, offset)
    return frozenset(
        (*_QUOTE.split(text[:start]), *_QUOTE.split(text[end.start() :] if end else ""))
    )


def _keys(at: AtKey, catalog: Catalog) -> Proposals:
    """The keys that a mapping may have but lacks; required ones come first."""
    context = at.context
    properties: dict[str, Schema] = {}
    required_names: set[str] = set()
    for schema in context.schemas:
        required_names |= {*schema.get("required", ())}
        for name, below in schema.get("properties", {}).items():
            properties.setdefault(name, below)
    if not context.path and context.kind is None:
        properties |= {name: {} for name in _OF_EVERY_OBJECT}
    items = [
        _key(name, below, name in required_names, catalog)
        for name, below in properties.items()
        if name not in at.siblings
    ]
    return Proposals(items, len(at.word))


def _key(name: str, schema: Schema, is_required: bool, catalog: Catalog) -> Proposal:
    expression = schema.get("x-expression")
    dialect = catalog.dialects[expression["dialect"]] if expression else None
    detail = f"{dialect.language} expression" if dialect else str(schema.get("type", ""))
    parts = [schema.get("description", ""), dialect.description if dialect else ""]
    return Proposal(
        label=name,
        kind=lsp.CompletionItemKind.Property,
        detail=f"{detail}, required".removeprefix(", ") if is_required else detail,
        documentation="\n\n".join(filter(None, parts)),
        insert=f"{name}: ",
        rank=0 if is_required else 1,
    )


def values(at: AtValue, catalog: Catalog) -> Proposals:
    """The strings that a value may be, if they are limited."""
    items = [Proposal(text, lsp.CompletionItemKind.EnumMember) for text in _values(at, catalog)]
    return Proposals(items, len(at.word))


def _values(at: AtValue, catalog: Catalog) -> Iterator[str]:
    context = at.context
    if context.path == ("apiVersion",):
        name = context.object.get("kind")
        for kind in catalog.kinds:
            if not isinstance(name, str) or name == kind.kind:
                yield from (f"{kind.group}/{version}" for version in kind.versions if kind.group)
    elif context.path == ("kind",):
        group = group_kind_of(context.object).group
        yield from (kind.kind for kind in catalog.kinds if group in ("", kind.group))
    for schema in context.schemas:
        if schema.get("type") == "boolean":
            yield from ("true", "false")
        yield from (constant for constant in schema.get("enum", ()) if isinstance(constant, str))


def _known_fields(
    at: InExpression,
    settings: Settings,
    parts: Iterable[Analysis],
    tests: Iterable[HealthTest],
    strings: Container[str],
) -> KnownFields:
    """From CRDs and the catalogue, from fixtures of health tests and other expressions of the file.

    The analyses may be of earlier texts, so one that is no longer among the `strings` of the file
    is left out.
    """
    kind = at.context.objects
    group_kind = GroupKind.of(*kind)
    schema = settings.crds.find(*kind) if kind[1] else None
    objects = [obj for obj in _fixtures(tests) if object_ref_of(obj).group_kind == group_kind]
    facts = kind_facts(*group_kind, settings.catalog.directories)
    words = words_of(facts) if facts else {}
    objects += [state.object for state in facts.life if not state.until] if facts else ()
    compared_texts = _compared_texts(parts, group_kind, strings)
    if _TYPES not in words:
        compared_texts[_TYPES] = list(dict.fromkeys((*compared_texts.get(_TYPES, ()), *_CUSTOMARY)))
    return KnownFields.of(schema, objects, compared_texts, words)


def _fixtures(tests: Iterable[HealthTest]) -> Iterator[Mapping[str, Value]]:
    for test in tests:
        for case in test.cases:
            for step in case.steps:
                every = (*step.objects, step.owner)
                yield from (obj for obj in every if isinstance(obj, Mapping))


def _compared_texts(
    parts: Iterable[Analysis], group_kind: GroupKind, strings: Container[str]
) -> dict[Steps, Sequence[str]]:
    """The strings that expressions about the same kind compare fields with."""
    texts_by_field: dict[Steps, dict[str, None]] = {}
    expressions = (
        expression for part in parts for obj in part.result.checked for expression in obj.cel
    )
    for expression in expressions:
        program = expression.program
        if program.tree is None or len(program.text) > _LONGEST:
            continue
        if GroupKind.of(*expression.objects) == group_kind:
            for path, text, _ in comparisons(program.tree, program.dialect):
                if text in strings:
                    texts_by_field.setdefault(path, {})[text] = None
    return {path: list(texts) for path, texts in texts_by_field.items()}


def _in_template(
    text: str, span: Span, offset: int, other_providers: Sequence[Value]
) -> Proposals | None:
    """The proposals in an action of a template, None outside of one.

    The document of the ResourceSet has the `span` of the text, the cursor is at `offset`;
    `other_providers` are those of other files.
    """
    start, end = span
    if "<<" not in text[start:offset]:
        return None
    scalar = marked_scalar(text[start:end], offset - start)
    if scalar is None or not _is_template(scalar.document, scalar.path):
        return None
    at = complete(scalar.before + scalar.after, len(scalar.before))
    if at is None:
        return None
    if at.path is None:
        words = [*OPERATOR, *_KEYWORDS]
        return _proposals(words, lsp.CompletionItemKind.Function, at.prefix)
    parts: Iterable[Value] = _inputs(scalar.document.value, text, other_providers)
    for step in at.path:
        parts = [inner for part in parts for inner in _values_inside(part, step)]
    names = dict.fromkeys(name for part in parts if isinstance(part, dict) for name in part)
    return _proposals(names, lsp.CompletionItemKind.Field, at.prefix)


def _proposals(names: Iterable[str], kind: lsp.CompletionItemKind, prefix: str) -> Proposals:
    return Proposals([Proposal(name, kind) for name in names], len(prefix))


def _is_template(document: Document, path: Path) -> bool:
    value = document.value
    part = path[1:2] if path[1:2] != ("steps",) else path[3:4]
    return isinstance(value, dict) and is_resource_set(value) and bool(TEMPLATES & {*part})


def _inputs(value: Mapping[str, Value], text: str, other_providers: Sequence[Value]) -> list[Value]:
    """The input sets that the file and the providers of other files show."""
    if wrong_type(dict(value)):
        return []
    own_providers = providers(all_objects(read(text)))
    spec_without_providers = {
        key: field for key, field in value["spec"].items() if key != "inputsFrom"
    }
    for spec in (value["spec"], spec_without_providers):
        try:
            return combine(
                {**value, "spec": spec}, all_providers(own_providers, other_providers).known
            )
        except InputSetError:
            continue
    return []


def _values_inside(part: Value, step: str) -> Iterator[Value]:
    if isinstance(part, dict):
        yield from part.values() if step == ITEM else [part.get(step)]
    elif isinstance(part, list) and step == ITEM:
        yield from part


def _kinds(at: AtValue, catalog: Catalog) -> Iterator[Proposal]:
    """The `apiVersion` or `kind` of an entry, given the other one."""
    context = at.context
    if not context.names_objects:
        return
    all_kinds = _all_kinds(catalog)
    if context.path[-1] == "kind":
        group = GroupKind.of(text_at(context.mapping_around, ("apiVersion",)), "").group
        names = {kind.kind for kind in all_kinds if kind.group == group or not group}
        yield from (Proposal(name, lsp.CompletionItemKind.EnumMember) for name in sorted(names))
    elif context.path[-1] == "apiVersion":
        name, group = text_at(context.mapping_around, ("kind",)), at.word.partition("/")[0]
        kinds = [kind for kind in all_kinds if kind.kind == name] or all_kinds
        versions = {
            f"{facts.group}/{version}".lstrip("/"): facts.project
            for facts in _facts_of((kind for kind in kinds if group in kind.group), catalog)
            for version in facts.content["crd"]["versions"]
        }
        for label, project in versions.items():
            yield Proposal(label, lsp.CompletionItemKind.EnumMember, project)


def _entries(at: AtKey, catalog: Catalog) -> Iterator[Proposal]:
    """Whole entries: for any kind in an item without keys, for its own below `kind`."""
    schemas = at.context.schemas
    items = [below for schema in schemas if (below := schema.get("items"))]
    marks = [schema["x-check"] for schema in (*schemas, *items) if "x-check" in schema]
    dialects = [catalog.dialects[mark["dialect"]] for mark in marks if "dialect" in mark]
    roles = {role.name for dialect in dialects for role in dialect.roles}
    kinds = _all_kinds(catalog) if roles else []
    if at.siblings == {"apiVersion", "kind"}:
        kinds = [kind for kind in kinds if kind == group_kind_of(at.mapping)]
    elif at.siblings:
        return
    else:
        word = at.word.lower()
        kinds = [kind for kind in kinds if word in str(kind).lower()]
    for facts in _facts_of(kinds, catalog):
        if facts.entry and facts.entry.keys() <= roles:
            yield _entry(facts, at, in_list=bool(items))


def _entry(facts: KindFacts, at: AtKey, *, in_list: bool) -> Proposal:
    """The keys of an entry; editors indent further lines like the first, up to its dash."""
    suggestion = of_facts(facts)
    fields = {key: text for key, text in suggestion.fields.items() if key not in at.siblings}
    first_line, *other_lines = item(fields)
    if not in_list:
        first_line = first_line.removeprefix("- ")
    if not (in_list or at.dash):
        other_lines = [line.removeprefix("  ") for line in other_lines]
    name = str(suggestion.kind)
    return Proposal(
        label=f"{', '.join(fields)} of {name}" if at.siblings else name,
        kind=lsp.CompletionItemKind.Snippet,
        detail=f"entry, {suggestion.basis}",
        documentation="\n\n".join(suggestion.reasons),
        insert="\n".join((first_line, *other_lines)),
    )


def _all_kinds(catalog: Catalog) -> list[GroupKind]:
    return [GroupKind(*names) for names in known_kinds(catalog.directories)]


def _facts_of(group_kinds: Iterable[GroupKind], catalog: Catalog) -> Iterator[KindFacts]:
    for group_kind in islice(group_kinds, _MOST):
        if facts := kind_facts(*group_kind, catalog.directories):
            yield facts
