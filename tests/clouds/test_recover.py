"""An `up` that was killed at any moment is recovered and repeated to the same end: the real engine, a simulated cloud."""

from __future__ import annotations

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from sim import simulation
from sim.clouds.ledger import Record
from sim.state import State
from skyfleet.model.cloud import identities
from tests.clouds.clouds import QUIET, Operator, said
from tests.clouds.killed import after, pending, up_killed

pytestmark = pytest.mark.e2e

STACK = "nebius-eu-north1"
SEED = int(os.environ.get("SKYFLEET_SEED", str(time.time_ns() % 10_000)))
"""A new moment in each run; a failing test says which, and this variable repeats it."""


@pytest.fixture
def operator(tmp_path: Path) -> Iterator[Operator]:
    """Clouds with nothing in them."""
    operator = Operator(State(tmp_path / "sim"))
    try:
        operator.prepare()
        yield operator
    finally:
        simulation.down(operator.state, QUIET)


def test_an_up_that_is_killed_again_and_again_comes_to_its_end(operator: Operator) -> None:
    """In the middle of the cluster, its nodes, Kueue's release, the queues; each `recover` adopts or forgets what was being made."""
    for kind in (
        "nebius:index/mk8sV1Cluster",
        "nebius:index/mk8sV1NodeGroup",
        "kubernetes:helm",
        "kubernetes:kueue.x-k8s.io",
    ):
        up_killed(operator, STACK, pending(kind))
        recovered = operator.recover(STACK)

        assert recovered.returncode == 0, f"killed in {kind}\n{said(recovered)}"
        assert "creating " in said(recovered), said(recovered)
        assert kind in said(recovered), said(recovered)

    _assert_comes_to_its_end(operator, "killed four times")


def test_an_up_that_is_killed_at_a_random_moment_comes_to_its_end(operator: Operator) -> None:
    seconds = random.Random(SEED).uniform(2, 14)  # noqa: S311 - a moment, not a secret
    up_killed(operator, STACK, after(seconds))
    recovered = operator.recover(STACK)

    killed = f"killed after {seconds:.1f} s (SKYFLEET_SEED={SEED})\n{said(recovered)}"
    assert recovered.returncode == 0, killed
    _assert_comes_to_its_end(operator, killed)


def _assert_comes_to_its_end(operator: Operator, killed: str) -> None:
    """Everything is there once, and nothing is left to do."""
    up = operator.up(STACK)
    assert up.returncode == 0, f"{killed}\n{said(up)}"
    made = Counter((record.type, *_unlike(record)) for record in operator.exists("nebius"))
    assert [one for one, times in made.items() if times > 1] == [], killed
    preview = operator.pulumi(STACK, "preview", "--expect-no-changes")
    assert preview.returncode == 0, f"{killed}\n{said(preview)}"
    drift = operator.drift(STACK)
    assert drift.returncode == 0, f"{killed}\n{said(drift)}"


def _unlike(record: Record) -> tuple[str, ...]:
    """What no two of a type share."""
    keys = ("parentId", *identities()[record.type].same)
    return tuple(str(record.inputs.get(key)) for key in keys)
