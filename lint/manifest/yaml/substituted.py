"""Applies Flux's substitution to the scalars of a document as they are composed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

import yaml

from celvet.lint.manifest.file_limits import MAX_VARIABLES, Budget
from celvet.lint.manifest.problem import Refused
from celvet.lint.manifest.source.document_text import DocumentText
from celvet.lint.manifest.substitute.substitution import (
    DISABLED_KEY,
    Substituted,
    stays_plain,
    substitute,
)
from celvet.lint.manifest.yaml.compose import Composer, NodeRewriter
from celvet.lint.manifest.yaml.node import YamlNode, node_at
from celvet.lint.manifest.yaml.plain import TextRewriter
from celvet.lint.model import Span, Value
from celvet.record import replace
from celvet.regex import regex

_PLACEHOLDER = regex(r"\$\{\{([^{}\r\n]*+)\}\}")
"""An expression of a software template of Backstage, or of a workflow; Flux refuses it."""


def rewriter(variables: Mapping[str, str], exempt: list[Span], budget: Budget) -> NodeRewriter:
    """Substitutes in a scalar that contains `${`, for the composer.

    A text with a variable without a value stays unchanged, and its node says so; one that Flux
    refuses to expand stays unchanged too. So do nodes in an exempt range of the file's text; the
    ranges are in order and do not overlap.
    """
    starts = [span.start for span in exempt]

    def rewrite(node: YamlNode, value: Value) -> tuple[YamlNode, Value]:
        index = bisect_right(starts, node.start) - 1
        # Flux substitutes object by object, and leaves out those with the label or annotation that
        # disables it.
        if index >= 0 and node.start < exempt[index].end:
            return node, value
        budget.variables -= node.text.count("${")
        if budget.variables < 0:
            message = f"the file uses `${{...}}` more than {MAX_VARIABLES} times"
            raise Refused("too-large", message, "Split the file.", node.span)
        result = substitute(node.text, variables)
        if names := _names_without_value(result):
            return replace(node, missing=names), value
        if result.refusal:
            return node, value
        # Flux replaces in the text of the object, so the new text is read as YAML again:
        # `"${port}"` may become a number once kustomize has dropped the quotes.
        value = value_of(result)
        if isinstance(value, str) and value != result.text:
            result = result.renamed(value)
        return replace(node, text=result.text, substituted=result), value

    return rewrite


def text_rewriter(variables: Mapping[str, str]) -> TextRewriter:
    """Substitutes in a text that contains `${`, for `plain_value`; no range is exempt."""

    def rewrite(text: str, value: Value) -> tuple[Value, Sequence[str]]:
        result = substitute(text, variables)
        names = _names_without_value(result)
        return (value, names) if names or result.refusal else (value_of(result), ())

    return rewrite


def _names_without_value(result: Substituted) -> tuple[str, ...]:
    """The variables of a text without a value, and what others replace before Flux reads it."""
    return tuple(_PLACEHOLDER.findall(result.text)) if result.refusal else result.missing


def value_of(result: Substituted) -> Value:
    """A scalar after substitution."""
    return _read_anew(result.text) if stays_plain(result.original) else result.text


def _read_anew(text: str) -> Value:
    """The value of a substituted text that YAML has without quotes.

    It is indented, so that it cannot be taken for a document marker.
    """
    composer = Composer(DocumentText.of(f" {text}", Span(0, len(text) + 1), 1), Budget())
    try:
        composer.compose()
    except (Refused, yaml.YAMLError):
        return text
    return composer.value


def is_refused(text: str, *, in_list: bool) -> bool:
    """Whether a substituted text that YAML has without quotes makes its document no YAML."""
    line = f"- {text}\n" if in_list else f"a: {text}\n"
    try:
        Composer(DocumentText.of(line, Span(0, len(line)), 1), Budget()).compose()
    except yaml.YAMLError:
        return True
    except Refused:
        pass
    return False


def exempt_ranges(root: YamlNode) -> list[Span]:
    """The ranges of the objects on which substitution is switched off.

    Label or annotation, on the object itself or, for a `List`, on an item.
    """
    if _is_exempt(root):
        return [root.span]
    items = node_at(root, ("items",))
    return [item.span for item in (items.items if items else ()) if _is_exempt(item)]


def _is_exempt(node: YamlNode) -> bool:
    marks = (node_at(node, ("metadata", where, DISABLED_KEY)) for where in _PLACES)
    return any(mark is not None and mark.text == "disabled" for mark in marks)


_PLACES = ("labels", "annotations")
