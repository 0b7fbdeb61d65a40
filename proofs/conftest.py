"""The Hypothesis profiles of the random checks, the same as in tests/."""
import os
from typing import Any

from hypothesis import HealthCheck, settings

SLOW_MACHINES: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=60, **SLOW_MACHINES)
settings.register_profile("ci", max_examples=150, derandomize=True, **SLOW_MACHINES)
settings.register_profile("brief", max_examples=40, derandomize=True, **SLOW_MACHINES)     # beside a run of "ci"
settings.register_profile("deep", max_examples=20_000, **SLOW_MACHINES)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
