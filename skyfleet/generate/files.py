"""Generated files against those on disk: all rendered before any is written, each replaced whole."""

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Change = Literal["create", "update", "delete"]


@dataclass(frozen=True)
class Difference:
    path: Path
    change: Change


def differences(root: Path, files: Mapping[Path, str], owned: Iterable[str]) -> list[Difference]:
    """What `write` would do under `root`; strays in owned folders are deleted."""
    found = [difference for path, content in files.items() if (difference := _difference(root, path, content))]
    return [*found, *(Difference(path, "delete") for path in _strays(root, files, owned))]


def write(root: Path, files: Mapping[Path, str], found: Iterable[Difference]) -> None:
    """Carry the differences out. New content is on disk beside each file before the first one is replaced."""
    found = list(found)
    staged: dict[Path, Path] = {}
    try:
        for difference in found:
            if difference.change != "delete":
                staged[root / difference.path] = _stage(root / difference.path, files[difference.path])
        for path, temporary in staged.items():
            temporary.replace(path)
    finally:
        for temporary in staged.values():
            temporary.unlink(missing_ok=True)
    for difference in found:
        if difference.change == "delete":
            (root / difference.path).unlink()


def _difference(root: Path, path: Path, content: str) -> Difference | None:
    if not (root / path).exists():
        return Difference(path, "create")
    return None if (root / path).read_bytes() == content.encode() else Difference(path, "update")


def _strays(root: Path, files: Mapping[Path, str], owned: Iterable[str]) -> Iterator[Path]:
    for pattern in owned:
        for path in sorted(root.glob(pattern)):
            if path.relative_to(root) not in files:
                yield path.relative_to(root)


def _stage(path: Path, content: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content.encode())
    Path(name).chmod(0o644)
    return Path(name)
