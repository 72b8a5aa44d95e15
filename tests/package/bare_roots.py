"""Installs an archive in each way that works offline, where nothing else is installed.

    python -m tests.package.bare_roots ARCHIVE DIRECTORY

needs root and debootstrap, which makes the roots in DIRECTORY once. Each way runs in a new home of
a root, without a network, until the first finding, and may take a minute. Prints the table of the
manual.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import yaml

from celvet.version import __version__
from docs.generate import ROOT
from tests.conformance.waiters import TOOLS
from tests.hooks.test_pre_commit import BAD
from tests.package.test_manifests import _PLATFORMS

_HERE = Path(__file__).parent
_PACKAGES = {"bare": (), "python": ("--include=git,python3,python3-venv,ruby",)}
"""Root -> what it has beside Debian's smallest selection."""

_PROGRAMS = ("krew", "flux", "uv", "uvx")
_LONGEST = 60
_PORT = 8000
_HOOKS = """\
repos:
  - repo: {repository}
    rev: v{version}
    hooks: [{{id: celvet-lint}}]
"""
# uv looks itself up in /proc. A new network's loopback device is down; Flux's catalogue is on it.
_OFFLINE = f"""\
mount -t proc proc "$0/proc"
ip link set lo up
python3 -m http.server {_PORT} --bind 127.0.0.1 --directory "$0"/in/catalogue >/dev/null 2>&1 &
server=$!
for _ in $(seq 50); do (: < /dev/tcp/127.0.0.1/{_PORT}) 2>/dev/null && break; sleep 0.1; done
date +%s.%N > "$0$1/begin"
chroot "$0" env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$1" IN=/in ARCHIVE="$2" \\
  KREW_NO_UPGRADE_CHECK=1 FLUXCD_PLUGIN_CATALOG=http://127.0.0.1:{_PORT}/ \\
  UV_OFFLINE=1 UV_NO_INDEX=1 UV_FIND_LINKS=/in/wheels \\
  PIP_NO_INDEX=1 PIP_FIND_LINKS=/in/wheels GIT_CONFIG_GLOBAL=/in/gitconfig \\
  sh -c 'cd && eval "$0"' "$3"
status=$?
kill $server
exit $status
"""


def main() -> None:
    """Print a row for each way; ends the program if one does not find what is wrong."""
    archive, directory = (Path(argument).absolute() for argument in sys.argv[1:])
    roots = {name: _root(name, directory) for name in _PACKAGES}
    for root in roots.values():
        _give(root, archive)
    print("| way | seconds | of CPU |\n|---|---|---|")
    for way in yaml.safe_load((_HERE / "bare_roots.yaml").read_text(encoding="utf-8")):
        root = roots[way["root"]]
        home = root / "home" / "somebody"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        (home / "apps.yaml").write_text(BAD, encoding="utf-8")
        hooks = _HOOKS.format(repository="/in/mirror", version=__version__)
        (home / ".pre-commit-config.yaml").write_text(hooks, encoding="utf-8")
        commands = [way["command"], *([way["then"]] if "then" in way else ())]
        seconds = [_measured(root, home, archive.name, command) for command in commands]
        columns = (
            "; ".join(f"{value:.1f}" for value in column) for column in zip(*seconds, strict=True)
        )
        again = "; again" if "then" in way else ""
        print(f"| {way['way']}{again} | {' | '.join(columns)} |", flush=True)


def _root(name: str, directory: Path) -> Path:
    root = directory / name
    if not (root / "home").is_dir():
        root.mkdir(parents=True, exist_ok=True)
        _run("debootstrap", "--variant=minbase", *_PACKAGES[name], "bookworm", str(root))
    return root


def _give(root: Path, archive: Path) -> None:
    """Put everything that a release publishes, and the installers, into a root."""
    given = root / "in"
    shutil.rmtree(given, ignore_errors=True)
    (given / "wheels").mkdir(parents=True)
    places = f"{Path(sys.executable).parent}:{TOOLS}:{os.environ['PATH']}"
    for name in _PROGRAMS:
        if not (program := shutil.which(name, path=places)):
            sys.exit(f"{name} is not installed: make tools")
        shutil.copy(program, root / "usr" / "local" / "bin")
    for platform in _PLATFORMS:  # only the archive of this one is ever read
        for prefix in ("", "flux-"):
            (given / f"{prefix}celvet_{__version__}_{platform}.tar.gz").touch()
    for path in (archive, archive.with_name(f"flux-{archive.name}"), _HERE / "homebrew.rb"):
        shutil.copy(path, given)
    script = ROOT / ".github" / "release" / "manifests.py"
    _run(sys.executable, str(script), str(given), str(given / "manifests"))
    _serve_plugin(given)
    if root.name == "python":
        _collect_wheels(given)


def _serve_plugin(given: Path) -> None:
    (given / "catalogue").mkdir()
    text = (given / "manifests" / "flux" / "celvet.yaml").read_text(encoding="utf-8")
    text = re.sub(r"https://\S+/releases/download/v[^/]+", f"http://127.0.0.1:{_PORT}", text)
    (given / "catalogue" / "celvet.yaml").write_text(text, encoding="utf-8")
    for file in given.glob("flux-*"):
        shutil.copy(file, given / "catalogue")


def _collect_wheels(given: Path) -> None:
    """The wheels that PyPI will have, and the mirror for pre-commit with its tag."""
    pip = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
    wheels = given / "wheels"
    _run(*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(wheels), str(ROOT))
    (wheel,) = wheels.iterdir()
    wanted = ("--only-binary", ":all:", "--python-version", "3.11")
    _run(*pip, "download", *wanted, "-d", str(wheels), str(wheel), "pre-commit", "hatchling")
    mirror = given / "mirror"
    shutil.copytree(given / "manifests" / "pre-commit", mirror)
    git = ("git", "-C", str(mirror), "-c", "user.name=tests", "-c", "user.email=tests@example.com")
    _run(*git, "init", "--quiet")
    _run(*git, "add", "--all")
    _run(*git, "commit", "--quiet", "--message", "mirror")
    _run(*git, "tag", f"v{__version__}")
    (given / "gitconfig").write_text("[safe]\n  directory = *\n", encoding="utf-8")


def _measured(root: Path, home: Path, archive: str, command: str) -> tuple[float, float]:
    """The seconds until a command has shown the finding, and those of CPU."""
    inside = f"/{home.relative_to(root)}"
    arguments = [str(root), inside, archive, command]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        ["unshare", "--net", "--mount", "bash", "-c", _OFFLINE, *arguments],
        capture_output=True, text=True, check=False, timeout=_LONGEST,
    )  # fmt: skip
    end, after = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    if "[cel-syntax]" not in ran.stdout:
        sys.exit(f"{command}\nhas not found what is wrong:\n{ran.stdout}{ran.stderr}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return end - float((home / "begin").read_text()), cpu


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=sys.stderr)


if __name__ == "__main__":
    main()
