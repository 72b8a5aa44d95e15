"""Health scripts: of a checkout of Argo CD, and of its ConfigMap `argocd-cm`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from celvet.lint.manifest.objects.health_scripts import PREFIX
from celvet.lint.model import GroupKind, Value
from celvet.lint.values import mapping_at
from celvet.record import field, record
from celvet.wrong_input import WrongInputError

FOLDER = "resource_customizations"
_FILE = "health.lua"
_MOST_BYTES = 1 << 20


class ScriptsError(WrongInputError):
    """The scripts cannot be read; the message says which, and what to do."""


@record
class Script:
    """A health script; `libraries` tells whether it may use Lua's standard library."""

    text: str
    libraries: bool = False
    name: str = ""


@record
class Scripts:
    """Scripts by `group/Kind`, `Kind` in the core group; `*` stands for any text.

    `own` are those of the ConfigMap, which come first; `builtin` those of a checkout.
    """

    own: Mapping[str, Script] = field(default_factory=dict)
    builtin: Mapping[str, Script] = field(default_factory=dict)

    def of(self, group_kind: GroupKind) -> Script | None:
        """The script of a kind (`GetHealthScript`), None without one."""
        group, kind = group_kind.group, group_kind.kind
        key = f"{group}/{kind}" if group else kind
        for scripts in (self.own, self.builtin):
            if key in scripts:
                return scripts[key]
            for pattern in sorted(name for name in scripts if "*" in name):
                if _matches(pattern, key):
                    return scripts[pattern]
        return None


def read_scripts(path: Path) -> Scripts:
    """The built-in scripts of a checkout, or of its folder `resource_customizations`.

    Raises:
        ScriptsError: there is no such folder, or a script cannot be read.
    """
    folder = path if path.name == FOLDER else path / FOLDER
    if not folder.is_dir():
        raise ScriptsError(f"`{path}` has no folder `{FOLDER}`; name a checkout of Argo CD")
    builtin = {}
    for file in sorted(folder.rglob(_FILE)):
        key = file.parent.relative_to(folder).as_posix().replace("_", "*")
        try:
            if file.stat().st_size > _MOST_BYTES:
                raise ScriptsError(f"`{file}` is larger than 1 MiB")
            builtin[key] = Script(file.read_text("utf-8"), libraries=True, name=str(file))
        except (OSError, UnicodeDecodeError) as error:
            raise ScriptsError(f"`{file}` cannot be read: {error}") from None
    return Scripts(builtin=builtin)


def config_scripts(config_map: Value) -> dict[str, Script]:
    """The scripts in the data of `argocd-cm`, by `group/Kind`.

    `resource.customizations.health.<group>_<Kind>` has a script, and
    `resource.customizations.useOpenLibs.<group>_<Kind>` gives it the standard library
    (`util/settings/settings.go`, `getResourceOverrideFromSplitKeys`).
    """
    data = mapping_at(config_map, ("data",))
    library_keys = {key for key, value in _customizations(data, "useOpenLibs") if value == "true"}
    return {
        key: Script(text, libraries=key in library_keys, name=key)
        for key, text in _customizations(data, "health")
    }


def _customizations(data: Mapping[str, Value], kind: str) -> Iterator[tuple[str, str]]:
    """`group/Kind` and text of each key of a kind of customization."""
    prefix = f"{PREFIX}{kind}."
    for key, value in data.items():
        parts = key.removeprefix(prefix).split("_")
        if key.startswith(prefix) and isinstance(value, str) and len(parts) <= 2:
            yield "/".join(parts), value


def _matches(pattern: str, key: str) -> bool:
    """Whether a key matches a pattern in which `*` stands for any text but `/`."""
    expression = "[^/]*".join(map(re.escape, pattern.split("*")))
    return re.fullmatch(expression, key) is not None
