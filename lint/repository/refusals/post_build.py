"""What post-build substitution refuses in the objects of a build.

Mirrors `varSubstitution` of fluxcd/pkg/kustomize 1.44 (kustomize_varsub.go).
"""

from __future__ import annotations

from celvet.lint.kustomize.resource import SourcePlace
from celvet.lint.manifest.substitute.grammar import BadSubstitutionError, parse
from celvet.lint.manifest.substitute.substitution import stays_plain, substitute
from celvet.lint.manifest.yaml.substituted import is_refused
from celvet.lint.repository.builds.build import Build, transform
from celvet.lint.repository.files import Files
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.object_form import BuildFailure
from celvet.lint.repository.variables.post_build import Variables, variables
from celvet.lint.repository.variables.substitution import is_exempt, names_in
from celvet.lint.values import list_at, mapping_at, parts_in
from celvet.regex import regex

_VARIABLE = regex(r"[_a-zA-Z][_a-zA-Z0-9]*")
_CONTINUATIONS = ('\n"}', '\n"/}', '\n":}')
"""What may follow a text in the YAML of its object, where Flux looks for the end."""


def substitution_refusal(instance: Instance, build: Build, files: Files) -> BuildFailure | None:
    """Why Flux cannot replace the variables of an instance in what it builds."""
    values = variables(instance.resource, instance.kind.variables, files)
    if values is None or not (_substitutes(instance, values) and build.entries):
        return None
    return _name_refusal(instance) or _text_refusal(build, files, values)


def _substitutes(instance: Instance, values: Variables) -> bool:
    """Whether Flux replaces variables: without any, it does not even read the texts.

    A source that is not optional either has some or makes the build fail as well.
    """
    post_build = mapping_at(instance.resource.value, instance.kind.variables)
    sources = list_at(post_build, ("substituteFrom",))
    is_required = any(mapping_at(source).get("optional") is not True for source in sources)
    return bool(values.values or values.complete or is_required)


def _name_refusal(instance: Instance) -> BuildFailure | None:
    inline = (*instance.kind.variables, "substitute")
    for name in mapping_at(instance.resource.value, inline):
        if not _VARIABLE.fullmatch(name):
            path = (*inline, name)
            place = instance.resource.last_writer(*path) or instance.file_object.at(path)
            reason = f"`{name}` is not the name of a variable"
            return BuildFailure(reason, "Use letters, digits and underscores.", (place,))
    return None


def _text_refusal(build: Build, files: Files, values: Variables) -> BuildFailure | None:
    """The first text that Flux cannot replace, in an object that is known as a whole."""
    for entry in build.entries:
        for obj in files.objects(entry.file) if files.may_hold(entry.file, b"${") else ():
            resource = transform(obj.value, entry.passes)
            if resource is None or resource.unknown or is_exempt(resource):
                continue
            for path, text in parts_in(resource.value):
                if not isinstance(text, str) or "${" not in text:
                    continue
                if reason_and_help := _reason(text, values, in_list=isinstance(path[-1], int)):
                    place: SourcePlace = resource.last_writer(*path) or obj.at(path)
                    return BuildFailure(*reason_and_help, (place,))
    return None


def _reason(text: str, values: Variables, *, in_list: bool) -> tuple[str, str] | None:
    """Why Flux refuses a text with its variables, and the advice."""
    names = names_in(text)
    if "" in names:
        # Flux substitutes in the whole object, so what follows the text may still close the braces.
        is_refused_anywhere = all(map(_syntax_error, (text + more for more in _CONTINUATIONS)))
        help_text = "Write `$${` for what is no variable of Flux, or correct it."
        return (_syntax_error(text), help_text) if is_refused_anywhere else None
    # kustomize writes the object before Flux substitutes: only a scalar that it leaves without
    # quotes can break the YAML.
    if not stays_plain(text) or not all(map(values.knows, names)):
        return None
    result = substitute(text, values.values)
    if result.refusal or not is_refused(result.text, in_list=in_list):
        return None
    name = next(name for name in sorted(names) if name in values.values)
    return (
        f"`{text}` becomes `{result.text}`, which is not YAML",
        f"Put quotes into the value of `{name}`, as in `'\"...\"'`; kustomize drops others.",
    )


def _syntax_error(text: str) -> str:
    try:
        parse(text)
    except BadSubstitutionError as error:
        return str(error)
    return ""
