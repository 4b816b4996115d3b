"""`python -m skyfleet_policy explain task.yaml`: for engineers who have the wheel and no checkout."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from skyfleet_policy import render
from skyfleet_policy._version import __version__
from skyfleet_policy.explain import REQUESTS, TaskFileError, explain_task
from skyfleet_policy.routes import RoutesError, load_routes


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; 0 the task is accepted, 1 it is rejected, 2 the input cannot be used."""
    options = _parser().parse_args(arguments)
    try:
        routes = load_routes(options.routes) if options.routes else None
        explanation = explain_task(options.task, user=options.user, request=options.request, routes=routes)
    except (TaskFileError, RoutesError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if options.format == "json":
        print(render.as_json(explanation))
    else:
        print(render.as_text(explanation, color=_color()), end="")
    return 0 if explanation.accepted else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m skyfleet_policy", description="The SkyPilot admin policy of a Skyfleet."
    )
    parser.add_argument("--version", action="version", version=f"skyfleet-policy {__version__}")
    commands = parser.add_subparsers(required=True, metavar="explain")
    explain = commands.add_parser("explain", help="print what the policy would do with a task file, rule by rule")
    explain.add_argument("task", type=Path, help="a task YAML")
    explain.add_argument("--user", help="who submits it; left out, membership is not checked")
    explain.add_argument(
        "--request", choices=sorted(REQUESTS), default="launch", help="how it is submitted (default: launch)"
    )
    explain.add_argument("--routes", type=Path, help="another routes.json than the one in this package")
    explain.add_argument("--format", choices=("text", "json"), default="text")
    return parser


def _color() -> bool:
    return sys.stdout.isatty() and "NO_COLOR" not in os.environ
