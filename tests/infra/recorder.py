"""`python -m tests.infra.recorder`: the graphs that tests look at, as JSON; in a process of its own, since SkyPilot's loops disturb the SDK's."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any
from unittest.mock import patch

from infra import graph, site
from infra.graph import Graph, capture
from infra.settings import Settings

NEBIUS, GKE = "nebius-eu-north1", "gke-us-central1"
"""Stacks that make their cluster, one on each cloud."""


def record() -> Iterator[tuple[str, Graph]]:
    for stack in (NEBIUS, GKE):
        yield stack, capture(stack, Settings())
    yield "throwaway", capture(GKE, Settings(protect=False))
    yield "adopted", capture(GKE, Settings(kubeconfig="/some/kubeconfig"))
    with patch.object(site, "RENAMED", {f"{NEBIUS}-h200": ("gpu",)}):
        yield "renamed", capture(NEBIUS, Settings())
    with _previewing():
        for stack in (NEBIUS, GKE):
            yield f"previewed {stack}", capture(stack, Settings())


@contextmanager
def _previewing() -> Generator[None]:
    """As before anything exists: what the cloud would answer is unknown."""
    of_graph = graph._mock_settings  # pyright: ignore[reportPrivateUsage]

    def settings(stack: str, recorder: Any) -> Any:
        made = of_graph(stack, recorder)
        setattr(made, "dry_run", True)  # noqa: B010 - declared as something that cannot be assigned
        return made

    # a list that Google computes in part is known to have an item, whose address is not
    answers: Mapping[str, Any] = {kind: out for kind, out in graph.OUTPUTS.items() if "filestore" in kind}
    with patch.object(graph, "_mock_settings", settings), patch.object(graph, "OUTPUTS", answers):
        yield


if __name__ == "__main__":
    json.dump({name: asdict(recorded) for name, recorded in record()}, sys.stdout)
