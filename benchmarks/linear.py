"""Worst cases for longest-match tokenizers: long words whose time a character must not grow (n edges, n moves).

    python -m benchmarks.linear            ours, 10^5 to 10^7 letters, with the step counter
    python -m benchmarks.linear --peers    also the first call of every peer on shorter words

LinMaxMatch makes at most n goto edges and n failure moves on n bytes. A tokenizer that goes back to the end of the
last match after a failed longer one pays up to n times the longest token.
"""
import argparse
import functools
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import harness, report
from benchmarks.harness import Peer, Setting
from benchmarks.peers import REFERENCE, NanotokenArray, Ours, SplintrArray, Tokie

SPECIAL = ["[UNK]"]
CHAIN = ["a" * k for k in range(1, 9)]
LONG = "a" * 64 + "b"
LENGTHS = (10**5, 10**6, 10**7)
PEER_LENGTHS = (2**17, 2**18, 2**19)
REFERENCE_LENGTHS = (2**10, 2**11, 2**12)  # its time grows with more than the square of the length
FLAT = 1.3
EVERY: tuple[type[Peer], ...] = (Ours, REFERENCE, NanotokenArray, SplintrArray, Tokie)


@dataclass(frozen=True)
class Case:
    """A vocabulary of these bodies, each as a first and as a later piece, and the word of n letters."""

    name: str
    bodies: tuple[str, ...]
    word: Callable[[int], str]
    tokens: Callable[[int], int]  # how many ids the word has

    def vocabulary(self, folder: Path) -> Path:
        path = folder / f"{self.name}.txt"
        path.write_text("\n".join([*SPECIAL, *self.bodies, *("##" + body for body in self.bodies)]) + "\n")
        return path


CASES = (
    Case("single", ("a",), lambda n: "a" * n, lambda n: n),
    Case("chain", tuple(CHAIN), lambda n: "a" * n, lambda n: -(-n // 8)),
    Case("chain, last letter unknown", tuple(CHAIN), lambda n: "a" * (n - 1) + "b", lambda n: 1),
    Case("almost a long token", ("a", LONG), lambda n: "a" * n, lambda n: n),
)


def without_limit(vocabulary: Path, longest: int) -> Setting:
    return Setting(vocabulary.stem, vocabulary, clean=False, lowercase=False, max_chars_per_word=2 * longest)


def count_steps(engine: Any, case: Case, lengths: Sequence[int]) -> dict[int, tuple[int, int]]:
    """The goto edges and failure moves of each word; fails if a bound of the paper is passed."""
    steps = {}
    for n in lengths:
        word = case.word(n)
        edges, moves = engine.steps(word)
        assert edges <= n and moves <= n, f"{case.name}: {edges} edges and {moves} moves on {n} letters"
        assert len(engine.encode_word(word)) == case.tokens(n), f"{case.name}: wrong number of ids"
        steps[n] = (edges, moves)
    if case.name == "single":  # with V = {a, ##a} both bounds are met: no letter is read for less
        assert all(found == (n, n) for n, found in steps.items()), f"{case.name}: {steps}"
    return steps


def ours(case: Case, folder: Path, lengths: Sequence[int], rounds: int) -> dict[str, Any]:
    from linmaxmatch.wordpiece import WordPiece

    load = functools.partial(WordPiece.from_file, case.vocabulary(folder), normalizer=None, max_chars_per_word=None)
    engine, plain = load(), load(cache=0)
    steps = count_steps(engine, case, lengths)
    words = {str(n): case.word(n) for n in lengths}
    per_call: dict[str, Callable[[str], Any]] = {"word": engine.encode_word, "text": engine.encode, "off": plain.encode}
    turns = {f"{call} {n}": harness.warm_turn(lambda encode=encode, word=word: encode(word))  # type: ignore[misc]
             for call, encode in per_call.items() for n, word in words.items()}
    seconds = harness.interleaved(turns, rounds)
    ns = {name: 1e9 * statistics.median(times) / int(name.split()[1]) for name, times in seconds.items()}
    flat = {call: max(values) / min(values) for call in per_call
            for values in [[value for name, value in ns.items() if name.startswith(call)]]}
    return {"case": case.name, "ns_per_letter": ns, "spread": flat, "steps": {str(n): steps[n] for n in lengths},
            "rounds": seconds}


def first_calls(case: Case, folder: Path, kinds: Sequence[type[Peer]], rounds: int) -> list[dict[str, Any]]:
    """Every peer's first call on one word; a second call would measure a cache."""
    rows = []
    for kind in kinds:
        lengths = REFERENCE_LENGTHS if kind is REFERENCE else PEER_LENGTHS
        setting = without_limit(case.vocabulary(folder), lengths[-1])
        turns = {str(n): harness.cold_turn(kind, setting, "document", [case.word(n)]) for n in lengths}
        peer = harness.fresh(kind, setting)
        exact = all(len(peer.row(peer.encode_document(case.word(n)))) == case.tokens(n) for n in lengths)
        seconds = harness.interleaved(turns, rounds)
        rows.append({"case": case.name, "peer": kind.name, "version": kind.version(), "exact": exact,
                     "ns_per_letter": {n: 1e9 * statistics.median(times) / int(n) for n, times in seconds.items()}})
    return rows


def summary(results: Sequence[dict[str, Any]], peers: Sequence[dict[str, Any]]) -> str:
    names, spreads = list(results[0]["ns_per_letter"]), list(results[0]["spread"])
    rows = []
    for result in results:
        longest = max(result["steps"], key=int)
        edges, moves = result["steps"][longest]
        rows.append([result["case"], *(f"{result['ns_per_letter'][name]:.2f}" for name in names),
                     *(f"{value:.2f}" + ("" if value <= FLAT else " !") for value in result["spread"].values()),
                     f"{edges / int(longest):.6f}", f"{moves / int(longest):.6f}"])
    header = ["ns a letter, ours", *names, *(f"max/min {call}" for call in spreads), "edges/n", "moves/n"]
    if not peers:
        return report.table(header, rows)
    first = [[f"{row['peer']}: {row['case']}", *(f"{n}: {value:.1f}" for n, value in row["ns_per_letter"].items()),
              "" if row["exact"] else "inexact"] for row in peers]
    first_header = ["ns a letter, first call", "short", "", "long", ""]
    return report.table(header, rows) + "\n\n" + report.table(first_header, first)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.linear", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--peers", action="store_true", help="also the first call of every peer, on shorter words")
    parser.add_argument("--rounds", type=int, default=harness.ROUNDS)
    parser.add_argument("--lengths", type=int, nargs="+", default=LENGTHS)
    parser.add_argument("--output", type=Path, default=report.folder() / "linear.json")
    options = parser.parse_args(argv)
    core = harness.pin()
    present = [peer for peer in EVERY if peer.version() is not None]
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
        folder = Path(name)
        results, peers = [], []
        for case in CASES:
            results.append(ours(case, folder, options.lengths, options.rounds))
            if options.peers:
                peers += first_calls(case, folder, present, options.rounds)
            print(case.name, file=sys.stderr, flush=True)
    absent = [peer.name for peer in EVERY if peer not in present]
    report.write(options.output, report.results_of(results, absent, core=core, first_calls=peers))
    print(summary(results, peers))


if __name__ == "__main__":
    main()
