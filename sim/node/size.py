"""Files from which the node's kubelet takes how large its machine is: as large as the pool's, whatever this machine is.

What a kubelet asks (cadvisor's machine/machine.go and utils/sysinfo/sysinfo.go): /proc/meminfo for memory, the folders below
/sys/devices/system/node for processors, each with the number that follows "cpu" in its name. Pods see this machine as it is.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

from sim.node.plan import RealNode


def write(folder: Path, node: RealNode) -> None:
    """The files, for data/node/enter.sh to lay over the kernel's own."""
    shutil.rmtree(folder, ignore_errors=True)
    processors = node.cpu_millis // 1000
    memory_kib = node.memory_mib * 1024
    _write(folder / "meminfo", _meminfo(memory_kib))
    _write(folder / "node/node0/meminfo", f"Node 0 MemTotal: {memory_kib} kB\n")
    for number in range(processors):
        ours = number % (os.cpu_count() or 1)  # which pods are bound to must be there
        topology = folder / f"node/node0/cpu{ours}-{number}/topology"
        _write(topology / "core_id", f"{number}\n")
        _write(topology / "physical_package_id", "0\n")


def _meminfo(memory_kib: int) -> str:
    """This machine's, with another total."""
    return re.sub(
        r"^(MemTotal|MemAvailable):.*$", rf"\1: {memory_kib} kB", Path("/proc/meminfo").read_text(), flags=re.MULTILINE
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
