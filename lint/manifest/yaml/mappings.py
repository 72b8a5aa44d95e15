"""Builds a mapping from its nodes: duplicate keys, keys that are not strings, and merge keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from celvet.lint.manifest.problem import Problems
from celvet.lint.manifest.yaml.node import Entries, YamlNode, is_merge
from celvet.lint.manifest.yaml.resolve import key_name, key_value
from celvet.lint.model import Related, Value
from celvet.lint.safe_text import one_line


class BuiltMapping(NamedTuple):
    """The value of a mapping, and the nodes of its entries by the same names."""

    value: dict[str, Value]
    entries: Entries


class MappingBuilder:
    """Builds the mappings of one document and notes their problems."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems

    def build(
        self,
        pairs: Sequence[tuple[YamlNode, YamlNode]],
        keys: Sequence[Value],
        values: Sequence[Value],
    ) -> BuiltMapping:
        """The mapping of key and value nodes, with the values of both.

        The last of duplicate keys counts. Explicit entries take precedence over merged ones, of
        which the first in a list counts, as in YAML and kustomize. kubectl differs: there, a `<<`
        overrides what precedes it.
        """
        # `<<` may come anywhere in a mapping, so merged entries are collected apart.
        own_entries, merge_result = BuiltMapping({}, {}), BuiltMapping({}, {})
        mapping, entries = own_entries
        for pair, key_text, value in zip(pairs, keys, values, strict=True):
            key, node = pair
            if key.text == "<<" and is_merge(key):
                self._merge(merge_result, node, value)
                self._note_merge_order(key, own_entries, merge_result)
                continue
            name = key_text if type(key_text) is str and not key.substituted else self._name(key)
            if name is None:
                continue
            if name in entries:
                self._note_duplicate(name, key, entries[name][0])
            mapping[name] = value
            entries[name] = pair
        if not merge_result.value:
            return own_entries
        return BuiltMapping(
            merge_result.value | own_entries.value, merge_result.entries | own_entries.entries
        )

    def _merge(self, merged: BuiltMapping, node: YamlNode, value: Value) -> None:
        is_list = isinstance(value, list)
        nodes = node.resolved.items if is_list else (node,)
        values = value if is_list else [value]
        if not all(isinstance(source, dict) for source in values):
            message = "`<<` merges mappings only, so the document is refused"
            self._problems.add("bad-value", message, "Give `<<` an alias of a mapping.", node.span)
            return
        for source, content in zip(reversed(nodes), reversed(values), strict=True):
            merged.value.update(content)
            merged.entries.update(source.resolved.entries)

    def _note_merge_order(self, merge: YamlNode, own: BuiltMapping, merged: BuiltMapping) -> None:
        """Note an entry that precedes a `<<` that has another value for it."""
        for name in own.value.keys() & merged.value.keys():
            if own.value[name] != merged.value[name]:
                order = f"`{one_line(name)}` comes before `<<`, which has another value"
                message = f"{order}: Flux takes the first, `kubectl apply` that of `<<`"
                self._problems.add("merge-order", message, "Put `<<` first.", merge.span)

    def _name(self, key: YamlNode) -> str | None:
        """The name of an entry whose key may not be a string; None if every reader refuses it.

        Flux reads the file with kustomize, which has the booleans of YAML 1.2.
        """
        value = key_value(key.resolved)
        if isinstance(value, str):
            return value
        text, help_ = one_line(key.resolved.text), "Put the key in quotes."
        if value is None:
            noun = "`null`" if key.resolved.kind == "scalar" else f"a {key.resolved.kind}"
            message = f"a key must be a string, and {noun} is not one, so the document is refused"
            self._problems.add("key-type", message, help_, key.span)
            return None
        name = key_name(value)
        if isinstance(value, bool) and key.resolved.text.lower() != name:
            message = f"the key `{text}` is read as `{name}` by kubectl, as `{text}` by Flux"
        else:
            message = f"the key `{text}` is not a string: Flux refuses it, kubectl reads `{name}`"
        self._problems.add("key-text", message, help_, key.span)
        return name

    def _note_duplicate(self, name: str, key: YamlNode, earlier: YamlNode) -> None:
        key_text = one_line(name)
        message = f"the key `{key_text}` appears twice: Flux rejects it, kubectl takes the last"
        first_key = Related(f"`{key_text}` is also here", self._problems.at(earlier.span))
        self._problems.add("duplicate-key", message, "Remove one of the two.", key.span, first_key)
