"""`python -m sim.node.registry LAYOUT PORT`: a registry of container images, which hands out what an OCI layout holds and takes nothing.

containerd asks it for every image, by the host in the image's name: the names that it does not have are not to be had on the node.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

NAME = "org.opencontainers.image.ref.name"
_PATH = re.compile(r"/v2/(?P<name>.+)/(?P<kind>manifests|blobs)/(?P<reference>[^/]+)")


class Layout:
    """An OCI image layout on disk."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        index = json.loads((folder / "index.json").read_text())
        self._manifests = {entry["annotations"][NAME]: entry for entry in index["manifests"]}

    def manifest(self, name: str, reference: str) -> dict[str, str] | None:
        """Descriptor of a manifest by its full name and its tag or digest."""
        if reference.startswith("sha256:"):
            return next((one for one in self._manifests.values() if one["digest"] == reference), None)
        return self._manifests.get(f"{name}:{reference}")

    def blob(self, digest: str) -> Path | None:
        if not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
            return None
        path = self._folder / "blobs" / "sha256" / digest.removeprefix("sha256:")
        return path if path.exists() else None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, layout: Layout, *arguments: object) -> None:
        self._layout = layout
        super().__init__(*arguments)  # pyright: ignore[reportArgumentType]  # as the server calls it

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        address = urlsplit(self.path)
        found = _PATH.fullmatch(address.path)
        if address.path == "/v2/":
            self._head(HTTPStatus.OK, 0, "application/json")
            return
        blob, digest, kind = self._find(found, parse_qs(address.query)) if found else (None, "", "")
        if blob is None:
            self._head(HTTPStatus.NOT_FOUND, 0, "application/json")
            return
        self._head(HTTPStatus.OK, blob.stat().st_size, kind, digest)
        if with_body:
            with blob.open("rb") as content:
                shutil.copyfileobj(content, self.wfile, 1 << 20)

    def _find(self, asked: re.Match[str], query: dict[str, list[str]]) -> tuple[Path | None, str, str]:
        if asked["kind"] == "blobs":
            return self._layout.blob(asked["reference"]), asked["reference"], "application/octet-stream"
        host = query.get("ns", [""])[0]  # containerd says which registry it takes us for
        descriptor = self._layout.manifest(f"{host}/{asked['name']}", asked["reference"])
        if descriptor is None:
            return None, "", ""
        return self._layout.blob(descriptor["digest"]), descriptor["digest"], descriptor["mediaType"]

    def _head(self, status: HTTPStatus, length: int, kind: str, digest: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        if digest:
            self.send_header("Docker-Content-Digest", digest)
        self.end_headers()


def server(folder: Path, port: int) -> ThreadingHTTPServer:
    return ThreadingHTTPServer(("127.0.0.1", port), partial(_Handler, Layout(folder)))


if __name__ == "__main__":
    server(Path(sys.argv[1]), int(sys.argv[2])).serve_forever()
