"""The validator of a kind: jsonschema with our keywords and annotations."""

from __future__ import annotations

import functools
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.validators import extend

from lint.sites.annotations import NOTES, Validator
from lint.sites.keywords import KEYWORDS, WITHOUT_ABSENCE
from schemas import Kind

_COMPLETE: Any = extend(  # type: ignore[no-untyped-call]
    Draft202012Validator, {**KEYWORDS, **NOTES}
)
_PARTIAL: Any = extend(_COMPLETE, WITHOUT_ABSENCE)  # type: ignore[no-untyped-call]


@functools.lru_cache(maxsize=256)
def validator_of(kind: Kind, partial: bool) -> Validator:
    """The validator of a kind; a partial one asks for nothing that is absent."""
    return (_PARTIAL if partial else _COMPLETE)(kind.schema)
