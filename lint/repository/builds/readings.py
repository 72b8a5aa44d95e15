"""The kustomizations that kustomize cannot read, for which it refuses the whole build.

Mirrors `LoadKustFile` and `Load` of kustomize 5.8 (api/internal/target/kusttarget.go), `CheckEmpty`
and `EnforceFields` (api/types/kustomization.go).
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from celvet.lint.kustomize.errors import KustomizeError
from celvet.lint.kustomize.generators import GENERATORS
from celvet.lint.kustomize.resource import SourcePlace, TextDocument
from celvet.lint.model import Value, Where
from celvet.lint.repository.files import Files, cached_with_files
from celvet.lint.repository.object_form import BuildFailure
from celvet.lint.rule_ids import DUPLICATE_KEY, YAML_SYNTAX
from celvet.lint.similar import closest_name
from celvet.lint.values import list_at, mapping_at, text_at

_API = "kustomize.config.k8s.io"
_VERSIONS = {"Kustomization": f"{_API}/v1beta1", "Component": f"{_API}/v1alpha1"}
_ITEMS: Mapping[str, type] = {
    "bases": str,
    "components": str,
    "configMapGenerator": dict,
    "configurations": str,
    "crds": str,
    "generators": str,
    "helmCharts": dict,
    "images": dict,
    "labels": dict,
    "patches": dict,
    "patchesJson6902": dict,
    "patchesStrategicMerge": str,
    "replacements": dict,
    "replicas": dict,
    "resources": str,
    "secretGenerator": dict,
    "transformers": str,
    "validators": str,
}
"""The fields of a kustomization that are lists, with the type of their items."""
_FIELDS = (
    *_ITEMS,
    *("buildMetadata", "commonAnnotations", "commonLabels", "generatorOptions", "helmGlobals"),
    *("helmChartInflationGenerator", "imageTags", "metadata", "namePrefix", "nameSuffix"),
    *("namespace", "openapi", "sortOptions", "vars"),
)

_GENERATED = ("name", "namespace", "behavior")


@cached_with_files
def misread_kustomization(files: Files, directory: str) -> BuildFailure | None:
    """Why kustomize cannot read the kustomization of a directory, wherever it is included."""
    names = [*files.kustomizations(directory)]
    if len(names) > 1:
        reason = f"`{directory or '.'}` has several kustomization files"
        places = tuple(SourcePlace(name, Where(1, ())) for name in names)
        return BuildFailure(reason, "Keep one of them.", places)
    if names and (failure := broken_file(files, names[0])):
        return failure
    document = _kustomization(files, names[0]) if names else None
    if document is None or not isinstance(document.value, dict):
        return None
    kind, version = (text_at(document.value, (field,)) for field in ("kind", "apiVersion"))
    required_version = _VERSIONS.get(kind or "Kustomization")
    if required_version is None:
        reason = f"`{names[0]}` is a `{kind}`, not a `Kustomization`"
        return BuildFailure(reason, "Correct its `kind`.", (document.at(("kind",)),))
    if version and version != required_version:
        reason = f"`{names[0]}` has the `apiVersion` `{version}`"
        help_ = f"Write `apiVersion: {required_version}`."
        return BuildFailure(reason, help_, (document.at(("apiVersion",)),))
    return _misshapen_field(document, names[0]) or _unfit_generator(document, names[0])


@cached_with_files
def misread_inclusion(files: Files, directory: str) -> BuildFailure | None:
    """Why kustomize cannot include a directory, which it reads more strictly.

    The kustomization of the path itself is read by Flux, which drops what it does not know and
    accepts an empty one (`WriteFile` of fluxcd/pkg/kustomize 1.44, kustomize_generator.go).
    """
    name = files.kustomization(directory)
    document = _kustomization(files, name) if name else None
    if document is None or not isinstance(document.value, dict):
        return None
    fields = [key for key in document.value if key not in ("apiVersion", "kind")]
    if all(document.value[key] in (None, "") for key in fields):
        return BuildFailure(f"`{name}` is empty", "List its resources.", (document.at(()),))
    known_fields = {field.lower() for field in _FIELDS}
    for key in fields:
        if key.lower() not in known_fields:
            likely_key = closest_name(key, _FIELDS)
            help_ = f"Write `{likely_key}`." if likely_key else "Remove it."
            return BuildFailure(f"`{name}` has a field `{key}`", help_, (document.at((key,)),))
    return None


def broken_file(files: Files, name: str) -> BuildFailure | None:
    """Why no one can read a file: it is not YAML."""
    try:
        documents = files.manifest(name).documents
    except KustomizeError:
        return None
    for document in documents:
        kinds = {problem.kind for problem in document.problems}
        if not document.readable and kinds & {YAML_SYNTAX, "undefined-alias"}:
            place = SourcePlace(name, Where(document.index, ()))
            return BuildFailure(f"`{name}` is not YAML", "Correct it.", (place,))
    return None


def repeated_key(files: Files, name: str) -> BuildFailure | None:
    """Which mapping of an object has a key twice: kustomize writes objects as JSON."""
    for document in files.manifest(name).documents:
        for problem in document.problems if document.readable else ():
            if problem.kind == DUPLICATE_KEY:
                reason = f"{problem.message.rpartition(': ')[0]} in a mapping of `{name}`"
                return BuildFailure(reason, problem.help, (SourcePlace(name, problem.where),))
    return None


def _misshapen_field(document: TextDocument, name: str) -> BuildFailure | None:
    for field, item_type in _ITEMS.items():
        items = mapping_at(document.value).get(field)
        if isinstance(items, str | dict):
            reason = f"`{field}` in `{name}` is not a list"
            return BuildFailure(reason, "Write a list.", (document.at((field,)),))
        for index, item in enumerate(items or ()):
            if isinstance(item, dict if item_type is str else str):
                form = "text" if item_type is str else "mapping"
                reason = f"an item of `{field}` in `{name}` is not a {form}"
                help_ = "Write `- path: ...`." if field == "patches" else f"Write a {form}."
                return BuildFailure(reason, help_, (document.at((field, index)),))
    return None


def _unfit_generator(document: TextDocument, name: str) -> BuildFailure | None:
    """Why a ConfigMap or a Secret cannot be made (api/internal/generators)."""
    for field in GENERATORS:
        names = set()
        for index, entry in enumerate(list_at(document.value, (field,))):
            title, namespace, behavior = (text_at(entry, (key,)) for key in _GENERATED)
            is_nameless = mapping_at(entry).get("name") in (None, "")
            reason = "has no name" if is_nameless else _unfit_source(entry)
            if (title, namespace) in names and behavior in ("", "create"):
                reason = "repeats the name"
            if reason:
                subject = "an entry" if is_nameless else f"`{title}`"
                reason = f"{subject} of `{field}` in `{name}` {reason}"
                return BuildFailure(reason, "Correct it.", (document.at((field, index)),))
            names.add((title, namespace))
    return None


def _unfit_source(entry: Value) -> str:
    """Why what a generator takes its data from is refused; empty if it may be accepted."""
    literals = [text for text in list_at(entry, ("literals",)) if isinstance(text, str)]
    if bad_literal := next((text for text in literals if not text.partition("=")[0]), ""):
        return f"has the literal `{bad_literal}` without a key"
    if bad_literal := next((text for text in literals if "=" not in text), ""):
        return f"has the literal `{bad_literal}` without a value"
    files = [text for text in list_at(entry, ("files",)) if isinstance(text, str)]
    file_keys = (text.partition("=")[0] for text in files)
    keys = [*(text.partition("=")[0] for text in literals), *map(posixpath.basename, file_keys)]
    repeated_key = next((key for key in keys if keys.count(key) > 1), "")
    return f"has the key `{repeated_key}` twice" if repeated_key else ""


def _kustomization(files: Files, name: str) -> TextDocument | None:
    """The only document of a kustomization that is not null, or an empty one if all are null."""
    try:
        documents = [text for text in files.documents(name) if text.value is not None]
    except KustomizeError:
        return None
    if not documents:
        return TextDocument({}, lambda path: SourcePlace(name, Where(1, path)))
    return documents[0] if len(documents) == 1 else None
