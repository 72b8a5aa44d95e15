"""The variables without a value or a default, by who applies the objects that read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property

from celvet.lint.repository.answers.forms import Forms
from celvet.lint.repository.answers.given_variables import GivenVariables
from celvet.lint.repository.applications import Applications
from celvet.lint.repository.builds import transform
from celvet.lint.repository.files import FileObject, Files
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.object_form import UnsetVariable
from celvet.lint.repository.variables.post_build import Variables, variables
from celvet.lint.repository.variables.substitution import is_exempt, required_variables
from celvet.lint.values import mapping_at


class UnsetVariableSearch:
    """The variables that certainly have no value.

    Values from an admission webhook are in no file. So nothing is reported if there may be one, if
    several Kustomizations lack the same name, or if another one has a value for it.
    """

    def __init__(
        self, files: Files, applications: Applications, given: GivenVariables, forms: Forms
    ) -> None:
        self._files, self._applications = files, applications
        self._given, self._forms = given, forms
        self._keeps = cache(self._keeps_keys)

    def of(self, instance: Instance) -> Sequence[UnsetVariable]:
        """The variables of an instance, each at the place where the first object reads it."""
        kept = all(map(self._keeps, self._given.sources(instance)))
        return self._all.get(instance, ()) if kept else ()

    def _keeps_keys(self, file_object: FileObject) -> bool:
        """Whether the data of a ConfigMap has the same keys in the cluster as in its file."""
        written = mapping_at(file_object.value, ("data",)).keys()
        forms = (each.resource for each in self._forms.of(file_object.file, file_object.value))
        return all(
            each.knows("data") and mapping_at(each.value, ("data",)).keys() == written
            for each in forms
        )

    @cached_property
    def _all(self) -> Mapping[Instance, list[UnsetVariable]]:
        instances = self._applications.instances
        undone = {word.encode() for each in instances for word in each.kind.strict.undone}
        if not undone or self._files.files_with(*undone):
            return {}
        known = {
            each: found
            for each in instances
            if (found := variables(each.resource, each.kind.variables, self._files))
        }
        lacking = {each: [*self._lacking(each, found)] for each, found in known.items()}
        times = Counter(one.name for found in lacking.values() for one in found)
        times.update(name for found in known.values() for name in found.values)
        return {
            each: [one for one in found if times[one.name] == 1] for each, found in lacking.items()
        }

    def _lacking(self, instance: Instance, known: Variables) -> Iterator[UnsetVariable]:
        """Those of an instance with known values, in objects whose form is certain."""
        sites = self._applications.sites
        certain = instance.by and not instance.resource.unknown and known.complete
        build = sites.apparent_build(instance) if certain else None
        seen = {*known.values}
        for entry in build.entries if build else ():
            for each in self._files.objects(entry.file) if self._reads(entry.file) else ():
                resource = transform(each.value, entry.passes)
                if resource is None or resource.unknown or is_exempt(resource):
                    continue
                for name, path in required_variables(resource.value):
                    if name not in seen:
                        seen.add(name)
                        yield UnsetVariable(name, resource.last_writer(*path) or each.at(path))

    def _reads(self, file: str) -> bool:
        return self._files.may_hold(file, b"${")
