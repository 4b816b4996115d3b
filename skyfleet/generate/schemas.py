"""JSON Schemas that editors use while `fleet/` is written."""

from typing import Any

from pydantic import TypeAdapter

from skyfleet.generate.stamp import GENERATED
from skyfleet.model import Cluster, Organization, Prices, Team

SCHEMAS: dict[str, TypeAdapter[Any]] = {
    "fleet": TypeAdapter(Organization),
    "cluster": TypeAdapter(Cluster),
    "team": TypeAdapter(Team),
    "prices": TypeAdapter(Prices),
}


def schema(noun: str) -> dict[str, Any]:
    """The schema of one kind of file. `name` is not in it: the file's name is the name."""
    content = SCHEMAS[noun].json_schema()
    for model in [content, *content.get("$defs", {}).values()]:
        if _is_named_by_its_file(model):
            del model["properties"]["name"]
            model["required"].remove("name")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": GENERATED, **content}


def _is_named_by_its_file(model: dict[str, Any]) -> bool:
    return model.get("title") in {"Team", "NebiusCluster", "GkeCluster", "ExistingCluster"}
