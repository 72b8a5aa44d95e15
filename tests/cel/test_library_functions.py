"""Kubernetes' functions that celvet has in Python, in the values and errors of k8s.io/apiserver."""

from __future__ import annotations

from typing import Any

import pytest

from celvet.lint.cel import Compiled, compile_expression
from celvet.record import replace
from celvet.schemas import Dialect, load

_LIBRARIES = (
    *("optional", "strings", "kubernetes-lists", "kubernetes-regex", "url"),
    *("quantity", "ip", "cidr", "semver", "ocm-conditions"),
)
_KRO = replace(load().dialects["kro-ready"], wrap="none", result="", results=(), dependent=())
_OBJECT = {"text": "ab1c22", "list": [3, 1, 2], "words": ["a", "b"], "n": 1}


def _compiled(text: str, *, checked: bool = True) -> Compiled:
    variables = {"object": "dyn"}
    name = f"kubernetes {checked}"
    dialect = Dialect(
        name, "cel", "", checked=checked, variables=variables, libraries=_LIBRARIES, options=()
    )
    return compile_expression(text, dialect)


@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2, 3].sum()", 6),
        ("[1.5, 2.0].sum()", 3.5),
        ("object.list.sum()", 6),
        ("object.list.isSorted()", False),
        ("object.words.isSorted()", True),
        ("object.list.min()", 1),
        ("object.words.max()", "b"),
        ("object.words.indexOf('b')", 1),
        ("object.words.indexOf('c')", -1),
        ("['a', 'b', 'a'].lastIndexOf('a')", 2),
        ("'abcabc'.indexOf('c')", 2),
        ("'abcabc'.indexOf('c', 3)", 5),
        ("object.text.find('[0-9]+')", "1"),
        ("object.text.find('x')", ""),
        ("object.text.findAll('[0-9]+')", ["1", "22"]),
        ("object.text.findAll('[0-9]+', 1)", ["1"]),
        ("quantity('10Gi').compareTo(quantity('1Gi'))", 1),
        ("quantity('1k') == quantity('1000')", True),
        ("quantity('100m').isLessThan(quantity('1'))", True),
        ("quantity('1e3').asInteger()", 1000),
        ("quantity('1.5').isInteger()", False),
        ("quantity('1').add(2).sub(quantity('500m')).asApproximateFloat()", 2.5),
        ("isQuantity('1.2.3')", False),
        ("isQuantity('20Mo')", False),
        ("isQuantity('.5Ki')", True),
        ("url('https://a.b:80/x%20y?q=1&q=2').getHost()", "a.b:80"),
        ("url('https://[::1]:80/x').getHostname()", "::1"),
        ("url('https://a.b:80/x').getPort()", "80"),
        ("url('https://a.b/x y').getEscapedPath()", None),
        ("url('https://a.b/x%20y').getEscapedPath()", "/x%20y"),
        ("url('/path').getScheme()", ""),
        ("url('https://a.b/?q=1&q=2').getQuery()", {"q": ["1", "2"]}),
        ("isURL('a.b/c')", False),
        ("ip('10.0.0.1').family()", 4),
        ("ip('::1').isLoopback()", True),
        ("ip('fe80::1').isLinkLocalUnicast()", True),
        ("ip('10.0.0.1').isGlobalUnicast()", True),
        ("ip('224.0.0.1').isLinkLocalMulticast()", True),
        ("ip.isCanonical('0:0:0:0:0:0:0:1')", False),
        ("isIP('1.2.3')", False),
        ("isIP('::ffff:1.2.3.4')", False),
        ("cidr('10.0.0.0/8').containsIP('10.0.0.1')", True),
        ("cidr('10.0.0.0/8').containsIP(ip('11.0.0.1'))", False),
        ("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", True),
        ("cidr('10.0.0.1/8').masked() == cidr('10.0.0.0/8')", True),
        ("cidr('10.0.0.1/8').ip() == ip('10.0.0.1')", True),
        ("cidr('10.0.0.0/8').prefixLength()", 8),
        ("isCIDR('10.0.0.0/33')", False),
        ("isSemver('v1')", False),
        ("semver('1.2.3').minor()", 2),
        ("sign(quantity('-1'))", -1),
        ("[duration('1s'), duration('2s')].sum() == duration('3s')", True),
        ("{'a': 1, 'b': object}.a == 1", True),
        ("[[1, object], object][0][0] == 1", True),
        ("semver('1.2.3-rc.1').isLessThan(semver('1.2.3'))", True),
        ("semver('1.2.3-rc.10').compareTo(semver('1.2.3-rc.9'))", 1),
        ("hasConditions(object)", False),
        ("hasConditions({'conditions': [1]})", True),
        ("object.?missing.orValue('a1').find('[0-9]')", "1"),
    ],
)
def test_a_value(text: str, value: Any, checked: bool) -> None:
    outcome = _compiled(text, checked=checked).evaluate({"object": _OBJECT})
    assert outcome.analysed
    assert outcome.value == value
    assert (type(outcome.value), bool(outcome.error)) == (type(value), value is None)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[].min()", "min called on empty list"),
        ("object.text.sum()", "no such overload"),
        ("object.n.find('a')", "no such overload"),
        ("object.?text.find('a')", "no such overload"),
        ("'a'.find(['('][0])", "Illegal regex: error parsing regexp: missing closing ): `(`"),
        ("semver('1.2')", "No Major.Minor.Patch elements found"),
        ("quantity('1.5').asInteger()", "cannot convert value to integer"),
        ("object.missing.find('a')", "no such key: missing"),
    ],
)
def test_an_error(text: str, error: str) -> None:
    outcome = _compiled(text, checked=False).evaluate({"object": _OBJECT})
    assert outcome.error == error


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("quantity(1)", "no-overload"),
        ("quantity('1').foo", "no-field"),
        ("quantity('1') == 1", "no-overload"),
        ("quantity('1').sign()", "no-overload"),
        ("semver('v1', true)", "no-overload"),
        ("'a'.find('(')", "bad-regex"),
        ("[1, 2][0].a", "no-field"),
        ("quantity('1').compareTo(semver('1.2.3'))", "no-overload"),
        ("['a'].sum()", "no-overload"),
        ("['a'].max() == 1", "no-overload"),
    ],
)
def test_what_the_type_checker_refuses(text: str, cause: str) -> None:
    assert [refusal.cause for refusal in _compiled(text).refusals] == [cause]


@pytest.mark.parametrize(
    ("text", "obj"),
    [
        ("object.l.all(x, object.t.find('(a*)*b') == '')", {"l": [*range(5000)], "t": "a" * 500}),
        ("object.t.find('(a|aa)+$') == ''", {"t": "a" * 20000 + "b"}),
        ("object.l.map(x, quantity(object.t)) == []", {"l": [*range(9000)], "t": "9" * 3000}),
    ],
)
def test_a_hostile_object_is_not_evaluated(text: str, obj: Any) -> None:
    assert not _compiled(text).evaluate({"object": obj}).analysed


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[[1], [2]].flatten()", [1, 2]),
        ("[[1, [2]], [[3]]].flatten(2)", [1, 2, 3]),
        ("[1, 2, 1, 2].distinct()", [1, 2]),
        ("lists.range(3)", [0, 1, 2]),
        ("lists.setAtIndex([1, 2], 0, 5)", [5, 2]),
        ("lists.insertAtIndex([1, 2], 2, 5)", [1, 2, 5]),
        ("lists.removeAtIndex([1, 2], 0)", [2]),
        ("{'a': 1}.merge({'a': 2, 'b': 3})", {"a": 2, "b": 3}),
        ("{'a': {'x': 1}}.deepMerge({'a': {'y': 2}})", {"a": {"x": 1, "y": 2}}),
        ("json.unmarshal('{\"a\": [1, null]}')", {"a": [1.0, None]}),
        ("{}.newCondition({'type': 'A', 'status': 'True'}).reason", ""),
        ("{}.condition({'status': {'conditions': [{'type': 'A', 'x': 1}]}}, 'A').type", "A"),
        ("{}.condition({'a': 1}, 'A').type", ""),
        (
            "json.marshal({'b': [1, 2.5, '<'], 'a': duration('90s')})",
            r'{"a":"1m30s","b":[1,2.5,"\u003c"]}',
        ),
        ("base64.encode(hash.md5('a'))", "DMF1ucDxtqgxw5niaXcmYQ=="),
        ("base64.encode(hash.fnv64a('a'))", "r2PcTIYB7Iw="),
        ("hash.sha256('a').size()", 32),
        ("random.seededString(4, 'x').size()", 4),
        ("random.seededInt(0, 100, 'x') == random.seededInt(0, 100, 'x')", True),
    ],
)
def test_libraries_of_kro(text: str, value: Any) -> None:
    assert compile_expression(text, _KRO).evaluate({}).value == value


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[1, [2]].flatten(-1)", "level must be non-negative"),
        ("lists.range(-1)", "lists.range: size must be non-negative, got -1"),
        ("lists.setAtIndex([1], 1, 5)", "lists.setAtIndex: index 1 out of bounds [0, 1)"),
        ("json.unmarshal('{')", "json.unmarshal failed to parse JSON: "),
        ("{}.newCondition({'type': 'A', 'status': 'Yes'})", "runtime.newCondition: status must be"),
        ("{}.newCondition({'type': '', 'status': 'True'})", "runtime.newCondition: type must not"),
        ("{}.condition('x', 'A')", "runtime.condition: obj must be an object"),
        ("json.unmarshal('NaN')", "json.unmarshal failed to parse JSON: "),
        ("random.seededString(0, 'x')", "random.seededString length must be positive"),
        ("random.seededInt(1, 1, 'x')", "random.seededInt min must be less than max"),
        ("dyn(1).deepMerge({})", "no such overload"),
        ("lists.range(1000000)", "not evaluated: its loops take more than 10,000 iterations"),
    ],
)
def test_errors_of_the_libraries_of_kro(text: str, error: str) -> None:
    assert compile_expression(text, _KRO).evaluate({}).error.startswith(error)


def test_flatten_needs_a_list_of_lists_where_types_are_checked() -> None:
    assert compile_expression("[1, 2].flatten()", _KRO).refusals


_PAIRS = {"m": {"a": {"s": "up"}, "b": {"s": "down"}}, "l": [3, 1]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("o.m.transformList(k, v, v.s == 'up', k)", ["a"]),
        ("o.m.transformMap(k, v, v.s)", {"a": "up", "b": "down"}),
        ("o.m.transformMap(k, v, k == 'a', v.s)", {"a": "up"}),
        ("o.l.transformMapEntry(i, v, {string(v): i})", {"1": 1, "3": 0}),
        ("o.l.all(i, v, v > i)", False),
        ("o.l.exists(i, v, v / 0 == 1 || i == v)", True),
        ("o.l.existsOne(i, v, i == v)", True),
        ("o.l.all(i, v, [i].all(j, w, w == i && v > 0))", True),
        ("o.l.all(i, v, [7].all(i, i == 7))", True),
        ("o.m.all(k, v, has(v.s))", True),
    ],
)
def test_macros_of_two_variables(text: str, value: Any) -> None:
    program = compile_expression(text, replace(_KRO, variables={"o": "dyn"}))
    assert program.evaluate({"o": _PAIRS}).value == value
    assert program.trace({"o": _PAIRS}).complete


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("o.m.all(k, v, v.x == '1')", "no such key: x"),
        ("o.nope.all(i, v, true)", "no such key: nope"),
        ("o.l[0].all(i, v, true)", "no such overload"),
        ("[1, 1].transformMapEntry(i, v, {v: i})", "insert failed: key 1 already exists"),
        ("o.m.transformMap(k, v, v.?s)", "not evaluated: celvet does not evaluate `transformMap`"),
        ("lists.range(9999).all(i, v, lists.range(9999).all(j, w, true))", "not evaluated: "),
    ],
)
def test_errors_of_macros_of_two_variables(text: str, error: str) -> None:
    program = compile_expression(text, replace(_KRO, variables={"o": "dyn"}))
    assert program.evaluate({"o": _PAIRS}).error.startswith(error)


_DOUBLED = "".join(f"cel.bind(x{n}, x{n - 1} + x{n - 1}, " for n in range(1, 30))


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("cel.bind(p, o.m.a.s, p == 'up' || p == 'down')", True),
        ("cel.bind(p, o.nope, true)", True),
        ("cel.bind(p, o.nope, p == 1)", "no such key: nope"),
        ("cel.bind(p, 1, cel.bind(p, p + 1, p))", 2),
        ("cel.bind(y, 3, [1].map(x, x + y))", [4]),
        ("o.l.exists(i, v, cel.bind(w, v + 1, w == 2))", True),
        ("cel.bind(l, o.l, l.exists(i, v, v == 2))", False),
        ("cel.bind(x, o.?a, x.hasValue())", False),
        ("[1].map(x, cel.bind(y, x, [3].map(x, x + y)))", "not evaluated: "),
        (
            "".join(f"cel.bind(x{n}, {2 * f'x{n - 1} + '} 1, " for n in range(1, 30))
            + "x29"
            + 29 * ")",
            "not",
        ),
    ],
)
def test_a_name_for_a_value(text: str, outcome: Any) -> None:
    program = compile_expression(text, replace(_KRO, variables={"o": "dyn", "x0": "int"}))
    result = program.evaluate({"o": _PAIRS, "x0": 1})
    assert result.error.startswith(outcome) if result.error else result.value == outcome


def test_a_macro_of_two_variables_needs_two_names() -> None:
    assert compile_expression("[1].all(1, v, true)", _KRO).refusals


def test_a_type_that_only_the_engine_infers_is_no_reason_to_refuse() -> None:
    text = "o.l.distinct().all(v, size(v) > 0 && string(v) == 'a')"
    assert not compile_expression(text, replace(_KRO, variables={"o": "dyn"})).refusals
