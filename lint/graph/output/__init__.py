"""The formats of `celvet graph`: one module for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.formats import Formats

if TYPE_CHECKING:
    from celvet.lint.graph.nodes import Graph

FORMATS: Formats[Graph] = Formats(__name__, __path__)
"""JSON for programs; a tree for a terminal and for a browser; dot and Mermaid to be drawn."""
