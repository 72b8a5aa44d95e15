"""Hostile templates are stopped by counts: no test looks at a clock."""

from __future__ import annotations

import pytest

from celvet.lint.gotemplate import ErrorKind, TemplateError, TemplateLimits, parse

CYCLE = '<< $d := dict >><< $_ := set $d "a" $d >>'
SHARED = "<< $d := list 1 >><< range 60 >><< $d = list $d $d >><< end >>"
LOOP = "<< range 9999 >>%s<< end >>"

HOSTILE = {
    "repeat": '<< repeat 2147483647 "x" >>',
    "doubled": '<< $x := "x" >><< range 99 >><< $x = printf "%s%s" $x $x >><< end >>',
    "until": "<< until 1000000000 >>",
    "untilStep": "<< untilStep 0 9223372036854775807 1 >>",
    "seq": "<< seq 1000000000 >>",
    "range": "<< range 1000000000 >>x<< end >>",
    "nested ranges": LOOP % (LOOP % "x"),
    "recursion": '<< define "t" >><< template "t" >><< end >><< template "t" >>',
    "doubled recursion": '<< define "t" >>'
    + '<< template "t" >>' * 2
    + '<< end >><< template "t" >>',
    "parentheses": "<< " + "(" * 5000 + "1" + ")" * 5000 + " >>",
    "ifs": "<< if 1 >>" * 5000 + "<< end >>" * 5000,
    "else ifs": "<< if 0 >>" + "<< else if 0 >>" * 3000 + "<< end >>",
    "cycle": CYCLE + "<< $d >>",
    "cycle in JSON": CYCLE + "<< toJson $d >>",
    "cycle in YAML": CYCLE + "<< toYaml $d >>",
    "cycles compared": CYCLE + '<< $e := dict >><< $_ = set $e "a" $e >><< deepEqual $d $e >>',
    "shared": SHARED + "<< $d >>",
    "shared in YAML": SHARED + "<< toYaml $d >>",
    "shared compared": SHARED + "<< uniq (list $d (list $d $d)) >>",
    "regex": LOOP % '<< $x := regexMatch "(a+)+$" (repeat 500 "a") >>',
    "large regex": '<< regexMatch (repeat 12 "a{1000}") "a" >>',
    "replace": '<< replace "a" (repeat 9000 "b") (repeat 9000 "a") >>',
    "indent": "<< indent 2147483647 `x` >>",
    "lines indented": '<< indent 9000 (repeat 9000 "\\n") >>',
    "width": LOOP % '<< $x := printf "%400000d" 1 >>',
    "width of items": LOOP % '<< $x := printf "%90000d" (until 100) >>',
    "split": '<< splitList "" (repeat 400000 "a") >>',
    "concat": "<< $l := list 1 >><< range 99 >><< $l = concat $l $l >><< end >>",
    "join": '<< join (repeat 9000 "x") (until 9000) >>',
    "uniq": "<< uniq (until 9000) >>",
    "hash": LOOP % '<< $x := sha256sum (repeat 99999 "a") >>',
    "upper": LOOP % '<< $x := upper (repeat 9999 "é") >>',
    "JSON": LOOP % '<< $x := fromJson (printf "[%s1]" (repeat 9000 "1,")) >>',
    "deep JSON": '<< mustFromJson (repeat 9999 "[") >>',
    "actions": "<< 1 >>" * 20000,
    "output": "x" * 2_000_000,
    "rounds that end at once": LOOP % "<< range 9999 >><< break >><< end >>",
    "arguments of and": LOOP % f"<< $x := and {'1 ' * 90} >>",
    "arguments of or": LOOP % f"<< $x := or {'0 ' * 90} >>",
    "a long name": f"<< {'a' * 900_000} >>",
    "a long string": f"<< `{'a' * 900_000}` >>",
    "long texts in YAML": '<< $l := list (repeat 99999 "é< ") >>' + LOOP % "<< $x := toYaml $l >>",
    "long texts in JSON": '<< $l := list (repeat 99999 "<") >>' + LOOP % "<< $x := toJson $l >>",
    "a list in quotes": "<< $l := until 5000 >>" + LOOP % "<< $x := quote $l >>",
    "floats in YAML": "<< $l := list 1.5 2.5 1e21 >>" + LOOP % "<< $x := toYaml $l >>",
    "chunks": "<< $l := until 9000 >>" + LOOP % "<< $x := chunk 1 $l >>",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_template_is_stopped(name: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse(HOSTILE[name]).execute({})
    assert caught.value.kind is ErrorKind.LIMIT
    assert "template: resourceset:" in str(caught.value)


@pytest.mark.parametrize(
    ("limits", "source"),
    [
        (TemplateLimits(steps=10), "<< range 9 >><< . >><< end >>"),
        (TemplateLimits(steps=80), f"<< and {'1 ' * 90} >>"),
        (TemplateLimits(steps=500), '<< toYaml (list (repeat 9000 "a")) >>'),
        (TemplateLimits(steps=500), '<< toJson (list (repeat 9000 "a")) >>'),
        (TemplateLimits(steps=500), '<< list (repeat 9000 "a") | quote >>'),
        (TemplateLimits(steps=500), "<< len (chunk 1 (until 900)) >>"),
        (TemplateLimits(items=5), "<< until 6 >>"),
        (TemplateLimits(value=5), '<< repeat 6 "x" >>'),
        (TemplateLimits(output=5), "<< 123456 >>"),
        (TemplateLimits(depth=2), "<< if true >><< if true >>x<< end >><< end >>"),
    ],
)
def test_each_limit_counts(limits: TemplateLimits, source: str) -> None:
    assert parse(source).execute({}).text
    with pytest.raises(TemplateError) as caught:
        parse(source).execute({}, limits)
    assert caught.value.kind is ErrorKind.LIMIT


def test_tokens_are_counted_while_parsing() -> None:
    with pytest.raises(TemplateError) as caught:
        parse("<< 1 >>" * 3, limits=TemplateLimits(tokens=10))
    assert caught.value.kind is ErrorKind.LIMIT
    assert caught.value.reason == "the template has more than 10 tokens"


def test_an_ordinary_template_stays_far_below() -> None:
    source = "<< range inputs.tags >>- name: << . | upper | quote >>\n<< end >>"
    text = parse(source).execute({"tags": ["team"] * 200}).text
    assert text.count("TEAM") == 200


def test_the_limit_of_tokens_is_the_last_that_is_read() -> None:
    text = "<< 1 >>"
    tokens = next(each for each in range(1, 20) if _parses(text, each))
    assert tokens > 1
    assert not _parses(text, tokens - 1)
    assert not _parses(text + "x", tokens)
    assert _parses(text + "x", tokens + 1)


def _parses(text: str, tokens: int) -> bool:
    try:
        parse(text, limits=TemplateLimits(tokens=tokens))
    except TemplateError:
        return False
    return True
