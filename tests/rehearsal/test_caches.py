"""What one task downloaded no other downloads again, and two at once do not spoil it for each other."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import pytest

from sim import addresses
from tests.rehearsal.hub import MODEL_BYTES, Hub, open_hub, weights
from tests.rehearsal.stage import SEARCH, Stage

pytestmark = pytest.mark.e2e

MIB = 2**20
OTHER_PACKAGES = "numpy==2.3.4 huggingface_hub==0.35.3"
_PACKAGES = re.compile(r"PACKAGES (\d+) ms (\d+) bytes")
_MODEL = re.compile(r"MODEL (\d+) ms ([0-9a-f]{64}) numpy 6")


@dataclass(frozen=True)
class Run:
    packages_ms: int
    packages_bytes: int
    model_ms: int
    digest: str


@pytest.fixture
def hub(stage: Stage) -> Iterator[Hub]:
    """Nothing of it is left in the cluster afterwards."""
    with open_hub() as hub:
        yield hub
    for request in ("first", "second"):
        stage.sky(SEARCH, "down", "--yes", request)
        stage.wait_for_end_of(request)


def test_the_second_launch_finds_what_the_first_has_downloaded(stage: Stage, hub: Hub) -> None:
    """Packages and a model; then two launches at once fill the caches with others, and both have what they asked for."""
    cold = _launch(stage, hub, "first", "weights.bin")
    warm = _launch(stage, hub, "second", "weights.bin")

    stage.note("packages, cold", f"{cold.packages_ms / 1000:.1f} s, {cold.packages_bytes / MIB:.1f} MiB received")
    stage.note("packages, warm", f"{warm.packages_ms / 1000:.1f} s, {warm.packages_bytes / MIB:.1f} MiB received")
    stage.note("model from the simulated hub, cold and warm", f"{cold.model_ms} ms, {warm.model_ms} ms")
    saved = cold.packages_bytes - warm.packages_bytes + MODEL_BYTES
    stage.note("not downloaded again", f"{saved / MIB:.1f} MiB")
    assert cold.digest == warm.digest == hashlib.sha256(weights("weights.bin")).hexdigest()
    assert hub.sent_bytes["weights.bin"] == MODEL_BYTES
    assert warm.packages_bytes < cold.packages_bytes / 5

    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(partial(_launch_others, stage, hub), ("first", "second")))
    assert {run.digest for run in both} == {hashlib.sha256(weights("other.bin")).hexdigest()}


def _launch_others(stage: Stage, hub: Hub, request: str) -> Run:
    return _launch(stage, hub, request, "other.bin", OTHER_PACKAGES)


def _launch(stage: Stage, hub: Hub, request: str, file: str, packages: str = "") -> Run:
    settings = [f"HF_ENDPOINT=http://{addresses.HOST}:{hub.server_port}", f"FILE={file}"]
    settings += [f"PACKAGES={packages}"] if packages else []
    options = [word for setting in settings for word in ("--env", setting)]
    said = stage.sky(SEARCH, "launch", "--yes", "--cluster", request, *options, "caches-h200.yaml")
    assert "Job finished (status: SUCCEEDED)" in said.output, said.output
    installed, model = _PACKAGES.search(said.output), _MODEL.search(said.output)
    assert installed, said.output
    assert model, said.output
    return Run(int(installed[1]), int(installed[2]), int(model[1]), model[2])
