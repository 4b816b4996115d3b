"""`make demo`: stage, play, table."""

import dataclasses
import json
import os
import sys
import time
from enum import StrEnum
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from demo.launching import LaunchFailed
from demo.play import Outcome, play
from demo.stage import raise_curtain
from demo.table import programme
from sim.errors import MachineError, SimulationError
from sim.progress import Progress
from sim.state import State
from skyfleet.cli.definition import sound_fleet
from tools import paths

app = typer.Typer(pretty_exceptions_enable=False, add_completion=False)
_err = Console(stderr=True, highlight=False, soft_wrap=True)

_HONEST = f"""\
Real: the API servers, schedulers, Kueue, Pulumi's engine and provider, SkyPilot and its server, the policy's wheel.
Simulated: the clouds' APIs behind Pulumi's plugins, and the nodes. These run no containers, so SkyPilot reports its clusters as
           INIT; nothing above was decided by that.
Look further:  {os.path.relpath(paths.binary("kubectl"))} --kubeconfig .sim/kubeconfig --context nebius-eu-north1 get pods,workloads
End it:        make demo-down"""


class Format(StrEnum):
    """How the outcome is printed."""

    text = "text"
    json = "json"


@app.command()
def demo(
    *, form: Annotated[Format, typer.Option("--format", help="text for people, json for programs.")] = Format.text
) -> None:
    """The main job on simulated clusters. Exit 0 if everything ended as told, 1 if not, 2 if this machine cannot run it."""
    began = time.monotonic()
    fleet = sound_fleet(paths.REPOSITORY / "fleet")
    state = State.default()
    try:
        with Progress(_err) as shown:
            raise_curtain(state, fleet, shown)
            outcomes = play(state, fleet, shown)
    except MachineError as error:
        _refuse(f"this machine cannot run the demo\n{error}", 2)
    except (SimulationError, LaunchFailed) as error:
        _refuse(str(error), 1)
    except KeyboardInterrupt:
        _refuse("interrupted; run `make demo` again to go on, or `make demo-down` to end it", 130)
    _show(outcomes, form, time.monotonic() - began)
    raise typer.Exit(0 if all(outcome.as_told for outcome in outcomes) else 1)


def _show(outcomes: list[Outcome], form: Format, seconds: float) -> None:
    if form is Format.json:
        print(
            json.dumps(
                [{**dataclasses.asdict(outcome), "standing": outcome.standing} for outcome in outcomes], indent=2
            )
        )
        return
    Console(highlight=False).print(programme(outcomes))
    _err.print(f"\nRead back from the clusters after {seconds:.0f} s.\n{_HONEST}", markup=False)


def _refuse(message: str, status: int) -> NoReturn:
    _err.print(f"error: {message}", markup=False)
    sys.exit(status)
