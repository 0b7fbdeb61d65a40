"""The notation layer on real vocabularies: its size, its answers, its time."""
import random
import time
from itertools import pairwise

import pytest

from linmaxmatch import (
    Steps,
    Trie,
    Vocabulary,
    e2e_wordpiece,
    lin_max_match,
    match_loop,
    original_wordpiece,
    precompute,
    precompute_e2e,
)

BERT, MULTILINGUAL = "bert-base-uncased-vocab.txt", "multilingual-cased-wordpiece.txt"


@pytest.fixture(scope="module")
def vocabularies(data):
    return {name: Vocabulary((data / "vocabs" / name).read_bytes().decode().rstrip("\n").split("\n"), unk_token="[UNK]")
            for name in (BERT, MULTILINGUAL)}


@pytest.mark.parametrize(("name", "roots", "expected"), [
    (BERT, 1, {"tokens": 30_522, "nodes": 64_583, "pops": 76_131, "most pops": 5, "no link": 18}),
    (BERT, 2, {"tokens": 30_522, "nodes": 72_447, "pops": 84_041, "most pops": 5, "no link": 18}),
    (MULTILINGUAL, 1, {"tokens": 119_547, "nodes": 221_392, "pops": 224_002, "most pops": 5, "no link": 2}),
    (MULTILINGUAL, 2, {"tokens": 119_547, "nodes": 278_304, "pops": 281_370, "most pops": 5, "no link": 3}),
])
def test_sizes(vocabularies, name, roots, expected):
    V = vocabularies[name]
    T = Trie(V, roots)
    tables = precompute(T)
    pops = [len(tables.F(v)) for v in range(len(T))]
    assert expected == {"tokens": len(V), "nodes": len(T), "pops": sum(pops), "most pops": max(pops),
                        "no link": sum(tables.f(v) is None for v in range(len(T)))}


@pytest.mark.parametrize("name", [BERT, MULTILINGUAL])
@pytest.mark.parametrize("form", [(1, "characters"), (2, "bytes")])
def test_structures_and_words(vocabularies, data, name, form):
    V = vocabularies[name]
    tables = precompute(Trie(V, *form))
    tables.trie.check()
    tables.check()
    text = (data / "corpora" / "sentences82.txt").read_text(encoding="utf-8")
    words = {word.lower() if name == BERT else word for word in text.split()}
    pieces = random.Random(1).sample(V.tokens, 3_000)
    words |= {first + second for first, second in pairwise(pieces)} | {"##", "##ing", "###"}
    for word in words:
        assert lin_max_match(tables, word) == original_wordpiece(V, word)


def test_failure_moves_per_character(vocabularies, data):
    text = (data / "corpora" / "english.txt").read_text(encoding="utf-8")[:200_000].lower()
    tables = precompute(Trie(vocabularies[BERT]))
    steps, characters = Steps(), 0
    for word in text.split():
        i = match_loop(tables, word, steps=steps)[2]
        characters += i
    assert steps.edges == characters and 0 < steps.moves <= characters


def test_whole_texts(vocabularies, data):
    V = vocabularies[MULTILINGUAL]
    E = precompute_e2e(V)
    E.check()
    text = (data / "corpora" / "sentences82.txt").read_text(encoding="utf-8")
    split = "".join(f" {c} " if E.punctuation(c) else c for c in text).split()
    assert e2e_wordpiece(E, text) == [piece for word in split for piece in original_wordpiece(V, word)]


def test_building_is_quick(vocabularies):
    """A guard against a slip into quadratic time: it takes some 0.1 s."""
    V = vocabularies[MULTILINGUAL]
    begun = time.perf_counter()
    precompute(Trie(Vocabulary(V.tokens, unk_token="[UNK]"), roots=2, symbols="bytes"))
    assert time.perf_counter() - begun < 3
