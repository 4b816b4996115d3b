"""A simulated cloud behind Pulumi's provider protocol: one process for each provider of a stack, as with real plugins."""

# ruff: noqa: N802, ARG002 - the methods and their parameters are the protocol's

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, NoReturn

import grpc
from google.protobuf.empty_pb2 import Empty
from pulumi.runtime.proto import plugin_pb2
from pulumi.runtime.proto import provider_pb2 as wire
from pulumi.runtime.proto.provider_pb2_grpc import ResourceProviderServicer

from sim.clouds import projects, structs
from sim.clouds.cloud import Cloud, Description
from sim.clouds.errors import Reason, Refused
from sim.state import State
from skyfleet.model.cloud import effect

STATUS: dict[Reason, grpc.StatusCode] = {
    "invalid": grpc.StatusCode.INVALID_ARGUMENT,
    "already-exists": grpc.StatusCode.ALREADY_EXISTS,
    "not-found": grpc.StatusCode.NOT_FOUND,
    "quota": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "protected": grpc.StatusCode.FAILED_PRECONDITION,
    "internal": grpc.StatusCode.INTERNAL,
}
REPLACING = {"replace", "loses-data"}
_KINDS = {
    ("add", False): wire.PropertyDiff.ADD,
    ("add", True): wire.PropertyDiff.ADD_REPLACE,
    ("delete", False): wire.PropertyDiff.DELETE,
    ("delete", True): wire.PropertyDiff.DELETE_REPLACE,
    ("update", False): wire.PropertyDiff.UPDATE,
    ("update", True): wire.PropertyDiff.UPDATE_REPLACE,
}


class Provider(ResourceProviderServicer):
    def __init__(self, state: State, description: Description, version: str) -> None:
        self._state = state
        self._description = description
        self._version = version
        self._cloud: Cloud | None = None

    # what it is

    def GetPluginInfo(self, request: Empty, context: Any) -> plugin_pb2.PluginInfo:
        return plugin_pb2.PluginInfo(version=self._version)

    def Attach(self, request: plugin_pb2.PluginAttach, context: Any) -> Empty:
        return Empty()

    def Parameterize(self, request: wire.ParameterizeRequest, context: Any) -> wire.ParameterizeResponse:
        """The plugin that speaks for any Terraform provider: it is told which."""
        return wire.ParameterizeResponse(name=request.value.name, version=request.value.version)

    def CheckConfig(self, request: wire.CheckRequest, context: Any) -> wire.CheckResponse:
        return wire.CheckResponse(inputs=request.news)

    def DiffConfig(self, request: wire.DiffRequest, context: Any) -> wire.DiffResponse:
        return wire.DiffResponse(changes=wire.DiffResponse.DIFF_NONE)

    def Configure(self, request: wire.ConfigureRequest, context: Any) -> wire.ConfigureResponse:
        settings = structs.unpack(request.args)
        name = str(settings.get(self._description.project_setting))
        with _refusals(context):
            project = projects.find(self._state, self._description.name, name)
        self._cloud = Cloud(self._state, self._description, project)
        return wire.ConfigureResponse(supportsPreview=True)

    def Cancel(self, request: Empty, context: Any) -> Empty:
        """What a cloud has begun it ends, whoever waits for it."""
        return Empty()

    # resources

    def Check(self, request: wire.CheckRequest, context: Any) -> wire.CheckResponse:
        failures: list[wire.CheckFailure] = []
        if self._description.checks_early:
            found = self._api.objections(_type(request.urn), structs.unpack(request.news))
            failures = [wire.CheckFailure(property=one.partition(":")[0], reason=one) for one in found]
        return wire.CheckResponse(inputs=request.news, failures=failures)

    def Diff(self, request: wire.DiffRequest, context: Any) -> wire.DiffResponse:
        kind = _type(request.urn)
        old, new = structs.unpack(request.old_inputs), structs.unpack(request.news)
        changed = {path: (change, effect(kind, path) in REPLACING) for path, change in structs.changes(old, new)}
        return wire.DiffResponse(
            changes=wire.DiffResponse.DIFF_SOME if changed else wire.DiffResponse.DIFF_NONE,
            diffs=sorted({_top(path) for path in changed}),
            replaces=sorted({_top(path) for path, (_, replaces) in changed.items() if replaces}),
            # two of one name cannot be, as the real providers know
            deleteBeforeReplace=old.get("name") == new.get("name"),
            detailedDiff={path: wire.PropertyDiff(kind=_KINDS[how], inputDiff=True) for path, how in changed.items()},
            hasDetailedDiff=True,
        )

    def Create(self, request: wire.CreateRequest, context: Any) -> wire.CreateResponse:
        kind, inputs = _type(request.urn), structs.unpack(request.properties)
        with _refusals(context):
            if request.preview:
                return wire.CreateResponse(properties=structs.pack(self._api.expected(kind, inputs)))
            record = self._api.create(kind, inputs)
        return wire.CreateResponse(id=record.id, properties=structs.pack(record.state))

    def Read(self, request: wire.ReadRequest, context: Any) -> wire.ReadResponse:
        record = self._api.ledger.get(request.id)
        if record is None:
            return wire.ReadResponse()
        return wire.ReadResponse(
            id=record.id, properties=structs.pack(record.state), inputs=structs.pack(record.inputs)
        )

    def Update(self, request: wire.UpdateRequest, context: Any) -> wire.UpdateResponse:
        inputs = structs.unpack(request.news)
        with _refusals(context):
            if request.preview:
                return wire.UpdateResponse(properties=structs.pack(structs.unpack(request.olds) | inputs))
            record = self._api.update(request.id, inputs)
        return wire.UpdateResponse(properties=structs.pack(record.state))

    def Delete(self, request: wire.DeleteRequest, context: Any) -> Empty:
        with _refusals(context):
            self._api.delete(request.id)
        return Empty()

    @property
    def _api(self) -> Cloud:
        if self._cloud is None:
            raise RuntimeError("the engine configures a provider before it uses it")
        return self._cloud


@contextmanager
def _refusals(context: grpc.ServicerContext) -> Generator[None]:
    try:
        yield
    except Refused as refused:
        _abort(context, refused)


def _abort(context: grpc.ServicerContext, refused: Refused) -> NoReturn:
    abort: Callable[[grpc.StatusCode, str], NoReturn] = context.abort
    abort(STATUS[refused.reason], str(refused))


def _type(urn: str) -> str:
    """urn:pulumi:STACK::PROJECT::PARENT$TYPE::NAME"""
    return urn.split("::")[2].rpartition("$")[2]


def _top(path: str) -> str:
    return path.partition(".")[0].partition("[")[0]
