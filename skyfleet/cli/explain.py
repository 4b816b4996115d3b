"""`skyfleet explain`: what the policy would decide, by the definition in this checkout, without a server."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from skyfleet.cli.definition import FLEET, FleetOption, FormatOption, sound_fleet
from skyfleet.cli.output import Format, UnusableInput, out
from skyfleet.generate.routes import routes as routes_of


class Request(StrEnum):
    """How the task is submitted: `sky launch`, `sky exec`, `sky jobs launch`, `sky serve up`."""

    launch = "launch"
    exec = "exec"
    jobs = "jobs"
    serve = "serve"


def explain(
    task: Annotated[Path, typer.Argument(help="A task file, as `sky launch` takes it.", metavar="TASK.yaml")],
    *,
    user: Annotated[
        str | None, typer.Option(help="Who asks, as the server knows them; membership is unchecked without.")
    ] = None,
    request: Annotated[Request, typer.Option(help="How the task is submitted.")] = Request.launch,
    fleet: FleetOption = FLEET,
    form: FormatOption = Format.text,
) -> None:
    """Print the policy's decision on a task rule by rule: what each saw, and what it did.

    Engineers without this repository get the same from `python -m skyfleet_policy explain TASK.yaml`.
    """
    # SkyPilot, which the policy reads task files with, takes a second to import: no other command pays for it
    from skyfleet_policy import render  # noqa: PLC0415
    from skyfleet_policy.explain import TaskFileError, explain_task  # noqa: PLC0415
    from skyfleet_policy.routes import parse_routes  # noqa: PLC0415

    table = parse_routes(json.loads(json.dumps(routes_of(sound_fleet(fleet)))))
    try:
        explanation = explain_task(task, user=user, request=request.value, routes=table)
    except TaskFileError as error:
        raise UnusableInput(str(error)) from None
    if form is Format.json:
        print(render.as_json(explanation))
    else:
        print(render.as_text(explanation, color=out.is_terminal and not out.no_color), end="")
    raise typer.Exit(0 if explanation.accepted else 1)
