"""The pictures and tables of the results, beside them: results/README.md and results/*.svg.

    python -m benchmarks.page            draws them from the JSON files in the results
    python -m benchmarks.page --check    fails where one is not what those files give
"""
import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import charts, report
from benchmarks.charts import Series
from benchmarks.linear import PEER_LENGTHS

OURS = "linmaxmatch"
NAMES = ("linmaxmatch", "nanotoken", "splintr", "tokie", "tokenizers")      # in this order in every picture
Json = dict[str, Any]


def named(peers: Iterable[str]) -> list[str]:
    """Ours first, then the peers in their order, each array before its list."""
    return sorted(peers, key=lambda peer: (NAMES.index(peer.split()[0]), "table" in peer, "list" in peer))


def words(content: Json) -> str:
    """Figure 2: nanoseconds a word by its length."""
    rows: list[Json] = content["results"]
    series = [Series(name, tuple((row["length"], row["ns"][name]) for row in rows), name.startswith(OURS))
              for name in named(rows[0]["ns"]) if not name.endswith("list") or name == "nanotoken list"]
    title = "Nanoseconds a word, by its length; 119,547 entries, no clean-up, warm"
    return charts.lines(title, "characters of the word", series)


def throughput(content: Json) -> str:
    """MB/s of every warm cell of the uncased vocabulary, arrays and lists apart."""
    rows: list[tuple[str, Mapping[str, float]]] = []
    for result in content["results"]:
        cell = result["cell"]
        if (cell["setting"], cell["state"]) != ("uncased", "warm"):
            continue
        for kind in ("array", "list"):
            found = {name.split()[0]: timing["mb_per_s"] for name, timing in result["peers"].items()
                     if timing["kind"] == kind and timing["exact"]}
            rows.append((f"{cell['corpus']}, {cell['call']}, {kind}s", found))
    return charts.dots("Megabytes a second, uncased BERT with full clean-up, warm", "MB/s of UTF-8", rows, NAMES)


def rewind(content: Json) -> str:
    """How many times as dear aⁿ is where each letter might begin the long token, against a … a⁸."""
    length = str(PEER_LENGTHS[-1])
    found = {(row["peer"], row["case"]): row["ns_per_letter"].get(length)
             for row in content["first_calls"] if row["exact"]}
    rows = []
    for peer in named({peer for peer, _ in found}):
        chain, long = found[peer, "chain"], found.get((peer, "almost a long token"))
        if chain is not None and long is not None:
            note = f"× {long / chain:.1f}: {long:.1f} ns a letter, not {chain:.1f}"
            rows.append((peer.split()[0], long / chain, note))
    return charts.bars("{a, ##a, a⁶⁴b, ##a⁶⁴b} and aⁿ, against {a … a⁸, ##a … ##a⁸}: the first call, n = 2¹⁹", rows)


def where(content: Json) -> str:
    machine = content["machine"]
    load = f", load {content['load'][0]:.0f}" if content.get("load") else ""
    return (f"{machine['processor']}, {machine['cores']} cores{load}, Python {machine['python']}, "
            f"{content['date'][:10]}. Only ratios within one table mean anything.")


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in (header, ["---", *["---:"] * (len(header) - 1)], *rows))


def table_three(content: Json) -> str:
    """Table 3: the mean and the 95th percentile, nanoseconds."""
    table: Json = content["table"]
    rows = [[name, *(f"{table[kind][name][value]:,.0f}" for kind in ("word", "text") for value in ("mean", "p95"))]
            for name in named(table["word"])]
    return markdown(["ns a call", "word, mean", "word, 95 %", "text, mean", "text, 95 %"], rows)


def against(result: Json, kind: str) -> tuple[str, float]:
    """The best exact peer of this kind, and how many times its speed ours is."""
    peers = {name: timing["seconds"] for name, timing in result["peers"].items()
             if timing["kind"] == kind and timing["exact"]}
    ours = peers.pop(f"{OURS} {kind}")
    best = min(peers, key=lambda name: peers[name])
    return best.split()[0], peers[best] / ours


def cells(content: Json) -> str:
    rows = []
    for result in content["results"]:
        cell, (array, by_array), (list_, by_list) = result["cell"], against(result, "array"), against(result, "list")
        reference = min(result["peers"][f"{OURS} {kind}"]["times_reference"] for kind in ("array", "list"))
        rows.append([f"{cell['corpus']}, {cell['setting']}, {cell['call']}, {cell['state']}", f"{by_array:.2f} {array}",
                     f"{by_list:.2f} {list_}", f"{reference:.0f}"])
    return markdown(["cell", "arrays / best exact peer", "lists / best exact peer", "at least × tokenizers"], rows)


def threads(content: Json) -> str:
    return markdown(["text", "× one thread", "the machine then", "CPU time, of one thread's"],
                    [[row["corpus"], f"{row['times']:.2f}", f"{row['machine']:.2f}", f"{row['cpu']:.2f}"]
                     for row in content["results"]])


def linear(content: Json) -> str:
    rows = [[row["case"], *(f"{value:.2f}" for value in row["ns_per_letter"].values()),
             f"{max(row['spread'].values()):.2f}"] for row in content["results"]]
    return markdown(["ns a letter", *content["results"][0]["ns_per_letter"], "max / min"], rows)


def made(folder: Path) -> dict[str, str]:
    """Every file that the results give, by its name."""
    files: dict[str, str] = {}
    page = ["# Results", "", "Made by `python -m benchmarks.page` from the JSON files here: `../README.md` defines"
            " them.", ""]

    def section(title: str, name: str, tables: Sequence[str], pictures: Mapping[str, str]) -> None:
        content: Json = json.loads((folder / name).read_text(encoding="utf-8"))
        page.extend([f"## {title}", "", f"`{name}`: {where(content)}", ""])
        for table in tables:
            page.extend([TABLES[table](content), ""])
        for picture, function in pictures.items():
            if function == "rewind" and not content["first_calls"]:     # a run without --peers
                continue
            files[f"{picture}.svg"] = PICTURES[function](content)
            page.extend([f"![{title}]({picture}.svg)", ""])

    every = "wordpiece.json" if (folder / "wordpiece.json").exists() else "wordpiece-slice.json"
    for title, name, tables, pictures in (
            ("WordPiece against its peers", every, ["cells"], {"texts": "throughput"}),
            ("Single words and texts", "words.json", ["table_three"], {"words": "words"}),
            ("What the failure links buy", "linear.json", ["linear"], {"rewind": "rewind"}),
            ("A second thread", "threads.json", ["threads"], {})):
        if (folder / name).exists():
            section(title, name, tables, pictures)
    files["README.md"] = "\n".join(page)
    return files


TABLES = {"cells": cells, "table_three": table_three, "linear": linear, "threads": threads}
PICTURES = {"throughput": throughput, "words": words, "rewind": rewind}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail where a file is another")
    options = parser.parse_args(argv)
    stale = []
    for name, content in made(report.folder()).items():
        path = report.folder() / name
        if options.check and (not path.exists() or path.read_text(encoding="utf-8") != content):
            stale.append(name)
        elif not options.check:
            path.write_text(content, encoding="utf-8")
    if stale:
        raise SystemExit(f"not what the results give (python -m benchmarks.page): {', '.join(stale)}")


if __name__ == "__main__":
    main()
