"""Workload objects of one throwaway cluster: created, watched, and their status written."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import Any

from kubernetes import client, config, watch
from urllib3.exceptions import HTTPError

from whatif import conditions
from whatif.conditions import Object

GROUP, VERSION, PLURAL = "kueue.x-k8s.io", "v1beta2", "workloads"


class Workloads:
    """The Workloads of a namespace. What is said of them arrives in `news`, in the API server's order."""

    def __init__(self, kubeconfig: Path, namespace: str) -> None:
        self._kubeconfig = kubeconfig
        self._place = {"group": GROUP, "version": VERSION, "namespace": namespace, "plural": PLURAL}
        self._api = self._new_api()
        self.news: queue.SimpleQueue[Object | None] = queue.SimpleQueue()
        """Objects as they change; None when the server ended the stream."""
        threading.Thread(target=self._watch, daemon=True).start()

    def create(self, manifest: Object) -> None:
        self._api.create_namespaced_custom_object(**self._place, body=manifest)

    def get(self, name: str) -> Object:
        return self._as_object(self._api.get_namespaced_custom_object(**self._place, name=name))

    def write_status(self, seen: Object, status: Object) -> bool:
        """False if it has changed since it was `seen`, and nothing was written."""
        try:
            self._api.replace_namespaced_custom_object_status(
                **self._place, name=seen["metadata"]["name"], body={**seen, "status": status}
            )
        except client.ApiException as error:
            if error.status == HTTPStatus.CONFLICT:
                return False
            raise
        return True

    def write_until(self, seen: Object, status: Callable[[Object], Object]) -> bool:
        """Write, from newer versions if need be; False when an end came too late because Kueue has evicted it, as the news will tell."""
        while not self.write_status(seen, status(seen)):
            seen = self.get(seen["metadata"]["name"])
            if status is conditions.finished and conditions.is_true(seen, "Evicted"):
                return False
        return True

    def _watch(self) -> None:
        """A server that is stopped ends the stream, which is how this ends."""
        with contextlib.suppress(HTTPError, client.ApiException, OSError):
            for event in watch.Watch().stream(self._new_api().list_namespaced_custom_object, **self._place):
                self.news.put(self._as_object(event)["object"])
        self.news.put(None)

    def _new_api(self) -> client.CustomObjectsApi:
        """With connections of its own, past the proxy that the user's environment may name."""
        configuration = client.Configuration()
        config.load_kube_config(str(self._kubeconfig), client_configuration=configuration)
        configuration.proxy = None
        return client.CustomObjectsApi(client.ApiClient(configuration))

    @staticmethod
    def _as_object(answer: Any) -> Object:
        return answer
