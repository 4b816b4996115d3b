"""Values on the wire between Pulumi's engine and a provider."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from google.protobuf import json_format
from google.protobuf.struct_pb2 import Struct

UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9"
"""Stands for a string that is not known before something is made."""

Values = Mapping[str, Any]
Change = Literal["add", "delete", "update"]


def unpack(struct: Struct) -> dict[str, Any]:
    """As plain data, whole numbers whole."""
    return _whole(json_format.MessageToDict(struct))


def pack(values: Values) -> Struct:
    return json_format.ParseDict(dict(values), Struct())


def changes(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, Change]]:
    """Paths such as `template.taints[0].key` at which two values differ."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted(old.keys() | new.keys()):
            yield from _of_key(old, new, key, f"{path}.{key}" if path else key)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from changes(before, after, f"{path}[{index}]")
    elif old != new:
        yield path, "update"


def _of_key(old: Values, new: Values, key: str, path: str) -> Iterator[tuple[str, Change]]:
    if key not in new:
        yield path, "delete"
    elif key not in old:
        yield path, "add"
    else:
        yield from changes(old[key], new[key], path)


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
