"""The settings of the engine, from the configuration or the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from celvet.lint.crds.schema import NOTHING, Schemas
from celvet.lint.model import Severity, Value
from celvet.lint.repository.surroundings import NO_REPOSITORY, Surroundings
from celvet.record import field, record, replace
from celvet.schemas import Catalog, load


@record
class FileRules:
    """Severities for the files of a `pattern` as in .gitignore, which counts from a directory."""

    directory: str
    pattern: str
    severities: Mapping[str, Severity | None]

    def hold_for(self, file: str) -> bool:
        """Whether a file is one of them."""
        from celvet.lint.discovery.gitignore import IgnoreList  # few configurations have patterns

        path, root = os.path.abspath(file), os.path.join(os.path.abspath(self.directory), "")  # noqa: PTH100, PTH118
        name = path[len(root) :].replace(os.sep, "/")
        return path.startswith(root) and IgnoreList.by([self.pattern]).holds(name)


@record
class Settings:
    """How the engine lints.

    `schemas` are directories with kinds of the user's own; `severities` maps a rule's id to the
    severity that its findings get, None for none at all; `substitutions` are values for the
    `${VAR}` that Flux would replace; `annotations` says whether an object may opt out by
    annotation, `fixes` whether to search for fixes that take long to find. `crds` knows the kinds
    that expressions are about; it must be hashable, and small if several processes lint.
    `everything` keeps the findings that only `explain` shows, see `consistent`. If `only` has
    rules, the findings of all others are left out. `targets` are versions of products, such as
    `("flux", "2.6")`; for any other product, the newest release counts. `providers` are the
    ResourceSetInputProviders of other files, from which a ResourceSet may take its inputs. Rules
    whose findings are all milder than `least` do not run. `surroundings` knows how the files around
    the linted one change its objects. `files` has other severities for some files.
    """

    schemas: tuple[Path, ...] = ()
    severities: Mapping[str, Severity | None] = field(default_factory=dict)
    substitutions: Mapping[str, str] = field(default_factory=dict)
    annotations: bool = True
    crds: Schemas = NOTHING
    fixes: bool = True
    everything: bool = False
    only: frozenset[str] = frozenset()
    targets: tuple[tuple[str, str], ...] = ()
    providers: tuple[Value, ...] = ()
    surroundings: Surroundings = NO_REPOSITORY
    least: Severity = Severity.INFO
    files: tuple[FileRules, ...] = ()

    def for_file(self, file: str) -> Settings:
        """The settings for one file; its later rules go before earlier ones."""
        rules = [item.severities for item in self.files if item.hold_for(file)]
        if not rules:
            return self
        severities = {rule: severity for item in rules for rule, severity in item.items()}
        return replace(self, files=(), severities={**self.severities, **severities})

    @property
    def catalog(self) -> Catalog:
        """The kinds and dialects to use; raises `CatalogError`."""
        return load(self.schemas, self.targets)

    def severity(self, rule: str, default: Severity) -> Severity | None:
        """The configured severity of a finding; None drops it."""
        return self.severities.get(rule, default)

    def active(self, rule: str) -> bool:
        """Whether a rule is not switched off; also true for an unknown name."""
        return self.severities.get(rule, Severity.INFO) is not None
