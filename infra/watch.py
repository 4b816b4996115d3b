"""Progress of several stacks: a line each, with what the engine is at."""

import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

from pulumi.automation import EngineEvent
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from infra.stacks import Outcome


class Watch:
    """Live lines on a terminal; elsewhere one line for each stack when it is done."""

    def __init__(self, stacks: list[str], console: Console) -> None:
        self._console = console
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.fields[stack]}"),
            TextColumn("{task.description}", style="dim"),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
        )
        self._lock = threading.Lock()
        self._done: dict[str, int] = dict.fromkeys(stacks, 0)
        self._tasks: dict[str, TaskID] = {
            stack: self._progress.add_task("starting", total=None, stack=stack) for stack in stacks
        }

    def on_event(self, stack: str) -> Callable[[EngineEvent], None]:
        def show(event: EngineEvent) -> None:
            operation = event.res_outputs_event
            if operation is None:
                return
            with self._lock:
                self._done[stack] += 1
                name = operation.metadata.urn.rsplit("::", 1)[-1]
                description = f"{self._done[stack]} resources, {operation.metadata.op.value} {name}"
                self._progress.update(self._tasks[stack], description=description)

        return show

    def finish(self, outcome: Outcome) -> None:
        self._progress.update(self._tasks[outcome.stack], description=str(outcome), total=1, completed=1)
        if not self._console.is_terminal:
            self._console.print(f"{outcome.stack}: {outcome}", markup=False)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
