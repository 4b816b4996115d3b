"""A simulation with clouds, and what an operator does with it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass

from rich.console import Console

from infra import repository
from sim import environment, simulation
from sim.clouds.ledger import Ledger, Record
from sim.fleet import cluster_specs
from sim.progress import Progress
from sim.state import State
from tools import paths

QUIET = Progress(Console(quiet=True))


@dataclass(frozen=True)
class Operator:
    state: State

    def prepare(self) -> None:
        """The clouds of the shipped definition, with nothing in them."""
        simulation.up(cluster_specs(repository.fleet()), self.state, QUIET)

    def pulumi(self, stack: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        """`pulumi ARGUMENTS --stack STACK`; `more` is further environment."""
        env = environment.pulumi_env(self.state) | more
        return subprocess.run(self.command(stack, *arguments), env=env, capture_output=True, text=True, check=False)

    def command(self, stack: str, *arguments: str) -> list[str]:
        return ["pulumi", "--cwd", str(self.state.project), "--non-interactive", *arguments, "--stack", stack]

    def up(self, stack: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        self.pulumi(stack, "stack", "init")
        return self.pulumi(stack, "up", "--yes", "--skip-preview", *arguments)

    def drift(self, stack: str) -> subprocess.CompletedProcess[str]:
        return self._run("infra.drift", stack)

    def recover(self, stack: str) -> subprocess.CompletedProcess[str]:
        return self._run("infra.recover", "--copies", str(self.state.root), stack)

    def _run(self, module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", module, "--project", str(self.state.project), *arguments]
        env = environment.pulumi_env(self.state) | {"COLUMNS": "500"}
        return subprocess.run(command, env=env, cwd=paths.REPOSITORY, capture_output=True, text=True, check=False)

    def exists(self, cloud: str) -> list[Record]:
        """What is in a cloud."""
        return Ledger(self.state, cloud).records()


def said(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout + done.stderr
