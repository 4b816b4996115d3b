"""One of the two versions that are compared."""

import dataclasses
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from skyfleet.check import check
from skyfleet.finding import Finding, Where
from skyfleet.load import Definition, load
from skyfleet.model import Cluster, Fleet, Team


@dataclass(frozen=True)
class Side:
    """A version of the definition. Without one, `fleet` is None and nothing was found."""

    fleet: Fleet | None = None
    findings: tuple[Finding, ...] = ()
    broken: frozenset[Where] = frozenset()
    """Files with mistakes that loading found: what is left of them is no basis for a comparison."""
    missing: str | None = None
    """Why there is no definition: it was not written yet, or it is gone."""
    unreadable: str | None = None
    """Why nobody can say whether there is one."""

    def clusters(self) -> dict[str, Cluster]:
        return dict(self.fleet.clusters) if self.fleet else {}

    def teams(self) -> dict[str, Team]:
        return dict(self.fleet.teams) if self.fleet else {}


def read(folder: Path, shown: str, today: date) -> Side:
    """The definition in a folder; findings name files under `shown`, wherever the folder is."""
    if not (folder / "fleet.yaml").is_file():
        return Side(missing=f"{shown} holds no fleet.yaml")
    links = _links(folder, shown)
    if links:
        return Side(findings=links)
    definition = load(folder)
    findings = tuple(_shown(finding, folder, shown) for finding in check(definition, today))
    return Side(definition.fleet, findings, _broken(definition))


def without(side: Side, broken: frozenset[Where]) -> Side:
    """The side less the files that are broken on either side: what is left can be compared."""
    if side.fleet is None or not broken:
        return side
    clusters = {name: cluster for name, cluster in side.clusters().items() if ("clusters", name) not in broken}
    teams = {name: team for name, team in side.teams().items() if ("teams", name) not in broken}
    return dataclasses.replace(side, fleet=side.fleet.model_copy(update={"clusters": clusters, "teams": teams}))


def _broken(definition: Definition) -> frozenset[Where]:
    paths = {finding.path for finding in definition.findings}
    return frozenset(key for key, document in definition.documents.items() if document.path in paths)


def _links(folder: Path, shown: str) -> tuple[Finding, ...]:
    """A link could show any file of the machine that makes the report."""
    remedy = "write the file itself"
    return tuple(
        Finding(f"{shown}/{path.relative_to(folder).as_posix()}", 1, "LINK", "is a symbolic link", remedy)
        for path in sorted(folder.rglob("*"))
        if path.is_symlink()
    )


def _shown(finding: Finding, folder: Path, shown: str) -> Finding:
    return dataclasses.replace(finding, path=finding.path.replace(str(folder), shown, 1))
