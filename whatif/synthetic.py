"""`python -m whatif.synthetic`: a week of two teams on one GPU cluster, made up but shaped as such weeks are. The same each time."""

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from whatif.workload import Workload, text

WEEK = Path(__file__).with_name("samples") / "week.csv"
MINUTES_A_DAY = 1440
DAYS = 7
_SEED = 20261201
_WORKING_HOURS = (9, 19)
_WEEKEND = 5


@dataclass(frozen=True)
class Kind:
    """What people submit: how often on a working day, when, how large and for how long."""

    team: str
    priority: str
    per_node: int
    nodes: int
    a_day: float
    median_minutes: float
    spread: float
    """Of the logarithm of the duration."""
    any_time: bool = False
    """Machines submit it: at night and on Sundays too."""


KINDS = (
    Kind("search", "interactive", 1, 1, 6, 150, 0.5),
    Kind("search", "standard", 8, 1, 4, 300, 0.6),
    Kind("search", "standard", 8, 2, 1, 540, 0.5),
    Kind("search", "batch", 8, 1, 3, 180, 0.4, any_time=True),
    Kind("research", "interactive", 1, 1, 8, 200, 0.5),
    Kind("research", "standard", 8, 1, 3, 360, 0.6),
    Kind("research", "standard", 8, 2, 0.8, 900, 0.4),
    Kind("research", "batch", 4, 1, 4, 240, 0.5, any_time=True),
)


def week(cluster: str, accelerator: str) -> list[Workload]:
    chance = random.Random(_SEED)  # noqa: S311 - no secret, and the same each time
    found = [workload for kind in KINDS for workload in _of(kind, cluster, accelerator, chance)]
    return sorted(found)


def _of(kind: Kind, cluster: str, accelerator: str, chance: random.Random) -> Iterator[Workload]:
    for day in range(DAYS):
        if day >= _WEEKEND and not kind.any_time:
            continue
        for _ in range(_poisson(kind.a_day, chance)):
            first, last = (0, 24) if kind.any_time else _WORKING_HOURS
            minutes = chance.lognormvariate(math.log(kind.median_minutes), kind.spread)
            yield Workload(
                arrival_minutes=float(day * MINUTES_A_DAY + round(chance.uniform(first, last) * 60)),
                cluster=cluster,
                team=kind.team,
                priority=kind.priority,
                accelerator=accelerator,
                per_node=kind.per_node,
                nodes=kind.nodes,
                duration_minutes=float(max(round(minutes), 10)),
            )


def _poisson(mean: float, chance: random.Random) -> int:
    limit, product, count = math.exp(-mean), chance.random(), 0
    while product > limit:
        product *= chance.random()
        count += 1
    return count


if __name__ == "__main__":
    WEEK.write_text(text(week("nebius-eu-north1", "H200")), encoding="utf-8")
