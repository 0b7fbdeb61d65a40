"""What a run leaves behind: its results with the machine, the date and the versions, and a table to read."""
import datetime
import json
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any


def folder() -> Path:
    """Where results go: $BENCHMARK_RESULTS, or `results` beside this file."""
    return Path(os.environ.get("BENCHMARK_RESULTS") or Path(__file__).parent / "results")


def machine() -> dict[str, Any]:
    """The processor, its caches, and the software that all figures depend on."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        named = (line for line in cpuinfo.read_text().splitlines() if line.startswith("model name"))
        model = next(named, f":{model}").split(":", 1)[1].strip()
    caches = {}
    for folder in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = ((folder / part).read_text().strip() for part in ("level", "type", "size"))
        caches[f"L{level} {kind.lower()}"] = size
    return {"processor": model, "cores": os.cpu_count(), "caches": caches, "system": platform.platform(),
            "python": platform.python_version(), "compiler": platform.python_compiler()}


def results_of(results: Sequence[dict[str, Any]], absent: Sequence[str], **about: Any) -> dict[str, Any]:
    """Results with all that is needed to say where they come from."""
    load = os.getloadavg() if hasattr(os, "getloadavg") else None
    now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    return {"date": now, "machine": machine(), "load": load, "arguments": sys.argv[1:],
            "absent": list(absent), **about, "results": list(results)}


def write(path: Path, content: dict[str, Any]) -> None:
    """To a temporary name first, so that a stop never leaves half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_suffix(".tmp")
    temporary.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    temporary.replace(path)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns padded to their widest entry, the first left-aligned."""
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        return "  ".join(entry.ljust(width) if i == 0 else entry.rjust(width)
                         for i, (entry, width) in enumerate(zip(row, widths, strict=True))).rstrip()

    return "\n".join([line(header), "  ".join("-" * width for width in widths), *map(line, rows)])
