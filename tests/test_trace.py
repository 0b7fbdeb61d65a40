"""Traces and tables: the paper's walk-through word for word, and every trace against the definition."""
import re
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from hypothesis import given

from linmaxmatch import Trie, Vocabulary, WordPiece, lin_max_match, precompute
from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.matchloop import Steps
from linmaxmatch.trace import Row, show_table, table, trace
from proofs import worlds
from proofs.definitions.wordpiece import original_wordpiece

PAPER = ["a", "abcd", "##b", "##bc", "##z"]
UNK = "<unk>"


def paper_tables():
    return precompute(Trie(Vocabulary([*PAPER, UNK]), keep=lambda token, body: token != UNK))


def test_the_walk_through_of_the_paper():
    assert str(trace(paper_tables(), "abcdz")) == """\
word abcdz        r = 0, r♯ = 2
 i  s[i]  at node  move
 0  a     0 ε      edge to 3 a
 1  b     3 a      edge to 4 ab
 2  c     4 ab     edge to 5 abc
 3  d     5 abc    edge to 6 abcd
 4  z     6 abcd   failure to 2 ##, pops abcd
 4  z     2 ##     edge to 9 ##z
 5  ␣     9 ##z    failure to 2 ##, pops ##z
 5  ␣     2 ##     boundary
result  abcd ##z"""


def test_a_word_with_failure_moves_inside_a_token():
    assert str(trace(paper_tables(), "abcz")) == """\
word abcz        r = 0, r♯ = 2
 i  s[i]  at node  move
 0  a     0 ε      edge to 3 a
 1  b     3 a      edge to 4 ab
 2  c     4 ab     edge to 5 abc
 3  z     5 abc    failure to 8 ##bc, pops a
 3  z     8 ##bc   failure to 2 ##, pops ##bc
 3  z     2 ##     edge to 9 ##z
 4  ␣     9 ##z    failure to 2 ##, pops ##z
 4  ␣     2 ##     boundary
result  a ##bc ##z"""


def test_a_word_that_starts_with_the_suffix_indicator():
    assert str(trace(paper_tables(), "##bz")) == """\
word ##bz        r = 0, r♯ = 2
 i  s[i]  at node  move
 0  #     0 ε      a word that starts with ♯: its first piece is ##b; to 2 ##
 3  z     2 ##     edge to 9 ##z
 4  ␣     9 ##z    failure to 2 ##, pops ##z
 4  ␣     2 ##     boundary
result  ##b ##z"""


def test_the_table_of_the_paper():
    assert "\n".join(show_table(paper_tables())) == """\
r = 0, r♯ = 2
v  χ(v)  f(v)  F(v)
0  ε        ∅  []
1  #        ∅  []
2  ##       ∅  []
3  a        2  [a]
4  ab       7  [a]
5  abc      8  [a]
6  abcd     2  [abcd]
7  ##b      2  [##b]
8  ##bc     2  [##bc]
9  ##z      2  [##z]"""
    assert list(table(paper_tables()))[5] == Row(5, "abc", 8, ("a",))


@pytest.mark.parametrize(("word", "last", "tokens"), [
    ("", "boundary", []),
    ("a", "boundary", ["a"]),
    ("abcx", "unknown", [UNK]),                # no edge and no failure link in the middle
    ("abcd#", "unknown", [UNK]),
    ("#", "unknown", [UNK]),                   # the word is over at a node that is no root
    ("##b", "boundary", ["##b"]),              # starts with ♯: the first piece as a literal
    ("##bz", "boundary", ["##b", "##z"]),
    ("##", "unknown", [UNK]),
    ("##bcq", "unknown", [UNK]),
])
def test_how_a_trace_ends(word, last, tokens):
    tables = paper_tables()
    run = trace(tables, word)
    assert list(run)[-1].kind == last
    assert run.tokens() == tokens
    assert str(run).splitlines()[-1] == "result  " + (" ".join(tokens) or "[]")


class Cells(HTMLParser):
    """The text of a table's cells, row by row, as a browser reads it."""

    def __init__(self):
        super().__init__()
        self.rows = []

    def handle_starttag(self, tag, attributes):
        if tag in ("tr", "caption"):
            self.rows.append([])
        if tag in ("td", "th", "caption"):
            self.rows[-1].append("")

    def handle_data(self, data):
        self.rows[-1][-1] += data


def test_a_table_for_a_notebook():
    V = Vocabulary(["<b>", "##&", UNK])
    run = trace(precompute(Trie(V, keep=lambda token, body: token != UNK)), "<b>&")
    assert "<b>" not in run._repr_html_()
    assert run._repr_html_() == run.table()._repr_html_()
    cells = Cells()
    cells.feed(run._repr_html_())
    lines = str(run).splitlines()
    assert cells.rows[0] == [lines[0]] and cells.rows[-1] == [lines[-1]]
    assert cells.rows[1:-1] == [re.split("  +", line.strip(), maxsplit=3) for line in lines[1:-1]]
    assert ["3", "&", "5 <b>", "failure to 2 ##, pops <b>"] in cells.rows


def test_a_trie_of_bytes():
    tables = precompute(Trie(Vocabulary(["é", UNK]), symbols="bytes"))
    assert [row.chi for row in table(tables)][3:5] == ["\\xc3", "é"]
    with pytest.raises(ValueError, match="a trie of characters"):
        trace(tables, "é")


def check(world, words):
    """Both forms of the trie give the original WordPiece, by connected moves, within the bound of one edge and one
    failure move a character."""
    V = Vocabulary(sorted(world.tokens), suffix_indicator=world.suffix_indicator, unk_token=world.unk_token)
    for roots in (1, 2):
        tables = precompute(Trie(V, roots=roots))
        for word in words:
            run = trace(tables, word)
            steps = list(run)
            assert run.tokens() == original_wordpiece(world, word), (world, roots, word)
            for step, after in pairwise(steps):
                assert (after.node, after.chi) == (step.target, step.target_chi)
                read = {"edge": 1, "failure": 0, "literal": len("".join(step.pops))}[step.kind]
                assert after.index == step.index + read
            kinds = [step.kind for step in steps]
            assert kinds.count("edge") <= len(word)
            assert kinds.count("failure") <= len(word)
            assert kinds[-1] in ("boundary", "unknown")
            counted = Steps()
            assert run.tokens() == lin_max_match(tables, word, counted)
            assert (kinds.count("edge"), kinds.count("failure")) == (counted.edges, counted.moves)


@pytest.mark.parametrize(("indicator", "count"), [("", 64), ("#", 299), ("##", 299), ("a", 176), ("ab", 299)])
def test_every_trace_of_a_small_world(indicator, count):
    words = worlds.strings("ab", 4)
    vocabularies = list(worlds.vocabularies(worlds.pieces(indicator), indicator, 3 if indicator else None))
    assert len(vocabularies) == count
    for world in vocabularies:
        check(world, [*words, indicator, indicator + "a", indicator + "ab"])


def test_every_trace_of_long_tokens_over_short_ones():
    vocabularies = list(worlds.long_chains(3))
    assert len(vocabularies) == 378
    for world in vocabularies:
        check(world, worlds.strings("ab", 5))


def test_two_pops_at_once():
    tables = precompute(Trie(Vocabulary(["ab", "##c", "abcde", "##d", UNK])))
    run = trace(tables, "abcd")
    assert list(run)[4].pops == ("ab", "##c")
    assert run.tokens() == ["ab", "##c", "##d"]


@given(worlds.random_worlds())
def test_traces_of_random_worlds(world_and_words):
    check(*world_and_words)


@pytest.mark.parametrize("normalizer", ["hf", "google", "tf", None])
def test_the_words_of_a_text(normalizer):
    wp = WordPiece.from_file(default_vocabulary_path(), normalizer=normalizer, max_chars_per_word=9)
    text = "Unaffable naïveté! unbelievably \U0001f600 ## привет " + "a" * 9
    traces = wp.trace(text)
    assert [token for trace in traces for token in trace.tokens()] == wp.tokenize(text)
    assert [trace.word for trace in traces] == wp.normalizer.words(text)
    kinds = {trace.word: [step.kind for step in trace] for trace in traces}
    assert kinds["unbelievably"] == ["capped"]
    assert (kinds["привет"] == ["capped"]) == (normalizer == "tf")         # twelve bytes
    capped = next(trace for trace in traces if trace.word == "unbelievably")
    assert "longer than the cap on words: unknown" in str(capped)


def test_a_text_is_not_traced_where_unknown_characters_are_split():
    with pytest.raises(ValueError, match="split_unknown=True"):
        WordPiece(["[UNK]", "a"], split_unknown=True).trace("ab")
