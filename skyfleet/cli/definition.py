"""What most commands begin with: the definition, loaded and checked."""

from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from skyfleet.check import check
from skyfleet.cli.output import Format, UnusableInput, complain, print_findings
from skyfleet.finding import Finding
from skyfleet.load import Definition, load
from skyfleet.model import Fleet

FleetOption = Annotated[Path, typer.Option("--fleet", help="Folder of the definition.", metavar="DIR")]
FormatOption = Annotated[Format, typer.Option("--format", help="text for people and editors, json for programs.")]
FLEET = Path("fleet")


def read(folder: Path) -> tuple[Definition, list[Finding]]:
    if not (folder / "fleet.yaml").is_file():
        raise UnusableInput(f"{folder} holds no fleet.yaml; name the definition's folder with --fleet DIR")
    definition = load(folder)
    return definition, check(definition, date.today())  # noqa: DTZ011 - the day where the reader sits


def errors(findings: list[Finding]) -> list[Finding]:
    return [finding for finding in findings if finding.severity == "error"]


def sound_fleet(folder: Path) -> Fleet:
    """The fleet, if nothing is wrong with it; else its findings are printed and the command ends with exit code 1 (or 2)."""
    definition, findings = read(folder)
    if definition.fleet is not None and not errors(findings):
        return definition.fleet
    print_findings(findings, Format.text)
    complain(f"the definition has {len(errors(findings))} mistakes; nothing was written")
    raise typer.Exit(2 if definition.fleet is None else 1)
