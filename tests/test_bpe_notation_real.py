"""The notation layer of incbpe on real vocabularies: sizes, answers, and how much a search looks at."""
import time
from functools import cache
from importlib import import_module

import pytest

from incbpe import (
    CentroidTree,
    Dictionary,
    Incremental,
    Normalized,
    SuccessorForest,
    SuffixAutomaton,
    SuffixSuccessorTree,
    loading,
    normalize,
    rank_bpe,
)

Machine = import_module("incbpe.theta").Machine        # `incbpe.theta` itself is the function
FILES = {"gpt2": "gpt2.tiktoken", "cl100k": "cl100k_base.tiktoken", "o200k": "o200k_base.tiktoken",
         "qwen": "qwen.tiktoken", "llama3": "llama3-tokenizer.json"}


@pytest.fixture(scope="module")
def normalized(data):
    """N of a vocabulary by name, each made once."""
    @cache
    def make(name: str, semantics: str = "rank") -> Normalized:
        model = loading.load(data / "vocabs" / FILES[name], pattern=None if name == "llama3" else "gpt2").model
        if model.merges is not None:
            return normalize(Dictionary(model.tokens, model.merges), semantics)
        return normalize(Dictionary.from_ranks({t: rank for rank, t in enumerate(model.tokens) if t}), semantics)

    return make


def chain_lengths(automaton: SuffixAutomaton) -> list[int]:
    return [len(automaton.chain(z)) for z in automaton.N.dictionary.tokens if z and automaton.N.is_canonical(z)]


@pytest.mark.parametrize(("name", "semantics", "canonical", "longest_chain", "mean_chain", "depth", "states"), [
    ("gpt2", "rank", 50_256, 23, 4.47, 7, 98_024),
    ("cl100k", "rank", 100_256, 86, 4.72, 8, 216_750),
    ("o200k", "rank", 199_998, 84, 4.42, 7, 421_661),
    ("qwen", "rank", 151_643, 86, 4.18, 8, 333_010),
    ("llama3", "equation", 127_305, 86, 4.52, 8, 272_158),
    ("llama3", "rank", 127_412, 86, 4.52, 8, 272_493),
])
def test_sizes(normalized, name, semantics, canonical, longest_chain, mean_chain, depth, states):
    N = normalized(name, semantics)
    automaton = SuffixAutomaton(N)
    lengths = chain_lengths(automaton)
    assert (N.n, automaton.states, SuccessorForest(N).depth()) == (canonical, states, depth)
    assert (max(lengths), round(sum(lengths) / N.n, 2)) == (longest_chain, mean_chain)
    assert automaton.nbytes < 120 * states      # a full table has 1,024 bytes a state
    assert Machine(N).nbytes < 140 * states


@pytest.mark.parametrize("name", ["gpt2", "o200k"])
def test_structures(normalized, name, deep):
    N = normalized(name)
    forest, automaton = SuccessorForest(N), SuffixAutomaton(N)
    forest.check()
    if deep or name == "gpt2":
        automaton.check()
    chains = sorted((automaton.chain(z) for z in forest.preorder()), key=len)
    for chain in chains[::5_000] + chains[-20:]:
        tree = CentroidTree(SuffixSuccessorTree(forest, automaton, chain[0]))
        tree.check()
        assert tree.tree.chain() == chain


def per_byte(N: Normalized, text: bytes) -> tuple[float, float, float]:
    """Visits a byte of each search; the answers are the same."""
    runs = [Incremental(N, search) for search in ("longest", "root", "centroid")]
    for inc in runs:
        inc.extend(text)
    assert runs[0].tokens() == runs[1].tokens() == runs[2].tokens()
    return tuple(inc.visits / len(text) for inc in runs)


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "qwen", "llama3"])
@pytest.mark.parametrize("corpus", ["english", "code", "multilingual"])
def test_visits_on_text(normalized, data, deep, name, corpus):
    text = (data / "corpora" / f"{corpus}.txt").read_bytes()[:2_000_000 if deep else 200_000]
    longest, root, centroid = per_byte(normalized(name), text)
    assert 1.05 < centroid < 1.25 and 1.05 < longest < 1.25 and 1.4 < root < 2.3


@pytest.mark.parametrize("name", ["cl100k", "o200k", "qwen", "llama3"])
def test_visits_on_runs_of_spaces(normalized, name):
    longest, root, centroid = per_byte(normalized(name), b" " * 20_000)
    assert 30 < longest < 50 and root < 6 and centroid < 6


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "llama3"])
def test_visits_of_one_byte(normalized, data, name):
    """At most 2 + ⌊log₂ |chain(k)|⌋, the first test of k included."""
    N = normalized(name)
    automaton, inc = SuffixAutomaton(N), Incremental(N)
    length = cache(lambda k: len(automaton.chain(k)))
    text = b" " * 700 + b"a" * 100 + b"=" * 200 + b"\n" * 200 + b"ab" * 50
    text += (data / "corpora" / "code.txt").read_bytes()[:9_000]
    for byte, k in zip(text, automaton.longest(text), strict=True):
        before = inc.visits
        inc.feed(byte)
        assert inc.visits - before <= 2 + length(k).bit_length() - 1


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "qwen", "llama3"])
@pytest.mark.parametrize("corpus", ["english", "code", "multilingual"])
def test_texts(normalized, data, name, corpus):
    """T of a text without pieces is rank BPE of it."""
    N = normalized(name)
    text = (data / "corpora" / f"{corpus}.txt").read_bytes()[100_000:103_000] + b" " * 150 + b"=" * 90
    inc = Incremental(N)
    inc.extend(text)
    assert inc.tokens() == rank_bpe(N.dictionary, text)


def test_building_is_quick(normalized):
    """A guard against a slip into quadratic time: it takes some 0.1 s, and twice that with every check on."""
    N = normalized("o200k")
    begun = time.process_time()
    Incremental(N)
    SuccessorForest(N)
    assert time.process_time() - begun < 3
