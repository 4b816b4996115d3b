"""A preview from a folder and a revision: everything that touches git and disk."""

from datetime import date
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from skyfleet.preview import graph, revision
from skyfleet.preview.report import Comparison, Report, report
from skyfleet.preview.side import Side, read

SHORT = 9
"""Digits of a commit that readers see."""


def preview(folder: Path, base: str, tasks: list[Path], today: date, *, run_program: bool = False) -> Report:
    """The definition in `folder` against the one of `base`, in the same place of the same repository.

    With `run_program` each side is captured by its own program: code of the change is run.
    """
    head = read(folder, folder.name, today)
    with TemporaryDirectory(prefix="skyfleet-base-") as temporary:
        name, side = base_side(folder, base, Path(temporary), today)
        capture = partial(graph.capture, run=_programs(folder, base, Path(temporary))) if run_program else graph.capture
        return report(Comparison(side, head, name, today, tuple(tasks), capture, own_programs=run_program))


def _programs(folder: Path, base: str, temporary: Path) -> graph.Run:
    """The program of the working tree, and the one of the base beside its definition."""
    try:
        repository = revision.root_of(folder)
        extracted = revision.extract(repository, revision.commit_of(repository, base), Path(), temporary / "program")
    except revision.RevisionError:
        return graph.in_a_process  # the report says what is wrong with the base
    return graph.of_programs({"base": extracted or repository, "head": repository})


def base_side(folder: Path, base: str, temporary: Path, today: date) -> tuple[str, Side]:
    """The base and how readers know it. What git cannot give is a side of which the findings say so."""
    try:
        repository = revision.root_of(folder)
        commit = revision.commit_of(repository, base)
    except revision.RevisionError as error:
        return base, Side(unreadable=str(error))
    name = base if commit.startswith(base) else f"{base} ({commit[:SHORT]})"
    inside = folder.resolve().relative_to(repository.resolve())
    extracted = revision.extract(repository, commit, inside, temporary)
    if extracted is None:
        return name, Side(missing=f"{name} has no {inside.as_posix()}/")
    return name, read(extracted, folder.name, today)
