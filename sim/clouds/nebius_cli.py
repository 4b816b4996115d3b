"""`python -m sim.clouds.nebius_cli FOLDER WORDS... --parent-id ID`: what the Nebius CLI lists, of a simulated Nebius."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from sim.clouds.ledger import Ledger, Record
from sim.clouds.nebius import NEBIUS
from sim.state import State
from skyfleet.model.cloud import identities, in_answers


def listed(state: State, words: tuple[str, ...], parent: str) -> dict[str, Any] | None:
    """None if there is no such list."""
    kinds = [kind for kind, identity in identities().items() if identity.list == words]
    if not kinds:
        return None
    records = [one for one in Ledger(state, "nebius").records(kinds[0]) if one.inputs.get("parentId") == parent]
    return {"items": [_item(record) for record in records]}


def _item(record: Record) -> dict[str, Any]:
    """What the cloud has not told of yet is still being made."""
    spec = {
        in_answers(name): value for name, value in record.inputs.items() if name not in {"name", "parentId", "labels"}
    }
    unknown = [output for output in NEBIUS.kinds[record.type].unknown if output not in record.outputs]
    status = record.outputs.get("status", {"state": "CREATING" if unknown else "RUNNING"})
    metadata = {"id": record.id, "parent_id": record.inputs["parentId"], "name": record.name}
    return {"metadata": metadata, "spec": spec, "status": status}


def main(folder: str, arguments: list[str]) -> None:
    words = tuple(arguments[: arguments.index("--parent-id")]) if "--parent-id" in arguments else ()
    parent = arguments[len(words) + 1] if words else ""
    answer = listed(State(Path(folder)), words, parent)
    if answer is None:
        sys.exit(f"nebius: stand-in of a Skyfleet simulation; it does not know `{' '.join(arguments)}`")
    print(json.dumps(answer))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
