"""The suffix automaton of small dictionaries against its definition: the longest suffix token of every prefix."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import Dictionary, DictionaryError, SuffixAutomaton, normalize
from proofs.bpe_compiled import dictionary
from proofs.bpe_worlds import every_world, random_worlds, texts
from proofs.definitions import bpe as definition


def compare(D: definition.Dictionary, words: list[str], semantics: str) -> None:
    """The longest suffix token, the chain and the depth after every prefix, by the definitions."""
    tokenize = definition.T if semantics == "equation" else definition.PQ
    N = normalize(dictionary(D), semantics)
    automaton = SuffixAutomaton(N)
    automaton.check()
    for s in words:
        assert automaton.longest(s) == [
            (definition.chain(D, s[:t], tokenize) or [None])[-1] for t in range(1, len(s) + 1)]
        v = automaton.step_by(0, s)
        assert automaton.symbols(v) == definition.depth(D, s, tokenize)
        if (k := automaton.longest_at(v)) is not None:
            assert automaton.chain(k) == definition.chain(D, s, tokenize)[::-1]


@pytest.mark.parametrize("semantics", ["equation", "rank"])
def test_small_worlds(deep, semantics):
    for D in every_world()[::1 if deep else 43]:
        compare(D, texts(D)[-1:], semantics)


@pytest.mark.parametrize("semantics", ["equation", "rank"])
@given(world=random_worlds(unknown=True))
def test_random_worlds(semantics, world):
    compare(*world, semantics)


SYMBOLS = "aé中𝄞\ud800\0"


def compare_any(symbols: list[str] | list[bytes], tokens: list[str] | list[bytes], s: str | bytes) -> None:
    """The automaton of the tokens and their prefixes, each made from the next shorter one and a symbol."""
    made = sorted({t[:i] for t in tokens for i in range(2, len(t) + 1)}, key=lambda t: (len(t), t))
    N = normalize(Dictionary([*symbols, *made], [(t[:-1], t[-1:]) for t in made]))
    automaton = SuffixAutomaton(N)
    automaton.check()
    known = [t for t in N.dictionary.tokens if N.is_canonical(t)]
    assert automaton.longest(s) == [
        max((z for z in known if s[:t].endswith(z)), key=len, default=None) for t in range(1, len(s) + 1)]


@given(st.lists(st.text(SYMBOLS, min_size=2, max_size=5), max_size=8), st.text(SYMBOLS + "b", max_size=20))
def test_characters_of_every_length(tokens, s):
    compare_any(list(SYMBOLS), tokens, s)


@given(st.lists(st.binary(min_size=2, max_size=4), max_size=40), st.binary(max_size=40))
def test_any_bytes(tokens, s):
    """No byte is special, and a node may have many children in many blocks; 255 is unknown."""
    compare_any([bytes([b]) for b in range(255)], [t.replace(b"\xff", b"") for t in tokens], s)


def test_many_tokens_with_one_prefix():
    """More than are sorted by insertion, and every byte."""
    atoms = [bytes([b]) for b in range(256)]
    automaton = SuffixAutomaton(normalize(Dictionary(
        [*atoms, *(b"a" + b for b in atoms)], [(b"a", b) for b in reversed(atoms)])))
    automaton.check()
    assert automaton.states == 513 and automaton.longest(b"aab") == [b"a", b"aa", b"ab"]


def test_the_table_is_shared():
    """A leaf has the row of its failure link; what else is new is a row for each inner state, and a block a half."""
    automaton = SuffixAutomaton(normalize(Dictionary(["a", "b", "ab", "abb"], [("a", "b"), ("ab", "b")])))
    assert repr(automaton) == "<SuffixAutomaton of 5 states, 4 rows, 4 blocks>"
    assert automaton.nbytes == 4 * (4 * 5 + 16 * 4 + 16 * 4 + 4) + 5
    assert [automaton.failure_link(v) for v in range(5)] == [0, 0, 0, 2, 2]


def test_what_is_not_there_is_named():
    automaton = SuffixAutomaton(normalize(Dictionary(["a", "b", "ab", "bb"], [("a", "b")], )))
    with pytest.raises(DictionaryError, match="'bb' is no canonical token"):
        automaton.chain("bb")
    with pytest.raises(IndexError, match="9 is no state: expected 0 to 3"):
        automaton.symbols(9)
    with pytest.raises(TypeError, match="a state is an int, got str"):
        automaton.failure_link("a")
    with pytest.raises(TypeError, match="expected str"):
        automaton.longest(b"a")


def test_nothing_and_the_empty_token():
    automaton = SuffixAutomaton(normalize(Dictionary([""], [])))
    automaton.check()
    assert automaton.longest("ab") == [None, None] and automaton.longest("") == [] and automaton.states == 1
