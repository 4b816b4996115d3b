"""`python -m sim.node.build`: the node's file system and its pods' images, when they are missing or out of date."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import yaml

from sim.errors import SimulationError
from sim.node import built, debian, needs, oci
from sim.progress import Progress
from tools import paths, placed, spec

PART = "real node"
DATA = resources.files("sim").joinpath("data/node")
LOCKED = paths.REPOSITORY / "requirements/image.txt"
HOME = "/home/sky"


def missing() -> list[str]:
    """What there is to build."""
    return [name for name, stamp in _stamps().items() if _read(name) != stamp]


def build(shown: Progress) -> None:
    """Build it, a part at a time; what is built stays when the next one is interrupted.

    Raises SimulationError with the words of what failed.
    """
    with _only_one():
        for name in missing():
            unfinished = built.folder() / f"{name}.unfinished"
            _remove(unfinished)
            _BUILDERS[name](unfinished, shown)
            _remove(built.folder() / name)
            unfinished.rename(built.folder() / name)
            _stamp(name).write_text(_stamps()[name])
        shown.done(PART, f"its file system and images are in {built.folder()}")


def _root(target: Path, shown: Progress) -> None:
    shown.step(PART, "making its file system from Debian packages (about 40 s)")
    debian.make(_packages()["node"], target)
    for folder in ("mnt/skyfleet", "opt/skyfleet", "etc/skyfleet", "old"):
        (target / folder).mkdir(parents=True, exist_ok=True)


def _images(target: Path, shown: Progress) -> None:
    task, pause = target.with_name("task.unfinished"), target.with_name("pause.unfinished")
    for folder in (task, pause):
        _remove(folder)
    shown.step(PART, "making the image of its tasks from Debian packages (about 40 s)")
    debian.make(_packages()["task"], task)
    shown.step(PART, "adding SkyPilot's runtime to it (about 20 s)")
    with resources.as_file(DATA.joinpath("task.sh")) as script:
        debian.run(["sh", script, task, paths.REPOSITORY / ".venv/bin/uv", LOCKED])
    pause.mkdir()
    shutil.copy(paths.binary("pause"), pause / "pause")
    shown.step(PART, "packing its images (about 10 s)")
    oci.write(_layout(task, pause), target)
    for folder in (task, pause):
        _remove(folder)


def _layout(task: Path, pause: Path) -> list[oci.Image]:
    """By the names in sim/data/node/images.yaml."""
    names = yaml.safe_load(DATA.joinpath("images.yaml").read_text(encoding="utf-8"))
    user = {"User": "sky", "WorkingDir": HOME, "Env": ["PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", *_trust()]}
    return [
        oci.Image(names["task"], task, user),
        oci.Image(names["python"], task, {"Env": ["PATH=/usr/bin:/bin"]}),
        oci.Image(names["pause"], pause, {"Entrypoint": ["/pause"]}),
    ]


def _trust() -> list[str]:
    """Who is trusted is in the image's own bundle, for programs that bring another."""
    return [f"{name}=/etc/ssl/certs/ca-certificates.crt" for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")]


_BUILDERS: dict[str, Callable[[Path, Progress], None]] = {"root": _root, "images": _images}


def _packages() -> dict[str, list[str]]:
    return yaml.safe_load(DATA.joinpath("packages.yaml").read_text(encoding="utf-8"))


def _stamps() -> dict[str, str]:
    """By part, what changes when it has to be built again."""
    (pause,) = (binary for binary in spec.binaries("node") if binary.name == "pause")
    packages = _packages()
    image = [
        packages["task"],
        *map(_text, (DATA.joinpath("task.sh"), DATA.joinpath("images.yaml"), LOCKED)),
        spec.stamp(pause),
    ]
    return {"root": _digest(packages["node"]), "images": _digest(image)}


def _digest(value: object) -> str:
    return hashlib.sha256(repr(value).encode()).hexdigest()


def _text(path: Path | Traversable) -> str:
    return path.read_text(encoding="utf-8")


def _read(name: str) -> str:
    there = (built.folder() / name).is_dir() and _stamp(name).exists()
    return _stamp(name).read_text() if there else ""


def _stamp(name: str) -> Path:
    return built.folder() / f"{name}.stamp"


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


@contextmanager
def _only_one() -> Generator[None]:
    built.folder().mkdir(parents=True, exist_ok=True)
    with (built.folder() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def main() -> int:
    """Exit status: 0 built, 1 a part failed, 2 this machine cannot run a node, 130 interrupted."""
    lacks = needs.lacks() or [f"not built yet: {name}; run `make node`" for name in placed.missing("node")]
    if lacks:
        print("\n".join(f"error: {lack}" for lack in lacks), file=sys.stderr)
        return 2
    try:
        with Progress() as shown:
            build(shown)
    except SimulationError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted; `make node` goes on from here.", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
