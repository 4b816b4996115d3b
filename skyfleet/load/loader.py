"""Read `fleet/`: every file, every mistake, in one run. What can still be used is returned beside the findings."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from skyfleet.finding import Finding, Where
from skyfleet.load import schema_errors
from skyfleet.load.document import Document, parse
from skyfleet.model import Cluster, Fleet, Organization, Prices, Team
from skyfleet.model.base import Model
from skyfleet.model.cluster import CLUSTERS

M = TypeVar("M", bound=Model)


@dataclass(frozen=True)
class Definition:
    """What was read. `fleet` lacks the files that could not be used, and is None without a usable `fleet.yaml`."""

    fleet: Fleet | None
    findings: tuple[Finding, ...]
    documents: Mapping[Where, Document]

    def locate(self, at: Where) -> tuple[str, int]:
        """File and line of a place such as ("teams", "search", "quota")."""
        length = 2 if at[0] in {"clusters", "teams"} else 1
        document = self.documents[at[:length]]
        return document.path, document.line(at[length:])

    def names(self, folder: str) -> frozenset[str]:
        """Names of all files, broken ones too: a name whose file has a mistake is still a name."""
        return frozenset(str(key[1]) for key in self.documents if key[0] == folder and len(key) > 1)


def load(root: Path) -> Definition:
    """Load the definition under `root`.

    Raises:
        FileNotFoundError: there is no `fleet.yaml`.
    """
    loading = _Loading(root)
    organization = loading.one("organization", "fleet.yaml", Organization)
    clusters = loading.folder("clusters")
    teams = loading.folder("teams")
    prices = loading.one("prices", "prices.yaml", Prices) if (root / "prices.yaml").exists() else Prices(prices=())
    fleet = None
    if organization is not None:
        fleet = Fleet(organization=organization, clusters=clusters, teams=teams, prices=prices or Prices(prices=()))
    return Definition(fleet, tuple(sorted(loading.findings)), loading.documents)


class _Loading:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.findings: list[Finding] = []
        self.documents: dict[Where, Document] = {}

    def one(self, key: str, name: str, model: type[M]) -> M | None:
        return self._model(self._document((key,), self.root / name), model)

    def folder(self, folder: str) -> dict[str, Any]:
        models: dict[str, Any] = {}
        for path in sorted((self.root / folder).glob("*")):
            if path.suffix in {".yml", ".json"}:
                self._find(str(path), 1, f"is not read, {folder} are .yaml files", f"rename it to {path.stem}.yaml")
            elif path.suffix == ".yaml":
                loaded = self._named(folder, path)
                if loaded is not None:
                    models[path.stem] = loaded
        return models

    def _named(self, folder: str, path: Path) -> Cluster | Team | None:
        document = self._document((folder, path.stem), path)
        if document.data is None:
            return None
        if "name" in document.data:
            line = document.line(("name",))
            self._find(document.path, line, "has a key 'name', but the file's name is the name", "remove the key")
        named = Document(document.path, {**document.data, "name": path.stem}, document.lines)
        if folder == "teams":
            return self._model(named, Team)
        return self._cluster(named)

    def _cluster(self, document: Document) -> Cluster | None:
        provider = document.data.get("provider")
        if provider not in CLUSTERS:
            said = f"provider {provider!r} is unknown" if provider else "missing key 'provider'"
            self._find(document.path, document.line(("provider",)), said, f"write one of {', '.join(CLUSTERS)}")
            return None
        return self._model(document, CLUSTERS[provider])

    def _document(self, key: Where, path: Path) -> Document:
        document = _read(path)
        self.documents[key] = document
        self.findings.extend(document.findings)
        return document

    def _model(self, document: Document, model: type[M]) -> M | None:
        if document.data is None:
            return None
        try:
            return _validated(model, document.data)
        except ValidationError as error:
            self.findings.extend(schema_errors.findings(error, model, document))
            return _salvage(model, document.data, error)

    def _find(self, path: str, line: int, message: str, remedy: str) -> None:
        self.findings.append(Finding(path, line, "SCHEMA", message, remedy))


def _read(path: Path) -> Document:
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return Document(str(path), findings=(Finding(str(path), 1, "YAML", "is not UTF-8 text", "save it as UTF-8"),))
    except IsADirectoryError:
        return Document(str(path), findings=(Finding(str(path), 1, "YAML", "is a folder", "make it a file"),))
    return parse(str(path), text)


def _validated(model: type[M], data: Any) -> M:
    """Through JSON, since strict validation takes a list for a tuple only there."""
    return model.model_validate_json(json.dumps(data))


def _salvage(model: type[M], data: Any, error: ValidationError) -> M | None:
    """The model without the parts that are wrong, so that the rules still see the rest; None where they were needed."""
    pruned = json.loads(json.dumps(data))
    for at in sorted({schema_errors.place(details, data) for details in error.errors()}, key=len, reverse=True):
        _remove(pruned, at)
    try:
        return _validated(model, pruned)
    except ValidationError:
        return None


def _remove(data: Any, at: Where) -> None:
    for part in at[:-1]:
        if not _has(data, part):
            return
        data = data[part]
    if at and _has(data, at[-1]):
        del data[at[-1]]


def _has(data: Any, part: str | int) -> bool:
    return (
        part in data
        if isinstance(data, dict)
        else isinstance(data, list) and isinstance(part, int) and part < len(data)
    )
