"""`python -m infra.recover`: a stack whose `pulumi up` was killed is made one that `up` can go on with."""

import json
import os
import time
from pathlib import Path
from typing import Annotated, Any

import typer
from pulumi import automation
from rich.console import Console

from infra import repository
from infra.adoption import CannotAskError, adopt
from infra.arguments import Names, Project, chosen
from infra.stacks import reason

_console = Console(stderr=True, highlight=False, soft_wrap=True)


def recover(
    names: Names = None,
    *,
    project: Project = repository.ROOT,
    copies: Annotated[
        Path | None, typer.Option(help="Folder for the states as they were; the current one if left out.")
    ] = None,
) -> None:
    """After an `up` that was killed: lift its lock, adopt what it made and did not write down, read the world anew.

    Run it only when nobody is at work on the stack. Nothing in the world is made or deleted but Helm's record of a release that is half
    installed; the state as it was is kept in a file. Then run `up`. Exit 0 if all stacks are recovered, 1 if one is not, 2 if a stack is
    no cluster.
    """
    recovered = [_told(stack, project, copies or Path.cwd()) for stack in chosen(names)]
    raise typer.Exit(0 if all(recovered) else 1)


def _told(name: str, project: Path, copies: Path) -> bool:
    """Recover one stack, telling each step; whether it is."""
    try:
        stack = automation.select_stack(stack_name=name, work_dir=str(project))
        _unlock(stack)
        exported = stack.export_stack()
        _settle(stack, exported, copies)
        _console.print(f"{name}: reading what is there", markup=False)
        stack.workspace.env_vars = {**stack.workspace.env_vars, "PULUMI_K8S_DELETE_UNREACHABLE": "true"}
        stack.refresh(suppress_outputs=True)
    except (automation.errors.CommandError, CannotAskError, OSError) as error:
        _console.print(f"{name}: cannot be recovered: {reason(str(error))}", markup=False)
        return False
    _console.print(f"{name}: recovered; go on with `make up STACKS={name}`", markup=False)
    return True


def _unlock(stack: automation.Stack) -> None:
    """That there is no lock is no failure."""
    try:
        stack.cancel()
    except automation.errors.CommandError as error:
        if "no lock" not in str(error) and "not currently" not in str(error):
            raise


def _settle(stack: automation.Stack, exported: automation.Deployment, copies: Path) -> None:
    deployment: dict[str, Any] = dict(exported.deployment or {})
    if not deployment.get("pending_operations"):
        _console.print(f"{stack.name}: no operation was pending", markup=False)
        return
    kept = _keep(exported, copies / f"{stack.name}.{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}.state.json")
    _console.print(f"{stack.name}: the state as it was is in {kept}", markup=False)
    for operation in adopt(deployment):
        _console.print(f"{stack.name}: {operation}", markup=False)
    stack.import_stack(automation.Deployment(version=exported.version, deployment=deployment))


def _keep(exported: automation.Deployment, path: Path) -> Path:
    """For its owner alone: what is secret in it is encrypted, the rest is nobody's business."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump({"version": exported.version, "deployment": exported.deployment}, file, indent=2)
    return path


app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
app.command()(recover)

if __name__ == "__main__":
    app()
