"""An OCI image layout on disk: images of one or more layers, each the tar of a folder."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim.errors import SimulationError
from sim.node.registry import NAME

CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar"
MANIFEST = "application/vnd.oci.image.manifest.v1+json"
REPRODUCIBLE = ("--sort=name", "--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime")
"""Else a layer would say who packed it, and when its files were last read."""


@dataclass(frozen=True)
class Image:
    """One image under every name by which it is asked for."""

    names: Sequence[str]
    root: Path
    """Folder whose content is the image's file system."""
    config: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """User, Env, WorkingDir, Cmd, Entrypoint as the OCI has them."""


def write(images: Sequence[Image], folder: Path) -> None:
    """Make the layout.

    Raises SimulationError when a file system cannot be packed.
    """
    blobs = folder / "blobs/sha256"
    blobs.mkdir(parents=True)
    layers = {root: _layer(root, blobs) for root in {image.root: None for image in images}}
    manifests = [entry for image in images for entry in _image(image, layers[image.root], blobs)]
    (folder / "oci-layout").write_text(json.dumps({"imageLayoutVersion": "1.0.0"}))
    (folder / "index.json").write_text(json.dumps({"schemaVersion": 2, "manifests": manifests}))


def _image(image: Image, layer: dict[str, Any], blobs: Path) -> list[dict[str, Any]]:
    config = {
        "architecture": "amd64",
        "os": "linux",
        "config": dict(image.config),
        "rootfs": {"type": "layers", "diff_ids": [layer["digest"]]},
    }
    manifest = {
        "schemaVersion": 2,
        "mediaType": MANIFEST,
        "config": _document(config, CONFIG, blobs),
        "layers": [layer],
    }
    descriptor = _document(manifest, MANIFEST, blobs)
    return [descriptor | {"annotations": {NAME: name}} for name in image.names]


def _document(document: dict[str, Any], kind: str, blobs: Path) -> dict[str, Any]:
    content = json.dumps(document, sort_keys=True).encode()
    digest = hashlib.sha256(content).hexdigest()
    (blobs / digest).write_bytes(content)
    return {"mediaType": kind, "digest": f"sha256:{digest}", "size": len(content)}


def _layer(root: Path, blobs: Path) -> dict[str, Any]:
    unfinished = blobs / "layer"
    names = sorted(path.name for path in root.iterdir())
    packing = ["tar", "--create", *REPRODUCIBLE, "--numeric-owner", "--xattrs"]
    command = [*packing, f"--file={unfinished}", f"--directory={root}", *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SimulationError(f"{root} cannot be packed: {done.stderr.strip()}")
    with unfinished.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    unfinished.rename(blobs / digest)
    return {"mediaType": LAYER, "digest": f"sha256:{digest}", "size": (blobs / digest).stat().st_size}
