"""Eager output: each criterion against its definition, what may be held, and the memory of long texts."""
import json
import random
from base64 import b64decode
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import Dictionary, DictionaryError, EagerOutput, Prefixes, T, Unstable, normalize, rank_bpe
from incbpe.openpiece import PieceStream
from incbpe.pretokenize import Splitter
from proofs.bpe_worlds import every_world, random_worlds, texts
from proofs.definitions import bpe as definition

CRITERIA = ("window", "chain", "maximal")
SEMANTICS = {"equation": definition.T, "rank": definition.PQ}
KINDS = {
    "ascii": {},
    "characters": str.maketrans("abcd?", "aé€😀\ud800"),         # 1 to 4 bytes of UTF-8, and a surrogate
}
SAMPLE = 97                                                     # every so many of the small worlds


def compiled(D: definition.Dictionary, semantics="equation", kind="ascii"):
    """D normalized, and how to spell a text for it."""
    def spelt(text):
        return text.encode() if kind == "bytes" else text.translate(KINDS[kind])
    merges = [(spelt(x), spelt(y)) for x, y in D.rules]
    return normalize(Dictionary([spelt(z) for z in sorted(D.tokens)], merges), semantics), spelt


def symbols(text):
    return [text[i:i + 1] for i in range(len(text))]


def released(e, text):
    """Feed a text; after each symbol, how many tokens are final. Every structure is checked on the way."""
    tokens, counts = [], []
    for symbol in symbols(text):
        tokens += e.feed(symbol)
        counts.append(len(tokens))
        e.check()
    return tokens, counts


def defined(D, s, criterion, semantics):
    """How many tokens the criterion releases after each prefix, by its definition."""
    return [len(definition.eager(D, s[:n], criterion, SEMANTICS[semantics])) for n in range(1, len(s) + 1)]


@pytest.mark.parametrize("kind", ["ascii", "characters", "bytes"])
@pytest.mark.parametrize(("name", "least"), [("bpe_eager.json", 180), ("bpe_eager_more.json", 120)])
def test_vectors(vectors, name, least, kind):
    cases = json.loads((vectors / name).read_text(encoding="utf-8"))["cases"]
    assert len(cases) >= least
    for case in cases:
        D = definition.Dictionary(frozenset(case["atoms"]), tuple(map(tuple, case["rules"])))
        N, spelt = compiled(D, kind=kind)
        for criterion in CRITERIA:
            e = EagerOutput(N, criterion)
            tokens, counts = released(e, spelt(case["input"]))
            assert counts == case[f"released_{criterion}"], (case, criterion)
            assert tokens + e.finish() == [spelt(z) for z in case["expected_tokens"]]


@pytest.mark.parametrize(("rules", "text", "counts"), [
    ("", "aa", {"window": [0, 1], "chain": [1, 2], "maximal": [1, 2]}),         # window < chain: s = a
    ("b+b", "bb", {"window": [0, 0], "chain": [0, 0], "maximal": [0, 1]}),      # chain < maximal
    ("b+a ba+a b+b", "bba", {"chain": [0, 0, 1]}),          # the b of chain are no interval: an interval gives 0, 0, 0
    ("a+a", "aaa", {"maximal": [0, 1, 1]}),
    ("a+b", "a?b?", {"window": [0, 2, 2, 4], "chain": [0, 2, 3, 4]}),           # an unknown symbol is final at once
])
def test_cases(rules, text, counts):
    merges = [tuple(rule.split("+")) for rule in rules.split()]
    N = normalize(Dictionary(sorted({*"ab", *(x + y for x, y in merges)}), merges))
    for criterion, expected in counts.items():
        assert released(EagerOutput(N, criterion), text)[1] == expected, criterion


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_small_worlds(semantics, deep):
    """Each criterion releases what its definition says, after every prefix, and in the end T."""
    worlds = every_world()[::1 if deep else SAMPLE]
    for D in worlds:
        N, _ = compiled(D, semantics)
        unstable = Unstable(N)
        unstable.check()
        for s in (max(texts(D), key=len), *texts(D)[-32::7]):
            for criterion in CRITERIA:
                e = EagerOutput(N, criterion)
                tokens, counts = released(e, s)
                assert counts == defined(D, s, criterion, semantics), (D.rules, s, criterion)
                assert tokens + e.finish() == SEMANTICS[semantics](D, s)


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_maximal_is_all_that_every_continuation_agrees_on(semantics, deep):
    for D in every_world()[::9 if deep else 5 * SAMPLE]:
        N, _ = compiled(D, semantics)
        longest = max(map(len, D.tokens), default=1)
        for s in texts(D)[-20::6]:
            e = EagerOutput(N, "maximal")
            tokens = []
            for n in range(1, len(s) + 1):
                tokens += e.feed(s[n - 1])
                assert tokens == definition.agreed(D, s[:n], longest, SEMANTICS[semantics]), (D.rules, s[:n])


@pytest.mark.parametrize("semantics", SEMANTICS)
@given(world=random_worlds(texts=2, longest=14, unknown=True), kind=st.sampled_from(["ascii", "characters", "bytes"]))
def test_random_worlds(semantics, world, kind):
    D, strings = world
    N, spelt = compiled(D, semantics, kind)
    for s in strings:
        for criterion in CRITERIA:
            e = EagerOutput(N, criterion)
            tokens, counts = released(e, spelt(s))
            assert counts == defined(D, s, criterion, semantics)
            assert tokens + e.finish() == [spelt(z) for z in SEMANTICS[semantics](D, s)]


@pytest.mark.parametrize("semantics", SEMANTICS)
@given(world=random_worlds(texts=1, longest=14), data=st.data())
def test_texts_that_may_end_at_several_places(semantics, world, data):
    """Named ends count beside the criterion's; a text that is read at once gives what it gives symbol by symbol."""
    D, [s] = world
    tokenize = SEMANTICS[semantics]
    N, _ = compiled(D, semantics)
    for criterion in CRITERIA:
        e, ends, tokens, n = EagerOutput(N, criterion), set(), [], 0
        while n < len(s):
            read = data.draw(st.integers(1, 4))
            possible = [*sorted(ends), *range(n, min(n + read, len(s)) + 1)]
            ends = set(data.draw(st.lists(st.sampled_from(possible), max_size=3)))
            goes_on = n + read < len(s) or data.draw(st.booleans())
            tokens += e.extend(s[n:n + read], ends, goes_on)
            n = min(n + read, len(s))
            e.check()
            criterions = definition.ENDS[criterion](D, s[:n], tokenize) if goes_on else [n]
            paths = [tokenize(D, s[:b]) for b in {*ends, *criterions}]
            assert tokens == definition.common_prefix(paths), (D.rules, s[:n], ends, criterion)
        end = data.draw(st.sampled_from([*sorted(ends), len(s)]))
        assert tokens + e.finish(end) == tokenize(D, s[:end])
        assert (e.position, e.final) == (0, 0)
        assert e.extend(s) + e.finish() == tokenize(D, s)       # the next text


class Stream:
    """A text in parts, cut into pieces by a pattern: what an engine does with the C form, over the Python form."""

    def __init__(self, N, splitter, criterion):
        self.pieces, self.eager = PieceStream(splitter), EagerOutput(N, criterion)
        self.text, self.tokens, self.closed = b"", [], []

    def feed(self, chunk):
        self.text += chunk
        for end in self.pieces.feed(chunk):
            self.close(end)
        if self.pieces.start < self.pieces.now:
            ends = [end - self.start for end in self.pieces.ends()]
            self.tokens += self.eager.extend(self.text[self.read:self.pieces.now], ends, self.pieces.later)
            self.read = self.pieces.now

    start = read = 0        # where the open piece begins, and how far it was read

    def close(self, end):
        if end > self.read:
            self.tokens += self.eager.extend(self.text[self.read:end])
        self.tokens += self.eager.finish(end - self.start)
        self.closed.append(self.text[self.start:end])
        self.start = self.read = end

    def finish(self):
        for end in self.pieces.finish():
            self.close(end)
        return self.tokens


PIECES = ["a", "b", "l", " ", "\n", "'", "A", "日", "7"]


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "o200k"])
@given(data=st.data())
def test_a_stream_of_pieces(pattern, data):
    """Through a pre-tokenizer: nothing is taken back, and all is out on which the piece's possible ends agree."""
    words = data.draw(st.lists(st.lists(st.sampled_from(PIECES), min_size=2, max_size=3).map("".join), max_size=6))
    made = [w.encode()[:k] for w in words for k in range(2, len(w.encode()) + 1)]
    tokens = list(dict.fromkeys([*(bytes((b,)) for b in range(256)), *made]))
    N = normalize(Dictionary.from_ranks({token: rank for rank, token in enumerate(tokens)}), "rank")
    text = "".join(data.draw(st.lists(st.sampled_from([*PIECES, *words]), max_size=9))).encode()
    splitter = Splitter(pattern)

    def encode(t):
        return [z for piece in splitter.split(t) for z in rank_bpe(N.dictionary, piece)]

    for criterion in CRITERIA:
        stream, n = Stream(N, splitter, criterion), 0
        while n < len(text):
            read = data.draw(st.integers(1, 4))
            stream.feed(text[n:n + read])
            stream.eager.check()
            n += read
            begin, now = stream.pieces.start, stream.pieces.now
            piece, closed = text[begin:now], [z for p in stream.closed for z in rank_bpe(N.dictionary, p)]
            follow = [b"", b"a", b" ", b"\n", b"l", b"A", b"aa", b" a", "日".encode(), "日A".encode(), b"AA", b"Aa"]
            possible = set(stream.pieces.ends()) - {now} | {now}
            if stream.pieces.later:
                possible |= {begin + b for b in positions(N, piece, criterion)}
            if piece:
                paths = [closed + rank_bpe(N.dictionary, text[begin:b]) for b in possible]
                assert stream.tokens == definition.common_prefix(paths)
            else:
                assert stream.tokens == closed
            if now == min(n, len(text)):        # between characters
                for u in follow:
                    assert encode(text[:n] + u)[:len(stream.tokens)] == stream.tokens
        assert stream.finish() == encode(text)


def positions(N, s, criterion):
    """The b of a criterion, by the automaton and the pair test of the dictionary itself."""
    canonical = [z for z in N.dictionary.tokens if N.is_canonical(z)]
    starts = {z[:k] for z in canonical for k in range(1, len(z))}
    whole = {z[:k] for z in canonical for k in range(1, len(z) + 1)}
    depth = max((len(s) - b for b in range(len(s)) if s[b:] in whole), default=0)
    if criterion == "window":
        return range(len(s) - depth, len(s) + 1)
    chain = [b for b in range(len(s)) if s[b:] in starts]
    maximal = [b for b in chain if any(rank_bpe(N.dictionary, s[:b] + z)[-1] == z
                                       for z in canonical if z.startswith(s[b:]) and z != s[b:])]
    return [*(chain if criterion == "chain" else maximal), len(s)]


def test_what_cannot_be_an_end():
    N = normalize(Dictionary(["a", "b", "ab"], [("a", "b")]))
    e = EagerOutput(N, "chain")
    assert e.extend("abb") == ["ab", "b"]
    for position in (0, 1, 4, -1, 10**30):
        shown = position if position < 10 else -1
        with pytest.raises(ValueError, match=f"position {shown} is no possible end"):
            e.extend("", [position])
        with pytest.raises(ValueError, match=f"position {shown} is no possible end"):
            e.finish(position)
    with pytest.raises(TypeError, match="a position is an int, got str"):
        e.extend("", ["3"])
    with pytest.raises(TypeError, match="a position is an int, got str"):
        e.finish("3")
    e.check()
    assert e.extend("a", [3], goes_on=False) == []
    with pytest.raises(ValueError, match="the text was said to end by position 4, and cannot go on"):
        e.feed("b")
    e.check()
    assert e.finish(3) == []
    assert e.extend("aba") + e.finish() == ["ab", "a"]


def test_arguments():
    N = normalize(Dictionary(["a", "aa"], [("a", "a")]))
    with pytest.raises(ValueError, match="criterion: expected window, chain, maximal, got 'all'"):
        EagerOutput(N, "all")
    with pytest.raises(TypeError):
        EagerOutput(None)
    e = EagerOutput(N)
    assert e.criterion == "window"
    for symbol in ("", "aa"):
        with pytest.raises(ValueError, match="symbol: expected one"):
            e.feed(symbol)
    for symbol in (b"a", 97, None):
        with pytest.raises(TypeError):
            e.feed(symbol)
    assert (e.extend(""), e.finish(), e.position) == ([], [], 0)
    binary = EagerOutput(normalize(Dictionary([b"a", b"aa"], [(b"a", b"a")])))
    assert binary.extend(b"aa\xffa\x80") + binary.finish() == [b"aa", b"\xff", b"a", b"\x80"]
    with pytest.raises(TypeError):
        binary.feed("a")


@pytest.mark.parametrize("criterion", CRITERIA)
def test_memory_is_that_of_the_backlog(criterion):
    """A long text leaves what its last symbols need, and the right tokens; a long backlog is given back."""
    N = normalize(Dictionary(["a", "b", "aa", "ab", "aab"], [("a", "a"), ("a", "b"), ("aa", "b")]))
    e, rng, tokens = EagerOutput(N, criterion), random.Random(7), []
    parts = [rng.choice("ab") for _ in range(1000)] + ["".join(rng.choices("ab", k=100)) for _ in range(990)]
    for part in parts:
        tokens += e.extend(part)
        e.check()
    assert e.position == 100_000 and e.position - e.final < 10
    assert e.nbytes < 100_000
    held = e.position
    tokens += e.extend("ab" * 100_000, [held])
    assert e.final <= held < e.position and 2_000_000 < e.nbytes < 30_000_000
    for _ in range(20_000):
        tokens += e.extend("ab" * 25)
    assert e.nbytes < 3_000_000         # most of it `out`, for the tokens of one call
    assert tokens + e.finish() == Prefixes(N, "".join(parts) + "ab" * 600_000).tokens()
    assert (e.position, e.final) == (0, 0)


def test_the_delay_has_no_bound():
    """(w, x), (v, w), …, (a, b) on ab…x: nothing can be final before x, which no token begins with."""
    letters = "abcdefghijklmnopqrstuvwx"
    merges = [(x, y) for x, y in pairwise(letters)][::-1]
    N = normalize(Dictionary([*letters, *(x + y for x, y in merges)], merges))
    for criterion in CRITERIA:
        e = EagerOutput(N, criterion)
        tokens, counts = released(e, letters)
        assert counts[:-1] == [0] * (len(letters) - 1)
        assert tokens + e.finish() == T(N.dictionary, letters)


@pytest.fixture(scope="module")
def cl100k(data):
    lines = (data / "vocabs" / "cl100k_base.tiktoken").read_bytes().splitlines()
    ranks = {b64decode(token): int(rank) for token, rank in map(bytes.split, lines)}
    return normalize(Dictionary.from_ranks(ranks), "rank")


@pytest.mark.parametrize(("criterion", "spaces", "most"), [
    ("window", 275, 25), ("chain", 274, 25), ("maximal", 147, 24),
])
def test_backlogs_of_a_real_vocabulary(data, cl100k, criterion, spaces, most):
    """Counted, not timed: how many bytes are held back, without a pre-tokenizer."""
    e = EagerOutput(cl100k, criterion)
    backlogs = [e.position - e.final for _ in range(5_000) if e.feed(b" ") is not None]
    assert max(backlogs) == spaces
    e.finish()
    text = (data / "corpora" / "multilingual.txt").read_bytes()[:200_000]
    backlogs, tokens = [], []
    for byte in text:
        tokens += e.feed(byte)
        backlogs.append(e.position - e.final)
    assert max(backlogs) == most and sum(backlogs) / len(backlogs) < 3.1
    assert tokens + e.finish() == Prefixes(cl100k, text).tokens()


def compare_pairs(D, semantics):
    """T(w z) = [w, z] for all canonical pairs; and what extends a text and stands behind a token."""
    N, _ = compiled(D, semantics)
    U, run = Unstable(N), SEMANTICS[semantics]
    U.check()
    canonical = sorted(definition.canonical(D, run))
    for w in canonical:
        standing = [z for z in canonical if run(D, w + z) == [w, z]]
        assert [z for z in canonical if U.pair(w, z)] == standing, (D.rules, w)
        for x in {z[:k] for z in canonical for k in range(len(z))}:
            assert U.extensions(x, behind=w) == [z for z in standing if z.startswith(x) and z != x], (D.rules, w, x)
    for x in ("", "a", "aa", "ab", "x", "ax"):
        assert U.extensions(x) == definition.extended(D, x, run)


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_pairs(semantics, deep):
    for D in every_world()[::1 if deep else SAMPLE]:
        compare_pairs(D, semantics)


@pytest.mark.parametrize("semantics", SEMANTICS)
@given(world=random_worlds(texts=1))
def test_pairs_in_random_worlds(semantics, world):
    compare_pairs(world[0], semantics)


def test_pairs_are_of_canonical_tokens():
    N = normalize(Dictionary(["a", "aa", "aaa"], [("a", "a"), ("a", "aa")]))
    U = Unstable(N)
    assert not N.is_canonical("aaa")
    for call in (U.pair, lambda z, w: U.extensions("", behind=z)):
        with pytest.raises(DictionaryError, match="'aaa' is not canonical"):
            call("aaa", "a")
        with pytest.raises(DictionaryError, match="'b' is not among the tokens"):
            call("b", "a")
        with pytest.raises(TypeError):
            call(b"a", "a")
    with pytest.raises(TypeError):
        U.extensions(b"")
