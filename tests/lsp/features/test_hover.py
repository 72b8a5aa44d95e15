from __future__ import annotations

import pytest

from celvet.lint.engine import Settings
from celvet.lint.lsp.features.hover import hover
from celvet.lint.lsp.state.analysis import Analysis
from tests.lsp.manifests import HEAD, ISSUER, with_crd


def _shown(expression: str, word: str, settings: Settings | None = None) -> str:
    text = f'{HEAD}{ISSUER}      failed: "{expression}"\n'
    part = Analysis(text, "f", settings or Settings())
    at = text.rindex(word)
    found = hover(part, at)
    if found is None:
        return ""
    word_first = not found.markdown.startswith("## ")
    assert not word_first or text[slice(*found.extent)] == word.partition("(")[0]
    return found.markdown


@pytest.mark.parametrize(
    ("expression", "word", "says"),
    [
        ("status.phase.startsWith('x')", "startsWith", "`x.startsWith(start)`"),
        ("sets.contains([1], [1])", "contains", "`sets.contains(list, part)`"),
        ("has(status.phase)", "has(", "`has(x.field)`"),
        ("len(status) == 1", "len(", "has no function `len`. Write `size(...)`"),
        ("math.abs(1) == 1", "abs", "has no function `math.abs`: it belongs to CEL's math ext"),
        ("quantity('1') == 1", "quantity(", "belongs to Kubernetes' quantity library"),
        ("status.conditions.exists(e, e.type == ", "exists", "`x.exists(e, test)`"),
    ],
)
def test_words(expression: str, word: str, says: str) -> None:
    assert says in _shown(expression, word)


def test_a_field_of_a_crd() -> None:
    first, *_ = _shown("status.phase == 'Up'", "phase", with_crd()).split("\n\n---\n\n")
    assert first == (
        "`status.phase` of Issuer.cert-manager.io: string\n\nWhat it is at.\n\nOne of `Up`, `Down`."
    )


def test_the_lifecycle_of_the_entry() -> None:
    found = _shown("status.phase == 'Down'", "'Down'")
    assert found.startswith("## Kustomization certs, `spec.healthCheckExprs[0]`: Issuer")
    assert found.count("\n## ") == 0
    table = [line for line in found.splitlines() if line.startswith("| ")]
    heads = ["|", "an", "object", "|", "failed", "|", "current", "|", "verdict", "|"]
    start = [line.split() for line in table].index(heads)
    widths = {len(line) for line in table[start:]}
    assert len(widths) == 1, "its columns align where it is shown as text"


def test_a_broken_entry_has_no_lifecycle() -> None:
    assert _shown("status.phase == ", "phase") == ""


def test_a_name_that_says_nothing() -> None:
    assert _shown("nothing.at.all()", "nothing") == ""


def test_outside_of_expressions() -> None:
    text = HEAD + ISSUER
    assert hover(Analysis(text, "f", Settings()), text.index("interval")) is None


@pytest.mark.parametrize("word", ["dragonflydb.io/v1alpha1", "Dragonfly"])
def test_the_kind_of_an_entry(word: str) -> None:
    entry = "    - apiVersion: dragonflydb.io/v1alpha1\n      kind: Dragonfly\n"
    text = f"{HEAD}{entry}      current: status.phase == 'Ready'\n"
    found = hover(Analysis(text, "f", Settings()), text.index(word) + 1)
    assert found
    assert text[slice(*found.extent)] == word
    assert found.markdown.startswith("Dragonfly.dragonflydb.io, Dragonfly operator v")
    assert "```yaml\n- apiVersion: dragonflydb.io/v1alpha1\n  kind: Dragonfly\n" in found.markdown


def test_a_kind_that_nobody_has_read() -> None:
    text = f"{HEAD}    - apiVersion: a.b/v1\n      kind: Foo\n      current: 'true'\n"
    assert hover(Analysis(text, "f", Settings()), text.index("Foo")) is None


_NOTHING = "status.phase == 'Nothing'"
_CLUSTER = """\
    - apiVersion: postgresql.cnpg.io/v1
      kind: Cluster
      failed: "{}"
"""


@pytest.mark.parametrize(
    ("expression", "word", "says"),
    [
        ("status.conditions.exists(e, e.type == 'Ready')", "'Ready'", "- `False`: is under way"),
        (
            "status.conditions.exists(e, e.reason in ['ClusterIsReady'])",
            "'ClusterIsR",
            "`Ready=True`: is",
        ),
        (
            "status.phase == 'Not enough disk space'",
            "'Not",
            "will not get ready by itself. Postgres",
        ),
        ("status.phase == 'Not enough disk space'", "'Not", "api/v1/cluster_types.go: Spec is"),
    ],
)
def test_texts_of_a_kind_that_somebody_has_read(expression: str, word: str, says: str) -> None:
    text = f"{HEAD}{_CLUSTER.format(expression)}"
    found = hover(Analysis(text, "f", Settings()), text.rindex(word) + 1)
    assert found
    assert says in found.markdown
    assert found.markdown.startswith("`")


def test_a_text_that_the_controller_does_not_write() -> None:
    text = f"{HEAD}{_CLUSTER.format(_NOTHING)}"
    assert hover(Analysis(text, "f", Settings()), text.rindex("'Nothing")) is None


@pytest.mark.parametrize(
    ("expression", "kind"),
    [("schema.spec.enabled", "bool"), ("schema.spec.size + 1", "int"), ("web.metadata", "dyn")],
)
def test_the_type_of_an_expression_of_a_graph(expression: str, kind: str) -> None:
    text = f"""\
apiVersion: kro.run/v1alpha1
kind: ResourceGraphDefinition
metadata: {{name: app}}
spec:
  schema: {{apiVersion: v1alpha1, kind: App, spec: {{enabled: boolean, size: integer}}}}
  resources:
    - id: web
      template: {{apiVersion: example.com/v1, kind: Web, metadata: {{name: web}}}}
    - id: other
      template:
        apiVersion: example.com/v1
        kind: Other
        metadata: {{name: other}}
        spec: {{field: "${{{expression}}}"}}
"""
    found = hover(Analysis(text, "f", Settings()), text.index(expression))
    assert found is not None
    assert found.markdown == f"`{expression}`: `{kind}`"
