"""Workloads on the API server of a simulated cluster, over one connection."""

import http.client
import json
import ssl
from pathlib import Path
from typing import Any

from kueue.objects import API_VERSION, Manifest

CONFLICT, MISSING = 409, 404


class Refused(Exception):  # noqa: N818 - it says what happened
    """The API server does not take a request; the message is its own."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class Workloads:
    """The Workloads of one namespace."""

    def __init__(self, port: int, pki: Path, namespace: str) -> None:
        context = ssl.create_default_context(cafile=str(pki / "ca.crt"))
        context.load_cert_chain(pki / "admin.crt", pki / "admin.key")
        self._connection = http.client.HTTPSConnection("127.0.0.1", port, context=context, timeout=30)
        self._path = f"/apis/{API_VERSION}/namespaces/{namespace}/workloads"

    def all(self) -> list[Manifest]:
        return self._call("GET", f"{self._path}?resourceVersion=0")["items"]

    def create(self, item: Manifest) -> None:
        self._call("POST", self._path, item)

    def patch_status(self, item: Manifest, status: dict[str, Any]) -> None:
        """Change the status of exactly this version; a newer one raises Refused with code 409."""
        version = {"resourceVersion": item["metadata"]["resourceVersion"]}
        self._call("PATCH", f"{self._path}/{item['metadata']['name']}/status", {"metadata": version, "status": status})

    def delete(self, name: str) -> None:
        self._call("DELETE", f"{self._path}/{name}")

    def close(self) -> None:
        self._connection.close()

    def _call(self, method: str, path: str, content: Any = None) -> Any:
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        body = None if content is None else json.dumps(content)
        self._connection.request(method, path, body, {"Content-Type": kind, "Accept": "application/json"})
        answer = self._connection.getresponse()
        told = json.loads(answer.read() or b"{}")
        if answer.status >= http.client.BAD_REQUEST:
            raise Refused(answer.status, told.get("message", answer.reason))
        return told
