"""Eager output through a pre-tokenizer, against all that may follow."""
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import Dictionary, DictionaryError, T, normalize, rank_bpe
from incbpe.pieceoutput import PatternFollow, PieceOutput
from incbpe.pretokenize import Splitter
from incbpe.unstable import Answers, Unstable
from proofs.definitions.bpe import common_prefix

LETTERS = {
    "gpt2": "a \n's", "cl100k": "a \n\r7", "llama3": "a \n.7", "qwen": "a \n's", "o200k": "aA \n7", "none": "ab ",
}
CRITERIA = ("window", "chain", "maximal")


@st.composite
def worlds(draw, letters, longest):
    """A normalized dictionary over the letters, T for it, and a text cut in parts."""
    tokens, merges = list(letters), []
    for _ in range(draw(st.integers(0, 6))):
        rule = draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens))
        if rule not in merges and len("".join(rule)) <= longest:
            merges.append(rule)
            tokens.append("".join(rule))
    tokens += draw(st.lists(st.text(st.sampled_from(letters), min_size=2, max_size=longest), max_size=2))
    D = Dictionary([z.encode() for z in dict.fromkeys(tokens)], [(x.encode(), y.encode()) for x, y in merges])
    semantics, run = draw(st.sampled_from([("equation", T), ("rank", rank_bpe)]))
    part = st.lists(st.sampled_from(letters), min_size=1, max_size=3).map("".join)
    parts = draw(st.lists(part, min_size=1, max_size=4))
    return normalize(D, semantics), lambda piece: run(D, piece), [part.encode() for part in parts]


@pytest.mark.parametrize("name", LETTERS)
@given(data=st.data())
def test_maximal_is_what_every_continuation_agrees_on(name, data):
    """Neither more nor less is out, after each part. The other criteria are safe, and all end alike.

    Whether pieces may be tokens as a whole is answered for each piece by itself, so that a little more is held back.
    """
    letters, splitter, whole = LETTERS[name], Splitter(name), data.draw(st.booleans())
    N, run, parts = data.draw(worlds(letters, 3))

    def encode(text):
        pieces = splitter.split(text)
        return [z for piece in pieces for z in ([piece] if whole and piece in N.dictionary else run(piece))]

    follow = ["".join(u).encode() for length in range(4) for u in product(letters, repeat=length)]
    outputs = {criterion: PieceOutput(N, splitter, criterion, whole) for criterion in CRITERIA}
    released = {criterion: [] for criterion in CRITERIA}
    text = b""
    for part in parts:
        text += part
        agreed = common_prefix([encode(text + u) for u in follow])
        for criterion, out in outputs.items():
            released[criterion] += out.feed(part)
            out.check()
            assert agreed[:len(released[criterion])] == released[criterion], (N.rules, text, criterion)
        assert whole or released["maximal"] == agreed, (N.rules, text)
        assert len(released["window"]) <= len(released["chain"]) <= len(released["maximal"])
    for criterion, out in outputs.items():
        assert released[criterion] + out.finish() == encode(text)
        assert out.feed(text) + out.finish() == encode(text)    # the next text
        out.check()


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "tekken"])
@pytest.mark.parametrize("criterion", CRITERIA)
@given(parts=st.lists(st.binary(max_size=6) | st.sampled_from([
    b"\n", b"    ", b" \n  ", "日本AAb".encode(), "日".encode(), b"'", b"'l", b"l", b" the", b"123", b"A",
    b"\xe6", b"\x97",
]), max_size=12))
def test_any_bytes_in_any_parts(name, criterion, parts):
    splitter = Splitter(name)
    tokens = [bytes((b,)) for b in range(256)]
    tokens += [b"  ", b"    ", b" t", b"he", b" the", b"12", b"'l", "日".encode(), b"AA"]
    N = normalize(Dictionary.from_ranks({token: rank for rank, token in enumerate(tokens)}), "rank")
    out, released = PieceOutput(N, splitter, criterion), []
    for part in parts:
        released += out.feed(part)
        out.check()
    text = b"".join(parts)
    assert released + out.finish() == [z for piece in splitter.split(text) for z in rank_bpe(N.dictionary, piece)]


def test_what_is_out_when():
    """Two spaces are two tokens wherever the piece ends, unless there is a token of two."""
    single = normalize(Dictionary([b" ", b"a"], []))
    out = PieceOutput(single, Splitter("gpt2"), "maximal")
    assert [out.feed(b" "), out.feed(b" "), out.feed(b"a")] == [[b" "], [b" "], [b"a"]]
    double = normalize(Dictionary([b" ", b"a", b"  ", b" a"], [(b" ", b" "), (b" ", b"a")]))
    out = PieceOutput(double, Splitter("gpt2"), "maximal")
    assert [out.feed(b" ") for _ in range(5)] == [[], [], [b"  "], [], [b"  "]]
    assert out.feed(b"a") == [b" a"]
    # after a line break and blanks three pieces may be there: the break's, the blanks', and the last blank's
    out = PieceOutput(normalize(Dictionary([b" ", b"\n", b"a"], [])), Splitter("cl100k"), "maximal")
    assert [out.feed(b"\n"), out.feed(b"  "), out.feed(b"a")] == [[b"\n"], [b" ", b" "], [b"a"]]


def test_a_piece_that_may_be_a_token_as_a_whole():
    """aab is a token, but no merges make it; so it is one only as a piece of its own."""
    N = normalize(Dictionary([b"a", b"b", b" ", b"aab"], []))
    for whole, counts, tokens in ((True, [0, 0, 0, 4], 4), (False, [1, 2, 3, 4], 4)):
        out, released = PieceOutput(N, Splitter("gpt2"), "maximal", whole), []
        seen = [len(released := released + out.feed(bytes((b,)))) for b in b"aaba"]
        assert seen == counts and len(released) == tokens
    out = PieceOutput(N, Splitter("gpt2"), "maximal", True)
    assert out.feed(b"aab") == [] and out.feed(b" ") == [b"aab", b" "]
    assert out.feed(b"aab") + out.finish() == [b"a", b"a", b"b"]        # the piece is " aab"


def test_memory_is_that_of_the_open_piece():
    tokens = [bytes((b,)) for b in range(256)] + [b"ab", b"abab", b" a", b"  "]
    N = normalize(Dictionary.from_ranks({token: rank for rank, token in enumerate(tokens)}), "rank")
    out, count = PieceOutput(N, Splitter("cl100k"), "chain"), 0
    for _ in range(2_000):
        count += len(out.feed(b"abab ab  \n  ab" * 10))
    out.check()
    assert out.nbytes < 60_000 and 2_000 * 14 * 10 - out.final < 20 and count > 50_000


def test_arguments():
    splitter = Splitter("gpt2")
    characters = normalize(Dictionary(["a"], []))
    with pytest.raises(DictionaryError, match="a stream of bytes needs a dictionary of bytes, got one of str"):
        PieceOutput(characters, splitter)
    with pytest.raises(ValueError, match="what may follow is known of bytes only"):
        Answers(Unstable(characters), PatternFollow(splitter))
    N = normalize(Dictionary([b"a"], []))
    with pytest.raises(ValueError, match="criterion: expected window, chain, maximal, got 'all'"):
        PieceOutput(N, splitter, "all")
    out = PieceOutput(N, splitter)
    with pytest.raises(TypeError):
        out.feed("a")
    assert out.feed(b"") == out.finish() == []
    assert out.feed(bytearray(b"aa")) + out.feed(memoryview(b"a")) + out.finish() == [b"a"] * 3
