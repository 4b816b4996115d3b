"""InfiniBand for gangs of whole nodes: devices, locked memory, library and settings together, and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping

from skyfleet_policy._fields import mapping
from skyfleet_policy.containers import Item, closed, new_variables, opened, with_variables
from skyfleet_policy.contract import Infiniband, Routes
from skyfleet_policy.decision import Outcome
from skyfleet_policy.request import Candidate, Request
from skyfleet_policy.text import listed

MARK = "# skyfleet: InfiniBand library"
"""First line of what is put before a task's set-up."""

VOLUME = "skyfleet-infiniband"
DEVICES = "/dev/infiniband"


def fabric(candidate: Candidate, request: Request, routes: Routes) -> Infiniband | None:
    """The fabric a candidate uses: that of its pool, where the task takes several whole nodes."""
    if request.nodes == 1 or candidate.cluster is None or candidate.accelerator is None:
        return None
    pool = routes.clusters[candidate.cluster].pool_for(candidate.accelerator, candidate.accelerator_count)
    if pool is None or candidate.accelerator_count != pool.accelerators_per_node:
        return None
    return pool.infiniband


def connect(request: Request, routes: Routes) -> Outcome:
    """All candidates are in like places by now, so the first speaks for them."""
    first = request.candidates[0]
    found = fabric(first, request, routes)
    if found is None:
        return Outcome(request)
    spec, container = opened(request)
    variables = new_variables(found.environment, container, request)
    request = closed(request, spec, with_variables(_equipped(container, found), variables))
    setup = _with_library(request.setup, found)
    if setup != request.setup:
        request = request.changed(setup=setup)
    did = [f"InfiniBand by {found.exposure}, locked memory"]
    if found.resources:
        did.append(f"asks for {listed(found.resources)}")
    if variables:
        did.append(f"sets {listed(variables)}")
    if found.packages:
        did.append(f"set-up makes sure of {listed(found.packages)}")
    return Outcome(request, tuple(did))


def saw(request: Request, routes: Routes) -> str:
    """The shape of the gang."""
    del routes
    first = request.candidates[0]
    what = f"{first.accelerator or 'CPU'}:{first.accelerator_count:g}"
    return f"{request.nodes} x {what} on {first.cluster or 'no cluster'}"


def _equipped(item: Item, found: Infiniband) -> Item:
    security = dict(mapping(item.get("securityContext")))
    capabilities = mapping(security.get("capabilities"))
    added = capabilities.get("add")
    added = list(added) if isinstance(added, list) else []  # pyright: ignore[reportUnknownArgumentType]  # plain data
    if "IPC_LOCK" not in added:
        security["capabilities"] = {**capabilities, "add": [*added, "IPC_LOCK"]}
    if found.host_device:
        security["privileged"] = True
    item = {**item, "securityContext": security}
    return _requesting(item, found.resources) if found.resources else item


def _requesting(item: Item, devices: Mapping[str, int]) -> Item:
    """Kubernetes wants extended resources alike in requests and limits."""
    resources = mapping(item.get("resources"))
    amounts = {name: str(count) for name, count in devices.items()}
    asked = {kind: {**mapping(resources.get(kind)), **amounts} for kind in ("requests", "limits")}
    return {**item, "resources": {**resources, **asked}}


def _with_library(setup: str | None, found: Infiniband) -> str | None:
    """The task's set-up, after the check for the library; itself where it has been put there before."""
    if not found.packages or found.library is None or (setup or "").startswith(MARK):
        return setup
    packages = " ".join(found.packages)
    script = f"""{MARK}
if ! PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q '{found.library}'; then
  S=$(command -v sudo || true)
  $S apt-get update -qq && $S apt-get install -y -qq --no-install-recommends {packages} || {{
    echo "ERROR: {found.library} is missing and {packages} cannot be installed: NCCL would fall back to TCP." \\
      "Use an image that has them." >&2
    exit 1
  }}
fi
"""
    return script + (setup or "")
