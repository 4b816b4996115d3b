"""What exists in a simulated cloud, whatever Pulumi believes: a file that outlives every plugin process."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Generator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from sim.state import State


@dataclass(frozen=True)
class Record:
    id: str
    type: str
    """Pulumi's, e.g. gcp:container/cluster:Cluster."""
    project: str
    inputs: dict[str, Any]
    outputs: dict[str, Any] = field(default_factory=dict[str, Any])
    """What the cloud adds to the inputs."""

    @property
    def name(self) -> str:
        return str(self.inputs.get("name", ""))

    @property
    def state(self) -> dict[str, Any]:
        """All that is known of it."""
        return self.inputs | self.outputs

    def changed(self, inputs: dict[str, Any]) -> Record:
        return replace(self, inputs=inputs)


class Ledger:
    def __init__(self, state: State, cloud: str) -> None:
        self._file = state.clouds / f"{cloud}.json"
        self._lock = state.clouds / f"{cloud}.lock"

    def records(self, kind: str = "") -> list[Record]:
        """In the order in which they were made."""
        return [record for record in _read(self._file).values() if record.type.endswith(kind)]

    def get(self, identifier: str) -> Record | None:
        return _read(self._file).get(identifier)

    @contextlib.contextmanager
    def open(self) -> Generator[dict[str, Record]]:
        """All records, to be changed; nobody else changes them meanwhile."""
        with exclusively(self._lock):
            records = _read(self._file)
            before = dict(records)
            yield records
            if records != before:
                _write(self._file, records)


@contextlib.contextmanager
def exclusively(path: Path) -> Generator[None]:
    """One at a time, over threads and processes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def _read(path: Path) -> dict[str, Record]:
    if not path.exists():
        return {}
    return {entry["id"]: Record(**entry) for entry in json.loads(path.read_text())}


def _write(path: Path, records: dict[str, Record]) -> None:
    """Whole or not at all: a plugin may be killed at any moment."""
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps([asdict(record) for record in records.values()], indent=1))
    unfinished.replace(path)
