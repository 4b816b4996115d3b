"""For the API server of a rehearsal alone: it asks itself whether the machine has a network.

Before SkyPilot believes that a cluster was preempted it asks two public addresses (backend_utils._TEST_IP_LIST); on a machine without
internet it would wait for ever. Python imports this file at its start; what it changes is changed when that module is loaded.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import os
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

MODULE = "sky.backends.backend_utils"
ADDRESS = os.environ.get("SKYFLEET_NETWORK_CHECK", "")


class _Loader(importlib.abc.Loader):
    def __init__(self, loader: importlib.abc.Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        if not hasattr(module, "_TEST_IP_LIST"):
            raise ImportError(
                f"{MODULE} has no _TEST_IP_LIST any more; the rehearsal's network check needs another way"
            )
        module.__dict__["_TEST_IP_LIST"] = [ADDRESS]


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target  # importlib hands them over; the name decides
        if fullname != MODULE:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


if ADDRESS:
    sys.meta_path.insert(0, _Finder())
