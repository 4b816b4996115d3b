"""Every generated file: where it goes and what it says. `generate` writes them, `generate --check` compares them."""

from collections.abc import Mapping
from pathlib import Path

from addons.manifest import manifest as addons
from kueue.chart_values import chart_values
from kueue.manifest import manifest as queues
from skyfleet.check import guide
from skyfleet.generate import schemas
from skyfleet.generate.routes import routes
from skyfleet.generate.server_config import server_config
from skyfleet.generate.text import json_document, markdown_document, yaml_documents
from skyfleet.model import Fleet

OWNED = ("addons/manifests/*.yaml", "kueue/manifests/*.yaml", "fleet/schemas/*.json")
"""Folders in which nothing else may stand: what is left of a removed cluster is a stray."""


def artefacts(fleet: Fleet) -> Mapping[Path, str]:
    """Relative path to content, in the order of the paths."""
    files = {
        Path(f"{room}/manifests/{name}.yaml"): yaml_documents(*manifest(fleet, cluster))
        for name, cluster in fleet.clusters.items()
        for room, manifest in (("kueue", queues), ("addons", addons))
    }
    files[Path("kueue/chart-values.yaml")] = yaml_documents(chart_values(fleet))
    files[Path("policy/skyfleet_policy/routes.json")] = json_document(routes(fleet))
    files[Path("policy/server-config.yaml")] = yaml_documents(server_config(fleet))
    files |= {
        Path(f"fleet/schemas/{noun}.schema.json"): json_document(schemas.schema(noun)) for noun in schemas.SCHEMAS
    }
    files[Path("docs/rules.md")] = markdown_document(guide.document(), "skyfleet/check/")
    return dict(sorted(files.items()))
