"""The playground without a server: `python -m docs.site.playground`.

The page is that of `celvet playground`. Its engine is Flux's own code, built by Go as WebAssembly,
one module for each version of cel-go; the lives of the kinds come from the catalogue.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
from itertools import chain
from pathlib import Path

from deflate import gzip_compress

from celvet.lint.engine import Settings
from celvet.lint.explain.output.html import verdict_classes
from celvet.lint.model import GroupKind
from celvet.lint.playground.server import FILES
from celvet.lint.playground.trial import choices, dialect, suggested
from celvet.lint.safe_text import yaml_text
from celvet.lint.suggest.from_catalog import of_facts
from celvet.lint.suggest.health_test import health_test
from celvet.schemas import KindFacts, kind_facts
from celvet.schemas.controller import controllers
from celvet.schemas.known_kinds import named_kinds

DIRECTORY = Path(__file__).parents[3] / "dist" / "playground"
ORACLE = Path(__file__).parents[3] / "tests" / "fuzz" / "oracle"
_HERE = Path(__file__).parent
_RUNTIME = "github.com/fluxcd/pkg/runtime"
_CEL = "github.com/google/cel-go"
RUNTIMES = {"0.23.1": "0.53.0", "0.23.2": "0.80.0", "0.26.1": "0.110.3", "0.31.0": "0.122.0"}
"""Version of cel-go -> the last release of fluxcd/pkg/runtime that we know to require it."""

_PARTS = {
    _RUNTIME: "cel/expression.go cel/status_evaluator.go",
    "github.com/fluxcd/pkg/apis/kustomize": "kustomize_types.go",
    "k8s.io/api": "core/v1/types.go",
    "k8s.io/apiextensions-apiserver": "pkg/apis/apiextensions/v1/types_jsonschema.go",
    "k8s.io/apimachinery": "pkg/**/*.go third_party/**/*.go",
}
"""Module -> what the page needs of it: what decides about an expression, and the types of objects.

The other files, and what writes objects as protobuf, would double the module.
"""

_UNUSED = re.compile(r"(_test|_fuzz|\.model_name|/streamwatcher|/swagger_doc_generator)\.go$")
_HTTP = ('\t"net/http"\n', ""), ("http.ErrAbortHandler", "error(nil)")
"""The clients of a web server and of TLS, for one constant: a panic that is not logged."""

_SMALLEST = 12
"""The level of libdeflate that takes 4% less than gzip's best: 3.80 MB of 3.95."""

_SOURCES = ("go.*", "flux/*.go", "page/*.go")

_STATUSES = ("Current", "Failed", "InProgress", "Stalled", "Unknown")


def write(directory: Path) -> None:
    """Write the page with all that it loads.

    Raises `OSError` without Go, `CalledProcessError` if it cannot build the modules.
    """
    settings = Settings()
    shutil.rmtree(directory, ignore_errors=True)
    (directory / "kinds").mkdir(parents=True)
    for name, (file, _) in FILES.items():
        shutil.copy(file, directory / (name.strip("/") or "index.html"))
    for script in (_HERE / "engine.js", _HERE / "worker.js", script_of_go()):
        shutil.copy(script, directory)
    offer = choices(settings)
    versions = controllers()[dialect(settings).controller].releases
    modules = {release.since: f"flux-{release.since}.wasm.gz" for release in versions}
    for version in offer["versions"]:
        version["module"] = modules[version["version"]]
        shutil.copyfile(module(version["cel"]), directory / version["module"])
    offer["looks"] = {status: verdict_classes(status)[0] for status in _STATUSES}
    _write_json(directory / "choices.json", offer)
    for pair in named_kinds():
        if facts := kind_facts(*pair):
            kind = str(GroupKind(*pair))
            _write_json(directory / "kinds" / f"{kind}.json", _kind(kind, facts, settings))


def module(cel_go: str) -> Path:
    """The module of a version of cel-go, gzipped; Go builds it if it does not exist yet."""
    sources = [Path(__file__), *(file for pattern in _SOURCES for file in ORACLE.glob(pattern))]
    texts = b"".join(source.read_bytes() for source in sorted(sources))
    digest = hashlib.sha256(texts + RUNTIMES[cel_go].encode()).hexdigest()[:12]
    program = Path(tempfile.gettempdir()) / "celvet-oracle" / digest / f"{cel_go}.wasm.gz"
    if not program.exists():
        program.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=program.parent) as name:
            _build(cel_go, Path(name)).replace(program)
    return program


def script_of_go() -> Path:
    """What a module of Go needs of the page, which comes with Go."""
    return Path(_go("env", "GOROOT").strip(), "lib", "wasm", "wasm_exec.js")


def _build(cel_go: str, directory: Path) -> Path:
    for name in ("go.mod", "go.sum"):
        shutil.copy(ORACLE / name, directory)
    own = directory / "go.mod"
    edits = [f"{_CEL}={_CEL}@v{cel_go}"]
    for name in _PARTS:
        version = f"@v{RUNTIMES[cel_go]}" if name == _RUNTIME else ""
        edits.append(f"{name}={_part(name, version, directory)}")
    _go("mod", "edit", *(f"-replace={edit}" for edit in edits), str(own))
    built = directory / "flux.wasm"
    # Functions that are called, and not copied to where they are used, save a tenth.
    small = ("-trimpath", "-ldflags=-s -w", "-gcflags=all=-l")
    target = {"GOOS": "js", "GOARCH": "wasm", "GOWASM": "satconv,signext"}
    options = ("-mod=mod", f"-modfile={own}", *small)
    _go("build", *options, "-o", str(built), "./page", target=target)
    packed = directory / "flux.wasm.gz"
    packed.write_bytes(gzip_compress(built.read_bytes(), _SMALLEST))
    return packed


def _part(name: str, version: str, directory: Path) -> Path:
    """A module with the files of `_PARTS` alone."""
    downloaded = json.loads(_go("mod", "download", "-json", f"{name}{version}"))
    part, source = directory / name, Path(downloaded["Dir"])
    for file in chain.from_iterable(map(source.glob, _PARTS[name].split())):
        if not _UNUSED.search(file.as_posix()):
            copy = part / file.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = file.read_text(encoding="utf-8")
            for old, new in _HTTP if file.match("util/runtime/runtime.go") else ():
                text = text.replace(old, new)
            copy.write_text(text, encoding="utf-8")
    (part / "go.mod").write_text(f"module {name}\n\ngo 1.24\n")
    return part


def _go(*arguments: str, target: dict[str, str] | None = None) -> str:
    # The newest module wants a newer Go than the program that is built of two of its files.
    environment = {**os.environ, "GOTOOLCHAIN": "auto", **(target or {})}
    ran = subprocess.run(  # noqa: S603
        ["go", *arguments],  # noqa: S607
        cwd=ORACLE, env=environment, check=True, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    return ran.stdout


def _kind(kind: str, facts: KindFacts, settings: Settings) -> dict[str, object]:
    """All that the page says of a kind; of a state, also what other good entries make of it."""
    life = [
        {
            "name": state.name,
            "stage": state.stage,
            "verdict": state.verdict,
            "variants": sorted(
                {
                    variant.differs[state.name]
                    for variant in facts.variants.values()
                    if state.name in variant.differs
                }
            ),
            "object": yaml_text(state.object, allow_unicode=True),
            "value": state.object,
        }
        for state in facts.life
    ]
    test = health_test(of_facts(facts), settings.catalog)
    return {**suggested(kind, settings), "life": life, "test": test}


def _write_json(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, ensure_ascii=False) + "\n", encoding="utf-8")
