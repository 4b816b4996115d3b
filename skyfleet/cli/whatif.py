"""`skyfleet whatif`: what a change of quotas would have meant for a list of workloads, on real Kueue."""

import dataclasses
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from skyfleet.cli.definition import FLEET, FleetOption, FormatOption
from skyfleet.cli.output import Format, UnusableInput, err, print_json
from skyfleet.model import Fleet
from skyfleet.preview.markdown.text import table
from skyfleet.preview.preview import base_side
from skyfleet.preview.side import Side, read


def whatif(
    *,
    base: Annotated[str, typer.Option(help="Revision to compare with, e.g. origin/main.", metavar="REF")],
    workloads: Annotated[Path, typer.Option(help="CSV of workloads, e.g. whatif/samples/week.csv.", metavar="FILE")],
    fleet: FleetOption = FLEET,
    cluster: Annotated[
        str | None, typer.Option(help="Cluster to replay; the one of the first workload by default.")
    ] = None,
    minutes_per_second: Annotated[
        float, typer.Option(help="Compression. Kueue takes up to a second to look again: the more, the coarser.", min=1)
    ] = 30,
    chart: Annotated[Path | None, typer.Option(help="Write a page with curves.", metavar="FILE.html")] = None,
    form: FormatOption = Format.text,
) -> None:
    """Replay workloads on real Kueue under both definitions and compare waiting, preemptions, use and fairness.

    Needs the tools of `make tools`. A week takes some six minutes. Exit 0 if it could be told, 2 if an input cannot be used.
    """
    # simulated control planes and the replay: no other command needs them
    from sim.errors import MachineError, SimulationError  # noqa: PLC0415
    from sim.progress import Progress  # noqa: PLC0415
    from whatif import report  # noqa: PLC0415
    from whatif.chart import page  # noqa: PLC0415
    from whatif.trial import Speed, compare  # noqa: PLC0415
    from whatif.workload import WorkloadFileError  # noqa: PLC0415
    from whatif.workload import read as read_workloads  # noqa: PLC0415

    try:
        wanted = read_workloads(workloads)
    except WorkloadFileError as error:
        raise UnusableInput(str(error)) from None
    if not wanted:
        raise UnusableInput(f"{workloads} has no workloads")
    name = cluster or wanted[0].cluster
    own = [workload for workload in wanted if workload.cluster == name]
    if not own:
        raise UnusableInput(f"no workload of {workloads} is on {name}")
    fleets = _fleets(fleet, base, name)
    try:
        with Progress(err) as shown:
            outcomes = compare(fleets, name, own, Speed(minutes_per_second), shown)
    except (MachineError, SimulationError) as error:
        raise UnusableInput(str(error)) from None
    if chart is not None:
        chart.write_text(page(f"{len(own)} workloads on {name}", outcomes), encoding="utf-8")
    if form is Format.json:
        print_json({side: dataclasses.asdict(outcome.measures) for side, outcome in outcomes.items()})
        return
    for line in (*table(report.HEADER, report.rows(outcomes)), "", *report.sentences(outcomes)):
        print(line)


def _fleets(folder: Path, base: str, cluster: str) -> dict[str, Fleet]:
    today = date.today()  # noqa: DTZ011 - the day where the reader sits
    with TemporaryDirectory(prefix="skyfleet-base-") as temporary:
        name, before = base_side(folder, base, Path(temporary), today)
    after = read(folder, folder.name, today)
    return {name: _sound(name, before, cluster), "working tree": _sound("the working tree", after, cluster)}


def _sound(name: str, side: Side, cluster: str) -> Fleet:
    errors = [finding for finding in side.findings if finding.severity == "error"]
    if side.fleet is None or errors:
        reason = side.unreadable or side.missing or f"{errors[0]}"
        raise UnusableInput(f"the definition of {name} cannot be replayed: {reason}")
    if cluster not in side.fleet.clusters:
        raise UnusableInput(f"{name} has no cluster '{cluster}'")
    return side.fleet
