"""Which systems are there, and what makes them local and quiet.

A system that is not installed is skipped, with the reason; so is Spark without Java. TEST_SYSTEMS names those that must
be there: "all", or the names of modules with commas between.
"""
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LOCAL = {
    "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "HF_HUB_OFFLINE": "1",
    "PYSPARK_SUBMIT_ARGS": "--master local[2] --conf spark.ui.enabled=false --driver-memory 1g pyspark-shell",
    "RAY_USAGE_STATS_ENABLED": "0", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
}


@pytest.fixture(scope="session")
def need():
    """Skip, or fail where it is required, unless a module is installed."""
    required = os.environ.get("TEST_SYSTEMS", "")

    def check(module: str) -> None:
        reason = None
        if importlib.util.find_spec(module) is None:
            reason = f"{module} is not installed"
        elif module == "pyspark" and shutil.which("java") is None:
            reason = "pyspark needs Java, which is not installed"
        if reason is not None and (required == "all" or module in required.split(",")):
            pytest.fail(reason)
        if reason is not None:
            pytest.skip(reason)
    return check


@pytest.fixture(scope="session")
def run():
    """Run a script in a folder, and return what it prints."""
    def script(text: str, folder: Path, *arguments: str) -> str:
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", text, *arguments], cwd=folder, capture_output=True,
                              text=True, env={**os.environ, **LOCAL, "HF_HOME": str(folder / "cache")}, timeout=300,
                              check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout
    return script
