"""Every generated file: where it goes and what it says. `generate` writes them, `generate --check` compares them."""

from collections.abc import Mapping
from pathlib import Path

from kueue.manifest import manifest
from skyfleet.check import guide
from skyfleet.generate import schemas
from skyfleet.generate.routes import routes
from skyfleet.generate.server_config import server_config
from skyfleet.generate.text import json_document, markdown_document, yaml_documents
from skyfleet.model import Fleet

OWNED = ("kueue/manifests/*.yaml", "fleet/schemas/*.json")
"""Folders in which nothing else may stand: what is left of a removed cluster is a stray."""


def artefacts(fleet: Fleet) -> Mapping[Path, str]:
    """Relative path to content, in the order of the paths."""
    files = {
        Path(f"kueue/manifests/{name}.yaml"): yaml_documents(*manifest(fleet, cluster))
        for name, cluster in fleet.clusters.items()
    }
    files[Path("policy/skyfleet_policy/routes.json")] = json_document(routes(fleet))
    files[Path("policy/server-config.yaml")] = yaml_documents(server_config(fleet))
    files |= {
        Path(f"fleet/schemas/{noun}.schema.json"): json_document(schemas.schema(noun)) for noun in schemas.SCHEMAS
    }
    files[Path("docs/rules.md")] = markdown_document(guide.document(), "skyfleet/check/")
    return dict(sorted(files.items()))
