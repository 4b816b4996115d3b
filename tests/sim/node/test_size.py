"""A kubelet reads the size of its machine from files; these say the pool's."""

import re
from pathlib import Path

from sim.node import size
from sim.node.plan import RealNode
from tests.sim.clusters import pool

NODE = RealNode("north", pool(capacity_cpu_millis=4000, capacity_memory_mib=1024))


def test_memory_is_the_pools_and_every_other_line_this_machines(tmp_path: Path) -> None:
    """MemTotal is what the kubelet reports; the rest is of use to who looks into a pod."""
    size.write(tmp_path / "machine", NODE)

    written = (tmp_path / "machine/meminfo").read_text()
    assert "MemTotal: 2097152 kB\n" in written
    names = re.compile(r"^(\S+):", re.MULTILINE)
    assert names.findall(written) == names.findall(Path("/proc/meminfo").read_text())
    assert (tmp_path / "machine/node/node0/meminfo").read_text() == "Node 0 MemTotal: 2097152 kB\n"


def test_there_is_a_folder_for_each_processor_with_a_core_of_its_own(tmp_path: Path) -> None:
    """Named after a processor that this machine has, since that is what pods are bound to."""
    size.write(tmp_path / "machine", NODE)

    folders = [path for path in (tmp_path / "machine/node/node0").iterdir() if path.is_dir()]
    cores = {(folder / "topology/core_id").read_text().strip() for folder in folders}
    assert cores == {str(number) for number in range(8)}
    assert {folder.name.partition("-")[0] for folder in folders} <= _processors()


def test_what_a_larger_node_left_goes(tmp_path: Path) -> None:
    """Else the next one would seem to have its processors."""
    size.write(tmp_path / "machine", RealNode("north", pool(capacity_cpu_millis=16000)))
    size.write(tmp_path / "machine", NODE)

    assert len(list((tmp_path / "machine/node/node0").glob("cpu*"))) == 8


def _processors() -> set[str]:
    return {path.name for path in Path("/sys/devices/system/cpu").glob("cpu[0-9]*")}
