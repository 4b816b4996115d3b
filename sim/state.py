"""Where a simulation keeps everything: one folder, so that removing it leaves nothing."""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tools import paths

LONGEST_TEMPORARY = 60
"""Longest path of a folder for temporary files, in bytes; Python's own names in it take some forty."""


@dataclass(frozen=True)
class ClusterState:
    """Files of one simulated cluster."""

    name: str
    folder: Path

    @property
    def kubeconfig(self) -> Path:
        return self.folder / "kubeconfig"

    @property
    def ports(self) -> Path:
        return self.folder / "ports.json"

    @property
    def kwok_home(self) -> Path:
        """KWOK_WORKDIR of this cluster; its own, since kwokctl picks ports by looking at its neighbours."""
        return self.folder / "kwok"

    @property
    def control_plane(self) -> Path:
        """Folder in which kwokctl keeps the cluster: pki, logs, pids, etcd's data."""
        return self.kwok_home / "clusters" / self.name

    @property
    def pki(self) -> Path:
        return self.control_plane / "pki"

    @property
    def kueue(self) -> Path:
        return self.folder / "kueue"


@dataclass(frozen=True)
class State:
    """The folder of a simulation; `State.default()` is `.sim` of this checkout, or $SKYFLEET_SIM_STATE."""

    root: Path

    @classmethod
    def default(cls) -> State:
        return cls(Path(os.environ.get("SKYFLEET_SIM_STATE") or paths.REPOSITORY / ".sim").absolute())

    def cluster(self, name: str) -> ClusterState:
        return ClusterState(name, self.clusters / name)

    def cluster_names(self) -> list[str]:
        """Names of the clusters that have files here, running or not."""
        return sorted(path.name for path in self.clusters.iterdir()) if self.clusters.is_dir() else []

    @property
    def clusters(self) -> Path:
        return self.root / "clusters"

    @property
    def kubeconfig(self) -> Path:
        """All clusters in one file, for SkyPilot."""
        return self.root / "kubeconfig"

    @property
    def project(self) -> Path:
        """The Pulumi project as the simulation runs it: the repository's own by links, with stack files of its own."""
        return self.root / "project"

    def stack_config(self, cluster: str) -> Path:
        return self.project / f"Pulumi.{cluster}.yaml"

    @property
    def clouds(self) -> Path:
        """What the simulated clouds know: projects with their quotas, and everything that exists in them."""
        return self.root / "clouds"

    @property
    def bin(self) -> Path:
        """Programs that stand in for those of the clouds; first on PATH."""
        return self.root / "bin"

    @property
    def pulumi_home(self) -> Path:
        return self.root / "pulumi-home"

    @property
    def pulumi_backend(self) -> Path:
        return self.root / "pulumi-backend"

    @property
    def skypilot(self) -> Path:
        return self.root / "skypilot"

    @property
    def home(self) -> Path:
        """HOME of the processes that we start, so that none writes into the user's."""
        return self.root / "home"

    @property
    def temporary(self) -> Path:
        """TMPDIR of everything that works on the simulation: SkyPilot and Pulumi's providers leave files there.

        It holds sockets, whose paths may not be longer than 107 bytes; where ours would be, it is in the machine's own. A process of the
        simulation has it as the machine's own already.
        """
        inside = self.root / "tmp"
        if len(str(inside)) <= LONGEST_TEMPORARY:
            return inside
        machine = Path(tempfile.gettempdir())
        own = f"skyfleet-{self.id}"
        return machine if machine.name == own else machine / own

    @property
    def id(self) -> str:
        """Tells this simulation from those of other checkouts."""
        return hashlib.sha256(str(self.root).encode()).hexdigest()[:8]

    @property
    def folders(self) -> tuple[Path, ...]:
        """Everything that the simulation leaves on the disk."""
        return (self.root, self.temporary)
