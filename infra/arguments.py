"""What every command of this room is told: which stacks, of which project."""

import shutil
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.text import Text

from infra import repository

Names = Annotated[list[str] | None, typer.Argument(metavar="CLUSTER...", help="Stacks; all clusters if left out.")]
Project = Annotated[Path, typer.Option(help="Folder with Pulumi.yaml and the stacks' files; a simulation has its own.")]


def chosen(names: list[str] | None) -> list[str]:
    """The stacks that are meant.

    Raises:
        typer.Exit: 2, and the reason is said: there is no Pulumi, or a stack is no cluster.
    """
    if shutil.which("pulumi") is None:
        _refuse(
            "pulumi is not on PATH; install it (https://www.pulumi.com/docs/install), or run `make tools` and `skyfleet sim env`"
        )
    try:
        return [repository.cluster(name).name for name in names or repository.fleet().clusters]
    except repository.NotInDefinition as error:
        _refuse(str(error))


def _refuse(message: str) -> NoReturn:
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    console.print(Text.assemble(("error: ", "bold red"), message))
    raise typer.Exit(2) from None
