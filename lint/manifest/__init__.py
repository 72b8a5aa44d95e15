"""Reads YAML and JSON manifests, with the position of everything in them.

A file passes through `source` (bytes to text, text to documents), `yaml` (nodes and values, with
Flux's `${VAR}` replaced by `substitute`) and `objects` (list items, inline patches, objects that
others hold). `syntax` explains syntax errors. `celvet.lint.locate` turns the places into lines and
columns.

From top to bottom; a module imports only from those below it:

    reader
    objects | comment | syntax
    document
    yaml
    substitute | source
    problem | limits

`read` gives the documents of a file, `objects_in` the objects of a document, `all_objects` those of
a file, patches and templates included, `whole_objects` those of them that will be applied
unchanged. Names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from celvet.lint.lazy import on_first_use

if TYPE_CHECKING:
    from celvet.lint.manifest.comment import Comment as Comment
    from celvet.lint.manifest.comment import comments as comments
    from celvet.lint.manifest.document import Document as Document
    from celvet.lint.manifest.document import Manifest as Manifest
    from celvet.lint.manifest.objects.entry_names import entry_at as entry_at
    from celvet.lint.manifest.objects.extract import all_objects as all_objects
    from celvet.lint.manifest.objects.extract import objects_in as objects_in
    from celvet.lint.manifest.objects.extract import patch_objects as patch_objects
    from celvet.lint.manifest.objects.extract import whole_objects as whole_objects
    from celvet.lint.manifest.objects.kube_object import KubeObject as KubeObject
    from celvet.lint.manifest.problem import KINDS as KINDS
    from celvet.lint.manifest.problem import Problem as Problem
    from celvet.lint.manifest.reader import read as read
    from celvet.lint.manifest.reader import read_unsubstituted as read_unsubstituted
    from celvet.lint.manifest.reader import read_value as read_value
    from celvet.lint.manifest.yaml.node import YamlNode as YamlNode

_MODULES = {
    "comment": "Comment comments",
    "document": "Document Manifest",
    "objects.entry_names": "entry_at",
    "objects.extract": "all_objects objects_in patch_objects whole_objects",
    "objects.kube_object": "KubeObject",
    "problem": "KINDS Problem",
    "reader": "read read_unsubstituted read_value",
    "yaml.node": "YamlNode",
}
"""The names of each module; a test holds them against the imports above."""

__getattr__ = on_first_use(__name__, _MODULES)
