"""slim-sprig's functions of regular expressions (regex.go, v3.0.0)."""

from __future__ import annotations

from collections.abc import Callable

from celvet.lint.go.quoting import quote
from celvet.lint.go.regexp.regex import Regex, RegexError, quote_meta
from celvet.lint.gotemplate.errors import CallError
from celvet.lint.gotemplate.functions.signature import SLOW, Function, function
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import STRINGS, Value, nil_list, strings


def _match(meter: Meter, regex: Regex, text: str) -> bool:
    return regex.search(text, meter) is not None


def _find(meter: Meter, regex: Regex, text: str) -> str:
    match = regex.search(text, meter)
    return text[match[0] : match[1]] if match else ""


def _find_all(meter: Meter, regex: Regex, text: str, limit: int) -> Value:
    matches = [text[match[0] : match[1]] for match in regex.find_all(text, meter, limit)]
    return strings(matches) if matches else nil_list(STRINGS)


def _split(meter: Meter, regex: Regex, text: str, limit: int) -> Value:
    parts = regex.split(text, meter, limit)
    return nil_list(STRINGS) if parts is None else strings(parts)


def _replace(meter: Meter, regex: Regex, text: str, replacement: str) -> str:
    return regex.replace(text, meter, replacement, literal=False)


def _replace_literal(meter: Meter, regex: Regex, text: str, replacement: str) -> str:
    return regex.replace(text, meter, replacement, literal=True)


def _compiling(call: Callable[..., Value], *, must: bool) -> Callable[..., Value]:
    """`call` with the expression compiled; the `must` form gives the error, the other panics."""

    def with_text(meter: Meter, expression: str, *args: Value) -> Value:
        try:
            regex = Regex(expression, meter)
        except RegexError as error:
            if must:
                raise CallError(str(error)) from None
            if call is _match:
                return False
            # The message of `MustCompile` quotes with backquotes where that is possible
            # (`strconv.CanBackquote`).
            plain = "`" not in expression and expression.isprintable()
            pattern_text = f"`{expression}`" if plain else quote(expression)
            raise CallError(f"regexp: Compile({pattern_text}): {error}") from None
        return call(meter, regex, *args)

    return with_text


def _both(name: str, signature: str, call: Callable[..., Value]) -> dict[str, Function]:
    return {
        name: function(signature, _compiling(call, must=False), metered=True),
        f"mustR{name[1:]}": function(signature, _compiling(call, must=True), metered=True),
    }


MATCHING: dict[str, Function] = {
    **_both("regexMatch", "string string -> bool", _match),
    **_both("regexFind", "string string -> string", _find),
    **_both("regexFindAll", "string string int -> []string", _find_all),
    **_both("regexReplaceAll", "string string string -> string", _replace),
    **_both("regexReplaceAllLiteral", "string string string -> string", _replace_literal),
    **_both("regexSplit", "string string int -> []string", _split),
    "regexQuoteMeta": function("string -> string", quote_meta, pace=SLOW),
}
