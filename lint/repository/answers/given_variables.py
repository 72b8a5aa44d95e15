"""The values of the variables in a file, and who gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from celvet.lint.kustomize.resource import ObjectName
from celvet.lint.manifest.objects.held import holds_text
from celvet.lint.model import Value
from celvet.lint.repository.applications import Applications
from celvet.lint.repository.files import FileObject, Files
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.object_form import VariableOrigin
from celvet.lint.repository.variables.post_build import sources, variables
from celvet.lint.repository.variables.substitution import with_defaults
from celvet.lint.values import mapping_at, object_ref_of, text_at


class GivenVariables:
    """The variables for which all who apply a file have the same value."""

    def __init__(self, files: Files, applications: Applications) -> None:
        self._files, self._applications = files, applications
        self._values = cache(self._find_values)
        self._readings = cache(self._find_readings)
        self._keeps = cache(self._keeps_data)
        self.keeps_sources = cache(self._keeps_sources)
        self.is_certain = cache(self._is_certain)

    def of(self, file: str, names: Sequence[str]) -> Mapping[str, str]:
        """The known values of these variables in a file."""
        known = self._values(file)
        return {name: known[name] for name in names if name in known}

    def origins(self, file: str, names: Sequence[str]) -> Mapping[str, VariableOrigin]:
        """Who gives them; of several who apply the file, the first one."""
        by = self._applications.of(file)[0].by
        return {name: self._origin(by, name) for name in self.of(file, names)} if by else {}

    def as_written(self, file: str, value: dict[str, Value]) -> dict[str, Value]:
        """An object of a file before its variables got their values, which each parent may set."""
        return next((raw for raw, read in self._readings(file) if value in read), value)

    def sources(self, instance: Instance) -> list[FileObject]:
        """The ConfigMaps of the repository with variables of an instance."""
        found = sources(instance.resource, instance.kind.variables, self._files)
        return [each for each in found if each]

    def _keeps_sources(self, instance: Instance) -> bool:
        """Whether the ConfigMaps with its variables are in the cluster as they are in the files."""
        namespace = instance.resource.identity.namespace
        return all(self._keeps(each, namespace) for each in self.sources(instance))

    def _is_certain(self, instance: Instance) -> bool:
        """Whether an instance is in the cluster in the form in which it was followed."""
        by = instance.by
        is_known = self.is_certain(by) if by else not self._applications.may_be_changed(instance)
        reads = holds_text(instance.file_object.value, "${")
        return is_known and (self.keeps_sources(by or instance) or not reads)

    def _keeps_data(self, file_object: FileObject, namespace: str) -> bool:
        """Whether all who apply a ConfigMap leave its data and name, and put it in a namespace."""
        file, value = file_object.file, file_object.value
        name = ObjectName(namespace, text_at(value, ("metadata", "name")))
        made = (
            self._applications.transform(each, value)
            for each in self._applications.of(file)
            if each.by
        )
        return all(
            each
            and each.knows("data")
            and each.value.get("data") == value["data"]
            and each.identity == name
            for each in made
        )

    def _origin(self, by: Instance, name: str) -> VariableOrigin:
        title = object_ref_of(by.resource.value).title
        inline = (*by.kind.variables, "substitute")
        if name in mapping_at(by.resource.value, inline):
            path = (*inline, name)
            return VariableOrigin(title, by.resource.last_writer(*path) or by.file_object.at(path))
        last = [each for each in self.sources(by) if name in mapping_at(each.value, ("data",))][-1]
        return VariableOrigin(title, last.at(("data", name)))

    def _find_values(self, file: str) -> Mapping[str, str]:
        appliers = (each.by for each in self._applications.of(file))
        first, *others = [self._certain(by) if by else {} for by in appliers]
        return {
            name: text
            for name, text in first.items()
            if all(each.get(name) == text for each in others)
        }

    def _find_readings(self, file: str) -> list[tuple[dict[str, Value], list[dict[str, Value]]]]:
        """The objects of a file with a variable: as written, and in both ways to read it."""
        if not self._files.may_hold(file, b"${"):
            return []
        values = (each.value for each in self._files.objects(file))
        known = self._values(file)
        return [
            (each, [with_defaults(each, {}), with_defaults(each, known)])
            for each in values
            if holds_text(each, "${")
        ]

    def _certain(self, instance: Instance) -> Mapping[str, str]:
        """The variables of an instance whose values the repository tells."""
        known = variables(instance.resource, instance.kind.variables, self._files)
        if known is None or not (self.is_certain(instance) and self.keeps_sources(instance)):
            return {}
        return {name: known.values[name] for name in known.certain}
