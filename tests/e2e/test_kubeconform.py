"""The rendered chart beside the schemas of the API server, as kubeconform reads them."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.charts.rendering import CHART, VALUES
from tests.e2e.cluster import Cluster
from tests.e2e.pod import NAME, NAMESPACE

_KUBECONFORM = shutil.which("kubeconform")
_GVK = "x-kubernetes-group-version-kind"
pytestmark = pytest.mark.skipif(_KUBECONFORM is None, reason="needs kubeconform (`make tools`)")


@pytest.fixture(scope="module")
def schemas(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file for each kind, by the names that kubeconform looks for."""
    directory = tmp_path_factory.mktemp("schemas")
    definitions = _openapi(cluster)["definitions"]
    for name, definition in definitions.items():
        for kind in definition.get(_GVK, ()):
            document = {"$ref": f"#/definitions/{name}", "definitions": definitions}
            parts = [kind["group"].split(".")[0], kind["version"]]
            file = "-".join([kind["kind"].lower(), *filter(None, parts)])
            (directory / f"{file}.json").write_text(json.dumps(document))
    return directory


def _openapi(cluster: Cluster) -> dict[str, Any]:
    """What the API server says of the kinds that the chart renders, and of their parts."""
    document = json.loads(cluster.good("get", "--raw", "/openapi/v2"))
    definitions: dict[str, Any] = document["definitions"]
    rendered = {
        each["kind"] for name in VALUES for each in yaml.safe_load_all(_template(cluster, name))
    }
    wanted = [
        name
        for name, definition in definitions.items()
        if any(kind["kind"] in rendered for kind in definition.get(_GVK, ()))
    ]
    needed: dict[str, Any] = {}
    while wanted:
        name = wanted.pop()
        if name not in needed:
            needed[name] = _strict(definitions[name])
            wanted += _references(definitions[name])
    return {"definitions": needed}


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            yield schema["$ref"].rpartition("/")[2]
        for value in schema.values():
            yield from _references(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _references(value)


def _strict(schema: Any) -> Any:
    """The schema without room for other fields; a number or text is what Kubernetes calls so."""
    if isinstance(schema, list):
        return [_strict(value) for value in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("format") == "int-or-string":
        return {"type": ["string", "integer"]}
    strict = {key: _strict(value) for key, value in schema.items()}
    if "properties" in schema and "additionalProperties" not in schema:
        strict["additionalProperties"] = False
    return strict


def _template(cluster: Cluster, name: str) -> str:
    options = []
    for key, value in VALUES[name].items():
        options += ["--set-json", f"{key}={json.dumps(value)}"]
    return cluster.helm("template", NAME, str(CHART), "--namespace", NAMESPACE, *options)


def _kubeconform(schemas: Path, path: Path) -> Any:
    location = f"{schemas}/{{{{ .ResourceKind }}}}{{{{ .KindSuffix }}}}.json"
    options = ["-strict", "-summary", "-output", "json", "-schema-location", location]
    command = [str(_KUBECONFORM), *options, str(path)]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    return json.loads(run.stdout)


@pytest.mark.parametrize("name", VALUES)
def test_each_object_has_the_schema_of_its_kind(
    name: str, cluster: Cluster, schemas: Path, tmp_path: Path
) -> None:
    path = tmp_path / "rendered.yaml"
    path.write_text(_template(cluster, name))
    report = _kubeconform(schemas, path)
    assert not report["resources"], report["resources"]
    summary = report["summary"]
    assert summary["valid"] == len(list(yaml.safe_load_all(path.read_text())))
    assert not summary["skipped"]


def test_another_field_is_refused(schemas: Path, tmp_path: Path) -> None:
    path = tmp_path / "wrong.yaml"
    head = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}}
    path.write_text(yaml.safe_dump({**head, "spec": {"prots": []}}))
    report = _kubeconform(schemas, path)
    assert report["summary"]["invalid"] == 1
    assert "prots" in report["resources"][0]["msg"]
