"""Images that are laid out on disk are handed out as a registry would, and no others."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sim.errors import SimulationError
from sim.node import oci, registry
from sim.node.oci import Image

TASK = "docker.io/local/task:1"
ALIAS = "example.com/team/task:2"


@pytest.fixture
def layout(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "etc").mkdir(parents=True)
    (root / "etc/greeting").write_text("hello\n")
    oci.write([Image([TASK, ALIAS], root, {"User": "1000"})], tmp_path / "images")
    return tmp_path / "images"


@pytest.fixture
def address(layout: Path) -> Iterator[str]:
    server = registry.server(layout, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_an_image_is_pulled_as_containerd_does_it(address: str) -> None:
    """By name and tag with the host as `ns`, then config and layer by the digests that the manifest names."""
    manifest = json.loads(_get(f"{address}/v2/local/task/manifests/1?ns=docker.io"))

    config = json.loads(_get(_blob(address, manifest["config"])))
    layer = _get(_blob(address, manifest["layers"][0]))
    assert config["config"] == {"User": "1000"}
    assert config["rootfs"]["diff_ids"] == [_digest(layer)]
    with tarfile.open(fileobj=io.BytesIO(layer)) as archive:
        assert archive.extractfile("etc/greeting").read() == b"hello\n"  # pyright: ignore[reportOptionalMemberAccess]


def test_every_name_of_an_image_leads_to_the_same_manifest(address: str) -> None:
    """And so does its digest."""
    first = _get(f"{address}/v2/local/task/manifests/1?ns=docker.io")

    assert _get(f"{address}/v2/team/task/manifests/2?ns=example.com") == first
    assert _get(f"{address}/v2/local/task/manifests/{_digest(first)}?ns=docker.io") == first


@pytest.mark.parametrize(
    "path",
    [
        "v2/local/task/manifests/1?ns=example.com",
        "v2/local/task/manifests/2?ns=docker.io",
        "v2/local/task/blobs/sha256:" + 64 * "0",
        "v2/local/task/blobs/sha256:..%2F..%2Findex.json",
        "v2/local/task/blobs/../../index.json",
        "index.json",
    ],
    ids=["another host's", "another tag", "unknown blob", "escaped path", "path", "no registry's path"],
)
def test_what_is_not_laid_out_is_not_found(address: str, path: str) -> None:
    """So a pod whose image was forgotten fails at once, and no path leads out of the layout."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        _get(f"{address}/{path}")
    assert refused.value.code == 404


def test_a_layout_made_twice_of_the_same_files_has_the_same_manifests(layout: Path, tmp_path: Path) -> None:
    """What is built anew without a change need not be pulled again."""
    oci.write([Image([TASK, ALIAS], tmp_path / "root", {"User": "1000"})], tmp_path / "again")

    assert (tmp_path / "again/index.json").read_bytes() == (layout / "index.json").read_bytes()


def test_a_file_system_that_cannot_be_packed_is_named(tmp_path: Path) -> None:
    """With what tar said."""
    (tmp_path / "empty").mkdir()

    with pytest.raises(SimulationError, match=r"empty cannot be packed: tar: .*empty archive"):
        oci.write([Image([TASK], tmp_path / "empty")], tmp_path / "images")


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=5) as answer:  # noqa: S310 - the registry's own
        content = answer.read()
        assert answer.headers["Docker-Content-Digest"] == _digest(content)
        return content


def _blob(address: str, descriptor: dict[str, Any]) -> str:
    return f"{address}/v2/local/task/blobs/{descriptor['digest']}"


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
