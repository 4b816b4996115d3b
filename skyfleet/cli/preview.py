"""`skyfleet preview`: what a change of the definition will do, before it is merged."""

from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from skyfleet.cli.definition import FLEET, FleetOption
from skyfleet.cli.output import err, print_json
from skyfleet.preview.data_of import data_of
from skyfleet.preview.markdown import markdown
from skyfleet.preview.preview import preview as preview_of


class Form(StrEnum):
    """`markdown` is for a pull request, `json` for programs."""

    markdown = "markdown"
    json = "json"


def preview(
    *,
    base: Annotated[str, typer.Option(help="Revision to compare with, e.g. origin/main.", metavar="REF")],
    fleet: FleetOption = FLEET,
    form: Annotated[
        Form, typer.Option("--format", help="markdown for a pull request, json for programs.")
    ] = Form.markdown,
    run_program: Annotated[
        bool,
        typer.Option(
            "--run-program", help="Also compare the Pulumi programs, each side's own: code of the change is run."
        ),
    ] = False,
    tasks: Annotated[
        list[Path] | None, typer.Option(help="Folder of sample tasks; examples/ beside the definition by default.")
    ] = None,
) -> None:
    """Tell what a change does to clusters, quotas, routing and cost. Offline; no credentials.

    The definition at REF is compared with the working tree. Exit 0 if nothing needs a look, 1 if something does, 2 if there was nothing to
    compare.
    """
    with err.status("comparing the definitions"):
        folders = tasks or [fleet.resolve().parent / "examples"]
        report = preview_of(fleet, base, folders, date.today(), run_program=run_program)  # noqa: DTZ011 - the day where the reader sits
    if form is Form.json:
        print_json(data_of(report))
    else:
        print(markdown(report), end="")
    raise typer.Exit(report.exit_code)
