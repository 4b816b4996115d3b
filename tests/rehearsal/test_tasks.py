"""A task runs from `sky launch` to SUCCEEDED, again with `sky exec`, and `sky down` leaves nothing of it."""

import pytest

from tests.rehearsal.stage import HELLO, SEARCH, Stage

pytestmark = pytest.mark.e2e

REQUEST = "hello"


def test_a_task_is_launched_executed_again_and_taken_down(stage: Stage) -> None:
    """With its output; caches and scratch are there, and writable for the image's user and for root."""
    launched = stage.sky(SEARCH, "launch", "--yes", "--cluster", REQUEST, HELLO)
    stage.note("sky launch to SUCCEEDED", f"{launched.seconds:.0f} s")
    assert "Job finished (status: SUCCEEDED)" in launched.output, launched.output
    assert "task 0 of 1 as sky" in launched.output
    for folder in ("/mnt/cache-packages", "/mnt/cache-models", "/mnt/scratch"):
        assert f"writable: {folder}" in launched.output
    for setting in (
        "UV_CACHE_DIR=/mnt/cache-packages/uv",
        "PIP_CACHE_DIR=/mnt/cache-packages/pip",
        "HF_HUB_CACHE=/mnt/cache-models/hub",
        "SCRATCH=/mnt/scratch",
    ):
        assert setting in launched.output

    executed = stage.sky(SEARCH, "exec", REQUEST, HELLO)
    stage.note("sky exec to SUCCEEDED", f"{executed.seconds:.0f} s")
    assert "Job finished (status: SUCCEEDED)" in executed.output, executed.output

    down = stage.sky(SEARCH, "down", "--yes", REQUEST)
    stage.note("sky down", f"{down.seconds:.0f} s")
    assert down.status == 0, down.output
    stage.wait_for_end_of(REQUEST)
