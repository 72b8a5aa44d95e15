"""Builds celvet with its own Python for the platform that this runs on.

    python .github/release/archive.py DIRECTORY

writes to DIRECTORY the archive `celvet_VERSION_OS_ARCH.tar.gz` with one directory `celvet`; the
same as one file for Flux, whose `flux plugin install` takes a single file out of an archive
(internal/plugin/install.go of fluxcd/flux2), and which unpacks itself once; and a list of what is
in both, as CycloneDX. From the same commit, Python and system libraries come the same bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import platform
import runpy
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_REQUIREMENTS = _ROOT / ".github" / "requirements"
_SYSTEMS = {"Linux": "linux", "Darwin": "darwin"}
_MACHINES = {"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
_SHELLS = ("bash", "fish", "zsh")
_LICENSE_FILES = ("LICEN[CS]E*", "COPYING*", "NOTICE*")


def main() -> None:
    """Write the archives of this platform to the directory that is named."""
    (directory,) = map(Path, sys.argv[1:])
    directory.mkdir(parents=True, exist_ok=True)
    version = runpy.run_path(str(_ROOT / "celvet" / "version.py"))["__version__"]
    name = f"celvet_{version}_{_platform()}"
    os.environ.update(SOURCE_DATE_EPOCH=_time_of_commit(), PYTHONHASHSEED="0")
    # Each start would decompress 370 modules; the archive is compressed as a whole.
    os.environ["PYINSTALLER_ZLIB_COMPRESSION_LEVEL"] = "0"
    # Nor does it need columns, which only a traceback would show; they are a tenth of the archive.
    os.environ["PYTHONNODEBUGRANGES"] = "1"
    with tempfile.TemporaryDirectory() as work:
        tools, runtime = Path(work, "tools"), Path(work, "runtime")
        _install(tools, runtime)
        _list_contents(tools, runtime, directory / f"{name}.cdx.json")
        packed = _pack(tools, runtime, Path(work))
        _add_texts(packed, runtime)
        archive = directory / f"{name}.tar.gz"
        _archive(packed, archive)
        single = _single_file(archive, version, Path(work, "flux-celvet"))
        _archive(single, directory / f"flux-{name}.tar.gz")


def _platform() -> str:
    """The name of this platform, as Go has it; ends the program where the engine has no wheel."""
    system, machine = _SYSTEMS.get(platform.system()), _MACHINES.get(platform.machine().lower())
    if not system or not machine:
        sys.exit(f"no archive for {platform.system()} on {platform.machine()}: only Linux and macOS"
                 " on amd64 and arm64")  # fmt: skip
    if system == "linux" and platform.libc_ver()[0] != "glibc":
        sys.exit("no archive for musl: cel-expr-python, Google's CEL, has wheels for glibc alone;"
                 " use the image ghcr.io/celvet/celvet:VERSION-lint there")  # fmt: skip
    return f"{system}_{machine}"


def _time_of_commit() -> str:
    command = ["git", "-C", str(_ROOT), "log", "-1", "--format=%ct"]
    return os.environ.get("SOURCE_DATE_EPOCH") or _output(*command).strip()


def _install(tools: Path, runtime: Path) -> None:
    """Install what packs, and beside it celvet with what it needs, and nothing else."""
    venv.create(tools, with_pip=True)
    venv.create(runtime)
    pip = [_python(tools), "-m", "pip", "--quiet", "--disable-pip-version-check"]
    for name in ("archive", "build"):
        _run(*pip, "install", "--require-hashes", "--requirement", _REQUIREMENTS / f"{name}.txt")
    into = [*pip, "--python", _python(runtime), "install", "--no-compile"]
    _run(*into, "--require-hashes", "--only-binary", ":all:", "-r", _REQUIREMENTS / "celvet.txt")
    wheels = tools / "wheels"
    _run(_python(tools), "-m", "build", "--wheel", "--no-isolation", "--outdir", wheels, _ROOT)
    _run(*into, "--no-deps", *wheels.glob("*.whl"))


def _list_contents(tools: Path, runtime: Path, target: Path) -> None:
    arguments = ("environment", "--pyproject", _ROOT / "pyproject.toml", "--output-reproducible")
    text = _output(tools / "bin" / "cyclonedx-py", *arguments, _python(runtime))
    contents = json.loads(text)
    python = {"type": "platform", "bom-ref": "python", "name": "CPython",
              "version": platform.python_version()}  # fmt: skip
    contents["components"].append(python)
    target.write_text(json.dumps(contents, indent=1) + "\n", encoding="utf-8")


def _pack(tools: Path, runtime: Path, work: Path) -> Path:
    """Run PyInstaller with celvet's Python, which finds it after celvet's own packages."""
    (packages,) = tools.glob("lib/python*/site-packages")
    (own_packages,) = runtime.glob("lib/python*/site-packages")
    (own_packages / "tools.pth").write_text(f"{packages}\n", encoding="utf-8")
    for name in ("celvet.spec", "entry.py"):
        shutil.copy(Path(__file__).with_name(name), work)
    command = (_python(runtime), "-m", "PyInstaller", "--log-level", "WARN", "--noconfirm")
    _run(*command, "celvet.spec", cwd=work)
    return work / "dist" / "celvet"


def _add_texts(directory: Path, runtime: Path) -> None:
    """Put the manual page, the completions and everybody's licences beside the program."""
    share = directory / "share"
    manual = share / "man" / "man1"
    manual.mkdir(parents=True)
    shutil.copy(_ROOT / "lint" / "cli" / "celvet.1", manual)
    (share / "completions").mkdir()
    for shell in _SHELLS:
        script = _output(directory / "celvet", "completion", shell)
        (share / "completions" / f"celvet.{shell}").write_text(script, encoding="utf-8")
    shutil.copy(_ROOT / "LICENSE", directory)
    for metadata in runtime.glob("lib/python*/site-packages/*.dist-info"):
        for pattern in _LICENSE_FILES:
            for text in metadata.rglob(pattern):
                target = share / "licenses" / metadata.stem / text.relative_to(metadata)
                if text.is_file():
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(text, target)


def _single_file(archive: Path, version: str, target: Path) -> Path:
    """The script that unpacks the archive, with the archive behind it."""
    content = archive.read_bytes()
    script = Path(__file__).with_name("single_file.sh").read_text(encoding="utf-8")
    script = script.replace("@name@", f"{version}-{hashlib.sha256(content).hexdigest()[:12]}")
    script = script.replace("@line@", str(script.count("\n") + 1))
    target.write_bytes(script.encode() + content)
    target.chmod(0o755)
    return target


def _archive(source: Path, target: Path) -> None:
    """Pack a file or a directory so that neither the machine nor the time can be seen."""
    seconds = int(os.environ["SOURCE_DATE_EPOCH"])

    def plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
        member.uid = member.gid = 0
        member.uname = member.gname = "root"
        member.mtime = seconds
        member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
        return member

    with (
        target.open("wb") as file,
        gzip.GzipFile("", "wb", 9, file, mtime=seconds) as compressed,
        tarfile.open(fileobj=compressed, mode="w", format=tarfile.GNU_FORMAT) as archive,
    ):
        archive.add(source, source.name, filter=plain)


def _python(environment: Path) -> Path:
    return environment / "bin" / "python"


def _run(*command: str | Path, cwd: Path | None = None) -> None:
    subprocess.run(command, cwd=cwd, check=True, stdout=sys.stderr)  # noqa: S603


def _output(*command: str | Path) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603


if __name__ == "__main__":
    main()
