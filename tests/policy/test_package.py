"""The wheel: small, alone, and light."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

POLICY = Path(__file__).parents[2] / "policy"
PACKAGE = POLICY / "skyfleet_policy"
MODULES = sorted(PACKAGE.rglob("*.py"))


def imported(module: Path) -> set[str]:
    """The top-level names that a module imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports(module: Path) -> None:
    """Nothing but the standard library and itself; SkyPilot in admission.py alone."""
    allowed = {"skyfleet_policy", *({"sky"} if module.name == "admission.py" else ())}

    assert imported(module) - set(sys.stdlib_module_names) <= allowed


def run(code: str, *paths: Path) -> str:
    """Run code from `/` in a Python that sees the given paths and nothing of this repository."""
    setup = f"import sys; sys.path[:0] = {[str(path) for path in paths]!r}\n"
    done = subprocess.run(
        [sys.executable, "-I", "-c", setup + code], cwd="/", capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_rules_need_no_skypilot() -> None:
    """Table, rules and rendering can be imported where SkyPilot is not."""
    code = """
sys.modules["sky"] = None
import skyfleet_policy.rules, skyfleet_policy.explain, skyfleet_policy.render, skyfleet_policy.cli
print(len(skyfleet_policy.rules.RULES) > 0, "pydantic" in sys.modules)
"""

    assert run(code, POLICY) == "True False"


def test_oldest_python() -> None:
    """The rules decide under the oldest Python that the package promises."""
    python = shutil.which("python3.10")
    if python is None or subprocess.run([python, "--version"], capture_output=True, check=False).returncode:
        pytest.skip("there is no Python 3.10 here")
    code = f"""
import sys; sys.path.insert(0, {str(POLICY)!r}); sys.modules["sky"] = None
import skyfleet_policy.cli
from skyfleet_policy.decision import decide
from skyfleet_policy.request import Candidate, Kind, Request
from skyfleet_policy.routes import shipped_routes
from skyfleet_policy.rules import RULES
candidate = Candidate(accelerator="L4", accelerator_count=1, labels={{"team": "search"}})
print(decide(Request(Kind.LAUNCH, (candidate,)), shipped_routes(), RULES).request.config["kubernetes"]["quota"])
"""
    done = subprocess.run([python, "-I", "-c", code], cwd="/", capture_output=True, text=True, check=False)

    assert done.stdout.strip() == "{'queue': 'search'}", done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sources."""
    target = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(target)],
        cwd=POLICY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return next(target.glob("*.whl"))


@pytest.mark.slow
def test_wheel_holds_the_package_alone(wheel: Path) -> None:
    """The wheel has every module and the table, no dependency, and nothing of the repository."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(next(name for name in names if name.endswith("METADATA"))).decode()

    assert {name.split("/")[0].split("-")[0] for name in names} == {"skyfleet_policy"}
    assert {f"skyfleet_policy/{module.relative_to(PACKAGE)}" for module in MODULES} < set(names)
    assert {"skyfleet_policy/routes.json", "skyfleet_policy/py.typed"} < set(names)
    assert "Requires-Dist" not in metadata


@pytest.mark.slow
def test_wheel_decides_alone(wheel: Path, tmp_path: Path) -> None:
    """Installed beside SkyPilot and run from `/`, the wheel decides; no pydantic of its own, no pulumi, no repository."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)  # built above
    task = tmp_path / "task.yaml"
    _ = task.write_text("name: wheel\nresources: {accelerators: L4, labels: {team: search}}\n")
    code = f"""
import os; os.environ["HOME"] = {str(tmp_path)!r}
import sky
from sky import skypilot_config
from sky.utils import admin_policy_utils, config_utils
from sky.server.requests.request_names import AdminPolicyRequestName as Name
before = set(sys.modules)
with skypilot_config.replace_skypilot_config(config_utils.Config(admin_policy="skyfleet_policy.FleetPolicy")):
    dag, _ = admin_policy_utils.apply(sky.Task.from_yaml({str(task)!r}), Name.CLUSTER_LAUNCH, at_client_side=True)
ours = {{name.split(".")[0] for name in set(sys.modules) - before}}
print(next(iter(dag.tasks[0].resources)).region, sorted(ours & {{"pydantic", "pulumi", "skyfleet", "yaml"}}))
"""
    decided = run(code, tmp_path).splitlines()[-1]

    assert decided == "gke_acme-ml_us-central1_gke-us-central1 []"
