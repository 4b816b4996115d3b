"""One line that says where a long build is."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Self, TextIO

HEARTBEAT_SECONDS = 30


class Progress:
    """Progress of building one tool: a line redrawn on a terminal, a line now and then elsewhere."""

    def __init__(self, label: str, rest: str, out: TextIO | None = None) -> None:
        self._label, self._rest, self._out = label, rest, out or sys.stdout
        self._terminal = self._out.isatty()
        self._began = self._said = time.monotonic()
        self._packages = 0

    def __enter__(self) -> Self:
        self._show(force=True)
        return self

    def step(self, line: str) -> None:
        """Count a line of `go build -v`: a package compiled, or a module downloaded."""
        self._packages += not line.startswith("go: ")
        self._show(doing=line if line.startswith("go: ") else "")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        outcome = "done" if kind is None else "interrupted" if kind is KeyboardInterrupt else "failed"
        self._end(f"{self._label} {outcome} in {clock(time.monotonic() - self._began)}")

    def _show(self, doing: str = "", *, force: bool = False) -> None:
        now = time.monotonic()
        if not force and now - self._said < (0.1 if self._terminal else HEARTBEAT_SECONDS):
            return
        self._said = now
        what = doing or (f"{self._packages} packages compiled" if self._packages else "started")
        text = f"{self._label} {clock(now - self._began)}  {what}; {self._rest}"
        if self._terminal:
            self._out.write(f"\r\033[K{text[:119]}")
        else:
            self._out.write(text + "\n")
        self._out.flush()

    def _end(self, text: str) -> None:
        self._out.write(f"\r\033[K{text}\n" if self._terminal else f"{text}\n")
        self._out.flush()


def clock(seconds: float) -> str:
    """Seconds as minutes:seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
