"""Commands `skyfleet sim up|down|status|env`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from sim import environment, simulation, skypilot, status
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
    def up(
        *,
        fleet: Annotated[Path, typer.Option(help="folder of the definition")] = Path("fleet"),
        real_node: Annotated[
            bool, typer.Option("--real-node", help="one node that runs what is scheduled to it (Linux, root)")
        ] = False,
    ) -> None:
        """Prepare simulated clouds for the clusters of the definition, and start those that no cloud makes."""
        clusters = load(fleet)
        state = State.default()
        with _told("up"), Progress() as shown:
            changed = simulation.up(clusters, state, shown, real_node=real_node)
        _say("\n".join(_ready(clusters, state, changed=changed)))

    @app.command()
    def down() -> None:
        """End the simulation: no process and no file of it remains."""
        with _told("down"), Progress() as shown:
            was_there = simulation.down(State.default(), shown)
        _say("The simulation is down; nothing of it is left." if was_there else "There is no simulation to end.")

    @app.command(name="status")
    def show_status(output: Annotated[Format, typer.Option("--format", help="how to print")] = Format.text) -> None:
        """Show each cluster's health, nodes, ports and processes; exit status 1 when one is not well."""
        state = State.default()
        found = status.of(state)
        console = Console(highlight=False, soft_wrap=True)
        if output is Format.json:
            _say(json.dumps([asdict(cluster) for cluster in found], indent=2))
        elif found:
            for line in (line for cluster in found for line in _lines(cluster)):
                console.print(line)
            if skypilot.is_ready(state):
                console.print(f"[bold]SkyPilot[/]  API server [green]ready[/] at {skypilot.url(state)}")
        else:
            _say("There is no simulation; start one with `skyfleet sim up`.")
        if not all(cluster.healthy and cluster.kueue_ready for cluster in found):
            raise typer.Exit(1)

    @app.command()
    def env() -> None:
        """Print the shell settings with which `pulumi` works on the simulation: eval "$(skyfleet sim env)"."""
        _say(environment.shell_exports(State.default()))

    return app


def _ready(clusters: Sequence[ClusterSpec], state: State, *, changed: bool) -> Iterator[str]:
    ordered = sum(cluster.project is not None for cluster in clusters)
    there = len(clusters) - ordered
    if there or not ordered:
        yield f"{there} clusters are up{'' if changed else ' already'}; all contexts in {_short(state.kubeconfig)}"
    if ordered:
        yield (
            f"{ordered} clusters can be made on simulated clouds: "
            f'`eval "$(skyfleet sim env)"`, then `pulumi --cwd {_short(state.project)} up --stack CLUSTER`'
        )


@contextmanager
def _told(command: str) -> Generator[None]:
    """Turn what can go wrong into a message and an exit status."""
    try:
        yield
    except MachineError as error:
        typer.echo(f"error: this machine cannot run the simulation\n{error}", err=True)
        raise typer.Exit(2) from None
    except (SimulationError, OSError) as error:
        typer.echo(f"error: {error}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        typer.echo(
            f"Interrupted. Run `skyfleet sim {command}` again to go on, or `skyfleet sim down` to end it.", err=True
        )
        raise typer.Exit(130) from None


def _lines(cluster: status.ClusterStatus) -> Iterator[str]:
    yield f"[bold]{cluster.name}[/]  context {cluster.context or 'not written yet'}"
    yield f"  control plane {_word(cluster.healthy)}, Kueue {_word(cluster.kueue_ready)}, {cluster.nodes_ready} of {cluster.nodes} nodes ready"
    for part in sorted(cluster.ports.keys() | cluster.processes.keys()):
        process = cluster.processes.get(part)
        yield f"  {part:<24}{f'process {process}' if process else '':<17}{_endpoint(cluster.ports.get(part))}".rstrip()


def _word(well: bool) -> str:
    return "[green]ready[/]" if well else "[red]not ready[/]"


def _endpoint(port: int | None) -> str:
    return f"127.0.0.1:{port}" if port else ""


def _say(text: str) -> None:
    typer.echo(text)


def _short(path: Path) -> str:
    relative = os.path.relpath(path)
    return str(path) if relative.startswith("..") else relative
