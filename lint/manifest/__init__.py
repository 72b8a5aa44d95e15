"""YAML and JSON manifests with the place of everything in them.

A file passes through `source` (bytes to text, text to documents), `yaml` (nodes
and values, with Flux's `${VAR}` replaced by `substitute`) and `objects` (list
items, inline patches, resources of a ResourceSet). `syntax` explains what cannot be
parsed. `celvet.lint.locate` turns the places into lines and columns.

From top to bottom; each imports only what stands below it:

    read
    objects | comments | syntax
    document
    yaml
    substitute | source
    problem | limits

`read` gives the documents of a file, `objects_in` the objects of a document, patches
and templates included, `whole_objects` those of a file that will be applied as they are.
"""

from __future__ import annotations

from celvet.lint.manifest.comments import Comment, comments
from celvet.lint.manifest.document import Document, Manifest, is_encrypted
from celvet.lint.manifest.objects.entry_names import entry_at
from celvet.lint.manifest.objects.extract import objects_in, whole_objects
from celvet.lint.manifest.objects.kube_object import KubeObject
from celvet.lint.manifest.problem import KINDS, Problem
from celvet.lint.manifest.read import read
from celvet.lint.manifest.yaml.node import YamlNode

__all__ = [
    "KINDS",
    "Comment",
    "Document",
    "KubeObject",
    "Manifest",
    "Problem",
    "YamlNode",
    "comments",
    "entry_at",
    "is_encrypted",
    "objects_in",
    "read",
    "whole_objects",
]
