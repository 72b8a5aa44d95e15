"""Messages of protobuf: object types with named fields for the type checker, and times.

The expressions are evaluated on plain values; only the check needs the types.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from celvet.schemas.dialect import Struct

PACKAGE = "celvet.object"
"""The package of the messages."""

_SCALARS = {"bool": 8, "int": 3, "uint": 4, "double": 1, "string": 9, "bytes": 12}
_MESSAGES = {
    "dyn": ".google.protobuf.Value",
    "timestamp": ".google.protobuf.Timestamp",
    "duration": ".google.protobuf.Duration",
    "map": ".google.protobuf.Struct",
    "list": ".google.protobuf.ListValue",
}
_MESSAGE, _OPTIONAL, _REPEATED = 11, 1, 3


def message_name(struct: str) -> str:
    """The name of the message for a struct."""
    return f"{PACKAGE}.{struct}"


def as_messages(value: Any) -> Any:
    """The value with messages for times and durations, which the engine takes in no other form."""
    if isinstance(value, Mapping):
        return {key: as_messages(item) for key, item in value.items()}
    if isinstance(value, list):
        return [*map(as_messages, value)]
    if not isinstance(value, datetime | timedelta):
        return value
    from google.protobuf import duration_pb2, timestamp_pb2

    is_time = isinstance(value, datetime)
    message: Any = timestamp_pb2.Timestamp() if is_time else duration_pb2.Duration()
    (message.FromDatetime if is_time else message.FromTimedelta)(value)
    return message


def descriptor_pool(structs: Sequence[Struct]) -> Any:
    """A pool with a message for each struct."""
    from google.protobuf import descriptor_pb2, duration_pb2, struct_pb2, timestamp_pb2
    from google.protobuf.descriptor_pool import DescriptorPool

    pool = DescriptorPool()
    # A pool of its own needs the files that the messages import.
    for module in (struct_pb2, timestamp_pb2, duration_pb2):
        proto = descriptor_pb2.FileDescriptorProto()
        module.DESCRIPTOR.CopyToProto(proto)
        pool.Add(proto)
    file = descriptor_pb2.FileDescriptorProto(name="objects.proto", package=PACKAGE)
    file.dependency.extend(f"google/protobuf/{name}.proto" for name in _FILES)
    for struct in structs:
        message = file.message_type.add(name=struct.name)
        for number, (name, kind) in enumerate(struct.fields, start=1):
            _add_field(message, name, number, kind)
    pool.Add(file)
    return pool


_FILES = ("struct", "timestamp", "duration")


def _add_field(message: Any, name: str, number: int, kind: str) -> None:
    if kind.startswith("map(string, "):
        # The name that protobuf gives the entries of a map.
        entry_name = "".join(f"{part[:1].upper()}{part[1:]}" for part in name.split("_")) + "Entry"
        if any(entry.name == entry_name for entry in message.nested_type):
            _add_plain(message, name, number, "dyn", _OPTIONAL)
            return
        entry = message.nested_type.add(name=entry_name)
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, type=_SCALARS["string"], label=_OPTIONAL)
        _add_plain(entry, "value", 2, kind[len("map(string, ") : -1], _OPTIONAL)
        field = message.field.add(name=name, number=number, type=_MESSAGE, label=_REPEATED)
        field.type_name = f".{PACKAGE}.{message.name}.{entry_name}"
        field.json_name = f"field{number}"
    elif kind.startswith("list("):
        _add_plain(message, name, number, kind[len("list(") : -1], _REPEATED)
    else:
        _add_plain(message, name, number, kind, _OPTIONAL)


def _add_plain(message: Any, name: str, number: int, kind: str, label: int) -> None:
    """A field that is no list or map; one inside another has the type of any list or map."""
    outer = kind.partition("(")[0]
    field = message.field.add(name=name, number=number, label=label)
    field.json_name = f"field{number}"
    if kind in _SCALARS:
        field.type = _SCALARS[kind]
        return
    field.type = _MESSAGE
    field.type_name = _MESSAGES.get(outer) or f".{message_name(kind)}"
