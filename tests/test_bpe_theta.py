"""θ of every prefix by each search, on small dictionaries, against T by the definition."""
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import Dictionary, DictionaryError, Incremental, SuffixAutomaton, normalize, theta
from proofs.bpe_compiled import dictionary
from proofs.bpe_worlds import every_world, random_worlds, texts
from proofs.definitions import bpe as definition

SEARCHES = ("centroid", "longest", "root")


def compare(D: definition.Dictionary, words: list[str], semantics: str) -> None:
    """θ of every prefix, and T, by every search that the form has."""
    tokenize = definition.T if semantics == "equation" else definition.PQ
    N = normalize(dictionary(D), semantics)
    for s in words:
        expected = [definition.θ(D, s[:t], tokenize) for t in range(1, len(s) + 1)]
        assert theta(N, s) == expected
        for search in ("pairs",) if N.form == "pairs" else SEARCHES:
            inc = Incremental(N, search)
            assert [inc.feed(symbol) for symbol in s] == expected == inc.thetas(), search
            assert inc.tokens() == tokenize(D, s) and len(inc) == len(s)
            assert inc.search == search and inc.tests <= inc.visits


def test_vectors(vectors):
    cases = json.loads((vectors / "bpe_theta.json").read_text(encoding="utf-8"))["cases"]
    assert len(cases) >= 200
    for case in cases:
        N = normalize(dictionary(definition.Dictionary(frozenset(case["atoms"]), tuple(map(tuple, case["rules"])))))
        for search in SEARCHES:
            inc = Incremental(N, search)
            assert [inc.feed(symbol) for symbol in case["input"]] == case["expected_theta"]
            assert inc.tokens() == case["expected_tokens"]


def test_vectors_of_rank_bpe(vectors):
    cases = json.loads((vectors / "bpe_rank.json").read_text(encoding="utf-8"))["cases"]
    forms = set()
    for case in cases:
        D = definition.Dictionary(frozenset(case["atoms"]), tuple(map(tuple, case["rules"])))
        N = normalize(dictionary(D), "rank")
        forms.add(N.form)
        assert theta(N, case["input"]) == case["expected_rank_theta"]
    assert "pairs" in forms


@pytest.mark.parametrize("semantics", ["equation", "rank"])
def test_small_worlds(deep, semantics):
    for D in every_world()[::1 if deep else 37]:
        compare(D, texts(D)[-2:], semantics)


@pytest.mark.parametrize("semantics", ["equation", "rank"])
@given(world=random_worlds(unknown=True))
def test_random_worlds(semantics, world):
    compare(*world, semantics)


@given(random_worlds(unknown=True), st.data())
def test_an_unknown_symbol_is_an_atom_without_rules(world, data):
    D, words = world
    known = definition.Dictionary(D.atoms | {"?"}, D.rules)
    for s in words:
        assert theta(normalize(dictionary(D)), s) == theta(normalize(dictionary(known)), s)


@given(random_worlds(unknown=True, texts=1, longest=30), st.data())
def test_there_and_back(world, data):
    """Feeds, pops, checkpoints and restores in any order leave what a fresh run gives."""
    D, (source,) = world
    inc = Incremental(normalize(dictionary(D)))
    feeds, s, kept = 0, [], []              # s: (number of the feed, symbol)
    for _ in range(data.draw(st.integers(1, 12))):
        action = data.draw(st.sampled_from(["extend", "feed", "pop", "checkpoint", "restore"]))
        if action in ("extend", "feed"):
            more = source[data.draw(st.integers(0, len(source))):] if action == "extend" else source[:1]
            (inc.extend if action == "extend" else inc.feed)(more)
            s += enumerate(more, feeds)
            feeds += len(more)
        elif action == "pop":
            k = data.draw(st.integers(0, len(s)))
            inc.pop(k)
            del s[len(s) - k:]
        elif action == "checkpoint":
            kept.append((inc.checkpoint(), list(s)))
        elif kept:
            checkpoint, then = data.draw(st.sampled_from(kept))
            if s[:len(then)] == then:
                inc.restore(checkpoint)
                s = list(then)
            else:
                with pytest.raises(ValueError, match="taken back"):
                    inc.restore(checkpoint)
        assert len(inc) == len(s)
    assert inc.tokens() == definition.T(D, "".join(symbol for _, symbol in s))
    inc.check()


def test_a_checkpoint_stands_while_its_symbols_do():
    inc = Incremental(normalize(Dictionary(["a", "b", "ab"], [("a", "b")])))
    nothing = inc.checkpoint()
    inc.extend("ab")
    here = inc.checkpoint()
    for tail in ("aaa", "b", ""):
        inc.extend(tail)
        inc.restore(here)
        assert inc.tokens() == ["ab"]
    inc.pop()
    with pytest.raises(ValueError, match="symbols of the 2 that the checkpoint had were taken back"):
        inc.restore(here)
    inc.feed("b")                           # the same symbol, and yet another feed
    with pytest.raises(ValueError, match="taken back"):
        inc.restore(here)
    inc.restore(nothing)
    assert inc.tokens() == [] and len(inc) == 0
    with pytest.raises(ValueError, match="of another text"):
        Incremental(normalize(Dictionary(["a"], []))).restore(here)
    with pytest.raises(TypeError):
        inc.restore(3)


def test_what_follows_a_restore_costs_the_tail_only():
    inc = Incremental(normalize(Dictionary(["a", "aa"], [("a", "a")])), "longest")
    inc.extend("a" * 100_000)
    here, before = inc.checkpoint(), inc.visits
    for _ in range(100):
        inc.extend("aaa")
        inc.restore(here)
    assert inc.visits - before <= 600


@pytest.mark.parametrize("symbol", ["ab", "", b"a", 97, None])
def test_a_symbol_is_one_character(symbol):
    inc = Incremental(normalize(Dictionary(["a", "b", "ab"], [("a", "b")])))
    with pytest.raises(ValueError if isinstance(symbol, str) else TypeError):
        inc.feed(symbol)
    assert len(inc) == 0


def test_bytes_and_their_numbers():
    inc = Incremental(normalize(Dictionary([b"\xff", b"\x00", b"\xff\x00"], [(b"\xff", b"\x00")])))
    assert [inc.feed(symbol) for symbol in (b"\xff", 0, 1, b"\x00")] == [b"\xff", b"\xff\x00", b"\x01", b"\x00"]
    assert inc.tokens() == [b"\xff\x00", b"\x01", b"\x00"]
    inc.check()
    for symbol in (256, -1):
        with pytest.raises(ValueError, match="no byte"):
            inc.feed(symbol)


@given(st.text("aé中𝄞\ud800\udfff\0", max_size=30))
def test_any_characters(s):
    inc = Incremental(normalize(Dictionary(["a", "é", "𝄞", "aé", "é𝄞"], [("é", "𝄞"), ("a", "é")])))
    inc.extend(s)
    assert "".join(inc.tokens()) == s
    inc.check()


def test_wrong_arguments():
    N = normalize(Dictionary(["a", "aa"], [("a", "a")]))
    with pytest.raises(ValueError, match="search: expected 'centroid', 'longest', 'root' or 'pairs', got 'best'"):
        Incremental(N, "best")
    with pytest.raises(DictionaryError, match="the form 'rules' of this dictionary"):
        Incremental(N, "pairs")
    with pytest.raises(DictionaryError, match="the form 'pairs' of this dictionary"):
        Incremental(normalize(Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")]), "rank"), "centroid")
    inc = Incremental(N)
    for k, error in ((1, ValueError), (-1, ValueError), ("1", TypeError)):
        with pytest.raises(error, match="k: expected"):
            inc.pop(k)
    with pytest.raises(TypeError, match="expected str"):
        inc.extend(b"a")
    assert theta(N, "") == [] and repr(inc) == "<Incremental of 0 symbols, search='centroid'>"


@pytest.mark.parametrize("longest", [1, 2, 3, 4, 5, 8, 60])
def test_visits_of_one_symbol(longest):
    """At most 2 + ⌊log₂ |chain(k)|⌋, the first test of k included; longest first walks much of the chain at times."""
    rules: list[tuple[str, str]] = []
    for n in range(2, longest + 1):
        rules.append(tuple(definition.T(definition.Dictionary(frozenset("a"), tuple(rules)), "a" * n)))
    N = normalize(Dictionary(["a" * n for n in range(1, longest + 1)], rules))
    automaton = SuffixAutomaton(N)
    inc, walk = Incremental(N, "centroid"), Incremental(N, "longest")
    s = "a" * (9 * longest) + "?" + "a" * longest + "".join(random.Random(longest).choices("aaaaaaaa?", k=100))
    most = 0
    for symbol, k in zip(s, automaton.longest(s), strict=True):
        before, walked = inc.visits, walk.visits
        assert inc.feed(symbol) == walk.feed(symbol)
        most = max(most, walk.visits - walked)
        if k is not None:
            assert inc.visits - before <= 2 + len(k).bit_length() - 1      # |chain(k)| = |k| here
    assert most > longest // 2


@pytest.mark.parametrize("n", [5, 64, 500])
def test_visits_down_a_long_way(n):
    """Suffixes of a text of different letters hang one below the other, and the longest token of all is not valid."""
    text = "".join(map(chr, range(0x4E00, 0x4E00 + n)))
    rules = [*((text[i], text[i + 1:]) for i in range(n - 2, -1, -1)), ("y", "x"), ("x", text)]
    N = normalize(Dictionary([*text, "x", "y", *(x + y for x, y in rules)], rules))
    for search, most in (("centroid", 2 + (n + 1).bit_length() - 1), ("root", n), ("longest", 2)):
        inc = Incremental(N, search)
        inc.extend("yx" + text[:-1])
        before = inc.visits
        assert inc.feed(text[-1]) == text and SuffixAutomaton(N).longest("yx" + text)[-1] == "x" + text
        assert inc.visits - before <= most
    assert inc.tokens() == ["yx", text]


@given(random_worlds(longest=40))
def test_visits_are_bounded(world):
    D, words = world
    N = normalize(dictionary(D))
    automaton = SuffixAutomaton(N)
    for s in words:
        inc = Incremental(N, "centroid")
        for symbol, k in zip(s, automaton.longest(s), strict=True):
            before = inc.visits
            inc.feed(symbol)
            assert inc.visits - before <= 2 + len(automaton.chain(k)).bit_length() - 1
