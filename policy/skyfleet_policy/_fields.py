"""Reads a JSON object field by field; anything missing, mistyped or unknown is an error that names the place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

T = TypeVar("T")


class FieldError(ValueError):
    """A field of a table that cannot be used; the message is `path: what`."""


class Fields:
    """The fields of one JSON object, each to be read once; `finish` reports those nobody asked for."""

    def __init__(self, value: object, path: str) -> None:
        if not isinstance(value, dict):
            raise FieldError(f"{path}: must be an object, is {_kind(value)}")
        self._values = cast("dict[str, object]", value)
        self._path = path
        self._read: set[str] = set()

    def has(self, name: str) -> bool:
        """Whether the field is there and is not null."""
        self._read.add(name)
        return self._values.get(name) is not None

    def raw(self, name: str) -> object:
        """The field as it stands; an error if it is missing."""
        self._read.add(name)
        if name not in self._values:
            raise FieldError(f"{self.at(name)}: is missing")
        return self._values[name]

    def at(self, name: str) -> str:
        """The path of a field, as messages name it."""
        return f"{self._path}.{name}" if self._path else name

    def text(self, name: str) -> str:
        """A string that is not empty."""
        return as_text(self.raw(name), self.at(name))

    def whole(self, name: str, *, least: int = 0) -> int:
        """A whole number of at least `least`."""
        return as_whole(self.raw(name), self.at(name), least=least)

    def number(self, name: str) -> float:
        """A number that is not negative."""
        value = self.raw(name)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
            raise FieldError(f"{self.at(name)}: must be a number of at least 0, is {value!r}")
        return value

    def optional_text(self, name: str) -> str | None:
        """A string, or None where the field is null or missing."""
        return self.text(name) if self.has(name) else None

    def optional_whole(self, name: str, *, least: int = 0) -> int | None:
        """A whole number, or None where the field is null or missing."""
        return self.whole(name, least=least) if self.has(name) else None

    def flag(self, name: str) -> bool:
        """True or false; false where the field is null or missing."""
        if not self.has(name):
            return False
        value = self.raw(name)
        if not isinstance(value, bool):
            raise FieldError(f"{self.at(name)}: must be true or false, is {value!r}")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """A list of strings."""
        return tuple(as_text(item, f"{self.at(name)}[{i}]") for i, item in enumerate(self.items(name)))

    def items(self, name: str) -> list[object]:
        """A list of anything."""
        value = self.raw(name)
        if not isinstance(value, list):
            raise FieldError(f"{self.at(name)}: must be a list, is {_kind(value)}")
        return cast("list[object]", value)

    def table(self, name: str, read: Callable[[object, str], T]) -> dict[str, T]:
        """An object whose keys are names; each value is read by `read(value, path)`."""
        value = self.raw(name)
        if not isinstance(value, dict):
            raise FieldError(f"{self.at(name)}: must be an object, is {_kind(value)}")
        return {key: read(item, f"{self.at(name)}.{key}") for key, item in cast("dict[str, object]", value).items()}

    def optional_table(self, name: str, read: Callable[[object, str], T]) -> dict[str, T]:
        """As `table`, but empty where the field is null or missing."""
        return self.table(name, read) if self.has(name) else {}

    def optional_list(self, name: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
        """A list whose items are read by `read(value, path)`; empty where the field is null or missing."""
        if not self.has(name):
            return ()
        return tuple(read(item, f"{self.at(name)}[{i}]") for i, item in enumerate(self.items(name)))

    def finish(self) -> None:
        """Raise for the first field that nobody has read."""
        for name in self._values:
            if name not in self._read:
                known = ", ".join(sorted(self._read))
                raise FieldError(f"{self.at(name)}: is not a field of this contract; known here: {known}")


def as_text(value: object, path: str) -> str:
    """`value` as a string that is not empty."""
    if not isinstance(value, str) or not value:
        raise FieldError(f"{path}: must be a string that is not empty, is {value!r}")
    return value


def as_any_text(value: object, path: str) -> str:
    """`value` as a string, which may be empty."""
    if not isinstance(value, str):
        raise FieldError(f"{path}: must be a string, is {value!r}")
    return value


def as_whole(value: object, path: str, *, least: int = 0) -> int:
    """`value` as a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise FieldError(f"{path}: must be a whole number of at least {least}, is {value!r}")
    return value


def mapping(value: object) -> Mapping[str, object]:
    """`value` where it is a mapping, else an empty one: SkyPilot treats a null section as empty."""
    return value if isinstance(value, dict) else {}  # pyright: ignore[reportUnknownVariableType]  # keys of decoded YAML


def _kind(value: object) -> str:
    return "null" if value is None else type(value).__name__
