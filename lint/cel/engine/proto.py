"""The messages of the public `cel.expr` specification that celvet reads.

The engine returns a tree as a serialized `google.protobuf.Any` of a `cel.expr.ParsedExpr` or
`CheckedExpr`. No small package ships their Python classes, so they are declared here, in a separate
pool: names and numbers are those of `cel/expr/syntax.proto` and `checked.proto`, and of
`google/protobuf/any.proto`. Fields that nothing reads are left out; protobuf keeps them as unknown
fields. The declaration is written as bytes: `descriptor_pb2` and what it loads take longer than the
rest of this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from celvet.lint.lazy import loaded_later

# 14 modules of messages in Python, needed only by a protobuf without its extension module
with loaded_later("google.protobuf.internal.python_message"):
    from google.protobuf import descriptor_pool, message_factory
    from google.protobuf.message import DecodeError, EncodeError

Message: TypeAlias = Any
"""A message of one of the classes below; protobuf makes its attributes at run time."""

_PACKAGE = "cel.expr"

_SCALARS = {"int64": 3, "uint64": 4, "int32": 5, "double": 1, "bool": 8, "string": 9, "bytes": 12}
"""Scalar type names of the schema -> `FieldDescriptorProto.Type`."""

_MESSAGE_TYPE, _OPTIONAL, _REPEATED = 11, 1, 3

_SCHEMA = {
    "Any": "type_url=1:string value=2:bytes",
    "ParsedExpr": "expr=2:Expr source_info=3:SourceInfo",
    "CheckedExpr": "type_map=3:*Types expr=4:Expr source_info=5:SourceInfo",
    "Expr": "id=2:int64 const_expr=3:Constant|kind ident_expr=4:Ident|kind "
    "select_expr=5:Select|kind call_expr=6:Call|kind list_expr=7:List|kind "
    "struct_expr=8:Struct|kind comprehension_expr=9:Comprehension|kind",
    "Ident": "name=1:string",
    "Select": "operand=1:Expr field=2:string test_only=3:bool",
    "Call": "target=1:Expr function=2:string args=3:*Expr",
    "List": "elements=1:*Expr optional_indices=2:*int32",
    "Struct": "message_name=1:string entries=2:*Entry",
    "Entry": "id=1:int64 field_key=2:string map_key=3:Expr value=4:Expr optional_entry=5:bool",
    "Comprehension": "iter_var=1:string iter_range=2:Expr accu_var=3:string accu_init=4:Expr "
    "loop_condition=5:Expr loop_step=6:Expr result=7:Expr",
    "Constant": "null_value=1:int32|kind bool_value=2:bool|kind int64_value=3:int64|kind "
    "uint64_value=4:uint64|kind double_value=5:double|kind string_value=6:string|kind "
    "bytes_value=7:bytes|kind",
    "SourceInfo": "positions=4:*Positions macro_calls=5:*MacroCalls",
    "Type": "dyn=1:Empty|kind null=2:int32|kind primitive=3:int32|kind wrapper=4:int32|kind "
    "well_known=5:int32|kind list_type=6:ListType|kind map_type=7:MapType|kind "
    "message_type=9:string|kind type_param=10:string|kind type=11:Type|kind "
    "error=12:Empty|kind abstract_type=14:AbstractType|kind",
    "ListType": "elem_type=1:Type",
    "MapType": "key_type=1:Type value_type=2:Type",
    "AbstractType": "name=1:string parameter_types=2:*Type",
    "Empty": "",
    "Positions": "key=1:int64 value=2:int32",
    "MacroCalls": "key=1:int64 value=2:Expr",
    "Types": "key=1:int64 value=2:Type",
}
"""Message -> its fields, `name=number:type`; `*` repeated, `|kind` one of the oneof `kind`."""


def _file() -> bytes:
    """A serialized `google.protobuf.FileDescriptorProto`; the numbers are those of its fields."""
    messages = (_serialize(4, _message(name, fields.split())) for name, fields in _SCHEMA.items())
    header = _serialize(1, "celvet/expr.proto") + _serialize(2, _PACKAGE)
    return b"".join((header, *messages, _serialize(12, "proto3")))


def _message(name: str, fields: list[str]) -> bytes:
    parts = [_serialize(1, name), *(_serialize(2, _field(text)) for text in fields)]
    if any(text.endswith("|kind") for text in fields):
        parts.append(_serialize(8, _serialize(1, "kind")))
    return b"".join(parts)


def _field(text: str) -> bytes:
    name, _, definition = text.partition("=")
    number, _, kind = definition.partition(":")
    type_name = kind.removesuffix("|kind").removeprefix("*")
    label = _REPEATED if kind.startswith("*") else _OPTIONAL
    parts = [_serialize(1, name), _serialize(3, int(number)), _serialize(4, label)]
    parts.append(_serialize(5, _SCALARS.get(type_name, _MESSAGE_TYPE)))
    if type_name not in _SCALARS:
        parts.append(_serialize(6, f".{_PACKAGE}.{type_name}"))
    if kind.endswith("|kind"):
        parts.append(_serialize(9, 0))
    return b"".join(parts)


def _serialize(number: int, value: int | str | bytes) -> bytes:
    """A field as protobuf writes it: a number, or bytes with their length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    return bytes((value,)) if value < 128 else bytes((value & 127 | 128,)) + _varint(value >> 7)


_POOL = descriptor_pool.DescriptorPool()
_POOL.AddSerializedFile(_file())


def _class(name: str) -> Any:
    return message_factory.GetMessageClass(_POOL.FindMessageTypeByName(f"{_PACKAGE}.{name}"))


_Any = _class("Any")
ParsedExpr = _class("ParsedExpr")
CheckedExpr = _class("CheckedExpr")
Expr = _class("Expr")


class TooDeep(Exception):  # noqa: N818 - not an error of the expression
    """A tree is nested deeper than a message can hold (100)."""


def parsed(expr: Message) -> Message:
    """The `ParsedExpr` around an `Expr`; raises `TooDeep`, because it adds a level."""
    try:
        return ParsedExpr(expr=expr)
    except (DecodeError, EncodeError) as error:
        raise TooDeep(str(error)) from None


def unpack(serialized: bytes) -> Message:
    """The `ParsedExpr` or `CheckedExpr` in a serialized `Any`; raises `TooDeep`."""
    envelope = _Any.FromString(serialized)
    is_checked = envelope.type_url.endswith(".CheckedExpr")
    try:
        return (CheckedExpr if is_checked else ParsedExpr).FromString(envelope.value)
    except DecodeError as error:
        raise TooDeep(str(error)) from None


def pack(message: Message) -> bytes:
    """A serialized `Any` of a `ParsedExpr` or `CheckedExpr`."""
    url = f"type.googleapis.com/{message.DESCRIPTOR.full_name}"
    envelope: bytes = _Any(type_url=url, value=message.SerializeToString()).SerializeToString()
    return envelope


def parts(expr: Message) -> Iterator[Message]:
    """The direct sub-expressions of an `Expr`, in the order of the specification."""
    match expr.WhichOneof("kind"):
        case "select_expr":
            yield expr.select_expr.operand
        case "call_expr":
            if expr.call_expr.HasField("target"):
                yield expr.call_expr.target
            yield from expr.call_expr.args
        case "list_expr":
            yield from expr.list_expr.elements
        case "struct_expr":
            for entry in expr.struct_expr.entries:
                if entry.HasField("map_key"):
                    yield entry.map_key
                yield entry.value
        case "comprehension_expr":
            fold = expr.comprehension_expr
            yield from (fold.iter_range, fold.accu_init, fold.loop_condition)
            yield from (fold.loop_step, fold.result)
