"""YAML and JSON manifests with the place of everything in them.

The way of a file: `encoding` (bytes to text), `split` (text to documents),
`events` (libyaml) and `compose` (nodes and values), `rewrite` (Flux's `${VAR}`),
`objects` (lists, patches and resource sets unfolded). `lint.locate` turns the
places into lines and columns.
"""

from __future__ import annotations

from lint.manifest.comments import Comment, comments
from lint.manifest.document import Document, Manifest
from lint.manifest.kube_object import KubeObject
from lint.manifest.naming import entry_at
from lint.manifest.node import Node
from lint.manifest.objects import objects, whole_objects
from lint.manifest.problem import KINDS, Problem
from lint.manifest.read import read
from lint.manifest.sops import is_encrypted

__all__ = [
    "KINDS",
    "Comment",
    "Document",
    "KubeObject",
    "Manifest",
    "Node",
    "Problem",
    "comments",
    "entry_at",
    "is_encrypted",
    "objects",
    "read",
    "whole_objects",
]
