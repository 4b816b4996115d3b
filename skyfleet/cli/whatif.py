"""`skyfleet whatif`: what a change of the definition would have meant for a list of workloads, by the real Kueue."""

import signal
from collections.abc import Generator
from contextlib import contextmanager
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from skyfleet.cli.definition import FLEET, FleetOption
from skyfleet.cli.output import Format as Plain
from skyfleet.cli.output import UnusableInput, complain, err, print_findings, print_json
from skyfleet.finding import Finding

COMPRESSION = 10_000
"""A week takes a minute at least."""


class Format(StrEnum):
    """`text` is for a terminal, `json` for programs, `html` a page with charts."""

    text = "text"
    json = "json"
    html = "html"


def whatif(
    *,
    base: Annotated[str, typer.Option(help="Revision to compare with, e.g. origin/main.", metavar="REF")],
    workloads: Annotated[Path, typer.Option(help="CSV file, e.g. examples/workloads/week.csv.", metavar="FILE")],
    fleet: FleetOption = FLEET,
    form: Annotated[
        Format, typer.Option("--format", help="text for people, json for programs, html for a page with charts.")
    ] = Format.text,
    compress: Annotated[
        float,
        typer.Option(
            help="Simulated seconds in a real one, at most: fewer keep more of the arrivals apart.", min=1, metavar="N"
        ),
    ] = COMPRESSION,
) -> None:
    """Replay workloads on real Kueue under both definitions; compare waiting, preemptions, use and fairness of each team.

    The definition at REF is compared with the working tree, on throwaway control planes on this machine. A week takes two to three minutes.
    Exit 0 when it could be told, 1 when a control plane failed, 2 when an input cannot be used.
    """
    # simulated control planes and a client for them: no other command pays for their import
    from sim.errors import MachineError, SimulationError  # noqa: PLC0415
    from sim.progress import Progress  # noqa: PLC0415
    from whatif import comparison, page, plan, reading, sides, table, trial  # noqa: PLC0415

    try:
        fleets = sides.sides(fleet, base, date.today())  # noqa: DTZ011 - the day where the reader sits
        wanted = reading.read(workloads, fleets.values())
    except (sides.UnsoundSide, reading.UnreadableWorkloads) as error:
        raise _unusable(str(error), error.findings) from None
    except OSError as error:
        raise UnusableInput(f"{workloads}: {error.strerror}; name a CSV file with --workloads") from None
    replays = plan.plan(fleets, wanted)
    try:
        with _terminable(), Progress(err) as shown:
            traces = trial.run(replays, compress, shown)
    except MachineError as error:
        raise UnusableInput(f"this machine cannot replay workloads\n{error}") from None
    except SimulationError as error:
        complain(str(error))
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        complain("interrupted; nothing that was started is left, run the same command again")
        raise typer.Exit(130) from None
    told = comparison.compare(fleets, wanted, replays, traces, compress)
    if form is Format.json:
        print_json(comparison.data_of(told))
    elif form is Format.html:
        print(page.page(told), end="")
    else:
        for line in table.lines(told):
            print(line)


def _unusable(message: str, findings: "list[Finding] | tuple[Finding, ...]") -> UnusableInput:
    print_findings(findings, Plain.text)
    return UnusableInput(message)


@contextmanager
def _terminable() -> Generator[None]:
    """SIGTERM ends it as Ctrl-C does: what was started is cleared away."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
