"""The commands, each a few lines over a function of another room."""

from pathlib import Path
from typing import Annotated

import typer

from sim import cli as sim
from sim.fleet import cluster_specs
from skyfleet import generate as generation
from skyfleet.check import RULES
from skyfleet.cli.definition import FLEET, FleetOption, FormatOption, errors, read, sound_fleet
from skyfleet.cli.explain import explain
from skyfleet.cli.output import Format, UnusableInput, err, out, print_findings, print_json
from skyfleet.cli.preview import preview
from skyfleet.cli.rules import print_rule
from skyfleet.cli.whatif import whatif
from skyfleet.generate.schemas import SCHEMAS
from skyfleet.generate.schemas import schema as schema_of
from skyfleet.generate.text import json_document

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    help="One definition of a GPU fleet: check it, generate from it, rehearse it.",
    epilog="Exit codes: 0 fine, 1 findings, 2 input that cannot be used.",
)
app.add_typer(sim.build(lambda folder: cluster_specs(sound_fleet(folder))), name="sim")
app.command()(explain)
app.command()(preview)
app.command()(whatif)


@app.command()
def check(
    *,
    fleet: FleetOption = FLEET,
    form: FormatOption = Format.text,
    rule: Annotated[
        str | None, typer.Option("--explain", metavar="RULE", help="Print what a rule is about, and nothing else.")
    ] = None,
) -> None:
    """Report every mistake of the definition by file and line.

    Nothing is written and nothing is contacted. Findings read `path:line: RULE message; remedy`.
    """
    if rule is not None:
        print_rule(rule)
        return
    definition, findings = read(fleet)
    print_findings(findings, form)
    if form is Format.text:
        warnings = len(findings) - len(errors(findings))
        err.print(f"{len(RULES)} rules, {len(errors(findings))} errors, {warnings} warnings", style="dim")
    raise typer.Exit(2 if definition.fleet is None else 1 if errors(findings) else 0)


@app.command()
def generate(
    *,
    fleet: FleetOption = FLEET,
    form: FormatOption = Format.text,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 if a file differs or is left over.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option(help="Root of what is generated; the definition's parent by default.")
    ] = None,
) -> None:
    """Write what follows from the definition: Kueue manifests, the policy's routes, the SkyPilot server config, JSON Schemas.

    Files are written whole or not at all, and only if the definition has no mistakes.
    """
    files = generation.artefacts(sound_fleet(fleet))
    root = output or fleet.resolve().parent
    try:
        found = generation.differences(root, files, generation.OWNED)
        if not check:
            generation.write(root, files, found)
    except OSError as error:
        raise UnusableInput(f"{error.filename}: {error.strerror}; nothing was written, make room for it") from None
    if form is Format.json:
        print_json([{"path": str(difference.path), "change": difference.change} for difference in found])
    else:
        for difference in found:
            out.print(f"{difference.change} {difference.path}")
        _summary(check, len(files), len(found))
    raise typer.Exit(1 if check and found else 0)


def _summary(check: bool, files: int, changes: int) -> None:
    if not changes:
        err.print(f"{files} files are up to date", style="dim")
    elif check:
        err.print(f"{changes} of {files} files differ; run `make generate` and commit them with the definition")


@app.command()
def schema(
    noun: Annotated[str | None, typer.Argument(help=f"One of {', '.join(SCHEMAS)}; all if left out.")] = None,
) -> None:
    """Print the JSON Schema of one kind of file, as editors use it."""
    if noun is not None and noun not in SCHEMAS:
        raise UnusableInput(f"there is no schema '{noun}'; choose one of {', '.join(SCHEMAS)}")
    if noun is not None:
        print(json_document(schema_of(noun)), end="")
    else:
        print_json({each: schema_of(each) for each in SCHEMAS})
