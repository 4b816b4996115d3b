"""One line that says where a long build is."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from types import TracebackType
from typing import Self, TextIO

TERMINAL_SECONDS = 1.0
ELSEWHERE_SECONDS = 30.0


class Progress:
    """Progress of building one tool: a line redrawn each second on a terminal, one now and then elsewhere.

    It goes on by itself, since a single package may compile for a minute without a word.
    """

    def __init__(self, label: str, rest: str, out: TextIO | None = None) -> None:
        self._label, self._rest, self._out = label, rest, out or sys.stdout
        self._terminal = self._out.isatty()
        self._began = time.monotonic()
        self._doing = "started"
        self._packages = 0
        self._ended = threading.Event()
        self._ticking = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Self:
        self._show()
        self._ticking.start()
        return self

    def step(self, line: str) -> None:
        """Take note of a line of `go build -v`: a package compiled, or a module downloaded."""
        if line.startswith("go: "):
            self._doing = line.removeprefix("go: ")
        else:
            self._packages += 1
            self._doing = f"{self._packages} packages compiled"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._ticking.join()
        outcome = "done" if kind is None else "interrupted" if kind is KeyboardInterrupt else "failed"
        self._write(f"{self._label} {outcome} in {self._elapsed()}", last=True)

    def _tick(self) -> None:
        while not self._ended.wait(TERMINAL_SECONDS if self._terminal else ELSEWHERE_SECONDS):
            self._show()

    def _show(self) -> None:
        self._write(f"{self._label} {self._elapsed()}  {self._doing}; {self._rest}")

    def _elapsed(self) -> str:
        return clock(time.monotonic() - self._began)

    def _write(self, text: str, *, last: bool = False) -> None:
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            text = f"\r\033[K{text[:width]}"
        self._out.write(text + ("\n" if last or not self._terminal else ""))
        self._out.flush()


def clock(seconds: float) -> str:
    """Seconds as minutes:seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
