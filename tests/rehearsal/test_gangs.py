"""Two nodes or none: a gang waits as a whole for its quota, then its ranks find each other."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.e2e.gangs import Gang
from tests.e2e.waiting import until
from tests.rehearsal.infiniband import infiniband_of
from tests.rehearsal.occupants import occupied, vacate
from tests.rehearsal.stage import SEARCH, Stage

pytestmark = pytest.mark.e2e

REQUEST = "gang"
OTHERS = Gang("others", "research", "standard", nodes=2)
OWN = Gang("own", "search", "standard", nodes=1)
"""They leave one node of four."""


def test_a_gang_of_two_starts_as_a_whole_and_its_ranks_reach_each_other(stage: Stage) -> None:
    """One of its pods would fit at once. Both have what InfiniBand takes, though no device is behind it."""
    with ThreadPoolExecutor(1) as beside, occupied(stage, OTHERS, OWN):
        launching = beside.submit(stage.sky, SEARCH, "launch", "--yes", "--cluster", REQUEST, "gang-h200.yaml")
        waiting = until(lambda: stage.pods_of(REQUEST), lambda pods: len(pods) == 2)
        until(lambda: stage.why_waiting(REQUEST), lambda why: "insufficient" in why)
        gated = [pod for pod in stage.pods_of(REQUEST) if pod["spec"].get("schedulingGates")]
        vacate(stage, OWN)
        began = time.monotonic()
        launched = launching.result()
    stage.note("two-node gang, from free quota to SUCCEEDED", f"{time.monotonic() - began:.0f} s")
    stage.sky(SEARCH, "down", "--yes", REQUEST)

    assert len(gated) == 2
    assert "Job finished (status: SUCCEEDED)" in launched.output, launched.output
    for rank, other in ((0, 1), (1, 0)):
        heard = f"rank {rank} of 2 with 8 accelerators heard: rank {other} of 2 with 8 accelerators"
        assert heard in launched.output, launched.output
    assert launched.output.count("fabric: mlx5, libibverbs.so.1") == 2
    for pod in waiting:
        settings = infiniband_of(pod)
        assert settings["rdma/shared_device"] == "1"
        assert settings["NCCL_SOCKET_IFNAME"] == "eth0"
    stage.wait_for_end_of(REQUEST)
