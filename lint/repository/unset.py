"""Finds the variables that have no value in what the Kustomizations of a repository apply."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from celvet.lint.repository.applications import Applications
from celvet.lint.repository.builds import effective
from celvet.lint.repository.effective import Unset
from celvet.lint.repository.files import Files
from celvet.lint.repository.instance import Instance
from celvet.lint.repository.variables import Variables, is_exempt, required, variables


class UnsetVariables:
    """The variables without a value or a default, by who applies the objects that read them.

    Values from an admission webhook are in no file. So nothing is reported if there may be one, if
    several Kustomizations lack the same name, or if another one has a value for it.
    """

    def __init__(self, applications: Applications, files: Files) -> None:
        self._applications, self._files = applications, files

    def of(self, instance: Instance) -> Sequence[Unset]:
        """The variables of an instance, each where the first object reads it."""
        return self._all.get(instance, ())

    @cached_property
    def _all(self) -> Mapping[Instance, list[Unset]]:
        instances = self._applications.instances
        undone = {word.encode() for each in instances for word in each.kind.strict.undone}
        if not undone or self._files.holding(*undone):
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

    def _lacking(self, instance: Instance, known: Variables) -> Iterator[Unset]:
        """None where not all values are known; none of what may be another object when built."""
        sites = self._applications.sites
        certain = instance.by and not instance.resource.unknown and known.complete
        build = sites.built(instance) if certain else None
        seen = {*known.values}
        for entry in build.entries if build else ():
            for each in self._files.objects(entry.file) if self._reads(entry.file) else ():
                resource = effective(each.value, entry.passes)
                if resource is None or resource.unknown or is_exempt(resource):
                    continue
                for name, path in required(resource.value):
                    if name not in seen:
                        seen.add(name)
                        yield Unset(name, resource.decided(*path) or each.at(path))

    def _reads(self, file: str) -> bool:
        return self._files.may_hold(file, b"${")
