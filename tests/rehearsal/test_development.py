"""A development environment: one accelerator at once, and gone when nobody works in it."""

from __future__ import annotations

import time

import pytest

from tests.rehearsal.infiniband import infiniband_of
from tests.rehearsal.stage import HELLO, SEARCH, Stage

pytestmark = pytest.mark.e2e

REQUEST = "dev"
AUTOSTOP_SECONDS = 600
"""One idle minute, a look every minute, and the pod's own `sky down`, on a machine with other work."""


def test_a_development_environment_has_one_accelerator_and_takes_itself_down(stage: Stage) -> None:
    """At interactive priority, without InfiniBand. Its own service account may delete it, and no finalizer keeps it."""
    launched = stage.sky(
        SEARCH, "launch", "--yes", "--cluster", REQUEST, "--idle-minutes-to-autostop", "1", "dev-h200.yaml"
    )
    began = time.monotonic()
    assert launched.status == 0, launched.output
    assert "is down after 1 idle minute: Kubernetes cannot stop a machine" in launched.output
    (pod,), (workload,) = stage.pods_of(REQUEST), stage.workloads_of(REQUEST)
    assert workload["spec"]["priorityClassRef"]["name"] == "interactive"
    assert pod["spec"]["containers"][0]["resources"]["limits"]["nvidia.com/gpu"] == "1"
    assert infiniband_of(pod) == {}

    by_policy = stage.sky(SEARCH, "exec", REQUEST, "dev-second-h200.yaml")
    assert by_policy.status != 0
    assert "profile `dev` may have 1 accelerator in all, this asks for H200:2" in by_policy.output
    by_size = stage.sky(SEARCH, "exec", "--gpus", "H200:2", REQUEST, HELLO)
    assert by_size.status != 0
    assert "ResourcesMismatchError" in by_size.output, by_size.output

    stage.wait_for_end_of(REQUEST, AUTOSTOP_SECONDS)
    stage.note("development environment, from its launch to its own end", f"{time.monotonic() - began:.0f} s")
    assert f"Autodowned cluster: {REQUEST}" in stage.sky(SEARCH, "status", "--refresh", REQUEST).output
