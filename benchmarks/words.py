"""Time against word length, and the mean and the 95th percentile of a word's and a text's time: Figure 2 and Table 3 of
the paper, with the vocabulary and the clean text of its section 5.

    python -m benchmarks.words

Figure 2: words of one length, different ones, joined by spaces, in one call that was made before; the time of a word.
Table 3: one call a word, and one a text (the 82 languages' sentences); what a call takes, of every word and text by
itself, over all of them. Ours also without its table of words seen lately, so that every word is matched.
"""
import argparse
import random
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks import harness, report
from benchmarks.harness import Peer, Setting, fresh
from benchmarks.peers import OTHERS, OURS, REFERENCE, Ours
from benchmarks.wordpiece import setting, texts

LENGTHS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 50, 60)     # characters
SAMPLE = 4_096          # words of one length; where there are fewer, they come again
CORPORA = ("english", "multilingual", "code")
INPUTS = 1_000          # words, and texts, that are timed one by one
CALLS = 20              # of one input, for one reading of the clock


class OursNoTable(Ours):
    name = "linmaxmatch array, no table"

    def load(self, setting: Setting) -> None:
        super().load(replace(setting, cache=False))


EVERY: tuple[type[Peer], ...] = (REFERENCE, *OTHERS, *OURS, OursNoTable)


def words_of(sources: Sequence[str]) -> list[str]:
    """What the pre-tokenizer makes of the texts."""
    from tokenizers.pre_tokenizers import BertPreTokenizer

    split = BertPreTokenizer().pre_tokenize_str
    return [word for text in sources for word, _ in split(text)]


def by_length(words: Sequence[str], seed: int = 1) -> dict[int, list[str]]:
    """SAMPLE words of each length, the different ones in random order."""
    found: dict[int, set[str]] = defaultdict(set)
    for word in words:
        found[len(word)].add(word)
    sample = {}
    for length in LENGTHS:
        different = sorted(found[length])
        if different:
            random.Random(seed).shuffle(different)
            sample[length] = (different * (SAMPLE // len(different) + 1))[:SAMPLE]
    return sample


def must_equal(right: Sequence[list[int]], peers: dict[str, Peer], inputs: Sequence[str]) -> dict[str, int]:
    """How many inputs differ, for each peer; ours never."""
    wrong = {name: sum(peer.row(peer.encode_line(text)) != ids for text, ids in zip(inputs, right, strict=True))
             for name, peer in peers.items()}
    for name in (kind.name for kind in EVERY if issubclass(kind, Ours)):
        if wrong.get(name):
            raise harness.NotEqualError(f"{name} differs on {wrong[name]} of {len(inputs)} inputs")
    return wrong


def one_by_one(encode: Callable[[str], object], inputs: Sequence[str]) -> list[float]:
    """Nanoseconds that a call takes, of each input."""
    taken = []
    for text in inputs:
        start = time.process_time_ns()
        for _ in range(CALLS):
            encode(text)
        taken.append((time.process_time_ns() - start) / CALLS)
    return taken


def percentile(values: Sequence[float], part: float) -> float:
    """The smallest value that so large a part of the values does not exceed."""
    return sorted(values)[max(0, -(-int(part * 100) * len(values) // 100) - 1)]


def table_three(peers: dict[str, Peer], inputs: Sequence[str], rounds: int) -> dict[str, dict[str, float]]:
    """Of each peer: the mean and the 95th percentile of what an input takes, its median round, nanoseconds a call."""
    taken: dict[str, list[list[float]]] = {name: [] for name in peers}
    for _ in range(rounds):
        for name, peer in peers.items():
            taken[name].append(one_by_one(peer.encode_line, inputs))
    of_inputs = {name: [statistics.median(each) for each in zip(*times, strict=True)] for name, times in taken.items()}
    return {name: {"mean": statistics.fmean(values), "p95": percentile(values, 0.95)}
            for name, values in of_inputs.items()}


def figure_two(loaded: dict[str, Peer], sample: dict[int, list[str]], rounds: int) -> list[dict[str, Any]]:
    """Nanoseconds a word, by length."""
    rows = []
    for length, words in sample.items():
        text = " ".join(words)
        right = loaded[REFERENCE.name].row(loaded[REFERENCE.name].encode_document(text))
        wrong = must_equal([right], loaded, [text])
        seconds = harness.interleaved({name: harness.warm_turn(harness.one_pass(peer, "document", [text]))
                                       for name, peer in loaded.items()}, rounds)
        rows.append({"length": length, "bytes": sum(len(word.encode()) for word in words) / len(words),
                     "different": len(set(words)), "exact": {name: not count for name, count in wrong.items()},
                     "ns": {name: 1e9 * statistics.median(times) / len(words) for name, times in seconds.items()}})
        print(f"{length} characters", file=sys.stderr, flush=True)
    return rows


def summary(figure: Sequence[dict[str, Any]], table: dict[str, dict[str, dict[str, float]]]) -> str:
    names = list(figure[0]["ns"])
    lengths = report.table(["ns a word of n characters", *names],
                           [[str(row["length"]), *(f"{row['ns'][name]:.0f}" for name in names)] for row in figure])
    calls = report.table(["ns a call", *(f"{kind} {value}" for kind in table for value in ("mean", "p95"))],
                         [[name, *(f"{table[kind][name][value]:.0f}" for kind in table for value in ("mean", "p95"))]
                          for name in names])
    return lengths + "\n\n" + calls


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.words", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=harness.ROUNDS)
    parser.add_argument("--slice", type=int, metavar="BYTES", default=2_000_000,
                        help="words are drawn from the first whole lines within so many bytes of each text")
    parser.add_argument("--inputs", type=int, default=INPUTS)
    parser.add_argument("--output", type=Path, default=report.folder() / "words.json")
    options = parser.parse_args(argv)
    core = harness.pin()
    kinds = [peer for peer in EVERY if peer.version() is not None]
    loaded = {kind.name: fresh(kind, setting("none")) for kind in kinds}
    words = words_of([line for corpus in CORPORA for line in texts(corpus, options.slice, "none")])
    sentences = texts("sentences82", None, "none")
    inputs = {"word": random.Random(2).sample(words, options.inputs), "text": sentences[:options.inputs]}
    table, exact = {}, {}
    for kind, these in inputs.items():
        reference = loaded[REFERENCE.name]
        exact[kind] = must_equal([reference.row(reference.encode_line(text)) for text in these], loaded, these)
        table[kind] = table_three(loaded, these, options.rounds)
    figure = figure_two(loaded, by_length(words), options.rounds)
    absent = [peer.name for peer in EVERY if peer not in kinds]
    report.write(options.output, report.results_of(figure, absent, core=core, table=table, differing=exact,
                                                   versions={kind.name: kind.version() for kind in kinds}))
    print(summary(figure, table))


if __name__ == "__main__":
    main()
