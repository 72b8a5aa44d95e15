"""slim-sprig's functions of numbers (numeric.go, v3.0.0)."""

from __future__ import annotations

import math

from celvet.lint.go.numbers import MAX_INT64, MIN_INT64, Int, parse_digits, parse_float, wrap
from celvet.lint.go.step_meter import UnsupportedError
from celvet.lint.gotemplate.errors import CallError
from celvet.lint.gotemplate.formats.printing import show
from celvet.lint.gotemplate.functions.signature import Function, function
from celvet.lint.gotemplate.template_limits import Meter
from celvet.lint.gotemplate.template_values import GoList, Value


def to_int64(value: Value) -> int:
    """A value as sprig converts it to an int64: 0 if it is not a number."""
    if isinstance(value, str):
        return parse_digits(value, 10) or 0
    if isinstance(value, float):
        return _int64_of(value)
    return int(value) if isinstance(value, int) else 0


def _int64_of(value: float) -> int:
    """As `int64(value)` on amd64."""
    if math.isfinite(value) and MIN_INT64 <= int(value) <= MAX_INT64:
        return int(value)
    return MIN_INT64


def _to_float(value: Value) -> float:
    """A value as sprig converts it to a float64: 0 if it is not a number."""
    if isinstance(value, str):
        number = parse_float(value)
        return 0.0 if number is None else number
    return float(value) if isinstance(value, int | float) else 0.0


def _atoi(text: str) -> Int:
    value = parse_digits(text, 10)
    if value is None and parse_digits(text.lstrip("+-")[:1], 10) is not None:
        digits = text[1:] if text[0] in "+-" else text
        if digits.isascii() and digits.isdigit():
            value = MIN_INT64 if text[0] == "-" else MAX_INT64
    return Int(value or 0)


def _multiply(first: Value, *others: Value) -> int:
    product = to_int64(first)
    for factor in others:
        product = wrap(product * to_int64(factor))
    return product


def _divide(first: Value, second: Value) -> int:
    dividend, divisor = to_int64(first), to_int64(second)
    if divisor == 0:
        raise CallError("runtime error: integer divide by zero")
    quotient = abs(dividend) // abs(divisor)
    return wrap(quotient if (dividend < 0) == (divisor < 0) else -quotient)


def _modulo(first: Value, second: Value) -> int:
    return wrap(to_int64(first) - to_int64(second) * _divide(first, second))


def _round(value: Value, places: int, *cut: float) -> float:
    round_on = cut[0] if cut else 0.5
    try:
        power = 10.0**places
    except OverflowError:
        power = math.inf
    digit = power * _to_float(value)
    fraction = math.modf(digit)[0]
    integer = _whole(math.ceil if fraction >= round_on else math.floor, digit)
    if power == 0:
        return math.nan if integer == 0 or math.isnan(integer) else math.copysign(math.inf, integer)
    return integer / power


def _whole(rounding: object, value: float) -> float:
    if not math.isfinite(value):
        return value
    integer = math.ceil(value) if rounding is math.ceil else math.floor(value)
    return math.copysign(float(integer), value) if integer == 0 else float(integer)


def _extreme(values: tuple[Value, ...], *, largest: bool) -> float:
    result = _to_float(values[0])
    infinite = math.inf if largest else -math.inf
    for value in values[1:]:
        operand = _to_float(value)
        if infinite in (result, operand):
            result = infinite
        elif math.isnan(result) or math.isnan(operand):
            result = math.nan
        elif result == operand == 0:
            signs = math.copysign(1, result), math.copysign(1, operand)
            result = 0.0 * (max(signs) if largest else min(signs))
        else:
            result = max(result, operand) if largest else min(result, operand)
    return result


def _steps(meter: Meter, start: int, stop: int, step: int) -> range:
    if step == 0 or (stop < start) != (step < 0):
        return range(0)
    numbers = range(start, stop, step)
    # len() of a larger range raises an OverflowError.
    meter.items((stop - start) // step)
    return numbers


def _until_step(meter: Meter, start: int, stop: int, step: int) -> GoList:
    return GoList([Int(number) for number in _steps(meter, start, stop, step)], "[]int")


def _until(meter: Meter, count: int) -> GoList:
    return _until_step(meter, 0, count, -1 if count < 0 else 1)


def _seq(meter: Meter, *params: int) -> str:
    if not 1 <= len(params) <= 3:
        return ""
    start, end = (1 if len(params) == 1 else params[0]), params[-1]
    direction = -1 if end < start else 1
    step = params[1] if len(params) == 3 else direction
    if end < start and step > 0:
        return ""
    return " ".join(map(str, _steps(meter, start, wrap(end + direction), step)))


def _to_decimal(meter: Meter, value: Value) -> int:
    return parse_digits(show(value, meter), 8) or 0


def _random(low: int, high: int) -> Value:
    if wrap(high - low) <= 0:
        raise CallError("invalid argument to Intn")
    raise UnsupportedError("its result differs from run to run")


_MAX = function("any ...any -> int64", lambda *args: max(map(to_int64, args)))

NUMERIC: dict[str, Function] = {
    "atoi": function("string -> int", _atoi),
    "int64": function("any -> int64", to_int64),
    "int": function("any -> int", lambda value: Int(to_int64(value))),
    "float64": function("any -> float", _to_float),
    "toDecimal": function("any -> int64", _to_decimal, metered=True),
    "seq": function("...int -> string", _seq, metered=True),
    "until": function("int -> []int", _until, metered=True),
    "untilStep": function("int int int -> []int", _until_step, metered=True),
    "add1": function("any -> int64", lambda value: wrap(to_int64(value) + 1)),
    "add": function("...any -> int64", lambda *args: wrap(sum(map(to_int64, args)))),
    "sub": function("any any -> int64", lambda a, b: wrap(to_int64(a) - to_int64(b))),
    "div": function("any any -> int64", _divide),
    "mod": function("any any -> int64", _modulo),
    "mul": function("any ...any -> int64", _multiply),
    "randInt": function("int int -> int", _random),
    "biggest": _MAX,
    "max": _MAX,
    "min": function("any ...any -> int64", lambda *args: min(map(to_int64, args))),
    "maxf": function("any ...any -> float", lambda *args: _extreme(args, largest=True)),
    "minf": function("any ...any -> float", lambda *args: _extreme(args, largest=False)),
    "ceil": function("any -> float", lambda value: _whole(math.ceil, _to_float(value))),
    "floor": function("any -> float", lambda value: _whole(math.floor, _to_float(value))),
    "round": function("any int ...float -> float", _round),
}
