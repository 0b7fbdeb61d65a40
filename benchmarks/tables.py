"""The tables of the results in Markdown: from the content of a JSON file what a page shows of it."""
from collections.abc import Sequence
from typing import Any

from benchmarks.pictures import OURS, named

Json = dict[str, Any]


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in (header, ["---", *["---:"] * (len(header) - 1)], *rows))


def where(content: Json) -> str:
    machine = content["machine"]
    load = f", load {content['load'][0]:.0f}" if content.get("load") else ""
    return (f"{machine['processor']}, {machine['cores']} cores{load}, Python {machine['python']}, "
            f"{content['date'][:10]}. Only ratios within one table mean anything.")


# WordPiece and BPE against their peers

def against(result: Json, kind: str) -> str:
    """How many times the speed of the best exact peer of this kind ours is, and who that is."""
    peers = {name: timing["seconds"] for name, timing in result["peers"].items()
             if timing["kind"] == kind and timing["exact"]}
    ours = next((peers.pop(name) for name in list(peers) if name.split()[0] in OURS), None)
    if ours is None or not peers:
        return "–"
    best = min(peers, key=lambda name: peers[name])
    return f"{peers[best] / ours:.2f} {best.split()[0]}"


def cells(content: Json) -> str:
    """Every cell: ours against the best, against the reference, and against what was timed beside it."""
    beside = sorted({name for result in content["results"] for name in result.get("beside", {})})
    rows = []
    for result in content["results"]:
        cell, ours = result["cell"], [peer for name, peer in result["peers"].items() if name.split()[0] in OURS]
        times = [peer["times_reference"] for peer in ours if peer["times_reference"] is not None]
        rows.append([f"{cell['corpus']}, {cell['setting']}, {cell['call']}, {cell['state']}", against(result, "array"),
                     against(result, "list"), f"{min(times):.{int(min(times) < 10)}f} {result['reference']}" if times
                     else "–", *(f"1/{min(peer['seconds'] for peer in ours) / result['beside'][name]:.0f}"
                                 if name in result.get("beside", {}) else "–" for name in beside)])
    header = ["cell", "arrays / best exact peer", "lists / best exact peer", "at least × the reference",
              *(f"of {name}" for name in beside)]
    return markdown(header, rows)


def table_three(content: Json) -> str:
    """Table 3 of the first paper: the mean and the 95th percentile, nanoseconds."""
    table: Json = content["table"]
    rows = [[name, *(f"{table[kind][name][value]:,.0f}" for kind in ("word", "text") for value in ("mean", "p95"))]
            for name in named(table["word"])]
    return markdown(["ns a call", "word, mean", "word, 95 %", "text, mean", "text, 95 %"], rows)


def threads(content: Json) -> str:
    return markdown(["text", "× one thread", "the machine then", "with a core each", "CPU time, of one thread's"],
                    [[row["corpus"], *(f"{row[name]:.2f}" for name in ("times", "machine", "own_cores", "cpu"))]
                     for row in content["results"]])


# Worst cases

def linear(content: Json) -> str:
    rows = [[row["case"], *(f"{value:.2f}" for value in row["ns_per_letter"].values()),
             f"{max(row['spread'].values()):.2f}"] for row in content["results"]]
    return markdown(["ns a letter", *content["results"][0]["ns_per_letter"], "max / min"], rows)


def bpe_linear(content: Json) -> str:
    """Ours: time a byte, and the counters that no machine changes."""
    lengths = list(content["results"][0]["ns_per_byte"])
    rows = [[row["case"], *(f"{row['ns_per_byte'][n]:.1f}" for n in lengths),
             "–" if row["spread"] is None else f"{row['spread']:.2f}", f"{row['counts']['tests']:.2f}",
             f"{row['counts']['visits']:.2f}", str(row["counts"]["most"]), f"{row['counts']['longest_first']:.1f}"]
            for row in content["results"]]
    return markdown(["ns a byte, by the text's bytes", *(f"{int(n):,}" for n in lengths), "max / min from 65,536",
                     "tests a byte", "tokens looked at", "at most", "longest first"], rows)


def first_calls(content: Json) -> str:
    """The peers' first calls on the longest text that all were given, in times of ours in the same rounds."""
    rows: list[Json] = [row for row in content["first_calls"] if "failed" not in row]
    peers = list(dict.fromkeys(row["peer"] for row in rows))
    found = {(row["case"], row["peer"]): list(row["times_ours"].values())[-1] for row in rows if row["exact"]}
    cases = list(dict.fromkeys(row["case"] for row in rows))
    return markdown(["first call, times ours", *peers], [
        [case, *(f"{found[case, peer]:.1f}" if (case, peer) in found else "–" for peer in peers)]
        for case in cases]) if rows else ""


def bpe_rust(content: Json) -> str:
    names = list(dict.fromkeys(peer for result in content["results"] for peer in result["exact"]))
    rows = [[f"{result['setting']}: {result['text']}", f"{result['ns_per_byte']['incbpe']:.1f}",
             *(f"{result['times_ours'][name]:.2f}" if result["exact"].get(name) else "–" for name in names)]
            for result in content["results"]]
    return markdown(["", "ours, ns a byte", *(f"{name}, times ours" for name in names)], rows)


# Streams, loading

def streams(content: Json) -> str:
    rows = []
    for result in content["results"]:
        rows.append([f"{result['setting']}: {result['corpus']}",
                     *(f"{result['overhead'][way]:.2f}" for way in ("chain", "in chunks")),
                     *(streamed(result["cells"] and result["cells"][kind]) for kind in ("chunks", "bytes"))])
    return markdown(["time of a stream / at once", "all of it", "by 4,096 bytes",
                     "by 4,096 bytes: speed / best exact peer's, the line again", "by single bytes: the same"], rows)


def streamed(cell: Json | None) -> str:
    if cell is None or cell["best"] is None:
        return "-"
    return f"{cell['ratio']:.2f} {cell['best'].removeprefix('again, ')}"


def feeds(content: Json) -> str:
    rows = []
    for result in content["results"]:
        feed, counts = result["latency_ns"], result["counts"]
        looked = [f"{counts[kind][key]:.3g}" for kind in ("tests", "visits") for key in ("mean", "99.99 %", "most")
                  ] if counts is not None else ["-"] * 6
        rows.append([f"{result['setting']}: {result['corpus']}", *(f"{feed[q]:,.0f}" for q in feed), *looked])
    feed = content["results"][0]["latency_ns"]
    return markdown(["feed of a byte, ns:", *feed, "tests", "99.99 %", "most", "visits", "99.99 %", "most"], rows)


def arrivals(content: Json) -> str:
    rows = []
    for result in content["results"]:
        found = result["arrival"]
        for way, ns in found["ns"].items():
            held = [f"{by[key]:.3g}" if (by := found["held"].get(way)) else "-" for key in ("mean", "99 %", "most")]
            rows.append([f"{result['setting']}: {result['corpus']}, {way}", *(f"{ns[q]:,.0f}" for q in ns), *held])
    ns = content["results"][0]["arrival"]["ns"]["stream"]
    return markdown(["16 bytes come, ns:", *ns, "bytes held back", "99 %", "most"], rows)


def loading(content: Json) -> str:
    rows = []
    for result in content["results"]:
        base = result["peers"][result["reference"]]["load_ms"]
        rows += [[f"{result['vocabulary']}: {name}", f"{peer['load_ms']:.2f}", f"{peer['load_ms'] / base:.3f}",
                  f"{peer['rss_mb']:.1f}"] for name, peer in result["peers"].items() if peer["exact"]]
    return markdown(["file to first ids", "CPU ms", "/ the reference", "MB more resident"], rows)
