"""The variables without a value or a default, by who applies the objects that read them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property

from celvet.lint.repository.answers.forms import Forms
from celvet.lint.repository.answers.given_variables import GivenVariables
from celvet.lint.repository.applications import Applications
from celvet.lint.repository.builds.build import transform
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
        sources_keep_keys = all(map(self._keeps, self._given.sources(instance)))
        return self._all.get(instance, ()) if sources_keep_keys else ()

    def _keeps_keys(self, obj: FileObject) -> bool:
        """Whether the data of a ConfigMap has the same keys in the cluster as in its file."""
        keys = mapping_at(obj.value, ("data",)).keys()
        forms = (form.resource for form in self._forms.of(obj.file, obj.value))
        return all(
            resource.knows("data") and mapping_at(resource.value, ("data",)).keys() == keys
            for resource in forms
        )

    @cached_property
    def _all(self) -> Mapping[Instance, list[UnsetVariable]]:
        instances = self._applications.instances
        # the words may switch strictness off, or name what sets values at admission
        kinds = [instance.kind for instance in instances]
        undoing_words = {word.encode() for kind in kinds for word in kind.strict.undone}
        if not undoing_words or self._files.files_with(*undoing_words):
            return {}

        times: Counter[str] = Counter()
        candidates: dict[Instance, list[UnsetVariable]] = {}
        for instance in instances:
            values = variables(instance.resource, instance.kind.variables, self._files)
            if values:
                candidates[instance] = [*self._find_unset(instance, values)]
                times.update(variable.name for variable in candidates[instance])
                times.update(values.values.keys())

        # a name that several lack, or that another one has, may come from a webhook
        return {
            instance: [variable for variable in unset if times[variable.name] == 1]
            for instance, unset in candidates.items()
        }

    def _find_unset(self, instance: Instance, values: Variables) -> Iterator[UnsetVariable]:
        """The unset variables of an instance, in objects whose form is certain."""
        sites = self._applications.sites
        certain = instance.by and not instance.resource.unknown and values.complete
        build = sites.apparent_build(instance) if certain else None
        skipped_names = {*values.values}
        for entry in build.entries if build else ():
            for obj in self._files.objects(entry.file) if self._reads(entry.file) else ():
                resource = transform(obj.value, entry.passes)
                if resource is None or resource.unknown or is_exempt(resource):
                    continue
                for name, path in required_variables(resource.value):
                    if name not in skipped_names:
                        skipped_names.add(name)
                        yield UnsetVariable(name, resource.last_writer(*path) or obj.at(path))

    def _reads(self, file: str) -> bool:
        return self._files.may_hold(file, b"${")
