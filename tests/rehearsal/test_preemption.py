"""Batch work gives way to production, comes back by itself, and its engineer can read why."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sim.node import plan
from tests.e2e.gangs import Gang
from tests.e2e.waiting import until
from tests.rehearsal.infiniband import infiniband_of
from tests.rehearsal.occupants import occupied
from tests.rehearsal.stage import SEARCH, Said, Stage

pytestmark = pytest.mark.e2e

BATCH, PRODUCTION = "batch", "production"
OTHERS = Gang("others", "research", "standard", nodes=2)
OWN = Gang("own", "search", "production", nodes=1)
"""They leave one node of four, and nothing of them can be preempted for it."""
PATIENCE_SECONDS = 300
"""SkyPilot looks after a managed job every 15 s, and a stopped pod has 30 s to end."""


@pytest.fixture
def one_node_left(stage: Stage) -> Iterator[ThreadPoolExecutor]:
    """And somebody to watch the managed job, who is not left waiting when the scenario fails."""
    with ThreadPoolExecutor(1) as beside, occupied(stage, OTHERS, OWN):
        yield beside
        stage.sky(SEARCH, "jobs", "cancel", "--yes", "--all")
        stage.sky(SEARCH, "down", "--yes", PRODUCTION)


def test_a_preempted_managed_job_recovers_and_succeeds(stage: Stage, one_node_left: ThreadPoolExecutor) -> None:
    """It goes on from its checkpoint in the scratch space; both SkyPilot and Kueue say what happened."""
    watching = one_node_left.submit(stage.sky, SEARCH, "jobs", "launch", "--yes", "--name", BATCH, "batch-h200.yaml")
    began, others = time.monotonic(), _checkpoints(stage)
    until(lambda: _checkpoints(stage) - others, bool, PATIENCE_SECONDS)  # cheaper to look at than SkyPilot's queue
    _until_queue_says(stage, "RUNNING")
    stage.note("managed job, from launch to RUNNING", f"{time.monotonic() - began:.0f} s")
    (pod,) = stage.pods_of(BATCH)
    assert infiniband_of(pod) == {}, "a whole node alone has nobody to reach"

    served = stage.sky(SEARCH, "launch", "--yes", "--cluster", PRODUCTION, "production-h200.yaml")
    stage.note("production, from launch to SUCCEEDED by preemption", f"{served.seconds:.0f} s")
    assert "Job finished (status: SUCCEEDED)" in served.output, served.output
    recovering = _until_queue_says(stage, "RECOVERING")
    assert "Cluster preempted or failed, recovering" in recovering.output, recovering.output
    reasons = stage.events_of(BATCH, "Preempted")
    assert "due to prioritization in the ClusterQueue; preemptor path: /acme/search" in reasons[-1]

    began = time.monotonic()
    assert stage.sky(SEARCH, "down", "--yes", PRODUCTION).status == 0
    watched = watching.result()
    stage.note("managed job, from the end of production to SUCCEEDED", f"{time.monotonic() - began:.0f} s")
    for said in ("works at step 100", "The job cluster is preempted or failed", "goes on from step 100"):
        assert said in watched.output, watched.output
    assert "Managed job finished: " in watched.output
    assert watched.output.count("(status: SUCCEEDED)") == 2
    stage.wait_for_end_of(BATCH)


def _checkpoints(stage: Stage) -> set[Path]:
    return set(plan.shared(stage.cluster, "scratch").glob("scratch/*-checkpoint"))


def _until_queue_says(stage: Stage, status: str) -> Said:
    return until(
        lambda: stage.sky(SEARCH, "jobs", "queue", "--verbose"),
        lambda said: f"1 {status}" in said.output,
        PATIENCE_SECONDS,
    )
