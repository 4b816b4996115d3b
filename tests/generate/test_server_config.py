"""The configuration of the SkyPilot API server, held to SkyPilot's own schema."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
from sky.utils import schemas

from skyfleet.generate.server_config import server_config
from skyfleet.load import load
from tests import toy
from tools import paths

GKE = "gke_toys-1_us-central1_central"


def test_skypilot_accepts_it() -> None:
    """The shipped one, every key of it: SkyPilot's schema has no room for unknown ones."""
    fleet = load(paths.REPOSITORY / "fleet").fleet
    assert fleet is not None

    jsonschema.validate(server_config(fleet), schemas.get_config_schema())


def test_pods_run_as_the_account_that_was_made_for_them(tmp_path: Path) -> None:
    """Else SkyPilot makes one with every right in the namespace, those on Kueue's gate among them."""
    contexts = _contexts(tmp_path)

    assert {context: config["remote_identity"] for context, config in contexts.items()} == {
        "north": "skypilot",
        GKE: "skypilot",
    }


def test_a_pool_without_nodes_is_not_a_missing_accelerator(tmp_path: Path) -> None:
    """SkyPilot is told the kind of autoscaler where there is one, and waits for its nodes; a fixed cluster has none."""
    contexts = _contexts(tmp_path)

    assert (contexts[GKE]["autoscaler"], contexts[GKE]["provision_timeout"]) == ("gke", 900)
    assert "autoscaler" not in contexts["north"]
    assert "provision_timeout" not in contexts["north"]


def test_prices_are_those_of_the_definition(tmp_path: Path) -> None:
    """A context without prices would always look cheapest."""
    pricing = {context: config["pricing"] for context, config in _contexts(tmp_path).items()}

    assert pricing == {
        "north": {"cpu": 1.0, "memory": 1.0, "accelerators": {"H200": 1.0}},
        GKE: {"cpu": 1.0, "memory": 1.0, "accelerators": {"L4": 1.0}},
    }


def _contexts(root: Path) -> dict[str, dict[str, Any]]:
    return server_config(toy.fleet(root))["kubernetes"]["context_configs"]
