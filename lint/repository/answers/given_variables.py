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
        values = self._values(file)
        return {name: values[name] for name in names if name in values}

    def origins(self, file: str, names: Sequence[str]) -> Mapping[str, VariableOrigin]:
        """Who gives them; of several who apply the file, the first one."""
        by = self._applications.of(file)[0].by
        return {name: self._origin(by, name) for name in self.of(file, names)} if by else {}

    def as_written(self, file: str, value: dict[str, Value]) -> dict[str, Value]:
        """An object of a file before its variables got their values, which each parent may set."""
        return next((raw for raw, readings in self._readings(file) if value in readings), value)

    def sources(self, instance: Instance) -> list[FileObject]:
        """The ConfigMaps of the repository with variables of an instance."""
        objects = sources(instance.resource, instance.kind.variables, self._files)
        return [obj for obj in objects if obj]

    def _keeps_sources(self, instance: Instance) -> bool:
        """Whether the ConfigMaps with its variables are in the cluster as they are in the files."""
        namespace = instance.resource.identity.namespace
        return all(self._keeps(config_map, namespace) for config_map in self.sources(instance))

    def _is_certain(self, instance: Instance) -> bool:
        """Whether an instance is in the cluster in the form in which it was followed."""
        by = instance.by
        is_known = self.is_certain(by) if by else not self._applications.may_be_changed(instance)
        reads = holds_text(instance.file_object.value, "${")
        return is_known and (self.keeps_sources(by or instance) or not reads)

    def _keeps_data(self, obj: FileObject, namespace: str) -> bool:
        """Whether all who apply a ConfigMap leave its data and name, and put it in a namespace."""
        file, value = obj.file, obj.value
        name = ObjectName(namespace, text_at(value, ("metadata", "name")))
        resources = (
            self._applications.transform(application, value)
            for application in self._applications.of(file)
            if application.by
        )
        return all(
            resource
            and resource.knows("data")
            and resource.value.get("data") == value["data"]
            and resource.identity == name
            for resource in resources
        )

    def _origin(self, by: Instance, name: str) -> VariableOrigin:
        title = object_ref_of(by.resource.value).title
        inline = (*by.kind.variables, "substitute")
        if name in mapping_at(by.resource.value, inline):
            path = (*inline, name)
            return VariableOrigin(title, by.resource.last_writer(*path) or by.file_object.at(path))
        config_map = [
            config_map
            for config_map in self.sources(by)
            if name in mapping_at(config_map.value, ("data",))
        ][-1]
        return VariableOrigin(title, config_map.at(("data", name)))

    def _find_values(self, file: str) -> Mapping[str, str]:
        appliers = (application.by for application in self._applications.of(file))
        values, *other_values = [self._certain(by) if by else {} for by in appliers]
        return {
            name: text
            for name, text in values.items()
            if all(texts.get(name) == text for texts in other_values)
        }

    def _find_readings(self, file: str) -> list[tuple[dict[str, Value], list[dict[str, Value]]]]:
        """The objects of a file that can be read in several ways: for kustomize, and in all.

        They differ in the variables, which get a value, and in what kubectl reads otherwise.
        """
        if not self._files.has_several_readings(file):
            return []
        values = (obj.value for obj in self._files.objects(file))
        variable_values = self._values(file)
        return [
            (value, [with_defaults(form, {}), with_defaults(form, variable_values)])
            for value, form in zip(values, self._files.values_for_kubectl(file), strict=True)
            if form is not value or holds_text(value, "${")
        ]

    def _certain(self, instance: Instance) -> Mapping[str, str]:
        """The variables of an instance whose values the repository tells."""
        instance_variables = variables(instance.resource, instance.kind.variables, self._files)
        if instance_variables is None or not (
            self.is_certain(instance) and self.keeps_sources(instance)
        ):
            return {}
        return {name: instance_variables.values[name] for name in instance_variables.certain}
