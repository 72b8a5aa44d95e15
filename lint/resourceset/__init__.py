"""ResourceSets as Flux Operator builds them, without a cluster.

    inputs = combine(resource_set, providers)
    for step in build(resource_set, inputs):
        for built in step.objects:
            built.value

`combine` gives the input sets: those of the ResourceSet, and those of its providers of type Static,
flattened or permuted. `build` renders the templates with each of them and gives the objects, step
by step, without those that the annotation `fluxcd.controlplane.io/reconcile: disabled` excludes and
without duplicates. Both are functions of JSON values, raise the operator's own errors
(`InputSetError`, `BuildError`), and mirror Flux Operator v0.59.

Each `BuiltObject` says which template and which input set it comes from, and has the rendered text
with its source map. `TextOrigin.locate` leads from the template on to the texts of the ResourceSet,
through the YAML that the operator makes from an object in `resources`.
"""

from celvet.lint.resourceset.build import BuildStep, BuiltObject, StepBudget, build
from celvet.lint.resourceset.errors import (
    BuildError,
    InputSetError,
    LocatedText,
    TextOrigin,
    UnknownInputsError,
)
from celvet.lint.resourceset.inputs import combine, takes, unmatched_sources
from celvet.lint.resourceset.known_inputs import TOTAL, Providers, all_providers, known_inputs
from celvet.lint.resourceset.shape import wrong_type
from celvet.lint.resourceset.stand_ins import build_with_stand_ins

__all__ = [
    "TOTAL",
    "BuildError",
    "BuildStep",
    "BuiltObject",
    "InputSetError",
    "LocatedText",
    "Providers",
    "StepBudget",
    "TextOrigin",
    "UnknownInputsError",
    "all_providers",
    "build",
    "build_with_stand_ins",
    "combine",
    "known_inputs",
    "takes",
    "unmatched_sources",
    "wrong_type",
]
