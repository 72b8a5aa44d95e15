"""YAML and JSON manifests with the place of everything in them.

The way of a file: `encoding` (bytes to text), `split` (text to documents),
`events` (libyaml) and `compose` (nodes and values), `rewrite` (Flux's `${VAR}`),
`objects` (lists, patches and resource sets unfolded). `celvet.lint.locate` turns the
places into lines and columns.
"""

from __future__ import annotations

from celvet.lint.manifest.comments import Comment, comments
from celvet.lint.manifest.document import Document, Manifest
from celvet.lint.manifest.objects.entry_names import entry_at
from celvet.lint.manifest.objects.extract import objects_in, whole_objects
from celvet.lint.manifest.objects.kube_object import KubeObject
from celvet.lint.manifest.problem import KINDS, Problem
from celvet.lint.manifest.read import read
from celvet.lint.manifest.sops import is_encrypted
from celvet.lint.manifest.yaml.node import Node

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
    "objects_in",
    "read",
    "whole_objects",
]
