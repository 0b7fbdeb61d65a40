"""The trace of θ, the tables of the forest and of a token's trees, and the figures: against the notation layer."""
import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import (
    BPE,
    CentroidTree,
    Dictionary,
    DictionaryError,
    Incremental,
    SuccessorForest,
    SuffixAutomaton,
    SuffixSuccessorTree,
    normalize,
    theta,
)
from incbpe.default import default_tokenizer_path
from incbpe.inspect import figures
from incbpe.loading import load
from incbpe.model import Config, Model
from incbpe.table import show_forest, show_trees
from incbpe.trace import Tracer, dictionary_of, named
from subwordio.added import AddedToken

SEARCHES = ("longest", "root", "centroid")
PAPER = ["a b", "b b", "ab b"]


def dictionary(case):
    merges = [tuple(rule) for rule in case["rules"]]
    return Dictionary(list(dict.fromkeys([*case["atoms"], *(t for x, y in merges for t in (x, y, x + y))])), merges)


def check(N, text, search=None):
    """The trace against θ, and every test against its definition."""
    tracer = Tracer(N, search)
    run = tracer.trace(text)
    steps = list(run)
    assert [step.theta for step in steps] == (theta(N, text) if len(text) else [])
    inc = Incremental(N, tracer.search)
    inc.extend(text)
    assert run.tokens() == inc.tokens()
    if tracer.search != "centroid":         # there short chains are walked
        assert sum(len(step.tests) for step in steps) == inc.visits
    history = [None, *(step.theta if step.longest is not None else None for step in steps)]
    for t, step in enumerate(steps, 1):
        assert (step.t, step.symbol) == (t, text[t - 1:t])
        assert (step.longest is None) == (step.tests == ())
        for test in step.tests:
            assert text[:t].endswith(test.token)
            if tracer.forest is None:
                assert test.valid == (test.why in ("whole", "pair"))
                assert test.w == history[t - len(test.token)]
                continue
            suc = N.suc(test.token)
            before = None if suc is None else history[t - len(suc)]
            assert test.valid == tracer.forest.valid_by_walking(test.token, before)
            assert test.w == before
            assert (test.why == "atom") == (suc is None)
            assert (test.why == "after pre") == (suc is not None and before == N.pre(test.token))
            if test.c is not None:
                assert N.suc(test.c) == N.pre(test.token)
                assert (N.prio(test.c) > N.prio(test.token)) == (test.why == "later")
    assert str(run).split("\n")[-1] == "T    " + (" ".join(map(named, inc.tokens())) or "[]")


def test_vectors(vectors):
    cases = json.loads((vectors / "bpe_theta.json").read_text(encoding="utf-8"))["cases"]
    for case in cases:
        D = dictionary(case)
        for search in SEARCHES:
            N = normalize(D)
            check(N, case["input"], search)
            assert [step.theta for step in Tracer(N, search).trace(case["input"])] == case["expected_theta"]


def test_vectors_of_rank_bpe(vectors):
    cases = json.loads((vectors / "bpe_rank.json").read_text(encoding="utf-8"))["cases"]
    forms = set()
    for case in cases:
        N = normalize(dictionary(case), semantics="rank")
        forms.add(N.form)
        check(N, case["input"])
        assert [step.theta for step in Tracer(N).trace(case["input"])] == case["expected_rank_theta"]
    assert "pairs" in forms


@pytest.mark.parametrize("search", SEARCHES)
def test_long_chains(search):
    """Runs of one character, in which the longest token is seldom the last one, by the shipped vocabulary."""
    model = load(default_tokenizer_path()).model
    N = normalize(Dictionary(model.tokens, model.merges), semantics="rank")
    automaton = SuffixAutomaton(N)
    for text in (b" " * 90, b"#" * 150, b"\n" + b" " * 50 + b"-" * 70, b"=" * 61 + b"_" * 33 + b"internationalization"):
        check(N, text, search)
        inc = Incremental(N, search)
        for step in Tracer(N, search).trace(text):
            tested, before = [test.token for test in step.tests], inc.visits
            inc.feed(step.symbol)
            chain = len(automaton.chain(step.longest))
            assert len(set(tested)) == len(tested)
            if search == "centroid":
                assert len(tested) <= 2 + math.floor(math.log2(chain))
            if search != "centroid" or chain > 4:           # shorter chains are walked
                # a part of one token is not looked at: that it is the one follows from what was
                assert 0 <= len(tested) - (inc.visits - before) <= (search == "centroid")


RULES = st.lists(st.tuples(st.text("ab", min_size=1, max_size=3), st.text("ab", min_size=1, max_size=3)), unique=True,
                 max_size=8)


@given(RULES, st.text("abx", max_size=12), st.sampled_from(["equation", "rank"]), st.sampled_from(SEARCHES),
       st.booleans())
def test_any_rules(rules, text, semantics, search, binary):
    tokens = list(dict.fromkeys([*"ab", *(t for x, y in rules for t in (x, y, x + y))]))
    if binary:
        rules = [(x.encode(), y.encode()) for x, y in rules]
        tokens, text = [token.encode() for token in tokens], text.encode()
    N = normalize(Dictionary(tokens, rules), semantics=semantics)
    check(N, text, None if N.form == "pairs" else search)


def test_why_in_words():
    text = str(Tracer(normalize(dictionary_of(PAPER))).trace("bbb?abbb b"))
    for words in ("yes: an atom", "yes: before b stands a = pre(z)", "the symbol is no token", "' '",
                  "no: before b stands bb, below pre(z) = b through bb, whose rule 1 is not later than 1",
                  "yes: before b stands abb, below pre(z) = b through abb, whose rule 2 is later than 1"):
        assert words in text, words
    N = normalize(dictionary_of(["x a", "a b", "ab c"]))
    assert "no: before c stands b, which is not below pre(z) = ab" in str(Tracer(N).trace("xabc"))
    assert "valid: an atom" in str(Tracer(N, "root").trace("ab"))


def test_pairs_in_words():
    N = normalize(Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")]), semantics="rank")
    assert N.form == "pairs"
    text = str(Tracer(N).trace("aaaa"))
    assert "no: before it stands a, and rank BPE of both is aaa a" in text
    assert "yes: rank BPE leaves aaa and it as they are" in text
    with pytest.raises(DictionaryError, match="search 'longest': the form 'pairs' of this dictionary has another"):
        Tracer(N, "longest")
    with pytest.raises(DictionaryError, match="search 'pairs': the form 'rules'"):
        Tracer(normalize(dictionary_of(PAPER)), "pairs")
    with pytest.raises(ValueError, match="search: expected 'longest', 'root', 'centroid' or 'pairs', got 'best'"):
        Tracer(N, "best")


def test_dictionary_of_rules():
    D = dictionary_of(["a b", "ab ab"])
    assert (D.tokens, D.merges) == (("a", "b", "ab", "abab"), (("a", "b"), ("ab", "ab")))
    for wrong in ("a", "a b c", "a  b", " a", "", "a\tb"):
        with pytest.raises(DictionaryError, match=r"rule 1: .*: expected two tokens with a space between"):
            dictionary_of(["a b", wrong])
    with pytest.raises(DictionaryError, match="repeats"):
        dictionary_of(["a b", "a b"])


def dictionary_with(rules) -> Dictionary:
    """The dictionary of these rules, of their symbols, and of their parts, also of those that nothing makes."""
    parts = [(*x, *y, x, y, x + y) for x, y in rules or [("a", "b")]]
    return Dictionary(sorted({part for rule in parts for part in rule}), rules or [("a", "b")])


@given(RULES)
def test_the_table_of_the_forest(rules):
    N = normalize(dictionary_with(rules))
    forest = SuccessorForest(N)
    lines = list(show_forest(N))[2:]
    assert len(lines) == N.n
    for place, (line, z) in enumerate(zip(lines, forest.preorder(), strict=True)):
        tin, tout, rule, pre, between, token = re.fullmatch(
            r" *(\d+) +(\d+) +(\d+|-) +(\S+) +(all|\[\d+, \d+\)) +(\S+)", line).groups()
        assert (int(tin), int(tout)) == forest.interval(z) == (place, int(tout))
        assert token == z
        if N.suc(z) is None:
            assert (rule, pre, between) == ("-", "-", "all")
        else:
            assert (int(rule), pre) == (N.prio(z), N.pre(z))
            assert between == "[{}, {})".format(*forest.valid_range(z))
        above = [z]
        while N.suc(above[-1]) is not None:
            above.append(N.suc(above[-1]))
        assert line[:-len(z)].endswith("  " * len(above))


@given(RULES)
def test_the_trees_of_a_token(rules):
    N = normalize(dictionary_with(rules))
    forest, automaton = SuccessorForest(N), SuffixAutomaton(N)
    for k in forest.preorder():
        lines = list(show_trees(N, k))
        tree = SuffixSuccessorTree(forest, automaton, k)
        assert lines[:3] == [f"token {k}", "chain  " + " ".join(tree.chain()), "suffix-successor tree"]
        middle = lines.index("centroid tree")
        assert sorted(line.split()[0] for line in lines[3:middle]) == sorted(tree.chain())
        assert sorted(line.split()[-1] for line in lines[middle + 1:]) == sorted(tree.chain())
        for line in lines[3:middle]:
            z = line.split()[0]
            depth = (len(line) - len(line.lstrip())) // 2
            above = z
            for _ in range(depth - 1):
                above = N.suc(above)
            assert N.suc(above) is None
        assert lines[middle + 1].strip() == CentroidTree(tree).outline()[0]
        for line in lines[middle + 2:]:
            found = re.fullmatch(r" +(?:not valid: |valid, and (\S+) too: )(\S+)", line)
            assert found[1] is None or found[2].endswith(found[1]) or found[1].endswith(found[2])


def test_names_of_tokens():
    assert named(" né\n".encode()) == "ĠnÃ©Ċ"
    assert [named(token) for token in ("ab", "▁a", " ", "a b", "\n", "", "\u3000")] == [
        "ab", "▁a", "' '", "'a b'", r"'\n'", "''", r"'\u3000'"]


# The real vocabularies: MATH.md's table

@pytest.mark.parametrize(("name", "tokens", "rules", "chain_max", "chain_mean", "depth", "states"), [
    ("gpt2", 50_256, 108_299, 23, 4.47, 7, 98_024), ("cl100k_base", 100_256, 233_378, 86, 4.72, 8, 216_750),
    ("o200k_base", 199_998, 446_189, 84, 4.42, 7, 421_661), ("qwen", 151_643, 294_166, 86, 4.18, 8, 333_010)])
def test_figures_of_rank_tables(data, name, tokens, rules, chain_max, chain_mean, depth, states):
    model = load(data / "vocabs" / f"{name}.tiktoken", pattern="none").model
    D = Dictionary.from_ranks({token: i for i, token in enumerate(model.tokens)})
    found = figures(normalize(D, semantics="rank"))
    assert found.pop("reason").startswith("the dictionary is proper")
    assert found == {"tokens": tokens, "rules": rules, "longest_token": 128, "proper": True, "form": "rules",
                     "canonical": tokens, "chain_max": chain_max, "chain_mean": chain_mean, "forest_depth": depth,
                     "automaton_states": states}


def test_figures_of_an_improper_dictionary(data):
    model = load(data / "vocabs" / "llama3-tokenizer.json").model
    found = figures(normalize(Dictionary(model.tokens, model.merges), semantics="rank"))
    assert (found["tokens"], found["rules"], found["longest_token"], found["proper"]) == (128_000, 280_147, 128, False)
    assert found["canonical"] == 127_412
    assert (found["chain_max"], found["chain_mean"]) == (86, 4.52)
    assert found["equation_1"] == {"canonical": 127_305, "chain_max": 86, "chain_mean": 4.52, "forest_depth": 8,
                                   "automaton_states": 272_158}


def test_figures_where_pairs_serve():
    found = figures(normalize(Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")]), semantics="rank"))
    assert (found["form"], found["forest_depth"], found["canonical"], found["equation_1"]["canonical"]) == (
        "pairs", None, 3, 2)


@pytest.mark.parametrize("text", [
    "Tokenizing naïvely, twice.   Don't!", "", "    \n\n\t internationalization" * 3, "héé 日本"])
def test_the_pieces_of_a_text(text):
    bpe = BPE.from_file(default_tokenizer_path())
    traces = bpe.trace(text)
    assert [token for trace in traces for token in trace.tokens()] == [bpe.token(id) for id in bpe.encode(text)]
    assert b"".join(trace.text for trace in traces) == text.encode()


def test_what_was_looked_up_whole():
    model = Model((b"a", b"b", b"ab", b"abab", b"aba"), None, whole_piece=True)
    added = (AddedToken("<x>", 9), AddedToken("<s>", 10, special=True))
    bpe = BPE(Config(model, "tiktoken", "none", added_tokens=added))
    (alone,) = bpe.trace("aba")
    assert alone.whole and alone.tokens() == [b"aba"]
    assert str(alone).splitlines()[-1] == "looked up whole: aba"
    assert [trace.tokens() for trace in bpe.trace("ab<x>aba")] == [[b"ab"], [b"aba"]]


def test_characters_and_byte_fallback(data):
    bpe = BPE.from_file(data / "vocabs" / "llama2-tokenizer.json")
    (trace,) = bpe.trace("Hello naïve world")
    assert trace.tokens() == [bpe.token(id) for id in bpe.encode("Hello naïve world")]
