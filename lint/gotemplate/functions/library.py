"""The functions that a template may call.

`OPERATOR` are those of Flux Operator v0.59: Go's own, slim-sprig's hermetic ones (which leave out
`now`, `date`, `env`, `uuidv4` and others, and replace Go's `slice`), `slugify`, `toYaml` and
`mustToYaml`. The execution puts its own `inputs` in place of the one here.
"""

from __future__ import annotations

from collections.abc import Mapping

from celvet.lint.gotemplate.functions.containers import CONTAINERS
from celvet.lint.gotemplate.functions.dates import DATES
from celvet.lint.gotemplate.functions.defaults import DEFAULTS
from celvet.lint.gotemplate.functions.encoding import DOCUMENTS, ENCODING
from celvet.lint.gotemplate.functions.matching import MATCHING
from celvet.lint.gotemplate.functions.numeric import NUMERIC
from celvet.lint.gotemplate.functions.signature import Function, function
from celvet.lint.gotemplate.functions.slugs import SLUGS
from celvet.lint.gotemplate.functions.standard import BUILTINS
from celvet.lint.gotemplate.functions.text import TEXT
from celvet.lint.gotemplate.functions.urls import URLS

OPERATOR: Mapping[str, Function] = {
    **BUILTINS,
    **TEXT,
    **NUMERIC,
    **CONTAINERS,
    **DEFAULTS,
    **DOCUMENTS,
    **ENCODING,
    **MATCHING,
    **DATES,
    **URLS,
    **SLUGS,
    "inputs": function("-> any", lambda: None),
}
