"""The tokenizations of all prefixes: the tree, the counts and what is cut by them, the mask, the unstable end."""
from base64 import b64decode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import Dictionary, EagerOutput, Prefixes, normalize, rank_bpe
from proofs.bpe_worlds import every_world, random_worlds, texts
from proofs.definitions import bpe as definition

SEMANTICS = {"equation": definition.T, "rank": definition.PQ}
CHARACTERS = str.maketrans("abcd?", "aé€😀\ud800")
SAMPLE = 97


def compiled(D, semantics="equation", kind="ascii"):
    """D normalized, and how to spell a text for it."""
    def spelt(text):
        return {"ascii": text, "characters": text.translate(CHARACTERS), "bytes": text.encode()}[kind]
    merges = [(spelt(x), spelt(y)) for x, y in D.rules]
    return normalize(Dictionary([spelt(z) for z in sorted(D.tokens)], merges), semantics), spelt


def longest_within(tokenize, D, s, k):
    return max(i for i in range(len(s) + 1) if len(tokenize(D, s[:i])) <= k)


def split(tokenize, D, s, k):
    parts = []
    while s:
        i = longest_within(tokenize, D, s, k)
        parts.append(s[:i])
        s = s[i:]
    return parts


def compare(tokenize, D, s, P, spelt):
    """Every answer about the prefixes of s, against T of each."""
    P.check()
    assert len(P) == len(s) and P.text == spelt(s)
    for i in range(len(s) + 1):
        tokens = [spelt(z) for z in tokenize(D, s[:i])]
        assert P.tokens(i) == tokens
        assert P.count(i) == len(tokens)
        assert P.theta(i) == (tokens[-1] if tokens else None)
    assert P.tokens() == P.tokens(len(s)) and P.count() == P.count(len(s))
    assert P.parents == [i - len(P.theta(i)) if i else -1 for i in range(len(s) + 1)]
    tokens = P.N.dictionary.tokens
    assert P.ids == [tokens.index(P.theta(i)) if P.theta(i) in tokens else -1 for i in range(len(s) + 1)]
    for k in range(len(s) + 2):
        assert P.longest_within(k) == longest_within(tokenize, D, s, k)
        if k:
            assert P.split(k) == [spelt(part) for part in split(tokenize, D, s, k)]


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_small_worlds(semantics, deep):
    for D in every_world()[::1 if deep else SAMPLE]:
        N, spelt = compiled(D, semantics)
        for s in (max(texts(D), key=len), *texts(D)[-32::7]):
            compare(SEMANTICS[semantics], D, s, Prefixes(N, s), spelt)


@pytest.mark.parametrize("semantics", SEMANTICS)
@given(world=random_worlds(texts=2, longest=14, unknown=True), kind=st.sampled_from(["ascii", "characters", "bytes"]))
def test_random_worlds(semantics, world, kind):
    D, strings = world
    N, spelt = compiled(D, semantics, kind)
    for s in strings:
        compare(SEMANTICS[semantics], D, s, Prefixes(N, spelt(s)), spelt)


def test_counts_may_fall():
    """International: three tokens, then one. The longest prefix counts, not the first that is too long."""
    D = Dictionary(["a", "b", "c", "bc", "abc"], [("b", "c"), ("a", "bc")])
    P = Prefixes(normalize(D), "abcab")
    assert [P.count(i) for i in range(6)] == [0, 1, 2, 1, 2, 3]
    assert [P.longest_within(k) for k in range(5)] == [0, 3, 4, 5, 5]
    assert P.split(1) == ["abc", "a", "b"]


def test_counts_fall_in_a_real_vocabulary(data):
    lines = (data / "vocabs" / "cl100k_base.tiktoken").read_bytes().splitlines()
    ranks = {b64decode(token): int(rank) for token, rank in map(bytes.split, lines)}
    N = normalize(Dictionary.from_ranks(ranks), "rank")
    P = Prefixes(N, b"international unbelievable")
    assert [P.count(i) for i in (12, 13)] == [3, 1] and P.longest_within(1) == 13
    assert Prefixes(N, b"internationa").longest_within(1) == len(b"intern")
    assert [Prefixes(N, b" unbelie").count(i) for i in (7, 8)] == [3, 1]
    assert P.tokens() == rank_bpe(N.dictionary, P.text)
    text = (data / "corpora" / "english.txt").read_bytes()[:100_000]
    parts = Prefixes(N, text).split(100)
    assert b"".join(parts) == text
    assert all(len(rank_bpe(N.dictionary, part)) <= 100 for part in parts) and len(parts) < 300


def agreed_starts(tokenize, D, s, longest):
    """(b, z) of every continuation u: the b <= |s| behind which T(su) has the token z that goes beyond s."""
    found = set()
    for u in definition.continuations(D, longest):
        end, tokens = 0, tokenize(D, s + u)
        for z in tokens:
            if end <= len(s) < end + len(z) and end < len(s):
                found.add((end, z))
            end += len(z)
    return found


@pytest.mark.parametrize("semantics", SEMANTICS)
def test_the_unstable_end(semantics, deep):
    """The pairs (b, z) are those that continuations bring about, all of them and no others."""
    tokenize = SEMANTICS[semantics]
    for D in every_world()[::9 if deep else 3 * SAMPLE]:
        N, _ = compiled(D, semantics)
        longest = max(map(len, D.tokens))
        for s in texts(D)[-20::6]:
            P = Prefixes(N, s)
            for i in range(len(s) + 1):
                pairs = P.continuations(i)
                assert pairs[-1] == (i, [])
                named = [(b, z) for b, tokens in pairs for z in tokens]
                assert len(set(named)) == len(named)
                assert set(named) == agreed_starts(tokenize, D, s[:i], longest), (D.rules, s[:i])
                assert P.stable(i) == len(definition.eager(D, s[:i], "maximal", tokenize))


@given(world=random_worlds(texts=1, longest=14, unknown=True), kind=st.sampled_from(["ascii", "characters", "bytes"]))
def test_stable_is_what_eager_output_releases(world, kind):
    D, [s] = world
    N, spelt = compiled(D, kind=kind)
    P, e, released = Prefixes(N, spelt(s)), EagerOutput(N, "maximal"), 0
    for i in range(1, len(s) + 1):
        released += len(e.feed(spelt(s[i - 1])))
        assert P.stable(i) == released


@given(world=random_worlds(texts=1, longest=14, unknown=True), data=st.data())
def test_the_tree_and_its_mask(world, data):
    """Each chosen prefix reads its own tokens, at their own places, and sees nothing else."""
    D, [s] = world
    N, _ = compiled(D)
    P = Prefixes(N, s)
    chosen = data.draw(st.lists(st.integers(0, len(s)), max_size=5))
    tree = P.tree(chosen)
    assert tree.positions == sorted(set(tree.positions))
    needed = {end for i in chosen for end in range(1, i + 1) if end in starts(P, i)}
    assert set(tree.positions) == needed and len(tree) == len(needed)
    assert [P.theta(i) for i in tree.positions] == tree.tokens
    assert [P.ids[i] for i in tree.positions] == tree.ids
    mask = tree.mask()
    for k, i in enumerate(chosen):
        rows = tree.rows(k)
        assert tree.path(k) == P.tokens(i)
        assert [tree.depths[row] for row in rows] == list(range(len(rows)))
        for place, row in enumerate(rows):
            assert [j for j in range(len(tree)) if mask[row][j]] == rows[:place + 1]
        assert tree.ends[k] == (rows[-1] if rows else -1)


def starts(P, i):
    """The positions where the tokens of T of the first i symbols end."""
    ends, end = set(), 0
    for z in P.tokens(i):
        end += len(z)
        ends.add(end)
    return ends


def test_arguments():
    N = normalize(Dictionary(["a", "aa"], [("a", "a")]))
    P = Prefixes(N, "aaa")
    for ask in (P.theta, P.tokens, P.count, P.continuations, P.stable, lambda i: P.tree([i])):
        for i in (-1, 4, 10**30):
            with pytest.raises(IndexError, match=f"position {i}: expected 0 to 3"):
                ask(i)
        with pytest.raises(TypeError, match="a position is an int, got str"):
            ask("1")
    for ask, least in ((P.longest_within, 0), (P.split, 1)):
        with pytest.raises(ValueError, match=f"max_tokens: expected {least} or more, got {least - 1}"):
            ask(least - 1)
        with pytest.raises(TypeError, match="max_tokens: expected an int, got float"):
            ask(1.5)
        assert ask(10**30) in (3, ["aaa"])
    for text in (b"aaa", None, 5):
        with pytest.raises(TypeError):
            Prefixes(N, text)
    with pytest.raises(TypeError):
        Prefixes(None, "")
    empty = Prefixes(N, "")
    empty.check()
    assert (empty.tokens(), empty.split(1), empty.parents) == ([], [], [-1])
    assert empty.count() == empty.longest_within(0) == 0
    assert empty.continuations() == [(0, [])] and len(empty.tree([0, 0])) == 0


def test_split_reads_little_more_than_the_text():
    """A count of 1 in a long text costs what the parts are long, not what is left."""
    N = normalize(Dictionary(["a", "b", "ab"], [("a", "b")]))
    assert Prefixes(N, "ab" * 50_000).split(1) == ["ab"] * 50_000
