"""Flux's shell-like expansion of `${VAR}`: its grammar and its operators.

A reading of `github.com/fluxcd/pkg/envsubst` 1.8.0, the fork of
`drone/envsubst` that the kustomize-controller runs over each object after the
build, oddities included: `$$` is `$`, `${v-d}` is refused, `${v:+x}` and
`${v:?x}` are defaults like `${v:=x}`.
"""

from __future__ import annotations

from celvet.lint.manifest.substitute.expand import Expansion, Piece, expand
from celvet.lint.manifest.substitute.grammar import BadSubstitutionError

__all__ = ["BadSubstitutionError", "Expansion", "Piece", "expand"]
