"""`python -m infra.drift`: what differs between the stacks and the world, field by field; nothing is changed."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import typer
from pulumi import automation
from pulumi.automation import EngineEvent, OpType, StepEventMetadata
from rich.console import Console

from infra import repository
from infra.arguments import Names, Project, chosen
from infra.stacks import reason

_console = Console(stderr=True, highlight=False, soft_wrap=True)


@dataclass(frozen=True)
class Difference:
    stack: str
    resource: str
    field: str
    """Path of an input; empty for a resource that is gone."""

    def __str__(self) -> str:
        return f"{self.stack}: {self.resource} {self.field or 'is gone'}"


def drift(
    names: Names = None,
    *,
    project: Project = repository.ROOT,
) -> None:
    """Compare the stacks with the world. Exit 0 if nothing drifted, 1 if something did or a cloud does not answer, 2 if a stack is no cluster."""
    stacks = chosen(names)
    with ThreadPoolExecutor(len(stacks)) as pool:
        jobs = {stack: pool.submit(differences, project, stack) for stack in stacks}
    answers = [_told(stack, job.result) for stack, job in jobs.items()]
    raise typer.Exit(0 if all(answers) else 1)


def _told(stack: str, result: Callable[[], list[Difference]]) -> bool:
    """Print what was found; whether that is nothing."""
    try:
        found = result()
    except automation.errors.CommandError as error:
        _console.print(f"{stack}: cannot be compared: {reason(str(error))}", markup=False)
        return False
    for difference in found:
        _console.print(str(difference), markup=False)
    if not found:
        _console.print(f"{stack}: as Pulumi left it", markup=False)
    return not found


def differences(project: Path, name: str) -> list[Difference]:
    """`pulumi refresh --preview-only` of one stack.

    Raises:
        automation.errors.CommandError: a cloud or a cluster does not answer, or there is no such stack.
    """
    found: list[Difference] = []

    def look(event: EngineEvent) -> None:
        if event.res_outputs_event is not None:
            found.extend(_of_step(name, event.res_outputs_event.metadata))

    stack = automation.select_stack(stack_name=name, work_dir=str(project))
    stack.preview_refresh(on_event=look, suppress_outputs=True)
    return sorted(found, key=str)


def _of_step(stack: str, step: StepEventMetadata) -> Iterator[Difference]:
    resource = step.urn.rsplit("::", 1)[-1]
    if step.op is OpType.DELETE:
        yield Difference(stack, resource, "")
    elif step.op is OpType.UPDATE:
        for field in step.detailed_diff or {}:
            yield Difference(stack, resource, field)


app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
app.command()(drift)

if __name__ == "__main__":
    app()
