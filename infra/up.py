"""`python -m infra.up`: `pulumi up` of every stack, in parallel, through the Automation API."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from infra import repository
from infra.arguments import Names, Project, chosen
from infra.stacks import Outcome, Stacks
from infra.watch import Watch

_console = Console(stderr=True, highlight=False)


def up(
    names: Names = None,
    *,
    preview: Annotated[bool, typer.Option("--preview", help="Show what would change; change nothing.")] = False,
    project: Project = repository.ROOT,
) -> None:
    """Bring the stacks to the definition. Exit 0 if all succeeded, 1 if one failed, 2 if a stack is no cluster."""
    outcomes = run(chosen(names), project=project, preview=preview, console=_console)
    raise typer.Exit(0 if all(outcome.succeeded for outcome in outcomes) else 1)


def run(stacks: list[str], *, project: Path, preview: bool, console: Console) -> list[Outcome]:
    """All stacks at once; one that fails does not stop the others."""
    automation = Stacks(project)
    with Watch(stacks, console) as watch, ThreadPoolExecutor(len(stacks)) as pool:
        jobs = [pool.submit(automation.bring, name, preview=preview, on_event=watch.on_event(name)) for name in stacks]
        outcomes = [job.result() for job in jobs]
        for outcome in outcomes:
            watch.finish(outcome)
    return outcomes


app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
app.command()(up)

if __name__ == "__main__":
    app()
