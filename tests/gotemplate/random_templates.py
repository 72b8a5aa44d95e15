# ruff: noqa: E501
"""Random templates and inputs, from a grammar that knows what fits where, most of the time."""

from __future__ import annotations

import random
from typing import Any

from celvet.lint.gotemplate.functions.library import OPERATOR

# Their answers depend on the clock, on chance, or on the order of a map.
UNPREDICTABLE = {"ago", "randInt", "keys", "values", "toDate", "mustToDate", "unixEpoch"}
UNPREDICTABLE |= {"must_date_modify", "mustDateModify"}

STRINGS = [
    "", "a", "b", "abc", "team-1", "Hello, World!", "x y  z", "1", "-7", "08", "1.5", "0x1F", "true", "yes", "null", "~",
    "multi\nline", "multi\nline\n", " lead", "trail ", "a: b", "- x", "#c", "é", "naïve café", "日本", "a/b/c.txt", "/x//y/../z",
    "aGVsbG8=", "bad!", "NBSWY3DP", "{\"a\": [1, 2.5, null]}", "[1]", "https://u:p@h.io:80/p/q?x=1#f", "h:1:2", "2024-01-02",
    "1h30m", "90s", "<&>'\"", "tab\there", "a,b,,c", "$1 %d %s", "`tick`", "Ünïcödé", "0o17", "1e3", "12:30", "x" * 90,
    "word " * 30, "\x07bell", "\u2028", "😀", ".5", "+1", "<<", "key: |", "1_000", "v1.2.3",
]  # fmt: skip
NUMBERS = ["0", "1", "2", "3", "-1", "5", "10", "63", "1.5", "2.0", "0.5", "-0.0", "1e3", "0x10", "'a'", "07", "1_000", "100000", "1e21", "1e-7", "9223372036854775807"]  # fmt: skip
REGEXES = ["a+", "(a)(b)?", "[a-z]+", "^x", "\\d+", "(?i)HELLO", "a|b", "", "(", "[", "\\s+", "(?P<n>l+)", "x*", ".", "\\bw", "[^a-z]", "a{2,3}", "*", "e$"]  # fmt: skip
FORMATS = ["%d", "%s", "%v", "%q", "%x", "%5d", "%-5s|", "%05.1f", "%t", "%T", "%+v", "%#v", "%%", "%[1]v %[1]T", "%", "%c", "%U", "%e", "%g", "%8.3f|", "%z", "%*d", "%.2s", "%s %s", "%6.2v", "%x %X", "%o", "%b", "%+d", "% d", "%#x", "%[2]s", "%.3q", "%#q"]  # fmt: skip
PATHS = [".name", ".name", ".count", ".ratio", ".on", ".tags", ".labels", ".nested", ".none", ".list", ".any", "", ".nested.name", ".nested.deep.name", ".nested.deep", ".nested.count"]  # fmt: skip
BAD_PATHS = [".missing", ".name.x", ".none.x", ".tags.x", ".nested.deep.name.x", ".count.y"]
YAML = "ab:- #'\"|>{}[],&*!%@`?~.1\\\t\n é=<\u2028\x07😀"
REGEX = "aabbx()[]|*+?{}2,1^$.\\dwsb-:?PiU<>n"
JSON = '[]{}",:1-.e+0truefalsn \\u"'
REGEX_CALLS = ["mustRegexMatch", "mustRegexFind", "regexMatch", "regexFind"]
COMMON = ["quote", "toYaml", "nindent", "default", "upper", "toJson", "int", "toString", "join"]
KEYS = ["a", "b", "a.b/c", "x1", "x10", "x2", "Key", "no", "1", "key with space", "é"]


class Generator:
    """Makes templates; the same seed makes the same ones."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = sorted(set(OPERATOR) - UNPREDICTABLE)
        self.variables: list[str] = []
        self.loops = 0
        self.dots = 0
        self.defined: list[str] = []

    # Inputs

    def scalar(self) -> Any:
        choice = self.random.random()
        if choice < 0.5:
            return self.random.choice(STRINGS)
        if choice < 0.7:
            return self.random.choice([0, 1, 2, 3, 7, -5, 80, 2**40])
        if choice < 0.85:
            return self.random.choice([0.5, 2.0, -1.25, 1e21, 1e-7, 123456789.0, 1e6])
        return self.random.choice([True, False, None])

    def value(self, depth: int = 0) -> Any:
        choice = self.random.random()
        if depth > 2 or choice < 0.55:
            return self.scalar()
        if choice < 0.8:
            return [self.value(depth + 1) for _ in range(self.random.randrange(4))]
        return {
            self.random.choice(KEYS): self.value(depth + 1) for _ in range(self.random.randrange(4))
        }

    def inputs(self) -> dict[str, Any]:
        pick = self.random.choice
        data: dict[str, Any] = {
            "name": pick(STRINGS),
            "count": pick([0, 1, 3, 7, 8080]),
            "ratio": pick([0.5, 2.0, 1e21, -3.75]),
            "on": pick([True, False]),
            "tags": [pick(STRINGS) for _ in range(self.random.randrange(4))],
            "labels": {pick(KEYS): pick(STRINGS) for _ in range(self.random.randrange(4))},
            "nested": {
                "name": pick(STRINGS),
                "count": pick([1, 2]),
                "deep": {"name": pick(STRINGS)},
            },
            "none": None,
            "list": [self.value() for _ in range(self.random.randrange(4))],
            "any": self.value(),
        }
        if self.random.random() < 0.1:
            del data[pick(list(data))]
        return data

    # Expressions

    def string_literal(self, values: list[str] = STRINGS) -> str:
        value = self.random.choice(values)
        if "`" not in value and "\n" not in value and self.random.random() < 0.3:
            return f"`{value}`"
        escaped = (
            value.replace("\\", "\\\\")
            .replace('"', '\\"')
            .replace("\n", "\\n")
            .replace("\t", "\\t")
        )
        return '"' + "".join(c if c >= " " else f"\\x{ord(c):02x}" for c in escaped) + '"'

    def path(self) -> str:
        pick = self.random.choice
        bases = ["inputs"] * 8 + self.variables * 2 + ([""] * 3 if self.dots else [])
        base = pick(bases)
        if self.random.random() < 0.01:
            base = pick(["", "$"])
        if base == "inputs":
            return "inputs" + pick(PATHS if self.random.random() < 0.95 else BAD_PATHS)
        if base == "" or self.random.random() < 0.1:
            return base + pick([".", ".", ".name"]) if base == "" else f"{base}.name"
        return base

    def operand(self, wanted: str, depth: int) -> str:
        roll = self.random.random()
        if roll < 0.04:
            wanted = self.random.choice(["string", "int", "any", "map", "list"])
        if depth < 3 and roll > 0.9:
            return f"({self.pipeline(depth + 1)})"
        table = {
            "string": [self.string_literal, lambda: "inputs.name", lambda: f"(toString {self.path()})"],
            "int": [lambda: self.random.choice(["0", "1", "2", "3", "-1", "7"]), lambda: f"(int {self.path()})", lambda: "(len inputs.tags)"],
            "float64": [lambda: self.random.choice(NUMBERS)],
            "bool": [lambda: self.random.choice(["true", "false"]), lambda: "inputs.on", lambda: f"(not {self.path()})"],
            "map": [lambda: "inputs.labels", lambda: "inputs", lambda: "inputs.nested", lambda: self.call("dict", depth + 1, paren=True)],
            "list": [lambda: "inputs.tags", lambda: "inputs.list", lambda: self.call("list", depth + 1, paren=True), lambda: "(until 3)", lambda: '(splitList "," "b,a,b")'],
        }  # fmt: skip
        if wanted.startswith("map["):
            wanted = "map"
        if wanted in table:
            return self.random.choice(table[wanted])()
        return self.random.choice(
            [
                self.path,
                self.path,
                self.string_literal,
                lambda: self.random.choice(NUMBERS),
                lambda: self.operand("list", depth),
                lambda: self.random.choice(["true", "false", "nil", "1"]),
                lambda: self.operand("map", depth),
            ]
        )()

    def argument(self, name: str, index: int, wanted: str, depth: int) -> str:
        if name == "printf" and index == 0 and self.random.random() < 0.9:
            return self.string_literal(FORMATS)
        if "egex" in name and index == 0 and self.random.random() < 0.9:
            return self.string_literal(REGEXES)
        lists = {"first", "last", "rest", "initial", "reverse", "compact", "uniq", "without", "has", "chunk", "slice", "append", "prepend", "join", "sortAlpha", "concat", "index"}  # fmt: skip
        plain = name.removeprefix("must").lower()
        if (
            wanted in ("interface {}", "reflect.Value")
            and plain in lists
            and self.random.random() < 0.5
        ):
            return self.operand("list", depth)
        return self.operand(wanted, depth)

    def call(self, name: str, depth: int, *, paren: bool = False, piped: bool = False) -> str:
        function = OPERATOR[name]
        params = list(function.params)
        if function.variadic:
            last = params.pop()
            params += [last] * self.random.choice([0, 1, 1, 2, 2, 3])
        if piped and params:
            params.pop()
        if self.random.random() < 0.03:
            params = params[:-1]
        args = [self.argument(name, index, wanted, depth) for index, wanted in enumerate(params)]
        text = " ".join([name, *args])
        return f"({text})" if paren else text

    def pipeline(self, depth: int = 0) -> str:
        if self.random.random() < 0.4:
            stages, found = [self.path()], "interface {}"
        elif self.random.random() < 0.3:
            stages, found = [self.string_literal()], "string"
        else:
            name = self.random.choice(self.names)
            stages, found = [self.call(name, depth + 1)], OPERATOR[name].result
        while self.random.random() < 0.35:
            name = self.next_stage(found)
            stages.append(self.call(name, depth + 1, piped=True))
            found = OPERATOR[name].result
        return " | ".join(stages)

    def next_stage(self, found: str) -> str:
        """A function whose last parameter takes a `found`, most of the time."""
        for _ in range(20):
            name = self.random.choice(self.names)
            if self.random.random() < 0.2:
                name = self.random.choice(COMMON)
            params = OPERATOR[name].params
            if self.random.random() < 0.05 or (params and params[-1] in (found, "interface {}")):
                return name
        return "quote"

    # Statements

    def action(self, inside: str) -> str:
        left = self.random.choice(["<<", "<< ", "<<- ", "<<"])
        right = self.random.choice([">>", " >>", " ->>", ">>"])
        return left + inside + right

    def text(self) -> str:
        return self.random.choice(
            ["", " ", "\n", "a: ", "x", "  \n  ", "é", "- ", "\n\n", "<", ">"]
        )

    def block(self, depth: int) -> str:
        mark = len(self.variables)
        body = "".join(self.statement(depth) for _ in range(self.random.randrange(1, 4)))
        del self.variables[mark:]
        return body

    def statement(self, depth: int) -> str:
        roll = self.random.random()
        if roll < 0.25:
            return self.text()
        if roll < 0.62 or depth > 2:
            return self.action(self.pipeline())
        if roll < 0.7:
            name = self.random.choice(["$x", "$y", "$z"])
            sign = self.random.choice([":=", ":=", "=", ":="])
            text = self.action(f"{name} {sign} {self.pipeline()}")
            self.variables.append(name)
            return text
        return self.compound(depth)

    def compound(self, depth: int) -> str:
        kind = self.random.choice(
            ["if", "if", "with", "range", "range", "comment", "template", "jump", "define"]
        )
        if kind == "comment":
            return self.action("/* note */")
        if kind == "jump":
            return (
                self.action(self.random.choice(["break", "continue"]))
                if self.loops or self.random.random() < 0.1
                else ""
            )
        if kind == "template":
            name = self.random.choice([*(self.defined * 9), "t"])
            return self.action(
                f'template "{name}"' + self.random.choice(["", f" {self.pipeline()}"])
            )
        if kind == "define":
            return self.definition(depth)
        return self.branch(kind, depth)

    def definition(self, depth: int) -> str:
        name = self.random.choice(["t", "u", "v"])
        outside, self.variables = self.variables, []
        loops, self.loops = self.loops, 0
        dots, self.dots = self.dots, 1
        if depth == 0 and self.random.random() < 0.6:
            opening = f'define "{name}"'
        else:
            opening = f'block "{name}" {self.pipeline()}'
        text = self.action(opening) + self.block(depth + 1) + self.action("end")
        self.variables, self.loops, self.dots = outside, loops, dots
        self.defined.append(name)
        return text

    def branch(self, kind: str, depth: int) -> str:
        mark = len(self.variables)
        declares = ""
        if kind == "range":
            declares = self.random.choice(["", "", "$v := ", "$i, $v := ", "$x = "])
        elif self.random.random() < 0.15:
            declares = "$w := "
        subject = self.random.choice(["inputs.tags", "inputs.labels", "inputs.list", "until 3", "3", "inputs.count", self.pipeline()]) if kind == "range" else self.pipeline()  # fmt: skip
        text = self.action(f"{kind} {declares}{subject}")
        self.variables += [name for name in ("$v", "$i", "$w") if name in declares]
        self.loops += kind == "range"
        self.dots += kind != "if"
        text += self.block(depth + 1)
        self.loops -= kind == "range"
        self.dots -= kind != "if"
        if self.random.random() < 0.4:
            if kind != "range" and self.random.random() < 0.4:
                text += self.action(f"else {kind} {self.pipeline()}") + self.block(depth + 1)
            text += self.action("else") + self.block(depth + 1)
        del self.variables[mark:]
        return text + self.action("end")

    def damage(self, text: str) -> str:
        """Break a template: drop, double or replace a stretch."""
        if not text:
            return text
        begin = self.random.randrange(len(text))
        end = min(len(text), begin + self.random.randrange(1, 4))
        replacement = self.random.choice(["", text[begin:end] * 2, "(", ")", "|", '"', "<<", ">>", " ", "$", ".", "'", "`", "=", ":=", ",", "\n", "nil", "\\", "1", "é", "@", "-"])  # fmt: skip
        return text[:begin] + replacement + text[end:]

    def scrap(self, alphabet: str) -> str:
        """A random text of some characters, as a literal."""
        text = "".join(self.random.choice(alphabet) for _ in range(self.random.randrange(9)))
        return self.string_literal([text])

    def special(self) -> str:
        """One call with arguments that its function has to read closely."""
        pick = self.random.choice
        number = str(self.random.randrange(-2, 4))
        scrap = self.scrap
        texts = "aabbx-_ .,:/\n1é日\U0001f600"
        return pick([
            lambda: f"dict {scrap(YAML)} {scrap(YAML)} {scrap(YAML)} (list {scrap(YAML)} (list {scrap(YAML)})) | toYaml",
            lambda: f"repeat 12 {scrap(YAML)} | list | dict {scrap(YAML)} | toYaml",
            lambda: f"{pick(REGEX_CALLS)} {scrap(REGEX)} {scrap('abcxAB1 _' + chr(10))}",
            lambda: f"{pick(['regexFindAll', 'regexSplit'])} {scrap(REGEX)} {scrap('aabbcx')} {number}",
            lambda: f"{pick(['regexReplaceAll', 'regexReplaceAllLiteral'])} {scrap(REGEX)} {scrap('aabbcx')} {scrap('ab$1{}')}",
            lambda: f"printf {scrap('%%%%dsvqxXtTgfeEcUb0123+-# .[]*1w')} {self.literal()} {self.literal()}",
            lambda: f"mustFromJson {scrap(JSON)} | toJson",
            lambda: f"mustFromJson {scrap(JSON)} | printf {self.string_literal(FORMATS)}",
            lambda: f"{pick(['b64dec', 'b32dec'])} {scrap('QUJDYWJj==' + chr(10) + '!')}",
            lambda: f"{pick(['b64dec', 'b32dec'])} ({pick(['b64enc', 'b32enc'])} {scrap(texts)})",
            lambda: f"{pick(['atoi', 'int', 'int64', 'float64', 'toDecimal', 'durationRound', 'duration', 'ceil'])} {scrap('0123456789+-_.exhms' )}",
            lambda: f"urlParse {scrap('ahttp:/@#?.%20[]1é ')} | toJson",
            lambda: f"urlParse (printf {pick(['%s', 'http://%s', 'http://h/%s', 'x:%s', '//%s'])!r} {scrap('ahp:/@#?.%20[]1é& ')}) | urlJoin".replace("'", '"'),
            lambda: f'urlJoin (dict "scheme" {scrap("abc")} "host" {scrap("ab:1%[]é")} "path" {scrap("/ab:%? é")} "query" {scrap("a=&")} "fragment" {scrap("a#é")} "userinfo" {scrap("a:@%")})',
            lambda: f"{pick(['base', 'dir', 'ext', 'clean', 'isAbs', 'osBase', 'osDir'])} {scrap('ab./')}",
            lambda: f"slugify {scrap('aB_- é&@' + chr(39))}",
            lambda: f"{pick(['title', 'upper', 'lower', 'trim', 'js', 'html', 'urlquery', 'quote', 'toJson', 'sha1sum'])} {scrap(texts + '<&=' + chr(39) + chr(160))}",
            lambda: f"substr {number} {pick(NUMBERS)} {scrap(texts)}",
            lambda: f"trunc {number} {scrap(texts)} | printf {self.string_literal(FORMATS)}",
            lambda: f"{pick(['split', 'splitList'])} {scrap('a,')} {scrap('aab,,')}",
            lambda: f"splitn {scrap('a,')} {number} {scrap('aab,,')}",
            lambda: f"{pick(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'deepEqual', 'eq', 'max', 'minf', 'maxf', 'add', 'sub', 'mul', 'div', 'mod'])} {self.literal()} {self.literal()}",
            lambda: f"{pick(['index', 'slice', 'chunk', 'round', 'has', 'without', 'dig', 'call', 'len'])} {self.literal()} {self.literal()} {self.literal()}",
            lambda: f"index {self.operand('list', 9)} {pick(NUMBERS)}",
            lambda: f"slice {self.operand('list', 9)} {number} {pick('0123')}",
            lambda: f"chunk {number} {self.operand('list', 9)}",
            lambda: f"round {pick(NUMBERS)} {number} {pick(['', '0.5', '0.3', '1'])}",
            lambda: f"seq {' '.join(pick(NUMBERS[:7]) for _ in range(self.random.randrange(4)))}",
            lambda: f"untilStep {number} {self.random.randrange(-9, 9)} {pick(NUMBERS[:7])}",
            lambda: f"{pick(['print', 'println', 'cat', 'squote', 'quote', 'html', 'coalesce', 'list'])} {self.literal()} {self.literal()} {self.literal()}",
            lambda: scrap(YAML) + " | toYaml",
            lambda: scrap("0123456789-:.eE+_xob T") + " | toYaml",
            lambda: pick(["", "-", "+"]) + "".join(pick("0123456789.eExXbo_pPi+'") for _ in range(self.random.randrange(1, 7))),
        ])()  # fmt: skip

    def literal(self) -> str:
        pick = self.random.choice
        values = [
            *NUMBERS,
            "true",
            "false",
            "nil",
            "inputs.none",
            "inputs.any",
            "inputs.tags",
            "inputs.list",
            "inputs",
        ]
        values += [
            "inputs.labels",
            "1i",
            "(list)",
            "(dict)",
            "(rest (list))",
            '(index "abc" 1)',
            "(until 2)",
            '(split "," "a,b")',
        ]
        values += [
            "(first (list))",
            "inputs.ratio",
            "inputs.count",
            '(float64 "NaN")',
            '(float64 "-inf")',
            '(list 1 "a" nil)',
        ]
        return self.string_literal() if self.random.random() < 0.3 else pick(values)

    def template(self) -> str:
        self.variables, self.loops, self.dots, self.defined = [], 0, 0, []
        roll = self.random.random()
        if roll < 0.35:
            text = self.action(self.special())
        elif roll < 0.45:
            text = self.action(self.pipeline())
        else:
            text = "".join(self.statement(0) for _ in range(self.random.randrange(1, 5)))
        if self.random.random() < 0.12:
            text = self.damage(text)
        return text
