"""The figures of docs/scale.md, from corpus.json: what stands there between two marks."""
import re
from pathlib import Path
from typing import Any

from benchmarks.tables import markdown

Json = dict[str, Any]
BEGIN, END = "<!-- figures:begin -->", "<!-- figures:end -->"
NAMES = {"uncased": "WordPiece, BERT's 30,522 entries", "cl100k": "BPE, cl100k"}
WAYS = ("alone", "corpus", "JSON lines")
SHARD = 256e6


def command(results: Json) -> str:
    """MB/s and CPU time on one core and on two."""
    rows = []
    for found in results["speeds"]:
        speeds: Json = found["speeds"]
        for way in WAYS:
            one, two = (speeds[f"{way}, {cores}"] for cores in ("1 core", "2 cores"))
            alone = [speeds[f"alone, {cores}"]["mb_s"] for cores in ("1 core", "2 cores")]
            rows.append([f"{NAMES[found['setting']]}: {way}", f"{one['mb_s']:.0f}", f"{two['mb_s']:.0f}",
                         f"{two['mb_s'] / one['mb_s']:.2f}",
                         f"{one['mb_s'] / alone[0]:.2f}, {two['mb_s'] / alone[1]:.2f}",
                         f"{one['cpu_s_per_gb']:.1f}, {two['cpu_s_per_gb']:.1f}", f"{two['peak_mb']:.0f}"])
        disk = speeds["disk, 2 cores"]
        rows.append([f"{NAMES[found['setting']]}: from and to the disk", "", f"{disk['mb_s']:.0f}", "", "",
                     f"{disk['cpu_s_per_gb']:.1f}", f"{disk['peak_mb']:.0f}"])
    return markdown(["MB/s of text", "1 core", "2 cores", "2 / 1", "of alone: 1, 2 cores", "CPU s/GB: 1, 2 cores",
                     "MB resident"], rows)


def stages(results: Json) -> str:
    unit = {True: "ids", False: "text"}
    return markdown(["stage", "MB/s", "how many at once"], [
        [stage, f"{speed:,.0f} of {unit[stage.startswith(('check', 'plain'))]}",
         "the disk" if "the disk" in stage else
         "one thread" if stage.startswith(("read", "checksum")) else "all threads"]
        for stage, speed in results["stages"].items()])


def long_run(run: Json) -> str:
    parts = run["parts"][:10]
    table = markdown(["tenth of the run", *map(str, range(1, len(parts) + 1))], [
        ["MB of ids a second", *(f"{part['ids_mb_s']:.1f}" for part in parts)],
        ["MB resident", *(f"{part['resident_mb']:.0f}" for part in parts)]])
    return (f"{run['bytes'] / 1e9:.1f} GB in {run['seconds']:.0f} s, {run['mb_s']:.0f} MB/s of text, at most "
            f"{run['peak_mb']:.0f} MB resident ({NAMES[run['setting']]}):\n\n{table}")


def terabytes(results: Json) -> str:
    """Computed from the CPU time of one core, plain text in; of gzip and JSON lines what their stages add."""
    size, stages = results["speeds"][0]["bytes"], results["stages"]
    hours = {NAMES[found["setting"]]: found["speeds"]["corpus, 1 core"]["cpu_s_per_gb"] * 1000 / 3600
             for found in results["speeds"]}
    more = {f"+ {name}": 1e6 / stages[name] / 3600 for name in stages
            if name == "read, gzip" or name.startswith("JSON")}
    rows = [[name, f"{each:.1f} core-hours", f"{100 * each:,.0f} core-hours"] for name, each in (hours | more).items()]
    ids = {found["setting"]: found["tokens"] / size for found in results["speeds"]}
    widths = {"uncased": 2, "cl100k": 4}
    rows += [[f"ids written: {NAMES[name]}", f"{each * widths[name]:.2f} TB", f"{100 * each * widths[name]:.0f} TB"]
             for name, each in ids.items()]
    rows.append(["shards of 256 MB", f"{1e12 / SHARD:,.0f}", f"{1e14 / SHARD:,.0f}"])
    return markdown(["", "1 TB", "100 TB"], rows)


def figures(content: Json) -> str:
    results, machine = content["results"][0], content["machine"]
    load = f", load average {content['load'][0]:.0f} when it ended" if content.get("load") else ""
    size, rounds = results["speeds"][0]["bytes"] / 1e6, len(next(iter(results["speeds"][0]["runs"].values())))
    parts = [f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}, "
             f"{content['date'][:10]}{load}; {size:.0f} MB of text, rounds: {rounds}.",
             "### The command", command(results), "### Its stages, on one core", stages(results)]
    parts += ["### From beginning to end", *map(long_run, results["long"])] if "long" in results else []
    return "\n\n".join([*parts, "### One terabyte, a hundred", terabytes(results)])


def page(path: Path, content: Json) -> str:
    """The page with the figures in their place."""
    text = path.read_text(encoding="utf-8")
    return re.sub(f"{BEGIN}.*{END}", lambda _: f"{BEGIN}\n{figures(content)}\n{END}", text, flags=re.DOTALL)
