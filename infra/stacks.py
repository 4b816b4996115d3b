"""Stacks through the Automation API: the same program and project as the command line's."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pulumi import automation
from pulumi.automation import EngineEvent

OnEvent = Callable[[EngineEvent], None]


@dataclass(frozen=True)
class Outcome:
    stack: str
    changes: Mapping[str, int] = field(default_factory=dict[str, int])
    """Operation to number of resources: create, update, delete, same."""
    error: str | None = None

    @property
    def succeeded(self) -> bool:
        return self.error is None

    def __str__(self) -> str:
        if self.error is not None:
            return f"failed: {self.error}"
        changed = ", ".join(
            f"{count} {operation}" for operation, count in sorted(self.changes.items()) if operation != "same"
        )
        return changed or "no change"


class Stacks:
    def __init__(self, project: Path) -> None:
        self._project = project

    def bring(self, name: str, *, preview: bool, on_event: OnEvent) -> Outcome:
        """`pulumi up` (or preview) of one stack; a failure is an outcome, not an exception."""
        try:
            stack = automation.create_or_select_stack(stack_name=name, work_dir=str(self._project))
            if preview:
                return Outcome(name, _counts(stack.preview(on_event=on_event).change_summary))
            summary = stack.up(on_event=on_event, suppress_outputs=True).summary
            return Outcome(name, _counts(summary.resource_changes or {}))
        except automation.errors.CommandError as error:
            return Outcome(name, error=reason(str(error)))


def _counts(summary: Mapping[automation.OpType, int] | Mapping[str, int]) -> dict[str, int]:
    return {getattr(operation, "value", str(operation)): count for operation, count in summary.items()}


def reason(output: str) -> str:
    """The diagnostics of a failed command: its lines that begin with `error:`, or all of it."""
    lines = [line.strip() for line in output.splitlines()]
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    return "; ".join(dict.fromkeys(errors)) or output.strip()
