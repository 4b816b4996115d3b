"""Which tools are in place already: one small record per tool, checked without running anything."""

from __future__ import annotations

import json
from pathlib import Path

from tools import paths, spec


def missing(group: str = "") -> list[str]:
    """Names of the tools of a group that are still to be built; empty when all are there."""
    return [item.name for item in spec.items(group) if not is_current(item)]


def is_current(item: spec.Item) -> bool:
    """Whether the tool is there and is what tools.toml and its module ask for."""
    record = _read(item)
    if record.get("stamp") != spec.stamp(item):
        return False
    source = Path(str(record.get("source")))
    return source.exists() and _identity(source) == record.get("identity")


def note(item: spec.Item, source: Path) -> None:
    """Record that `source` (what was built, or what was found on this machine) serves as the tool."""
    record = {"stamp": spec.stamp(item), "source": str(source), "identity": _identity(source)}
    path = _record(item)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(record) + "\n")


def source(item: spec.Item) -> Path:
    """The file that serves as the tool; `is_current` must hold."""
    return Path(str(_read(item)["source"]))


def _identity(path: Path) -> list[int]:
    status = path.stat()
    return [status.st_size if path.is_file() else 0, status.st_mtime_ns]


def _record(item: spec.Item) -> Path:
    return paths.root() / "stamps" / f"{item.name}.json"


def _read(item: spec.Item) -> dict[str, object]:
    try:
        return json.loads(_record(item).read_text())
    except (FileNotFoundError, json.JSONDecodeError):  # never built, or cut short: build it
        return {}
