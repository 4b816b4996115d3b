"""The scenes in order: each is submitted, and those that were accepted are watched until the clusters have decided."""

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial

from demo.launching import Submission, down_all, launch
from demo.scenes import FULL_CLUSTER, SCENES, Scene
from demo.sightings import Sighting, Standing, preemptions, sightings
from sim.progress import Progress
from sim.state import State
from skyfleet.model import Fleet

PATIENCE_SECONDS = 90


@dataclass(frozen=True)
class Outcome:
    """A scene, what `sky launch` said, and what the clusters say."""

    scene: Scene
    submission: Submission
    sighting: Sighting | None

    @property
    def standing(self) -> str:
        if not self.submission.accepted:
            return "rejected"
        return self.sighting.standing if self.sighting else "not seen"

    @property
    def as_told(self) -> bool:
        return self.standing == self.scene.ending


def play(state: State, fleet: Fleet, shown: Progress) -> list[Outcome]:
    """All scenes; the last ones only when the earlier ones hold their nodes."""
    _clear(state, fleet, shown)
    audience = _Audience(state, fleet, shown)
    submissions = {scene: _submit(state, scene, shown) for scene in SCENES}
    audience.wait_for("admitted", [scene for scene in SCENES if scene.ending == "admitted"])
    batch, production = FULL_CLUSTER
    submissions[batch] = _submit(state, batch, shown)
    audience.wait_for("admitted", [batch])
    submissions[production] = _submit(state, production, shown)
    audience.wait_for("preempted", [batch])
    audience.wait_for("admitted", [production])
    return [Outcome(scene, submission, audience.seen.get(scene.file)) for scene, submission in submissions.items()]


class _Audience:
    """Looks at the clusters, and remembers what is gone: a preempted gang leaves only events behind."""

    def __init__(self, state: State, fleet: Fleet, shown: Progress) -> None:
        self._state = state
        self._fleet = fleet
        self._shown = shown
        self._since = datetime.now(UTC).replace(microsecond=0)
        self.seen: dict[str, Sighting] = {}

    def wait_for(self, standing: Standing, scenes: list[Scene]) -> None:
        """Until every request has that standing, or patience ends: the table then says what is so."""
        waiting = {scene.file for scene in scenes}
        give_up = time.monotonic() + PATIENCE_SECONDS
        while waiting and time.monotonic() < give_up:
            self._look()
            for request in sorted(waiting):
                sighting = self.seen.get(request)
                if sighting is not None and sighting.standing == standing:
                    self._shown.done(request, f"{standing} on {sighting.cluster}")
                    waiting.discard(request)
            if waiting:
                time.sleep(0.5)
        for request in sorted(waiting):
            self._shown.done(request, f"not {standing} after {PATIENCE_SECONDS} s")

    def _look(self) -> None:
        self.seen |= {sighting.request: sighting for sighting in sightings(self._state, self._fleet)}
        preempted = preemptions(self._state, self._fleet, self._since)
        for request, sighting in self.seen.items():
            if sighting.workload in preempted:
                message = preempted[sighting.workload]
                self.seen[request] = replace(sighting, standing="preempted", pods=0, detail=message)


def _clear(state: State, fleet: Fleet, shown: Progress) -> None:
    """Take down what an earlier or interrupted run launched."""
    if not sightings(state, fleet):
        return
    shown.step("SkyPilot", "sky down of an earlier run")
    users = sorted({scene.user for scene in (*SCENES, *FULL_CLUSTER)})
    with ThreadPoolExecutor(len(users)) as pool:
        list(pool.map(partial(down_all, state), users))
    give_up = time.monotonic() + PATIENCE_SECONDS
    while sightings(state, fleet) and time.monotonic() < give_up:
        time.sleep(0.5)
    shown.done("SkyPilot", "clusters are empty")


def _submit(state: State, scene: Scene, shown: Progress) -> Submission:
    shown.step(scene.file, f"sky launch, by {scene.user}")
    submission = launch(state, scene)
    if submission.accepted:
        shown.step(scene.file, "accepted, waiting for the cluster")
    else:
        shown.done(scene.file, "rejected by the policy")
    return submission
