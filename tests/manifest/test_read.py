"""Reading of files: encodings, documents, JSON, SOPS, and no exception on anything."""

from __future__ import annotations

import codecs
import json
from functools import partial
from pathlib import Path

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from celvet.lint.locate import Locator
from celvet.lint.manifest import Document, Manifest, comments, objects_in, read, read_unsubstituted
from celvet.lint.manifest.file_limits import Budget
from celvet.lint.manifest.yaml.node import walk
from celvet.lint.model import Path as ValuePath
from celvet.lint.model import Where
from celvet.record import replace
from tests.properties import examples

_DATA = Path(__file__).with_name("data")
_TOKENS = st.sampled_from(
    [
        *("a", "b", ": ", ":", "- ", "\n", "\n  ", "\n    ", "\t", " ", "#", " # c", "'", '"'),
        *("|", ">", "|2-\n", "&x ", "*x", "!t ", "!!int ", "<<: ", "[", "]", "{", "}", ", ", "?"),
        *("---\n", "\n---\n", "\n...\n", "%YAML 1.1\n", "\r\n", "\r", "\x85", "\u2028", "\\", "@"),
        *("1.5", "yes", "~", "é", "𝄞", "\ufeff", "{{ x }}", "${A}", "${B:=1}", "\x00", "\x07"),
        *("kind: List\nitems:\n- ", "kind: x\n", "patches:\n- patch: ", "\\ud83d\\ude00"),
    ]
)


@examples(1500)
@given(st.lists(_TOKENS, max_size=25).map("".join))
@example("&a {*a : b}")
@example("? ? a\n: b")
def test_all_that_any_text_holds_has_its_place(text: str) -> None:
    _assert_placed(text)


@examples(500)
@given(st.binary(max_size=60))
def test_all_that_any_bytes_hold_has_its_place(data: bytes) -> None:
    _assert_placed(data)


def _assert_placed(data: bytes | str) -> None:
    """Read, and use the result as the engine does."""
    manifest = read(data)
    locator = Locator(manifest)
    for problem in manifest.all_problems():
        assert locator.place(problem.where).line >= 1
    for comment in comments(manifest):
        assert manifest.text.startswith(comment.text, comment.start)
    for document in manifest.documents:
        json.dumps(document.value)
        _assert_nodes_agree(document)
        for found in objects_in(document):
            assert locator.place(found.place(("spec", 0, "no")))
        for node in walk(document.root):
            assert document.start <= node.start <= node.end <= document.end


def _assert_nodes_agree(document: Document) -> None:
    """Each part of the value has a node of its kind, and a key if it is an entry."""
    kinds: dict[type, str] = {dict: "mapping", list: "sequence"}
    waiting: list[tuple[ValuePath, object]] = [((), document.value)] if document.root else []
    while waiting:
        path, value = waiting.pop()
        node = document.node_at(path)
        assert node is not None
        if node.substituted is None:
            assert node.kind == kinds.get(type(value), "scalar")
        if node.kind != "scalar" and isinstance(value, dict):
            waiting += [((*path, name), child) for name, child in value.items()]
            assert all(document.key_at((*path, name)) for name in value)
        if node.kind != "scalar" and isinstance(value, list):
            waiting += [((*path, index), child) for index, child in enumerate(value)]


@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
        (codecs.BOM_UTF32_LE, "utf-32-le"),
        (codecs.BOM_UTF32_BE, "utf-32-be"),
    ],
)
def test_encodings(mark: bytes, encoding: str) -> None:
    manifest = read(mark + "é: 𝄞\nb: ü\n".encode(encoding))
    assert manifest.documents[0].value == {"é": "𝄞", "b": "ü"}
    assert manifest.bom == bool(mark)
    place = Locator(manifest).place(Where(1, ("é",)))
    assert (place.line, place.column) == (1, 4)


@pytest.mark.parametrize(
    ("data", "kind", "message"),
    [
        ("a: é".encode("latin-1"), "encoding", "byte 0xE9 at offset 3 is not valid UTF-8"),
        (codecs.BOM_UTF8 + b"a: \xff", "encoding", "byte 0xFF at offset 6 is not valid UTF-8"),
        (codecs.BOM_UTF16_LE + b"a\0\0", "encoding", "offset 4 is not valid UTF-16"),
        (codecs.BOM_UTF32_BE + b"\0\0\0a\1", "encoding", "offset 8 is not valid UTF-32"),
        ("a: \udc80", "encoding", "a lone surrogate at offset 3 is not a character"),
        (b"\x7fELF\x00\x01", "binary", "a NUL byte at offset 4"),
        (bytes(range(256)), "binary", "a NUL byte at offset 0"),
        ("\ufeffé: \0", "binary", "a NUL byte at offset 7"),
    ],
)
def test_what_is_not_a_string(data: bytes | str, kind: str, message: str) -> None:
    manifest = read(data)
    [problem] = manifest.all_problems()
    assert problem.kind == kind
    assert message in problem.message
    assert manifest.documents == ()


@pytest.mark.parametrize("path", sorted(_DATA.glob("odd/*.[yj]*")), ids=lambda path: path.name)
def test_odd_files(path: Path) -> None:
    """Each file ends with what it holds, `# want: [values]`; JSON has it in a file beside it."""
    data = path.read_bytes()
    last = data.rstrip().splitlines()[-1].decode()
    want = path.with_suffix(".want").read_text() if path.suffix == ".json" else last
    manifest = read(data)
    # Kubernetes refuses directives and text behind `---`, but they are read
    problems = [each.message for each in manifest.all_problems()]
    assert [each for each in problems if "directive" not in each and "`---`" not in each] == []
    values = [document.value for document in manifest.documents]
    assert values == json.loads(want.removeprefix("# want: "))


def test_documents_are_those_that_yaml_has() -> None:
    text = (
        "# c\n%YAML 1.1\n---\na: 1\n--- # c\n- x\n---\n...\n---\n'---'\n--- |\n ---\n...\n# end\n"
    )
    values = [document.value for document in read(text).documents]
    assert values == list(yaml.safe_load_all(text)) == [{"a": 1}, ["x"], None, "---", "---\n"]
    assert [document.index for document in read(text).documents] == [1, 2, 3, 4, 5]


@given(
    st.lists(st.sampled_from(["a: 1\n", "- x\n", "# c\n", "'q'\n", "", "|\n  ---\n"]), max_size=6)
)
def test_splitting_changes_nothing(parts: list[str]) -> None:
    text = "---\n" + "---\n".join(parts)
    assert [found.value for found in read(text).documents] == list(yaml.safe_load_all(text))


_PIECES = (
    "$",
    "{",
    "A",
    "}",
    "\\x24",
    '"',
    "patch: ",
    "- ",
    "\n",
    "  ",
    "patches:\n",
    "spec:\n",
    "|\n",
    "---\n",
)
_APPLIER = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n"


@given(
    st.lists(st.sampled_from(_PIECES)).map("".join),
    st.sampled_from(({}, {"A": "1"}, {"A": "b: ${A}"})),
    st.sampled_from(("utf-8-sig", "utf-16")),
    st.permutations((True, False)),
)
@example('spec:\n  patches:\n  - patch: "a: \\x24{A}"\n', {"A": "1"}, "utf-8-sig", [False, True])
@example("a: ${A}\n---\nb: 1\n---\n#\n---\nc: 1", {}, "utf-8-sig", [False, True])
@example("a: ${A}\n---\nb: 1\n---\n#\n---\nd: 1", {}, "utf-8-sig", [True, False])
@example("a: [${A}, '${B:=2}', {b: ${A} }]\n", {"A": "1"}, "utf-8-sig", [False, True])
@example("a: ${A}\n${A}: 1\n", {"A": "b"}, "utf-8-sig", [False, True])
@example("b: &x ${A}\na: *x\n", {"A": "1"}, "utf-8-sig", [False, True])
@example("b: &x {c: '${A}'}\na: *x\n", {"A": "1"}, "utf-8-sig", [False, True])
@example("b: &x [&y '${A}', *y]\na: [*x, *y]\n", {"A": "1"}, "utf-8-sig", [False, True])
@example("b: &x [&y '${A}', *y]\na: [*x, *y]\n", {}, "utf-8-sig", [False, True])
@examples(100)
def test_a_file_is_read_the_same_however_it_was_read_before(
    written: str, variables: dict[str, str], encoding: str, order: list[bool]
) -> None:
    text = f"\ufeff{_APPLIER}{written}"  # only bytes are remembered
    data = text.removeprefix("\ufeff").encode(encoding)
    for substitute in order:
        fresh = read(text, "", variables, substitute=substitute)
        found = read(data, "", variables) if substitute else read_unsubstituted(data)
        assert _shown(found, inner=substitute) == _shown(fresh, inner=substitute)


def _shown(manifest: Manifest, *, inner: bool = True) -> object:
    """All content of a manifest, including its nodes, but not how its values were found."""
    documents = [
        (repr(replace(each, nodes=None, inner={})), repr(each.root), texts)
        for each in manifest.documents
        for texts in [{path: _shown(text) for path, text in each.inner.items() if inner}]
    ]
    return documents, repr(replace(manifest, documents=()))


def _as_text(text: str) -> bool:
    """Whether bytes are read as the text is: a file holds no NUL, and its mark is not read."""
    return not {"\0", "\ufeff"} & {*text}


_PLAIN_OR_NOT = (
    "a: 1\n",
    "b: &x text\n",
    "c: *x\n",
    "d:\n- 0x1f\n- {e: ~, *x : 1}\n- 'q'\n",
    "f: &y\n  g: .inf\n",
    "x: &x [&x 1, *x]\n",
    "y: &x\n- z\n",
    "<<: *y\n",
    "y2: &y {p: *x}\n",
    "aa: &z [*y, {'${S}': &v '${T}-${S}'}]\n",
    "bb: {b: *z, c: *v, *z : 1}\n",
    "cc: [*z, '<<', <<]\n",
    "'<<': {}\n",
    "1: yes\n",
    "h: !!str 1\n",
    "h2: !!str ${S}\n",
    "!!str h3: !!str\n",
    "h4: [!!str a?]\n",
    "h5: !!str {}\n",
    "h6: !!int 1\n",
    'i: "\\u0041\\/"\n',
    "? [j]\n: k\n",
    "l: |\n  m\n...\n",
    "%YAML 1.1\n---\n",
    "---\n",
    "n: [\n",
    "m: {o: p?}\n",
    "w: [{x: [y]}, z?]\n",
    "x: [{y: z}]\nz:\n- a?\n",
    "q: r?\n",
    "s: ${S}\n",
    "t: &t '${T:=on} ${S}'\n",
    "u: [*t, '${U:=off}', ${V/}]\n",
    "${W:=w}: &w ${T}\n",
    "${S}: *w\n",
    "ab: &a [*w, '${T}']\n",
    "ac: {a: *a, b: [*a]}\n",
    "kustomize.toolkit.fluxcd.io/substitute: ${V}\n",
)


@given(
    st.lists(st.sampled_from(_PLAIN_OR_NOT), max_size=8).map("".join)
    | st.lists(_TOKENS, max_size=20).map("".join).filter(_as_text),
    st.sampled_from(({}, {"T": "1"}, {"U": "?", "W": "a: b"})),
)
@example("a: ${A}\nb: [c: '${B}']\n", {}).via("two texts that wait")
@example("{a: b?}", {}).via("a problem between brackets")
@example("a: &x [1, &y {b: c}]\nd: [*x, *y]\n", {}).via("aliases of collections")
@example("a: &x [&x 1, *x]\nb: *x\n", {}).via("anchors with the same name")
@example("a: &x {b: *x}\n", {}).via("an alias inside its anchor")
@example("a: &x ['${A}']\nb: *x\n", {}).via("a text that waits twice")
@examples(400)
def test_a_value_without_its_nodes_is_the_one_with_them(
    text: str, variables: dict[str, str]
) -> None:
    assert _shown(read(text.encode(), "", variables)) == _shown(read(text, "", variables))


_BOMB = "a0: &a0 [1]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 20))


@pytest.mark.parametrize(
    "text",
    [
        "- " * 150 + "a",
        "- " * 250 + "a",
        "[" * 250,
        pytest.param(f"a: &x 1\nb: [{'*x, ' * 100_001}]", marks=pytest.mark.slow),
        _BOMB,
    ],
)
def test_limits_are_those_of_a_text_with_nodes(text: str) -> None:
    assert _shown(read(text.encode())) == _shown(read(text))


def test_a_file_of_too_many_values(monkeypatch: pytest.MonkeyPatch) -> None:
    budget = partial(Budget, nodes=9, aliased=2, variables=3)
    monkeypatch.setattr("celvet.lint.manifest.reader.Budget", budget)
    texts = [f"a: {[*range(size)]}\n---\nb: 1" for size in range(12)]
    texts += [f"a: &x 1\n---\nb: &x 1\nc: [{'*x, ' * size}]" for size in range(5)]
    texts += [f"a: &x [{'1, ' * size}]\nb: *x" for size in range(4)]
    texts += [f"a: &x [1]\nb: &y [*x]\nc: {'[' * size}*y{']' * size}" for size in range(4)]
    texts += [f"a: ${{A}}\n---\nb: {'${B}' * size}" for size in range(5)]
    for text in texts:
        assert _shown(read(text.encode())) == _shown(read(text))


def test_a_file_without_a_document() -> None:
    assert read("").documents == read("# only\n\n# comments\n").documents == ()


def test_json_with_surrogate_pairs_and_slashes() -> None:
    text = '{"a": "x\\ud83d\\ude00y\\/z", "\\ud83d\\ude00": "\\\\ud83d", "b": "\\ud83d"}'
    manifest = read(text)
    assert manifest.documents[0].value == {"a": "x😀y/z", "😀": "\\ud83d", "b": "\ufffd"}
    place = Locator(manifest).place(Where(1, ("😀",), on_key=True))
    assert (place.column, place.end_column) == (28, 42)


def test_findings_take_the_kinds_asked_for() -> None:
    manifest = read("a: 1\na: 2\n---\nb: [\n")
    [found] = manifest.findings({"duplicate-key"})
    assert found.message.startswith("the key `a`")
    assert found.related[0].where.source == (0, 1)
    assert len(list(manifest.findings({"duplicate-key", "yaml-syntax"}))) == 2


def test_without_libyaml(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celvet.lint.manifest.yaml.compose.PARSER", yaml.BaseLoader)
    text = "a: &x [1, 'two']\nb: *x\nc: |\n  t\n---\nd: [\n---\ne:\n\tf: 1\n"
    first, *broken = read(text).documents
    assert first.value == {"a": [1, "two"], "b": [1, "two"], "c": "t\n"}
    assert ["tab" in each.problems[0].message for each in broken] == [False, True]
