"""`python -m tests.preview.bench`: how long check, generate and preview take, and how much memory, for fleets of three sizes.

Numbers are for people: they say how the tool grows. Nothing fails on a slow machine.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from tests import toy

SIZES = ((2, 3), (25, 500), (50, 1000))
"""Clusters and teams; the last is twice the one before."""
TASKS = Path(__file__).with_name("tasks")
GOALS = {"check + generate": 10.0, "preview": 60.0, "preview of all clusters": 60.0}
"""Seconds, for the largest; issue 6."""
MOST_RATIO = 2.3
MOST_MIB = 1024


@dataclass(frozen=True)
class Run:
    seconds: float
    cpu_seconds: float
    """Of all its processes: what a machine that does nothing else would take at least, and what growth is told by."""
    mib: int


def fleet(clusters: int, teams: int) -> dict[str, Any]:
    """Changes that make the toy a fleet of this size: clusters alternate between the clouds, each team has quota on two."""
    north, central = (toy.TOY["clusters"][name] for name in ("north", "central"))
    names = [f"cluster-{number:03}" for number in range(clusters)]
    share = max(2 * teams // clusters, 1)
    changes: dict[str, Any] = {
        f"clusters.{name}": _sized(north if number % 2 == 0 else central, share) for number, name in enumerate(names)
    }
    for number in range(teams):
        homes = [names[(number + offset) % clusters] for offset in (0, 1)]
        quota = {home: {"H200": 1, "cpu": 1} if int(home[-3:]) % 2 == 0 else {"L4": 1, "cpu": 1} for home in homes}
        team = {"cost_center": str(number), "members": [f"*@team-{number}.example"], "quota": quota}
        changes[f"teams.team-{number:04}"] = {**toy.TOY["teams"]["bees"], **team}
    gone = {f"clusters.{name}": toy.GONE for name in toy.TOY["clusters"]} | {
        f"teams.{name}": toy.GONE for name in toy.TOY["teams"]
    }
    return {**gone, **changes, "fleet.routing": {"prefer": names[:1], "cpu": names}}


def _sized(cluster: dict[str, Any], teams: int) -> dict[str, Any]:
    """Pools large enough for the cluster's teams."""
    nodes = min(teams // 2 + 2, 100)  # a machine has 2 L4 at least
    return {**cluster, "pools": [{**pool, "nodes": nodes} for pool in cluster["pools"]]}


def run(*arguments: str, fine: tuple[int, ...] = (0,)) -> Run:
    started = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "skyfleet", *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    assert child.stdout is not None
    said = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    code = os.waitstatus_to_exitcode(status)
    if code not in fine or b"Traceback" in said:
        raise SystemExit(f"{' '.join(arguments)} ended with {code}:\n{said.decode()[-2000:]}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss // 1024)


def measure(clusters: int, teams: int) -> dict[str, Run]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        changes = fleet(clusters, teams)
        definition = str(toy.write(root, changes))
        shutil.copytree(TASKS, root / "examples")
        _commit(root)
        check, generate = run("check", "--fleet", definition), run("generate", "--fleet", definition)
        toy.write(root, {**changes, "clusters.cluster-000.pools": _grown(changes), "teams.team-0000.weight": 2})
        preview = run("preview", "--base", "HEAD", "--fleet", definition, fine=(0, 1))
        toy.write(root, {**changes, "fleet.queueing": {"pods_ready_timeout_minutes": 45}})
        widest = run("preview", "--base", "HEAD", "--fleet", definition, fine=(0, 1))
    both = Run(check.seconds + generate.seconds, check.cpu_seconds + generate.cpu_seconds, max(check.mib, generate.mib))
    return {
        "check": check,
        "generate": generate,
        "check + generate": both,
        "preview": preview,
        "preview of all clusters": widest,
    }


def _grown(changes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**pool, "nodes": pool["nodes"] + 1} for pool in changes["clusters.cluster-000"]["pools"]]


def _commit(root: Path) -> None:
    for arguments in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message=base")):
        identity = ("-c", "user.name=t", "-c", "user.email=t@example", "-c", "commit.gpgsign=false")
        subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True)


def main() -> None:
    console = Console()
    with console.status("three sizes, a minute or two"):
        results = [measure(*size) for size in SIZES]
    table = Table("what", *(f"{clusters} clusters, {teams} teams" for clusters, teams in SIZES), "doubling", "goal")
    for what in results[0]:
        cells = [_said(result[what]) for result in results]
        ratio = results[2][what].cpu_seconds / results[1][what].cpu_seconds
        goal = f"{GOALS[what]:.0f} s, {MOST_RATIO}x, {MOST_MIB} MiB" if what in GOALS else ""
        table.add_row(what, *cells, f"{ratio:.2f}x", goal)
    console.print(table)


def _said(run: Run) -> str:
    return f"{run.seconds:.1f} s ({run.cpu_seconds:.1f} cpu), {run.mib} MiB"


if __name__ == "__main__":
    main()
