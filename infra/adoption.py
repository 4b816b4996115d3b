"""What an interrupted `pulumi up` began and did not write down: found in the world, put into the state, or forgotten."""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from skyfleet.model.cloud import Identity, identities, in_answers

Deployment = dict[str, Any]
"""What `pulumi stack export` calls `deployment`."""
RELEASE = "kubernetes:helm.sh/v3:Release"
HALF_INSTALLED = "status in (pending-install,pending-upgrade,pending-rollback)"
UNFINISHED = {"CREATING", "PROVISIONING"}
POLL_SECONDS = 5
LONGEST_SECONDS = 1800
"""Above what a cloud takes for a control plane."""


class CannotAskError(Exception):
    """A program that knows the world is missing, or its cloud does not answer."""


@dataclass(frozen=True)
class Operation:
    """One of `pending_operations`."""

    kind: str
    """creating, updating, deleting, ..."""
    resource: Mapping[str, Any]
    adopted: bool = False

    @property
    def name(self) -> str:
        return str(self.resource["urn"]).rpartition("::")[2]

    def __str__(self) -> str:
        return f"{self.kind} {self.name} ({self.resource['type']}): {'adopted' if self.adopted else 'forgotten'}"


def adopt(deployment: Deployment) -> list[Operation]:
    """Settle every pending operation, in place. A refresh must follow: it reads what was adopted, and drops what is not there.

    Raises:
        CannotAskError: nothing is settled then.
    """
    world = _World(deployment)
    settled = [_settle(one, world) for one in deployment.get("pending_operations") or []]
    deployment.pop("pending_operations", None)
    deployment["resources"] = [
        *deployment.get("resources", []),
        *(dict(one.resource) for one in settled if one.adopted),
    ]
    return settled


def _settle(pending: Mapping[str, Any], world: _World) -> Operation:
    """Only what was being created is unknown to the state; the refresh sees how far the rest came."""
    kind, resource = pending["type"], pending["resource"]
    if resource["type"] == RELEASE:
        world.undo_half_of_release(resource)
    identifier = world.find(resource) if kind == "creating" else None
    if identifier is None:
        return Operation(kind, resource)
    return Operation(kind, {**resource, "id": identifier, "outputs": resource.get("inputs", {})}, adopted=True)


@dataclass(frozen=True)
class _World:
    deployment: Deployment

    @cached_property
    def _providers(self) -> dict[str, Mapping[str, Any]]:
        """Reference of a provider -> its settings."""
        resources = self.deployment.get("resources", [])
        providers = [one for one in resources if one["type"].startswith("pulumi:providers:")]
        return {f"{one['urn']}::{one['id']}": one.get("inputs", {}) for one in providers}

    def _settings(self, resource: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._providers.get(resource.get("provider", ""), {})

    def find(self, resource: Mapping[str, Any]) -> str | None:
        """The id that it has if it was made; None for what would have to be asked for and is not there."""
        kind, inputs = resource["type"], resource.get("inputs", {})
        if kind == RELEASE:
            return f"{inputs['namespace']}/{inputs['name']}" if self._is_installed(resource) else None
        if kind.startswith("kubernetes:"):
            metadata = inputs["metadata"]
            return "/".join(filter(None, [metadata.get("namespace"), metadata["name"]]))
        identity = identities().get(kind)
        if identity is None:
            return None
        if identity.id:
            return identity.id.format_map({**self._settings(resource), **inputs})
        return _listed(identity, inputs)

    def undo_half_of_release(self, release: Mapping[str, Any]) -> None:
        """Helm refuses to touch a release whose record says that somebody is at it; without the record it takes the objects over."""
        self._kubectl(release, "delete", "--ignore-not-found", f"--selector={_record_of(release)},{HALF_INSTALLED}")

    def _is_installed(self, release: Mapping[str, Any]) -> bool:
        return bool(self._kubectl(release, "get", "-o", "name", f"--selector={_record_of(release)},status=deployed"))

    def _kubectl(self, release: Mapping[str, Any], verb: str, *arguments: str) -> str:
        settings = self._settings(release)
        with tempfile.NamedTemporaryFile("w", suffix=".kubeconfig") as kubeconfig:
            kubeconfig.write(settings["kubeconfig"])
            kubeconfig.flush()
            cluster = [f"--kubeconfig={kubeconfig.name}", f"--context={settings['context']}"]
            namespace = f"--namespace={release['inputs']['namespace']}"
            return _said(["kubectl", *cluster, namespace, verb, "secrets", *arguments])


def _record_of(release: Mapping[str, Any]) -> str:
    return f"owner=helm,name={release['inputs']['name']}"


def _listed(identity: Identity, inputs: Mapping[str, Any]) -> str | None:
    """From the cloud's own list; what is still being made is waited for, since half of it cannot be read."""
    until = time.monotonic() + LONGEST_SECONDS
    while True:
        found = next((one for one in _items(identity, inputs["parentId"]) if _is_same(one, identity, inputs)), None)
        if found is None:
            return None
        state = found.get("status", {}).get("state")
        if state not in UNFINISHED:
            return found["metadata"]["id"]
        if time.monotonic() > until:
            raise CannotAskError(
                f"{found['metadata']['id']} is {state} since {LONGEST_SECONDS // 60} minutes; try again"
            )
        time.sleep(POLL_SECONDS)


def _items(identity: Identity, parent: str) -> list[dict[str, Any]]:
    answer = json.loads(_said(["nebius", *identity.list, "--parent-id", parent, "--all", "--format", "json"]) or "{}")
    return answer.get("items") or answer.get("memberships") or []


def _is_same(item: Mapping[str, Any], identity: Identity, inputs: Mapping[str, Any]) -> bool:
    """A name is metadata, all else is the specification's."""
    known = {"name": item["metadata"].get("name")} | dict(item.get("spec", {}))
    return all(known.get(in_answers(key)) == inputs.get(key) for key in identity.same)


def _said(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise CannotAskError(
            f"{command[0]} is not on PATH; it is asked for what an interrupted `up` has made"
        ) from None
    if done.returncode != 0:
        raise CannotAskError(f"`{' '.join(command[:4])}` failed: {done.stderr.strip()}")
    return done.stdout.strip()
