"""Worst cases for BPE: long texts of one kind, and dictionaries made to be hard; the time of a byte must not grow.

    python -m benchmarks.bpe_linear                  ours, 2^12 to 2^24 bytes, with the counters of tests and visits
    python -m benchmarks.bpe_linear --peers [CASE …]  also the first call of the peers, on shorter texts of these cases

Incremental BPE looks at no more than 2 + log2|chain| tokens a byte, whatever the text. What merges pair by pair keeps a
queue, and a piece of n bytes costs n log n; where tokens are long, finding a pair costs their length too.
"""
import argparse
import base64
import functools
import math
import random
import statistics
import string
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import harness, report
from benchmarks.bpe_peers import (
    Fastokens,
    GigatokenList,
    Quicktok,
    Tiktoken,
    Tokenizers,
    model_json,
    write_ranks,
)
from benchmarks.harness import Peer, Setting
from benchmarks.suite import data

LENGTHS = (2**12, 2**16, 2**20, 2**24)
LONG = 2**16  # what is flat is judged from here: a processor learns every branch of a shorter text that it meets again
PEER_LENGTHS = (2**14, 2**17, 2**20)
HARD_LENGTHS = (2**14, 2**17)  # for the peers on the dictionaries made to be hard
PEER_ROUNDS = 3
COUNTED = 2**14
DEPTH = 4096
FLAT = 1.5
PATTERNS = ("none", "cl100k")


# Texts, of n bytes or a few less

def drawn(letters: str, n: int) -> str:
    return "".join(random.Random(n).choices(letters, k=n))


def is_han(c: str) -> bool:
    """Whether a character is one of the Chinese ones that are in use."""
    return "\u4e00" <= c <= "\u9fff"


@functools.cache
def chinese() -> str:
    """What the multilingual text has of Chinese characters, everything between them left out."""
    text = (data() / "corpora" / "multilingual.txt").read_bytes().decode("utf-8")
    return "".join(filter(is_han, text))


TEXTS: dict[str, Callable[[int], str]] = {
    "a": lambda n: "a" * n,
    "spaces": lambda n: " " * n,
    "newlines": lambda n: "\n" * n,
    "0": lambda n: "0" * n,
    "base64": lambda n: base64.b64encode(random.Random(n).randbytes(3 * n // 4)).decode(),
    "Chinese": lambda n: (chinese() * (n // 3 // len(chinese()) + 1))[:n // 3],
    "letters": lambda n: drawn(string.ascii_letters, n),
}


# Dictionaries

@dataclass(frozen=True)
class Hard:
    """Merges of two letters, in order, and a text that they are hard on."""

    name: str
    merges: Callable[[int], list[tuple[str, str]]]
    text: Callable[[int, int], str]  # of n bytes, for merges of this depth

    def setting(self, folder: Path, depth: int) -> tuple[Setting, Setting]:
        """As a tokenizer.json and as a rank table."""
        merges = self.merges(depth)
        vocabulary = {token: i for i, token in enumerate(["a", "b", *(x + y for x, y in merges)])}
        path = folder / f"{self.name}.json"
        model_json(path, vocabulary, [[x, y] for x, y in merges])
        table = write_ranks(folder / f"{self.name}.tiktoken", {token.encode(): i for token, i in vocabulary.items()})
        return Setting(self.name, path), Setting(self.name, table, pattern="none")


def deep(depth: int) -> list[tuple[str, str]]:
    """ab, aab, aaab, …: each token is made of the one before it, so that the last takes `depth` merges in a row."""
    return [("a", "a" * i + "b") for i in range(depth)]


def chains(depth: int) -> list[tuple[str, str]]:
    """Every run of a's, by doubling and then from the binary digits of its length: each is a suffix of all longer ones,
    and in a long run the longest of them is hardly ever the last token, nor are most of the others."""
    doubled = [2**j for j in range(depth.bit_length() - 1)]
    rest = [m for m in range(3, depth + 1) if m & (m - 1)]
    return [*(("a" * m, "a" * m) for m in doubled),
            *(("a" * (top := 1 << m.bit_length() - 1), "a" * (m - top)) for m in rest)]


def runs(n: int, depth: int) -> str:
    """Runs of up to twice `depth` a's, each with a b behind it."""
    choose, parts, total = random.Random(n), [], 0
    while total < n:
        parts.append("a" * choose.randrange(2 * depth) + "b")
        total += len(parts[-1])
    return "".join(parts)[:n]


# With a b at its end the text is no token, however short: a token is looked up whole.
HARD = (Hard("deep", deep, runs), Hard("chains", chains, lambda n, depth: "a" * (n - 1) + "b"))


# Ours

def counted(bpe: Any, text: bytes) -> dict[str, float]:
    """Range tests and tokens looked at, a byte; raises AssertionError where a byte takes more than its chain allows."""
    from incbpe import Incremental, SuffixAutomaton

    normalized = bpe.normalized()
    automaton = SuffixAutomaton(normalized)
    by_centroid, longest_first = Incremental(normalized), Incremental(normalized, "longest")
    length = functools.cache(lambda k: len(automaton.chain(k)))
    worst = 0
    for i, k in enumerate(automaton.longest(text)):
        visits, tests = by_centroid.visits, by_centroid.tests
        by_centroid.feed(text[i:i + 1])
        visits, tests = by_centroid.visits - visits, by_centroid.tests - tests
        bound = 2 + math.floor(math.log2(length(k)))
        assert max(visits, tests) <= bound, f"byte {i}: {visits} tokens and {tests} tests, where {bound} are allowed"
        worst = max(worst, visits)
    longest_first.extend(text)
    assert longest_first.thetas() == by_centroid.thetas()
    return {"tests": by_centroid.tests / len(text), "visits": by_centroid.visits / len(text), "most": worst,
            "longest_first": longest_first.visits / len(text)}


def ours(name: str, bpe: Any, text: Callable[[int], str], lengths: Sequence[int], rounds: int) -> dict[str, Any]:
    texts = {n: text(n) for n in lengths}
    turns = {str(n): harness.warm_turn(lambda t=t: bpe.encode(t)) for n, t in texts.items()}  # type: ignore[misc]
    seconds = harness.interleaved(turns, rounds)
    ns = {n: 1e9 * statistics.median(times) / len(texts[int(n)].encode()) for n, times in seconds.items()}
    long = [value for n, value in ns.items() if int(n) >= LONG]
    return {"case": name, "ns_per_byte": ns, "spread": max(long) / min(long) if long else None, "rounds": seconds,
            "counts": counted(bpe, text(COUNTED).encode())}


# Peers

def first_calls(name: str, kinds: Sequence[tuple[type[Peer], Setting]], right: Callable[[str], list[int]],
                text: Callable[[int], str], lengths: Sequence[int]) -> list[dict[str, Any]]:
    """Every peer's first call on a text; a second call would measure a cache. Ours, `right`, is in the same rounds."""
    rows: list[dict[str, Any]] = []
    for kind, setting in kinds:
        texts = {n: text(n) for n in lengths}
        peer = harness.fresh(kind, setting)
        try:
            exact = all(peer.row(peer.encode_document(t)) == right(t) for t in texts.values())
        except BaseException as error:  # a panic of Rust is no Exception
            if isinstance(error, KeyboardInterrupt):
                raise
            rows.append({"case": name, "peer": kind.name, "version": kind.version(), "failed": str(error)[:200]})
            continue
        turns = {str(n): harness.cold_turn(kind, setting, "document", [t]) for n, t in texts.items()}
        turns |= {f"ours {n}": harness.warm_turn(lambda t=t: right(t)) for n, t in texts.items()}  # type: ignore[misc]
        seconds = harness.interleaved(turns, PEER_ROUNDS)
        ns = {n: 1e9 * statistics.median(times) / len(texts[int(n.split()[-1])].encode())
              for n, times in seconds.items()}
        rows.append({"case": name, "peer": kind.name, "version": kind.version(), "exact": exact,
                     "ns_per_byte": {str(n): ns[str(n)] for n in lengths},
                     "times_ours": {str(n): ns[str(n)] / ns[f"ours {n}"] for n in lengths}})
    return rows


def summary(results: Sequence[dict[str, Any]], peers: Sequence[dict[str, Any]]) -> str:
    lengths = list(results[0]["ns_per_byte"])
    rows = [[result["case"], *(f"{result['ns_per_byte'][n]:.2f}" for n in lengths),
             "-" if result["spread"] is None else
             f"{result['spread']:.2f}" + ("" if result["spread"] <= FLAT else " !"),
             *(f"{result['counts'][name]:.3f}" for name in ("tests", "visits")), str(result["counts"]["most"]),
             f"{result['counts']['longest_first']:.1f}"] for result in results]
    table = report.table(["ns a byte, ours", *lengths, "max/min", "tests", "visits", "most", "longest first"], rows)
    if not peers:
        return table
    width = max(len(row.get("ns_per_byte", ())) for row in peers)
    first = [[f"{row['case']}: {row['peer']}",
              *([*(f"{n}: {ns:.1f} (x{row['times_ours'][n]:.1f})" for n, ns in row["ns_per_byte"].items()),
                 *[""] * width][:width] if "failed" not in row else [row["failed"][:40], *[""] * (width - 1)]),
              "" if row.get("exact") else "failed" if "failed" in row else "inexact"] for row in peers]
    return table + "\n\n" + report.table(["ns a byte, first call (times ours)", *[""] * width, ""], first)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bpe_linear", description=(__doc__ or "").split("\n")[0])
    every = [*TEXTS, *(hard.name for hard in HARD)]
    parser.add_argument("--peers", nargs="*", choices=every, metavar="CASE",
                        help="also the first call of the peers, on shorter texts: of these cases, or of all")
    parser.add_argument("--rounds", type=int, default=harness.ROUNDS)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--depth", type=int, default=DEPTH, help="of the hard dictionaries' merges")
    parser.add_argument("--cases", nargs="+", default=every, choices=every)
    parser.add_argument("--output", type=Path, default=report.folder() / "bpe_linear.json")
    options = parser.parse_args(argv)
    compared = every if options.peers == [] else options.peers or ()
    core = harness.pin()
    from incbpe import BPE

    vocabulary = data() / "vocabs" / "cl100k_base.tiktoken"
    rivals: tuple[type[Peer], ...] = (Tiktoken, Tokenizers, GigatokenList, Fastokens, Quicktok)
    present = [peer for peer in rivals if peer.version() is not None]
    results, peers = [], []
    for pattern in PATTERNS:
        bpe = BPE.from_file(vocabulary, pattern=pattern, cache=0)     # it would know a short text by heart
        setting = Setting("cl100k", vocabulary, pattern=pattern)
        able = [peer for peer in present if (peer in (Tiktoken, Tokenizers)) or pattern != "none"]
        for case in [case for case in options.cases if case in TEXTS]:
            name = f"{case}, {pattern}"
            results.append(ours(name, bpe, TEXTS[case], options.lengths, options.rounds))
            if case in compared:
                kinds = [(peer, setting) for peer in able if peer is not Tokenizers or pattern == "none"]
                peers += first_calls(name, kinds, lambda text, bpe=bpe: bpe.encode(text).tolist(),  # type: ignore[misc]
                                     TEXTS[case], PEER_LENGTHS)
            print(name, file=sys.stderr, flush=True)
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        for hard in [hard for hard in HARD if hard.name in options.cases]:
            as_json, as_ranks = hard.setting(Path(folder), options.depth)
            bpe = BPE.from_file(as_json.vocabulary, cache=0)
            text = functools.partial(lambda n, hard: hard.text(n, options.depth), hard=hard)
            results.append(ours(f"{hard.name}, {options.depth}", bpe, text, options.lengths, options.rounds))
            if hard.name in compared:
                kinds = [(Tiktoken, as_ranks), (Tokenizers, as_json)]
                peers += first_calls(hard.name, kinds, lambda text, bpe=bpe: bpe.encode(text).tolist(),  # type: ignore[misc]
                                     text, HARD_LENGTHS)
            print(hard.name, file=sys.stderr, flush=True)
    absent = [peer.name for peer in rivals if peer not in present]
    report.write(options.output, report.results_of(results, absent, core=core, depth=options.depth, first_calls=peers))
    print(summary(results, peers))


if __name__ == "__main__":
    main()
