"""`python -m infra.graph ROOT:CLUSTER,... ...`: the resources that the program would hand to the engine, as JSON on standard output.

No engine, no plugin and no credential is needed: the resource monitor is one that records. A preview compares two definitions with it.
"""

import asyncio
import contextvars
import json
import sys
from collections.abc import Coroutine, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pulumi
from google.protobuf import empty_pb2, json_format
from pulumi.runtime import mocks, set_all_config, settings
from pulumi.runtime.stack import run_in_stack

from infra import repository
from infra.program import stand_up
from infra.settings import Settings

TIMEOUT_SECONDS = 20
IDENTIFIER = "id-of-{}"

OUTPUTS: Mapping[str, dict[str, Any]] = {
    "nebius:index/mk8sV1Cluster:Mk8sV1Cluster": {
        "status": {
            "controlPlane": {
                "endpoints": {"publicEndpoint": "https://public", "privateEndpoint": "https://private"},
                "auth": {"clusterCaCertificate": "certificate"},
            }
        }
    },
    "gcp:container/cluster:Cluster": {"endpoint": "192.0.2.1", "masterAuth": {"clusterCaCertificate": "Y2VydA=="}},
    "gcp:serviceaccount/account:Account": {"email": "account@example", "member": "serviceAccount:account@example"},
    "gcp:filestore/instance:Instance": {"networks": [{"ipAddresses": ["192.0.2.2"], "modes": [], "network": "n"}]},
}
"""What a cloud answers beyond what was asked for."""


@dataclass(frozen=True)
class Resource:
    type: str
    name: str
    inputs: dict[str, Any]
    options: dict[str, Any]

    @property
    def key(self) -> str:
        return f"{self.type}::{self.name}"

    @property
    def is_cloud(self) -> bool:
        return self.type.startswith(("nebius:", "gcp:"))


@dataclass(frozen=True)
class Graph:
    resources: tuple[Resource, ...]
    outputs: dict[str, Any]

    def of_type(self, kind: str) -> list[Resource]:
        return [resource for resource in self.resources if resource.type.endswith(f":{kind}")]

    def one(self, kind: str, name: str) -> Resource:
        return next(resource for resource in self.of_type(kind) if resource.name == name)


def capture(stack: str, configured: Settings) -> Graph:
    """The graph of a stack.

    Raises:
        NotInDefinition: the stack's cluster is not in the definition, or the definition cannot be used.
        TimeoutError: the program waits for something that does not come.
    """
    return contextvars.copy_context().run(_run, stack, configured, _Recorder())


def _run(stack: str, configured: Settings, recorder: "_Recorder") -> Graph:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        settings.reset_options(project="skyfleet", stack=stack)
        settings.configure(_mock_settings(stack, recorder))
        set_all_config({})
        _finish(loop, run_in_stack(lambda: stand_up(stack, configured)))
    finally:
        loop.close()
        asyncio.set_event_loop(None)
    return Graph(tuple(sorted(recorder.seen, key=lambda resource: resource.key)), recorder.outputs)


def _finish(loop: asyncio.AbstractEventLoop, program: Coroutine[Any, Any, Any]) -> None:
    """Stopped from outside after the time-out, since the SDK waits for its outputs even when it is cancelled."""
    loop.call_later(TIMEOUT_SECONDS, loop.stop)
    try:
        loop.run_until_complete(program)
    except RuntimeError as error:
        if "stopped before Future completed" not in str(error):
            raise
        raise TimeoutError(f"the program did not end within {TIMEOUT_SECONDS} s") from None


def _mock_settings(stack: str, recorder: "_Recorder") -> mocks.MockSettings:
    """Internal to pulumi, whose version is pinned."""
    return mocks.MockSettings(
        monitor=recorder,
        monitor_features=set(recorder.GetDeploymentInfo(empty_pb2.Empty()).supportedFeatures),
        engine=mocks.MockEngine(None),
        project="skyfleet",
        stack=stack,
        dry_run=False,
        organization="organization",
        callbacks=None,
        root_directory="",
        package_refs={},
        base_providers_by_ref={},
        outputs=set(),
        legacy_apply_enabled=False,
        parallel=None,
    )


class _Answers(pulumi.runtime.Mocks):
    def new_resource(self, args: pulumi.runtime.MockResourceArgs) -> tuple[str, dict[str, Any]]:
        return IDENTIFIER.format(args.name), dict(args.inputs) | OUTPUTS.get(args.typ, {})

    def call(self, args: pulumi.runtime.MockCallArgs) -> tuple[dict[str, Any], list[tuple[str, str]] | None]:
        raise AssertionError(f"the program looks up {args.token}, which a preview without credentials could not")


@dataclass
class _Recorder(mocks.MockMonitor):
    seen: list[Resource] = field(default_factory=list[Resource])
    outputs: dict[str, Any] = field(default_factory=dict[str, Any])

    def __post_init__(self) -> None:
        super().__init__(_Answers())

    def RegisterResource(self, request: Any) -> Any:  # noqa: N802 - the service's name
        if request.type != "pulumi:pulumi:Stack":
            self.seen.append(_resource(request))
        return super().RegisterResource(request)

    def RegisterResourceOutputs(self, request: Any) -> Any:  # noqa: N802 - the service's name
        self.outputs.update(_plain(json_format.MessageToDict(request.outputs)))
        return super().RegisterResourceOutputs(request)


def _resource(request: Any) -> Resource:
    options = {
        "provider": _name(request.provider),
        "protect": request.protect,
        "retainOnDelete": request.retainOnDelete,
        "deletedWith": _name(request.deletedWith),
        "ignoreChanges": list(request.ignoreChanges),
        "dependsOn": sorted({_name(urn) for urn in request.dependencies}),
        "inputsFrom": {
            name: sorted({_name(urn) for urn in value.urns})
            for name, value in sorted(request.propertyDependencies.items())
            if value.urns
        },
        "aliases": len(request.aliases),
    }
    inputs = _plain(json_format.MessageToDict(request.object))
    return Resource(request.type, request.name, inputs, {name: value for name, value in options.items() if value})


def _name(urn: str) -> str:
    """Type and name of a URN; a provider reference has an id behind it, which is left out."""
    parts = urn.split("::")
    return "::".join([parts[2].split("$")[-1], parts[3]]) if urn else ""


def _plain(value: Any) -> Any:
    """Keys sorted, whole numbers whole."""
    if isinstance(value, dict):
        return {key: _plain(value[key]) for key in sorted(value)}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def graphs(root: Path, stacks: list[str]) -> dict[str, Any]:
    """Stack to its resources, or to the sentence that says why there are none."""
    own, repository.ROOT = repository.ROOT, root
    try:
        return {stack: _told(stack) for stack in stacks}
    finally:
        repository.ROOT = own


def _told(stack: str) -> Any:
    try:
        return [asdict(resource) for resource in capture(stack, Settings()).resources]
    except (pulumi.RunError, KeyError, ValueError, TypeError, AssertionError, TimeoutError) as error:
        return {"error": str(error) or type(error).__name__}


def main(arguments: list[str]) -> None:
    pairs = (argument.rpartition(":") for argument in arguments)
    json.dump([graphs(Path(root), stacks.split(",")) for root, _, stacks in pairs], sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
