"""All replays of a comparison, each on a throwaway control plane with a Kueue of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from sim import kubectl, simulation
from sim.machines import ClusterSpec
from sim.progress import Progress
from sim.state import State
from whatif.client import Workloads
from whatif.plan import Replaying
from whatif.replay import Replay, Stopped
from whatif.trace import Trace


def run(replays: Sequence[Replaying], compression: float, shown: Progress) -> list[Trace]:
    """Traces in the order of the replays, which run side by side. However it ends, no process and no file stays.

    Raises SimulationError when a control plane does not start or ends.
    """
    needed = [replaying for replaying in replays if replaying.demands]
    if not needed:
        return [Trace(tuple(replaying.hopeless), 0, 0) for replaying in replays]
    with (
        TemporaryDirectory(prefix="skyfleet-whatif-") as folder,
        control_planes(Path(folder), [replaying.name for replaying in needed], shown) as state,
    ):
        return _together([partial(_replay, state, replaying, compression, shown) for replaying in replays])


@contextmanager
def control_planes(root: Path, names: Sequence[str], shown: Progress) -> Generator[State]:
    """Throwaway clusters under `root`, without nodes: Kueue counts quota, and nothing is scheduled here."""
    state = State(root / "sim")
    try:
        simulation.up([ClusterSpec(name, name) for name in names], state, shown)
        yield state
    finally:
        simulation.down(state, shown)


def _together(jobs: Sequence[Callable[[threading.Event], Trace]]) -> list[Trace]:
    """All at once; when one fails or the user interrupts, the others stop too."""
    stop = threading.Event()
    with ThreadPoolExecutor(len(jobs)) as pool:
        futures = [pool.submit(job, stop) for job in jobs]
        try:
            wait(futures, return_when="FIRST_EXCEPTION")
        finally:
            stop.set()
    errors = [error for error in (future.exception() for future in futures) if error is not None]
    for error in sorted(errors, key=lambda error: isinstance(error, Stopped)):
        raise error
    return [future.result() for future in futures]


def _replay(state: State, replaying: Replaying, compression: float, shown: Progress, stop: threading.Event) -> Trace:
    if not replaying.demands:
        return Trace(tuple(replaying.hopeless), 0, 0)
    cluster = state.cluster(replaying.name)
    kubectl.apply(cluster, replaying.queues)
    part = f"{replaying.cluster} {' = '.join(replaying.sides)}"
    workloads = Workloads(cluster.kubeconfig, replaying.namespace)
    trace = Replay(replaying.demands, workloads, compression, partial(shown.step, part), stop).run()
    shown.done(part, f"replayed in {trace.seconds:.0f} s")
    return Trace((*trace.histories, *replaying.hopeless), trace.seconds, trace.slowest_reaction_seconds)
