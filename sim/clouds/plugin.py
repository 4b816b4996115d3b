"""`python -m sim.clouds.plugin CLOUD VERSION FOLDER`: a Pulumi plugin process for a simulated cloud."""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import grpc
from pulumi.runtime.proto.provider_pb2_grpc import add_ResourceProviderServicer_to_server

from sim.clouds.gcp import GCP
from sim.clouds.nebius import NEBIUS
from sim.clouds.provider import Provider
from sim.state import State

CLOUDS = {cloud.name: cloud for cloud in (GCP, NEBIUS)}
THREADS = 16
MESSAGE_BYTES = 64 * 1024 * 1024
LONGEST_DEED_SECONDS = 300


def serve(cloud: str, version: str, state: State) -> None:
    """Until the engine that started us is gone; what was begun for it is ended first, as a cloud would."""
    engine = os.getppid()
    limits = [("grpc.max_receive_message_length", MESSAGE_BYTES), ("grpc.max_send_message_length", MESSAGE_BYTES)]
    server = grpc.server(ThreadPoolExecutor(THREADS), options=limits)
    add_ResourceProviderServicer_to_server(Provider(state, CLOUDS[cloud], version), server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    print(port, flush=True)
    while os.getppid() == engine:
        time.sleep(0.2)
    server.stop(LONGEST_DEED_SECONDS).wait()


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], State(Path(sys.argv[3])))
