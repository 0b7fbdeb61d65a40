"""Canonical tokens and rules, properness, the three forms, the repair and the pair test, against the definitions."""
import base64
import json
import random
from itertools import product

import pytest
from hypothesis import given

from incbpe import Dictionary, DictionaryError, T, normalize, rank_bpe
from incbpe.boundary import Boundary
from incbpe.bytemap import names_to_bytes
from incbpe.pairs import Pairs
from incbpe.repair import Overlaps, repair
from proofs.bpe_compiled import dictionary
from proofs.bpe_worlds import every_world, random_worlds, texts
from proofs.definitions import bpe as definition

SEMANTICS = {"equation": definition.T, "rank": definition.PQ}


def given_dictionary(case):
    parts = [token for x, y in case["rules"] for token in (x, y, x + y)]
    return Dictionary(list(dict.fromkeys([*case["atoms"], *parts])), case["rules"])


def compare(W, semantics):
    """Everything that normalize says of a world."""
    D, tokenize = dictionary(W), SEMANTICS[semantics]
    N = normalize(D, semantics)
    N.check()
    Boundary(D).check()
    assert N.proper == definition.proper(W)
    assert N.form == "rules" or (semantics == "rank" and not N.proper)
    for z in W.tokens:
        assert N.is_canonical(z) == (z in definition.canonical(W, tokenize))
        if N.is_canonical(z):
            assert N.pre(z) == definition.pre(W, z, tokenize)
            assert N.suc(z) == definition.suc(W, z, tokenize)
            if N.form != "reordered":
                assert N.prio(z) == definition.prio(W, z, tokenize)
    assert len(N) == N.n == len(definition.canonical(W, tokenize))
    return N


@pytest.mark.parametrize("name", ["bpe_final.json", "bpe_rank.json"])
def test_vectors(vectors, name):
    for case in json.loads((vectors / name).read_text(encoding="utf-8"))["cases"]:
        D = given_dictionary(case)
        if name == "bpe_final.json":
            N = normalize(D)
            found = {z: -1 if N.prio(z) is None else N.prio(z) for z in D.tokens if N.is_canonical(z)}
            assert found == case["canonical"]
        else:
            N = normalize(D, "rank")
            assert sorted(filter(N.is_canonical, D.tokens)) == sorted(case["rank_canonical"])
        N.check()
        assert N.proper == case["proper"]


def test_both_families_whole():
    forms = {"rules": 0, "reordered": 0, "pairs": 0}
    for W in every_world():
        compare(W, "equation")
        N = compare(W, "rank")
        forms[N.form] += 1
        if N.form == "reordered":       # D′ = N.rules gives PQ on every text of the world
            D = Dictionary(sorted(W.tokens), N.rules)
            assert all(T(D, s) == rank_bpe(N.dictionary, s) for s in texts(W))
    assert forms == {"rules": 7_504, "reordered": 789, "pairs": 905}


@given(random_worlds(texts=4, longest=30))
def test_random_worlds(world):
    W, some = world
    compare(W, "equation")
    N = compare(W, "rank")
    served = Dictionary(sorted(W.tokens), N.rules)
    for s in some:
        if N.form == "pairs":           # PQ's canonical rules alone, in their order, are PQ
            assert rank_bpe(served, s) == definition.PQ(W, s)
        else:
            assert T(served, s) == definition.PQ(W, s)


# -------------------------------------------------------------------------------------------------- the pair test

def pairs_agree(W):
    D = dictionary(W)
    P = Pairs(D)
    P.check()
    canonical = [z for z in D.tokens if P.is_canonical(z)]
    for w, z in product(canonical, canonical):
        assert P.pair(w, z) == (rank_bpe(D, w + z) == [w, z]), (W, w, z)
    return len(canonical)**2


def test_pairs_of_both_families():
    assert sum(map(pairs_agree, every_world())) == 85_626


@given(random_worlds(texts=1))
def test_pairs_of_random_worlds(world):
    pairs_agree(world[0])


def test_pairs_that_an_easier_walk_gets_wrong():
    """Two blocks under one leading rule on the right: what came between counts, though v grew under that rule too."""
    found = 0
    draw = random.Random(5)
    for _ in range(400):
        tokens, rules = ["a", "b"], []
        for _ in range(14):
            rule = draw.choice(tokens), draw.choice(tokens)
            if rule not in rules and len(rule[0] + rule[1]) <= 14:
                rules.append(rule)
                tokens = list(dict.fromkeys([*tokens, rule[0] + rule[1]]))
        draw.shuffle(rules)
        found += pairs_agree(definition.Dictionary(frozenset("ab"), tuple(rules)))
    assert found > 20_000


def test_pairs_refuse():
    P = Pairs(Dictionary(["a", "aa", "aaa", "b"], [("aa", "a"), ("a", "a")]))
    assert P.is_canonical("aaa") and P.pair("b", "aaa")
    P = Pairs(Dictionary(["a", "aa", "aab", "b"], [("a", "a")]))
    with pytest.raises(DictionaryError, match="'aab' is not canonical"):
        P.pair("a", "aab")
    with pytest.raises(DictionaryError, match="'ba' is not among the tokens"):
        P.pair("ba", "a")


# ----------------------------------------------------------------------------------------------------- the repair

def key(W, z, first):
    """The place of z's rule in D′: the peak of its trace, what follows the peak's first or last occurrence, itself."""
    fired = definition.rules_merged(W, z)
    peak = max(fired)
    return peak, len(fired) - 1 - fired.index(peak) if first else fired[::-1].index(peak), fired[-1]


def repaired(W, overlaps=True):
    """The repair as Appendix A and its correction have it: every overlap is tried, from first to last."""
    canonical = definition.canonical(W, definition.PQ)
    for first in (True, False):
        keys = sorted(key(W, z, first) for z in canonical if len(z) > 1)
        R = definition.Dictionary(W.atoms, tuple(W.rules[own] for _, _, own in keys))
        D, E = dictionary(W), Dictionary(sorted(W.tokens), R.rules)
        if not all(T(E, z) == rank_bpe(D, z) == rank_bpe(E, z) for z in W.tokens):
            continue
        tried = [w[:-k] + z for w in canonical for z in canonical for k in range(1, min(len(w), len(z)))
                 if w.endswith(z[:k]) and w[:-k] in canonical and z[k:] in canonical] if overlaps else []
        if all(T(E, s) == rank_bpe(D, s) for s in tried):
            return R.rules
    return None


def equal_everywhere(W, R, longest):
    D, E = dictionary(W), Dictionary(sorted(W.tokens), R)
    return all(T(E, s) == rank_bpe(D, s) for n in range(1, longest + 1)
               for s in map("".join, product(sorted(W.atoms), repeat=n)))


def repairs_agree(W, longest):
    """The verdict is that of trying every overlap, and what is accepted is right on every string up to a length."""
    R, said = repair(dictionary(W))
    expected = repaired(W)
    assert (R.merges if R else None) == expected, said
    if R:
        R.check()
        assert equal_everywhere(W, R.merges, longest)
    return R


def test_repairs_of_both_families(deep):
    improper = [W for W in every_world() if not definition.proper(W)]
    assert len(improper) == 1_694
    assert sum(repairs_agree(W, 9 if deep else 6) is not None for W in improper) == 789


@given(random_worlds(texts=1, which=lambda W: not definition.proper(W)))
def test_random_repairs(world):
    repairs_agree(world[0], {1: 16, 2: 8, 3: 5, 4: 4}[len(world[0].atoms)])


def made_on_the_way(W, z):
    """z and its parts, their parts, and so on, by the canonical rules of rank BPE."""
    x, y = definition.pre(W, z, definition.PQ), definition.suc(W, z, definition.PQ)
    return [z] if x is None else [z, *made_on_the_way(W, x), *made_on_the_way(W, y)]


def overlaps_agree(W):
    """The overlaps are those of the argument: a moved rule's product in PQ's way, its peak's twice in D′'s."""
    canonical = sorted(definition.canonical(W, definition.PQ))
    keys = sorted(key(W, z, True) for z in canonical if len(z) > 1)
    moved = [("".join(W.rules[peak]), "".join(W.rules[own])) for peak, _, own in keys if peak != own]
    made = {z: made_on_the_way(W, z) for z in canonical}
    expected = set()
    for w, z in product(canonical, canonical):
        for k in range(1, min(len(w), len(z))):
            if w.endswith(z[:k]) and w[:-k] in canonical and z[k:] in canonical:
                ways = (w[:-k], z), (w, z[k:])
                expected |= {(w, z) for (w, z), (a, b) in (ways, ways[::-1]) for peak, own in moved
                             if own in made[w] + made[z] and (made[a] + made[b]).count(peak) > 1}
    R = Dictionary(sorted(W.tokens), [W.rules[own] for _, _, own in keys])
    found = set(Overlaps(R).pairs([(R.id(peak), R.id(own)) for peak, own in moved])) - {None}
    assert {(R.token(w), R.token(z)) for w, z in found} == expected
    return len(expected)


def test_overlaps_of_both_families():
    assert sum(overlaps_agree(W) for W in every_world() if not definition.proper(W)) > 1_000


@given(random_worlds(texts=1, which=lambda W: not definition.proper(W)))
def test_random_overlaps(world):
    overlaps_agree(world[0])


def test_tokens_alone_do_not_verify_a_repair():
    W = definition.Dictionary(frozenset("a"), (("aa", "a"), ("a", "a")))
    R = repaired(W, overlaps=False)
    assert R is not None and not equal_everywhere(W, R, 4) and equal_everywhere(W, R, 3)
    assert repair(dictionary(W)) == (
        None, "by the peak's first occurrence it differs on 'aaaa', by its last it differs on 'aaaa'")


@pytest.mark.parametrize(("rules", "reordered"), [
    ([("ba", "ba"), ("b", "ba"), ("b", "a")], True),            # serves by the first occurrence
    ([("ab", "ab"), ("ab", "b"), ("a", "b")], True),            # by the last
    ([("ab", "c"), ("a", "b")], True),
    ([("aa", "a"), ("a", "a")], False),
])
def test_known_repairs(rules, reordered):
    W = definition.Dictionary(frozenset("".join(x + y for x, y in rules)), tuple(rules))
    N = compare(W, "rank")
    assert N.form == ("reordered" if reordered else "pairs")
    assert ("another order" in N.reason) == reordered and (N.pairs is None) == reordered
    repairs_agree(W, 7)


def test_it_gives_up_on_too_many_overlaps(monkeypatch):
    monkeypatch.setattr("incbpe.repair.MOST_LOOKS", 0)
    N = normalize(Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")]), "rank")
    assert N.form == "pairs" and "takes more than 0 looks for overlaps" in N.reason


# ----------------------------------------------------------------------------------------------- real vocabularies

@pytest.mark.parametrize(("name", "tokens", "rules"), [
    ("gpt2", 50_256, 108_299), ("cl100k_base", 100_256, 233_378), ("o200k_base", 199_998, 446_189),
    ("qwen", 151_643, 294_166),
])
def test_rank_tables_of_real_models(data, name, tokens, rules):
    lines = (data / f"vocabs/{name}.tiktoken").read_bytes().splitlines()
    D = Dictionary.from_ranks({base64.b64decode(z): int(rank) for z, rank in map(bytes.split, lines)})
    assert len(D) == tokens and len(D.merges) == rules
    for semantics in ("equation", "rank"):
        N = normalize(D, semantics)
        assert (N.n, N.proper, N.form) == (tokens, True, "rules")


def test_llama_3(data):
    """Improper on 107 tokens, and repaired."""
    model = json.loads((data / "vocabs/llama3-tokenizer.json").read_text(encoding="utf-8"))["model"]
    tokens = names_to_bytes(model["vocab"])
    merges = [tuple(names_to_bytes(pair.split(" "))) for pair in model["merges"]]
    D = Dictionary(tokens, merges)
    equation, rank = normalize(D), normalize(D, "rank")
    assert (equation.n, rank.n, rank.proper, rank.form) == (127_305, 127_412, False, "reordered")
    assert rank.reason.endswith("verified on 128000 tokens and 19 overlaps")
    assert sum(rank.is_canonical(z) != equation.is_canonical(z) for z in tokens) == 107
    R = repair(D)[0]
    moved = [z for z in tokens if rank.is_canonical(z) and not equation.is_canonical(z)]
    draw = random.Random(3)
    for _ in range(4_000):
        s = b"".join(draw.choice(moved if draw.random() < 0.6 else tokens) for _ in range(4))
        s = s[draw.randrange(4):len(s) - draw.randrange(4)]
        assert T(R, s) == rank_bpe(D, s)
