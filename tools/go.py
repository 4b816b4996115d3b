"""The go command, as every build here uses it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from tools import spec


class GoError(Exception):
    """The go command failed; the message holds its words."""


class GoMissingError(GoError):
    """The go command is not here, or too old; the message says what to install."""


def check(modules: list[spec.Module]) -> None:
    """Raise GoMissingError unless `go` is here and new enough for each module."""
    if shutil.which("go") is None:
        wanted = max((module.go() for module in modules), key=_number)
        raise GoMissingError(f"go is not on PATH; install Go {wanted} or later from https://go.dev/dl/ and run again")
    for module in modules:
        # Inside the module this fails when go is too old and may not fetch a newer toolchain (GOTOOLCHAIN=local).
        asked = _run(["go", "list", "-m"], module)
        if asked.returncode != 0:
            raise GoMissingError(
                f"{module.folder / 'go.mod'}: {asked.stderr.strip()}; install Go {module.go()} or later from "
                "https://go.dev/dl/, or run with GOTOOLCHAIN=auto where the Go module proxy is reachable"
            )


def build(binary: spec.Binary, output: Path, on_package: Callable[[str], None]) -> None:
    """Build `binary` into the file `output`, telling each package or module as it comes.

    Raises GoError with the compiler's words.
    """
    with tempfile.TemporaryDirectory(prefix="skyfleet-tools-") as scratch:
        command = ["go", "build", "-v", "-trimpath", "-buildvcs=false", "-ldflags", binary.ldflags, "-o", str(output)]
        command += ["-tags", binary.tags] if binary.tags else []
        command += ["-overlay", str(_overlay(binary, Path(scratch)))] if binary.embed else []
        _stream([*command, binary.package], binary.module, on_package)


def module_folder(module: spec.Module, path: str) -> Path:
    """Folder of the module `path`, downloaded if need be, in the version that `module` pins."""
    asked = _run(["go", "mod", "download", "-json", path], module)
    if asked.returncode != 0:
        raise GoError(
            f"{module.folder / 'go.mod'}: cannot download {path}: {asked.stderr.strip() or asked.stdout.strip()}"
        )
    return Path(json.loads(asked.stdout)["Dir"])


def _overlay(binary: spec.Binary, scratch: Path) -> Path:
    """Lay the files that main.go embeds beside it without copying them into the checkout."""
    folder = module_folder(binary.module, binary.provided_by)
    replace = {str(binary.module.folder / Path(name).name): str(folder / name) for name in binary.embed}
    overlay = scratch / "overlay.json"
    overlay.write_text(json.dumps({"Replace": replace}))
    return overlay


def _stream(command: list[str], module: spec.Module, on_line: Callable[[str], None]) -> None:
    said: list[str] = []
    with subprocess.Popen(
        command, cwd=module.folder, env=_environment(), stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True
    ) as process:
        try:
            for line in process.stderr or ():
                said.append(line)
                on_line(line.strip())
        except BaseException:
            process.terminate()
            raise
    if process.returncode != 0:
        raise GoError(f"{' '.join(command)}\n(in {module.folder}) failed:\n{''.join(said[-30:])}")


def _run(command: list[str], module: spec.Module) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=module.folder, env=_environment(), capture_output=True, text=True, check=False)


def _environment() -> dict[str, str]:
    # GOFLAGS and GOWORK of the user must not change what is built; CGO off needs no C compiler.
    return os.environ | {"CGO_ENABLED": "0", "GOFLAGS": "-mod=readonly", "GOWORK": "off"}


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))
