"""`python -m whatif.generate > FILE`: a week of workloads as teams like ours submit them; the same seed gives the same week."""

from __future__ import annotations

import argparse
import csv
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from whatif.reading import COLUMNS

MONDAY = datetime(2026, 11, 2)  # noqa: DTZ001 - the wall clock of the people who work
DAYS, WORKDAYS = 7, 5
SEED = 20261102


@dataclass(frozen=True)
class Habit:
    """What a team does again and again."""

    kind: str
    team: str
    priority: str
    cluster: str
    shapes: tuple[str, ...]
    hours: tuple[float, float]
    """Shortest and longest run."""
    per_day: tuple[int, int]
    """Fewest and most in a day."""
    between: tuple[int, int]
    """Hours of the day in which it is submitted; the second may pass midnight."""
    days: tuple[int, ...] = tuple(range(WORKDAYS))
    checkpoint_minutes: int | None = None


NEBIUS, GKE = "nebius-eu-north1", "gke-us-central1"
ALWAYS = tuple(range(DAYS))
HABITS = (
    Habit("pretrain", "search", "standard", NEBIUS, ("2xH200:8",), (22, 44), (1, 1), (9, 12), (0, 2, 4), 60),
    Habit(
        "finetune",
        "search",
        "standard",
        NEBIUS,
        ("1xH200:8", "1xH200:4"),
        (2, 9),
        (2, 4),
        (9, 18),
        checkpoint_minutes=30,
    ),
    Habit(
        "sweep", "research", "batch", NEBIUS, ("1xH200:2", "1xH200:4", "1xH200:8"), (3, 8), (3, 6), (18, 25), ALWAYS, 30
    ),
    Habit(
        "training", "research", "standard", NEBIUS, ("2xH200:8", "3xH200:8"), (14, 30), (1, 1), (10, 16), (1, 3, 5), 60
    ),
    Habit("release", "research", "production", NEBIUS, ("2xH200:8",), (3, 6), (1, 1), (14, 17), (2, 4)),
    Habit("notebook", "search", "interactive", NEBIUS, ("1xH200:1",), (2, 8), (1, 3), (9, 16)),
    Habit("notebook", "research", "interactive", NEBIUS, ("1xH200:1", "1xH200:2"), (2, 8), (1, 3), (9, 16)),
    Habit("dev", "search", "interactive", GKE, ("1xL4:1",), (2, 8), (2, 4), (9, 17)),
    Habit("dev", "research", "interactive", GKE, ("1xL4:1",), (2, 8), (2, 3), (9, 17)),
    Habit("evaluate", "search", "batch", GKE, ("1xL4:1", "1xL4:2"), (1, 5), (4, 8), (17, 26), ALWAYS),
    Habit("evaluate", "research", "batch", GKE, ("1xL4:1", "2xL4:2"), (1, 4), (2, 5), (17, 26), ALWAYS),
    Habit("burst", "search", "production", GKE, ("1xL4:2",), (1, 3), (2, 3), (11, 13), (1, 3)),
    Habit("preprocess", "search", "standard", GKE, ("1xcpu:8", "2xcpu:8"), (1, 5), (2, 4), (8, 20)),
    Habit("preprocess", "research", "standard", GKE, ("1xcpu:8", "1xcpu:12"), (1, 6), (1, 3), (8, 20)),
    Habit("nightly", "platform", "batch", GKE, ("1xcpu:4", "1xcpu:8"), (1, 4), (2, 4), (22, 27), ALWAYS),
)
"""For the definition that is shipped: five loaded days on two clusters of 32 H200 and 8 L4."""


def week(seed: int = SEED) -> list[dict[str, str]]:
    """Rows of a workload file, by arrival."""
    chance = random.Random(seed)  # noqa: S311 - not for secrets
    rows = sorted((row for habit in HABITS for row in _rows(habit, chance)), key=lambda row: row["arrival"])
    return [row | {"name": f"{row['name']}-{number:03}"} for number, row in enumerate(rows, 1)]


def _rows(habit: Habit, chance: random.Random) -> Iterator[dict[str, str]]:
    first, last = habit.between
    for day in habit.days:
        for _ in range(chance.randint(*habit.per_day)):
            at = MONDAY + timedelta(days=day, minutes=chance.randrange(first * 60, last * 60))
            minutes = round(chance.uniform(*habit.hours) * 60 / 5) * 5
            yield {
                "name": f"{habit.team}-{habit.kind}",
                "arrival": at.isoformat(timespec="minutes"),
                "team": habit.team,
                "priority": habit.priority,
                "cluster": habit.cluster,
                "shape": chance.choice(habit.shapes),
                "duration_minutes": str(minutes),
                "checkpoint_minutes": str(habit.checkpoint_minutes or ""),
            }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m whatif.generate", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help="another gives another week")
    rows = week(parser.parse_args().seed)
    writer: csv.DictWriter[str] = csv.DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)


if __name__ == "__main__":
    main()
