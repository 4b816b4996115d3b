"""Bring a simulation up and down."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

from sim import control_plane, kueue, lock, nodes, ports, preflight, processes
from sim.clouds import accounts, control_planes, kubeconfigs
from sim.errors import SimulationError
from sim.machines import ClusterSpec
from sim.node import cgroups, joining
from sim.progress import Progress
from sim.state import ClusterState, State
from tools import paths


def up(clusters: Sequence[ClusterSpec], state: State, shown: Progress, *, real_node: bool = False) -> bool:
    """Make the simulation exactly these clusters, one of them with a real node if asked for; whether anything had to change.

    Those of a cloud's project are made by `pulumi up`: here the clouds are prepared for them. What runs already and is as described is
    left alone, so an interrupted run can be repeated.
    Raises MachineError before any work, SimulationError when a part does not start.
    """
    if real_node:
        joining.check()
    existing = [spec for spec in clusters if spec.project is None]
    ordered = [spec for spec in clusters if spec.project is not None]
    preflight.check(len(_to_start(state, clusters)))
    with lock.hold(state):
        starting = _to_start(state, existing)
        surplus = set(state.cluster_names()) - {spec.name for spec in clusters}
        surplus |= {spec.name for spec in ordered if _is_spoiled(state, spec)}
        for name in sorted(surplus):
            shown.step(name, "not in the definition, or not well: removing")
            _remove(state, state.cluster(name))
            shown.done(name, "removed")
        _choose_ports(state, starting)
        changed = _each(existing, lambda spec: _bring_up(state, spec, shown, anew=spec in starting), state)
        _write_shared_files(state, clusters)
        changed.append(_bring_real_node(state, clusters, shown) if real_node else joining.remove(state))
        return bool(surplus) or any(changed)


def down(state: State, shown: Progress) -> bool:
    """End every process of the simulation and remove its folder; whether there was anything.

    Works after a crash too: processes are found by their mark, not by files.
    """
    if not state.root.exists() and not processes.running(state):
        return False
    with lock.hold(state):
        shown.step("simulation", "ending its processes")
        ended = processes.stop(state)
        cgroups.remove(state)
        for folder in state.folders:
            if folder.exists():
                shutil.rmtree(folder)
        shown.done("simulation", f"ended {ended} processes, removed {state.root}")
    return True


def _to_start(state: State, clusters: Sequence[ClusterSpec]) -> list[ClusterSpec]:
    return [spec for spec in clusters if not control_plane.is_healthy(state, state.cluster(spec.name))]


def _is_spoiled(state: State, spec: ClusterSpec) -> bool:
    """Whether something is left of a cloud's cluster that does not work: it was not made by a cloud, or has crashed."""
    cluster = state.cluster(spec.name)
    made = control_planes.is_made(cluster)
    return cluster.folder.exists() and not (made and control_plane.is_healthy(state, cluster))


def _choose_ports(state: State, starting: Sequence[ClusterSpec]) -> None:
    """Clear what is left of clusters that are to start, and give each ports that no other will take."""
    taken: set[int] = set()
    for spec in starting:
        _remove(state, state.cluster(spec.name))
        port = ports.choose([*control_plane.PORTS, *kueue.PORTS], taken)
        ports.save(state.cluster(spec.name).ports, port)
        taken |= set(port.values())


def _bring_up(state: State, spec: ClusterSpec, shown: Progress, *, anew: bool) -> bool:
    cluster = state.cluster(spec.name)
    if anew:
        shown.step(spec.name, "starting etcd, API server, scheduler, controller manager, kwok")
        control_plane.create(state, cluster, spec, ports.load(cluster.ports))
    port = ports.load(cluster.ports)
    shown.step(spec.name, f"{sum(pool.count for pool in spec.nodes)} nodes")
    changed = nodes.bring_up(cluster, spec)
    if not (processes.running(state, kueue.part(spec.name)) and kueue.is_ready(port)):
        shown.step(spec.name, "starting Kueue")
        processes.stop(state, kueue.part(spec.name))
        kueue.create(state, cluster, port)
        changed = True
    shown.done(spec.name, "up" if anew or changed else "up already")
    return anew or changed


def _bring_real_node(state: State, clusters: Sequence[ClusterSpec], shown: Progress) -> bool:
    return joining.prepare(state, joining.choose(clusters), shown)


def _remove(state: State, cluster: ClusterState) -> None:
    """End a cluster, and forget what Pulumi and the clouds believe to be in it."""
    control_planes.stop(state, cluster.name)
    for name in {cluster.name, *accounts.forget(state, cluster.name)}:
        for record in state.pulumi_backend.glob(f".pulumi/stacks/*/{name}.json*"):
            record.unlink()


def _each(clusters: Sequence[ClusterSpec], work: Callable[[ClusterSpec], bool], state: State) -> list[bool]:
    """Do `work` for every cluster at once; all failures are reported together."""
    with ThreadPoolExecutor(max_workers=max(len(clusters), 1)) as pool:
        futures = [pool.submit(work, spec) for spec in clusters]
        try:
            errors = [error for error in (future.exception() for future in futures) if error is not None]
        except KeyboardInterrupt:
            _stop_unfinished(state, [spec for spec, future in zip(clusters, futures, strict=True) if not future.done()])
            raise
    for error in errors:
        if not isinstance(error, SimulationError | OSError):  # a mistake of ours, to be seen with its traceback
            raise error
    if errors:
        raise SimulationError("\n".join(str(error) for error in errors))
    return [future.result() for future in futures]


def _stop_unfinished(state: State, clusters: Sequence[ClusterSpec]) -> None:
    """End what is half started, so that the threads which wait for it end too."""
    for spec in clusters:
        processes.stop(state, f"{spec.name}/")


def _write_shared_files(state: State, clusters: Sequence[ClusterSpec]) -> None:
    state.project.mkdir(parents=True, exist_ok=True)
    for part in ("Pulumi.yaml", "infra"):
        link = state.project / part
        link.unlink(missing_ok=True)
        link.symlink_to(paths.REPOSITORY / part)
    for spec in clusters:
        if spec.project is None:
            _write_stack_config(state.stack_config(spec.name), state.cluster(spec.name).kubeconfig)
    accounts.prepare(state, {spec.name: spec.project for spec in clusters if spec.project is not None})
    write_kubeconfig(state)


def write_kubeconfig(state: State) -> None:
    """One file with every context, for SkyPilot: again after `pulumi up` has made clusters.

    Raises SimulationError when a stack cannot be read.
    """
    kubeconfigs.fetch(state)
    clusters = [state.cluster(name) for name in state.cluster_names()]
    files = [kubeconfigs.of_stack(cluster) for cluster in clusters]
    control_plane.merge_kubeconfigs([file for file in files if file.exists()], state.kubeconfig)


def _write_stack_config(path: Path, kubeconfig: Path) -> None:
    """Tell the stack where its cluster is; what Pulumi wrote into the file itself stays."""
    document = yaml.safe_load(path.read_text()) if path.exists() else {}
    config = document.get("config", {}) | {"skyfleet:kubeconfig": str(kubeconfig)}
    path.write_text(yaml.safe_dump(document | {"config": config}))
