"""Commands `skyfleet sim up|down|status|env`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from sim import environment, simulation, status
from sim.errors import MachineError, SimulationError
from sim.machines import ClusterSpec
from sim.progress import Progress
from sim.state import State

Load = Callable[[Path], Sequence[ClusterSpec]]
"""From the folder of a definition to what is to be simulated; bad input is its own matter, it does not return then."""


class Format(StrEnum):
    text = "text"
    json = "json"


def build(load: Load) -> typer.Typer:
    """The commands, for a command line that knows how to read definitions."""
    app = typer.Typer(
        no_args_is_help=True, help="Simulated clusters on this machine: real control planes, nodes that run nothing."
    )

    @app.command()
    def up(fleet: Annotated[Path, typer.Option(help="folder of the definition")] = Path("fleet")) -> None:
        """Start, or bring up to date, one simulated cluster for each of the definition."""
        clusters = load(fleet)
        state = State.default()
        with _told("up"), Progress() as shown:
            changed = simulation.up(clusters, state, shown)
        _say(
            f"{len(clusters)} clusters are up{'' if changed else ' already'}; all contexts in {_short(state.kubeconfig)}"
        )

    @app.command()
    def down() -> None:
        """End the simulation: no process and no file of it remains."""
        with _told("down"), Progress() as shown:
            was_there = simulation.down(State.default(), shown)
        _say("The simulation is down; nothing of it is left." if was_there else "There is no simulation to end.")

    @app.command(name="status")
    def show_status(output: Annotated[Format, typer.Option("--format", help="how to print")] = Format.text) -> None:
        """Show each cluster's health, nodes, ports and processes; exit status 1 when one is not well."""
        found = status.of(State.default())
        if output is Format.json:
            _say(json.dumps([asdict(cluster) for cluster in found], indent=2))
        elif found:
            Console().print(_table(found))
        else:
            _say("There is no simulation; start one with `skyfleet sim up`.")
        if not all(cluster.healthy and cluster.kueue_ready for cluster in found):
            raise typer.Exit(1)

    @app.command()
    def env() -> None:
        """Print the shell settings with which `pulumi` works on the simulation: eval "$(skyfleet sim env)"."""
        _say(environment.shell_exports(State.default()))

    return app


@contextmanager
def _told(command: str) -> Iterator[None]:
    """Turn what can go wrong into a message and an exit status."""
    try:
        yield
    except MachineError as error:
        typer.echo(f"error: this machine cannot run the simulation\n{error}", err=True)
        raise typer.Exit(2) from None
    except SimulationError as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        typer.echo(
            f"Interrupted. Run `skyfleet sim {command}` again to go on, or `skyfleet sim down` to end it.", err=True
        )
        raise typer.Exit(130) from None


def _table(found: Sequence[status.ClusterStatus]) -> Table:
    table = Table("cluster", "control plane", "Kueue", "nodes ready", "API server", "processes", box=None)
    for cluster in found:
        table.add_row(
            cluster.name,
            "[green]ready[/]" if cluster.healthy else "[red]not ready[/]",
            "[green]ready[/]" if cluster.kueue_ready else "[red]not ready[/]",
            f"{cluster.nodes_ready}/{cluster.nodes}",
            f"127.0.0.1:{cluster.ports.get('kube-apiserver', '-')}",
            " ".join(f"{name}={pid}" for name, pid in cluster.processes.items()),
        )
    return table


def _say(text: str) -> None:
    typer.echo(text)


def _short(path: Path) -> str:
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative
