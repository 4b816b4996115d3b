"""What nobody used for the retention goes from the scratch space, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from sim.node import plan
from tests.rehearsal.stage import RESEARCH, SEARCH, Said, Stage

pytestmark = pytest.mark.e2e

REQUESTS = {"scratch-search": SEARCH, "scratch-research": RESEARCH}


@pytest.fixture
def launched(stage: Stage) -> Iterator[dict[str, Said]]:
    """Two teams' tasks, which write to the scratch space; what they said, by the request's name."""

    def launch(request: str) -> Said:
        return stage.sky(REQUESTS[request], "launch", "--yes", "--cluster", request, f"{request}-h200.yaml")

    with ThreadPoolExecutor(len(REQUESTS)) as both:
        yield dict(zip(REQUESTS, both.map(launch, REQUESTS), strict=True))
    for request, user in REQUESTS.items():
        stage.sky(user, "down", "--yes", request)
        stage.wait_for_end_of(request)


def test_the_clean_up_deletes_what_is_older_than_its_retention_and_not_in_use(
    stage: Stage, launched: dict[str, Said]
) -> None:
    """A file that was read again is in use, as is one that was just written; the other team's stays too."""
    for said in launched.values():
        assert "Job finished (status: SUCCEEDED)" in said.output, said.output
    before = _files(stage)

    stage.clean("scratch")

    assert before - _files(stage) == {"search/run/forgotten"}
    assert _files(stage) >= {"search/run/read-again", "search/run/written", "research/theirs"}


def _files(stage: Stage) -> set[str]:
    """In the scratch space, which is a folder of this machine."""
    scratch = plan.shared(stage.cluster, "scratch") / "scratch"
    return {str(path.relative_to(scratch)) for path in scratch.rglob("*") if path.is_file()}
