"""An API server as seen by a process that asks it often: one connection, plain paths."""

from __future__ import annotations

import http.client
import json
import ssl
from http import HTTPStatus
from typing import Any

from sim import ports
from sim.state import ClusterState

SECONDS = 10
MERGE = "application/merge-patch+json"


class ApiError(Exception):
    """It does not answer, or refuses."""


class Api:
    def __init__(self, cluster: ClusterState) -> None:
        self._port = ports.load(cluster.ports)["kube-apiserver"]
        self._tls = ssl.create_default_context(cafile=str(cluster.pki / "ca.crt"))
        self._tls.load_cert_chain(cluster.pki / "admin.crt", cluster.pki / "admin.key")

    def get(self, path: str) -> dict[str, Any] | None:
        """None for what does not exist, or whose type does not.

        Raises ApiError.
        """
        return self._ask("GET", path)

    def items(self, path: str) -> list[dict[str, Any]]:
        return (self.get(path) or {"items": []})["items"]

    def patch(self, path: str, change: dict[str, Any]) -> None:
        """A merge patch: lists are replaced whole."""
        self._ask("PATCH", path, json.dumps(change), {"Content-Type": MERGE})

    def delete(self, path: str) -> None:
        self._ask("DELETE", path)

    def _ask(
        self, method: str, path: str, body: str | None = None, headers: dict[str, str] | None = None
    ) -> dict[str, Any] | None:
        connection = http.client.HTTPSConnection("127.0.0.1", self._port, timeout=SECONDS, context=self._tls)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise ApiError(f"{method} {path}: {error}") from error
        finally:
            connection.close()
        if answer.status == HTTPStatus.NOT_FOUND:
            return None
        if answer.status >= HTTPStatus.BAD_REQUEST:
            raise ApiError(f"{method} {path}: {answer.status} {content.decode(errors='replace')}")
        return json.loads(content)
