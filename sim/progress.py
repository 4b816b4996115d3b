"""What a long command says while it works."""

from __future__ import annotations

import time
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import Progress as Bars
from rich.progress import SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn


class Progress:
    """A line per part: redrawn on a terminal, printed at each step elsewhere."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False)
        columns = (
            SpinnerColumn(),
            TextColumn("{task.fields[part]:<24}"),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
        )
        self._bars = Bars(*columns, console=self._console) if self._console.is_terminal else None
        self._tasks: dict[str, TaskID] = {}
        self._began = time.monotonic()

    def step(self, part: str, doing: str) -> None:
        """Say what a part is at; safe from several threads."""
        if self._bars is None:
            self._console.print(f"{time.monotonic() - self._began:5.1f} s  {part}: {doing}", soft_wrap=True)
        elif part in self._tasks:
            self._bars.update(self._tasks[part], description=doing)
        else:
            self._tasks[part] = self._bars.add_task(doing, total=1, part=part)

    def done(self, part: str, outcome: str) -> None:
        """Say how a part ended."""
        self.step(part, outcome)
        if self._bars is not None:
            self._bars.update(self._tasks[part], completed=1)

    def __enter__(self) -> Self:
        if self._bars is not None:
            self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bars is not None:
            self._bars.stop()
