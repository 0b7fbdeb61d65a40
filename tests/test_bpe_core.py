"""T_r, T_D and rank BPE against the definitions: vectors, both families of small worlds, random worlds, long texts."""
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import Dictionary, T, apply_rule, rank_bpe
from incbpe.bpe import trace
from proofs.bpe_compiled import dictionary
from proofs.bpe_worlds import PAIR_WORLDS, RUN_WORLDS, every_world, random_worlds, texts
from proofs.definitions import bpe as definition


def given_dictionary(case):
    """The dictionary of a vector: its tokens are the atoms, and the parts and products of the rules."""
    parts = [token for x, y in case["rules"] for token in (x, y, x + y)]
    return Dictionary(list(dict.fromkeys([*case["atoms"], *parts])), case["rules"])


@pytest.mark.parametrize("name", ["bpe_final.json", "bpe_rank.json"])
def test_vectors(vectors, name):
    cases = json.loads((vectors / name).read_text(encoding="utf-8"))["cases"]
    assert len(cases) >= 150
    for case in cases:
        D, s = given_dictionary(case), case["input"]
        D.check()
        assert T(D, s) == case["expected_standard"]
        if name == "bpe_final.json":
            assert rank_bpe(D, s) == case["expected_priority_queue"]
        else:
            assert rank_bpe(D, s) == case["expected_rank_tokens"]
            assert [rank_bpe(D, s[:i + 1])[-1] for i in range(len(s))] == case["expected_rank_theta"]


def test_vectors_of_rank_tables(vectors):
    cases = json.loads((vectors / "bpe_tiktoken_rank.json").read_text(encoding="utf-8"))["cases"]
    assert len(cases) >= 150
    for case in cases:
        D, s = Dictionary.from_ranks({z.encode(): rank for z, rank in case["rank"].items()}), case["input"].encode()
        assert [[x.decode(), y.decode()] for x, y in D.merges] == case["all_splits_rules"]
        assert [z.decode() for z in rank_bpe(D, s)] == case["expected_merge_only"]
        assert [z.decode() for z in T(D, s)] == case["expected_standard_all_splits"]
        if s in D and case["input"] in case["rank"]:
            assert case["expected_piece"] == [case["input"]]


def test_both_families_whole(deep):
    """Every world of both; all of its texts in the long form, else those of one residue."""
    worlds = every_world()
    assert len(worlds) == RUN_WORLDS + PAIR_WORLDS == 1_957 + 7_241
    for k, W in enumerate(worlds):
        D = dictionary(W)
        for s in texts(W) if deep else texts(W)[k % 7::7]:
            assert T(D, s) == definition.T(W, s), (W, s)
            assert rank_bpe(D, s) == definition.PQ(W, s), (W, s)


@given(random_worlds(texts=4, longest=40, unknown=True))
def test_random_worlds(world):
    W, some = world
    D = dictionary(W)
    for s in some:
        tokens = list(s)
        for i, rule in enumerate(W.rules):
            after = apply_rule(D, i, tokens)
            assert after == definition.apply_rule(rule, tokens)
            tokens = after
        assert T(D, s) == tokens
        assert rank_bpe(D, s) == definition.PQ(W, s)
        assert trace(D, s) == (definition.PQ(W, s), definition.rules_merged(W, s))
        found, fired = trace(D, s, "equation")
        assert found == tokens and list(dict.fromkeys(fired)) == definition.rules_fired(W, s)


@given(random_worlds(texts=1), st.integers(60, 70), st.integers(0, 10**9))
def test_texts_for_the_heap(world, n, seed):
    """From 65 symbols on pairs come from a heap."""
    W, some = world
    draw = random.Random(seed)
    s = "".join(draw.choice([*W.tokens, *some, "?"]) for _ in range(n))[draw.randrange(3):][:2 * n]
    D = dictionary(W)
    assert T(D, s) == definition.T(W, s)
    assert trace(D, s) == (definition.PQ(W, s), definition.rules_merged(W, s))


def test_symbols():
    D = Dictionary(["é", "éé", "😀", "é😀"], [("é", "é"), ("é", "😀")])
    assert T(D, "ééé😀") == ["éé", "é😀"] == rank_bpe(D, "ééé😀")
    assert T(D, "\ud83d\ude00é") == ["\ud83d", "\ude00", "é"]       # a pair of surrogates is two symbols here
    D = Dictionary([b"\xff", b"\0", b"\0\xff"], [(b"\0", b"\xff")])
    assert rank_bpe(D, b"\0\0\xffa\xff") == [b"\0", b"\0\xff", b"a", b"\xff"]


@pytest.mark.parametrize("run", [T, rank_bpe, trace])
def test_wrong_types(run):
    with pytest.raises(TypeError, match="expected str, as the tokens are, got bytes"):
        run(Dictionary(["a"], []), b"a")
    with pytest.raises(TypeError, match="expected bytes, as the tokens are, got str"):
        run(Dictionary([b"a"], []), "a")
    with pytest.raises(TypeError):
        run(None, "a")


def test_wrong_rules():
    D = Dictionary(["a", "aa"], [("a", "a")])
    for i in (1, -1):
        with pytest.raises(IndexError, match=f"{i} is no rule: expected 0 to 0"):
            apply_rule(D, i, ["a"])
    with pytest.raises(TypeError, match="a rule is an int, got str"):
        apply_rule(D, "0", ["a"])
    with pytest.raises(TypeError, match="expected str"):
        apply_rule(D, 0, [b"a"])


def test_a_long_text():
    """Depth 20 doubled: a million symbols, where looking for the lowest pair again each time would never end."""
    tokens = ["a" * 2**k for k in range(21)]
    D = Dictionary(tokens, [(t, t) for t in tokens[:-1]])
    assert T(D, "a" * (2**20 + 5)) == ["a" * 2**20, "aaaa", "a"] == rank_bpe(D, "a" * (2**20 + 5))
