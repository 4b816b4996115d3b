"""`python -m ci.comment REPORT --repository OWNER/NAME --pull N`: one comment for each pull request, updated and never repeated."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ci.body import MARKER, SECTIONS, compose, sections_of
from ci.github import ApiError, Comment, PullRequest

AUTHOR = "github-actions[bot]"
"""Whose comment it is: a stranger may have copied the marker."""


def post(pull_request: PullRequest, section: str, report: str, *, author: str, keep: bool) -> str:
    """Write a section of the comment; the others stay if `keep` says so. Returns what was done."""
    known = _ours(pull_request, author)
    sections = sections_of(known.body) if known and keep else {}
    body = compose({**sections, section: report})
    if known is None:
        pull_request.create(body)
        return "created"
    if known.body.replace("\r\n", "\n").strip() == body.strip():
        return "unchanged"
    pull_request.update(known, body)
    return "updated"


def _ours(pull_request: PullRequest, author: str) -> Comment | None:
    """The first one, on whatever page it is."""
    return next(
        (each for each in pull_request.comments() if each.author == author and each.body.startswith(MARKER)), None
    )


def main(
    report: Annotated[Path, typer.Argument(help="The report, as Markdown.", exists=True, dir_okay=False)],
    *,
    repository: Annotated[str, typer.Option(envvar="GITHUB_REPOSITORY", metavar="OWNER/NAME")],
    pull: Annotated[int, typer.Option(help="Number of the pull request.")],
    token: Annotated[str, typer.Option(envvar="GITHUB_TOKEN", help="Never on the command line.")],
    section: Annotated[str, typer.Option(help=f"One of {', '.join(SECTIONS)}.")] = SECTIONS[0],
    keep: Annotated[bool, typer.Option("--keep", help="Leave the other sections as they are.")] = False,
    author: Annotated[str, typer.Option(help="Whose comment is updated.")] = AUTHOR,
    api: Annotated[str, typer.Option(envvar="GITHUB_API_URL")] = "https://api.github.com",
) -> None:
    """Post a report on a pull request. Exit 0 if it is there, 1 if GitHub refused, 2 if the section is unknown."""
    if section not in SECTIONS:
        print(f"error: there is no section '{section}'; choose one of {', '.join(SECTIONS)}", file=sys.stderr)
        raise typer.Exit(2)
    pull_request = PullRequest(api, repository, pull, token)
    try:
        done = post(pull_request, section, report.read_text(encoding="utf-8"), author=author, keep=keep)
    except ApiError as error:
        print(f"error: {error}", file=sys.stderr)
        raise typer.Exit(1) from None
    print(f"comment on pull request {pull} {done}")


if __name__ == "__main__":
    typer.run(main)
