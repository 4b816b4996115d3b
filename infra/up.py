"""`python -m infra.up`: `pulumi up` of every stack, in parallel, through the Automation API."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from infra import repository
from infra.stacks import Outcome, Stacks
from infra.watch import Watch

_console = Console(stderr=True, highlight=False)


def up(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="CLUSTER...", help="Stacks; all clusters if left out.")
    ] = None,
    *,
    preview: Annotated[bool, typer.Option("--preview", help="Show what would change; change nothing.")] = False,
    project: Annotated[
        Path, typer.Option(help="Folder with Pulumi.yaml and the stacks' files; a simulation has its own.")
    ] = repository.ROOT,
) -> None:
    """Bring the stacks to the definition. Exit 0 if all succeeded, 1 if one failed, 2 if a stack is no cluster."""
    if shutil.which("pulumi") is None:
        _refuse(
            "pulumi is not on PATH; install it (https://www.pulumi.com/docs/install), or run `make tools` and `skyfleet sim env`"
        )
    try:
        clusters = names or list(repository.fleet().clusters)
        stacks = [repository.cluster(name).name for name in clusters]
    except repository.NotInDefinition as error:
        _refuse(str(error))
    outcomes = run(stacks, project=project, preview=preview, console=_console)
    raise typer.Exit(0 if all(outcome.succeeded for outcome in outcomes) else 1)


def _refuse(message: str) -> NoReturn:
    _console.print(Text.assemble(("error: ", "bold red"), message))
    raise typer.Exit(2)


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
