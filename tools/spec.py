"""What is to be had: tools.toml as typed values, with versions from the go.mod files."""

from __future__ import annotations

import hashlib
import re
import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Module:
    """A folder of tools/ with a go.mod that pins every version it uses."""

    name: str

    @property
    def folder(self) -> Path:
        return HERE / self.name

    def required(self, path: str) -> str:
        """Version that go.mod requires of the module `path`, as "v1.2.3".

        Raises LookupError when it requires none.
        """
        found = re.search(rf"^\s*(?:require )?{re.escape(path)} (v\S+)", self._go_mod(), re.MULTILINE)
        if found is None:
            raise LookupError(f"{self.folder / 'go.mod'}: requires no version of {path}")
        return found[1]

    def go(self) -> str:
        """Lowest Go version that builds it, as "1.26.0"."""
        found = re.search(r"^go (\S+)", self._go_mod(), re.MULTILINE)
        if found is None:
            raise LookupError(f"{self.folder / 'go.mod'}: has no go directive")
        return found[1]

    def _go_mod(self) -> str:
        return (self.folder / "go.mod").read_text()


@dataclass(frozen=True)
class Binary:
    """A program built from one main package."""

    name: str
    module: Module
    package: str
    provided_by: str
    version: str
    place: str
    minutes: float
    ldflags: str = ""
    tags: str = ""
    embed: tuple[str, ...] = ()
    probe: tuple[str, ...] = ()
    bundled_with: str = ""
    group: str = field(default="", repr=False)
    """Built only when it is asked for; "" is what everybody needs. Not of the stamp: what is built is the same."""

    @property
    def number(self) -> str:
        """The version without its "v"."""
        return self.version.removeprefix("v")


@dataclass(frozen=True)
class Data:
    """A file or folder of a module, copied as it is."""

    name: str
    module: Module
    provided_by: str
    path: str
    place: str
    bundled_with: str = ""


Item = Binary | Data


@cache
def _document() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads((HERE / "tools.toml").read_text())


def binaries(group: str = "") -> tuple[Binary, ...]:
    """Those of one group."""
    return tuple(binary for binary in _binaries() if binary.group == group)


def data() -> tuple[Data, ...]:
    return tuple(_data(entry) for entry in _document()["data"])


def items(group: str = "") -> tuple[Item, ...]:
    """All that belongs to one group."""
    return (*binaries(group), *(() if group else data()))


def groups() -> list[str]:
    """Names of the groups that are built only when asked for."""
    return sorted({binary.group for binary in _binaries()} - {""})


def _binaries() -> tuple[Binary, ...]:
    return tuple(_binary(entry) for entry in _document()["binary"])


def stamp(item: Item) -> str:
    """Changes when anything does that the built file depends on."""
    digest = hashlib.sha256(repr(item).encode())
    for path in sorted(path for path in item.module.folder.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(item.module.folder)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _binary(entry: dict[str, Any]) -> Binary:
    module = Module(entry["module"])
    version = entry.get("version") or module.required(entry["provided_by"])
    names = {"version": version, "number": version.removeprefix("v")}
    values: dict[str, Any] = entry | {
        "module": module,
        "version": version,
        "place": entry.get("place", f"bin/{entry['name']}").format(**names),
        "ldflags": f"-s -w {entry.get('ldflags', '')}".strip().format(**names),
        "embed": tuple(entry.get("embed", ())),
        "probe": tuple(entry.get("probe", ())),
    }
    return Binary(**values)


def _data(entry: dict[str, Any]) -> Data:
    values: dict[str, Any] = {"place": f"share/{entry['name']}"} | entry | {"module": Module(entry["module"])}
    return Data(**values)
