"""What the notation layer answers to bad input, and that its structures notice damage."""
import copy
import gc
import pickle

import pytest

import linmaxmatch
from linmaxmatch import Transducer, Trie, Vocabulary, VocabularyError, lin_max_match, match_loop, precompute
from subwordio.errors import TokenIdError


def test_vocabulary_errors_name_the_place():
    with pytest.raises(VocabularyError, match=r"tokens\[2\]: 'a' repeats tokens\[0\]"):
        Vocabulary(["a", "<unk>", "a"])
    with pytest.raises(VocabularyError, match=r"unk_token: '\[UNK\]' is not among the 1 tokens"):
        Vocabulary(["<unk>"], unk_token="[UNK]")
    with pytest.raises(VocabularyError, match="unk_token: '' is not among"):
        Vocabulary(["", "a"], unk_token="")
    with pytest.raises(VocabularyError, match=r"tokens\[1\]: '\\ud800' holds a surrogate"):
        Vocabulary(["<unk>", "\ud800"])
    with pytest.raises(VocabularyError, match="suffix_indicator: '\\\\udc00' holds a surrogate"):
        Vocabulary(["<unk>"], "\udc00")
    with pytest.raises(TypeError, match=r"tokens\[1\]: expected str, got bytes"):
        Vocabulary(["<unk>", b"a"])
    with pytest.raises(TypeError, match=r"tokens\[0\]: expected str, got NoneType"):
        Vocabulary([None])
    for tokens in ("abc", b"abc", {"a": 0}, {"a"}):
        kind = type(tokens).__name__
        with pytest.raises(TypeError, match=f"tokens: expected an ordered iterable of str, got {kind}"):
            Vocabulary(tokens)
    with pytest.raises(TypeError, match="suffix_indicator: expected str, got int"):
        Vocabulary(["<unk>"], 3)
    with pytest.raises(TypeError, match="unk_token: expected str, got NoneType"):
        Vocabulary(["<unk>"], unk_token=None)
    with pytest.raises(ValueError, match="duplicates: expected 'error' or 'last', got 'first'"):
        Vocabulary(["<unk>"], duplicates="first")


def test_vocabulary_look_ups():
    V = Vocabulary(["", "a", "<unk>", ""])
    assert V.id("a") == 1 and V.token(0) == "" and V.unk_id == 2 and len(V) == 4 and V.longest == 5
    with pytest.raises(VocabularyError, match="'b' is not in the vocabulary"):
        V.id("b")
    for bad in (-1, 4):
        with pytest.raises(TokenIdError, match=f"{bad} is no token id: expected 0 to 3"):
            V.token(bad)
    with pytest.raises(TypeError, match="expected str, got int"):
        V.id(1)
    with pytest.raises(TypeError, match="id: expected an int, got str"):
        V.token("a")


def test_the_last_duplicate_counts_where_asked():
    V = Vocabulary(["a", "##b", "<unk>", "a", "##b"], duplicates="last")
    V.check()
    assert V.id("a") == 3 and V.id("##b") == 4 and V.token(0) == "a"
    for roots in (1, 2):
        assert lin_max_match(precompute(Trie(V, roots)), "ab") == ["a", "##b"]
    again = pickle.loads(pickle.dumps(V))
    assert again.tokens == V.tokens and again.id("a") == 3 and copy.copy(V).suffix_indicator == "##"


@pytest.mark.parametrize("size", range(1, 40))
def test_any_position_of_the_unknown_token_and_any_size(size):
    for place in range(size):
        tokens = [f"t{i}" for i in range(size)]
        tokens[place] = "[UNK]"
        V = Vocabulary(iter(tokens), unk_token="[UNK]")
        assert V.unk_id == place
        assert lin_max_match(precompute(Trie(V)), "x") == ["[UNK]"]


def test_the_caller_may_drop_its_strings():
    tokens = ["".join(["a", str(i)]) for i in range(100)] + ["<unk>"]
    tables = precompute(Trie(Vocabulary(tokens), roots=2, symbols="bytes"))
    del tokens
    gc.collect()
    assert lin_max_match(tables, "a77") == ["a77"]


class Spelt(str):
    """A subclass of str that hashes in its own way."""

    __slots__ = ()

    def __hash__(self):
        return 1

    def __eq__(self, other):
        return False


def test_subclasses_of_str_are_their_text():
    V = Vocabulary([Spelt("a"), Spelt("<unk>")])
    assert V.id("a") == 0 and type(V.token(0)) is str
    assert lin_max_match(precompute(Trie(V)), Spelt("a")) == ["a"]


@pytest.mark.parametrize("symbols", ["characters", "bytes"])
def test_nodes_and_symbols_are_checked(symbols):
    T = Trie(Vocabulary(["a", "##b", "<unk>"]), symbols=symbols)
    tables = precompute(T)
    transducer = Transducer(tables)
    c = "a" if symbols == "characters" else ord("a")
    calls = [lambda v: T.delta(v, c), T.chi, T.token, tables.f, tables.F, lambda v: linmaxmatch.f(T, v),
             lambda v: linmaxmatch.F(T, v), lambda v: linmaxmatch.h(T, v, c), lambda v: linmaxmatch.H(T, v, c),
             lambda v: transducer.delta_prime(v, c), lambda v: transducer.sigma_prime(v, c)]
    for call in calls:
        for bad in (-1, len(T), 2**40):
            with pytest.raises(IndexError, match=f"{bad} is no node: expected 0 to {len(T) - 1}"):
                call(bad)
        for bad in ("a", None, 1.0):
            with pytest.raises(TypeError, match=f"a node is an int, got {type(bad).__name__}"):
                call(bad)
    wrong = {"characters": [(97, TypeError, "one character, got int"), ("ab", ValueError, "one character, got 'ab'"),
                            (None, TypeError, "one character, got NoneType")],
             "bytes": [("a", TypeError, "is an int, got str"), (256, ValueError, "256 is no byte")]}[symbols]
    for bad, error, message in wrong:
        with pytest.raises(error, match=message):
            T.delta(T.root, bad)


def test_texts_are_checked():
    V = Vocabulary(["a", "##b", "<unk>"])
    T = Trie(V)
    tables = precompute(T)
    calls = [lambda w: linmaxmatch.p(V, w), lambda w: linmaxmatch.q(V, w), lambda w: linmaxmatch.length(V, w),
             lambda w: linmaxmatch.M(V, w), lambda w: linmaxmatch.original_wordpiece(V, w),
             lambda w: linmaxmatch.g(T, w), lambda w: linmaxmatch.G(T, w), lambda w: match_loop(tables, w),
             lambda w: lin_max_match(tables, w), Transducer(tables).tokenize]
    for call in calls:
        for bad in (b"a", None, 3, ["a"]):
            with pytest.raises(TypeError, match=f"expected str, got {type(bad).__name__}"):
                call(bad)
        call("\ud800")                                          # a lone surrogate is a character of no token
    for i in (-1, 2):
        with pytest.raises(IndexError, match=f"i: expected 0 to 1, got {i}"):
            match_loop(tables, "a", i)
    with pytest.raises(TypeError, match="i: expected int, got str"):
        match_loop(tables, "a", "0")


def test_wrong_structures_are_type_errors():
    V = Vocabulary(["<unk>"])
    T = Trie(V)
    for call in (lambda: Trie(None), lambda: Trie(["<unk>"]), lambda: precompute(V), lambda: precompute(None),
                 lambda: linmaxmatch.f(None, 0), lambda: lin_max_match(T, "a"), lambda: linmaxmatch.M(T, "a"),
                 lambda: linmaxmatch.g(V, "a"), lambda: Transducer(T), lambda: linmaxmatch.e2e_wordpiece(V, "a")):
        with pytest.raises(TypeError):
            call()
    for options, message in (({"roots": 3}, "roots: expected 1 or 2, got 3"),
                             ({"symbols": "words"}, "symbols: expected 'characters' or 'bytes', got 'words'")):
        with pytest.raises(ValueError, match=message):
            Trie(V, **options)


def test_structures_cannot_be_changed():
    T = Trie(Vocabulary(["<unk>"]))
    for structure, name in ((T, "root"), (T.vocabulary, "tokens"), (precompute(T), "trie")):
        with pytest.raises(AttributeError):
            setattr(structure, name, None)


def test_given_nodes_are_checked():
    T = Trie(Vocabulary(["a", "ab", "<unk>"]))
    link = T.delta(T.root, "a")
    for given, error in (((link, T.delta(link, "b"), 0), ValueError), ((link, T.root, 0), ValueError),
                         ((len(T), T.root, 0), IndexError), ((link, -1, 0), IndexError)):
        with pytest.raises(error):
            linmaxmatch.Tables(T, [given])


def test_check_notices_damage():
    marks, blanks = {"."}, {" "}
    V = Vocabulary(["a", "a#", ".", "<unk>"])
    E = linmaxmatch.precompute_e2e(V, punctuation=marks.__contains__, whitespace=blanks.__contains__)
    E.check()
    marks.add("#")                                              # then # should have been a mark's node
    with pytest.raises(AssertionError, match="I1 does not hold: "):
        E.check()
    marks.remove("#")
    blanks.add("a")                                             # then a should not stand in the trie
    with pytest.raises(AssertionError, match="I3 does not hold: "):
        E.check()
