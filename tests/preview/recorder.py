"""`python -m infra.graph` as one process for all tests: the clouds' SDKs take two seconds to import."""

import atexit
import json
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any


def ask(arguments: list[str]) -> list[dict[str, Any]]:
    process = _process()
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(arguments) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


@cache
def _process() -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.preview.recorder"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(process.kill)
    return process


def _serve() -> None:
    from infra.graph import graphs  # noqa: PLC0415 - pulumi, which the asking side does without

    for line in sys.stdin:
        pairs = (argument.rpartition(":") for argument in json.loads(line))
        print(json.dumps([graphs(Path(root), stacks.split(",")) for root, _, stacks in pairs]), flush=True)


if __name__ == "__main__":
    _serve()
