"""Stand-ins for inputs that only the cluster knows: values that the templates can be built with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from celvet.lint.gotemplate import ITEM, ErrorKind, GoTemplate, Read, TemplateLimits
from celvet.lint.resourceset.build import Builder, BuildStep, StepBudget
from celvet.lint.resourceset.errors import BuildError
from celvet.lint.values import tree_of

InputPath = tuple[str, ...]

_VALUES: tuple[Any, ...] = (1, True, "", "==")
"""Replacements of an input: operands of several types, nothing, an operator."""
_COMPARISONS = frozenset(("eq", "ne"))
_MOST_BUILDS = 50
_MOST_REPAIRS = 12


def build_with_stand_ins(
    resource_set: dict[str, Any], budget: StepBudget
) -> Iterator[list[BuildStep]]:
    """Build a ResourceSet with several values for each input.

    In the first build, each input is the text that reads it, `<< inputs.name >>`. In each further
    one, one input is something else, such as a number, nothing, or a string that it is compared
    with. An input that a template can only use as a list, a map or a number is one in all builds. A
    build that still fails is left out; if it is the first, there are no builds.

    Args:
        resource_set: the object.
        budget: the steps that all builds may take together.

    Raises:
        BuildError: the operator refuses a template for its syntax, or the specification as such, or
            a bound is reached.
    """
    builder = Builder(resource_set, TemplateLimits(), budget)
    templates = builder.parse()
    reads = {template.source: template.analyse().reads for template in templates}
    tree = tree_of(
        input_read.path for template_reads in reads.values() for input_read in template_reads
    )
    for change in _changes(templates)[:_MOST_BUILDS]:
        steps = _StandIns(tree, reads, change).build(builder)
        if steps is not None:
            yield steps
        elif not change:
            return


def _changes(templates: Iterable[GoTemplate]) -> list[dict[InputPath, Any]]:
    """For each build, the input that is not its text, with its value; none in the first."""
    changes: list[dict[InputPath, Any]] = [{}]
    for template in templates:
        analysis = template.analyse()
        for path in dict.fromkeys(input_read.path for input_read in analysis.reads):
            is_compared = any(r.path == path and r.caller in _COMPARISONS for r in analysis.reads)
            changes += (
                {path: value} for value in (*_VALUES, *(analysis.texts if is_compared else ()))
            )
    return changes


class _StandIns:
    """Finds stand-ins by trial: if a template fails, the input there is replaced."""

    def __init__(
        self,
        tree: dict[str, Any],
        reads: Mapping[str, Sequence[Read]],
        change: Mapping[InputPath, Any],
    ) -> None:
        self._tree = tree
        self._reads = reads
        self._change = change
        self._failures: Counter[InputPath] = Counter()

    def build(self, builder: Builder) -> list[BuildStep] | None:
        """The objects, or None if nothing is found to build them with; raises at a bound."""
        for _ in range(_MOST_REPAIRS):
            try:
                return builder.build([self._inputs(self._tree, ())])
            except BuildError as error:
                if error.beyond:
                    raise
                if not self._repair(error):
                    return None
        return None

    def _repair(self, error: BuildError) -> bool:
        inner = error.template_error
        if inner is None or error.origin is None or inner.kind is not ErrorKind.EXECUTION:
            return False
        reads = self._reads[error.origin.template]
        # Replace the inputs that the failed action reads; if it reads none, the last one before it,
        # which a variable or a `range` may have passed on.
        reads_up_to_failure = [
            input_read for input_read in reads if input_read.span.start < inner.span.end
        ]
        culprits = [
            input_read
            for input_read in reads_up_to_failure
            if input_read.span.end > inner.span.start
        ] or reads_up_to_failure[-1:]
        self._failures.update({input_read.path for input_read in culprits})
        return bool(culprits)

    def _inputs(self, tree: dict[str, Any], path: InputPath) -> Any:
        fields = {
            name: self._inputs(part, (*path, name)) for name, part in tree.items() if name != ITEM
        }
        if fields or not path:
            return fields
        text = f"<< {'.'.join(('inputs', *path))} >>"
        choices: list[Any] = [text, 1, True, [text], {text: text}]
        if ITEM in tree:
            item = self._inputs(tree[ITEM], (*path, ITEM))
            choices = [[item], {text: item}, 1]
        elif path in self._change:
            choices.insert(0, self._change[path])
        return choices[min(self._failures[path], len(choices) - 1)]
