"""Streams of ids: all that comes is `encode` of the whole, nothing is taken back, and nothing certain is held back."""
import gc
import os
import random
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import BPE, Config, Model
from incbpe.default import default_tokenizer_path
from incbpe.model import Form, Prepend, Replace, Split
from incbpe.stages import begins_segment, composites, stands_alone
from proofs.definitions.bpe import common_prefix
from subwordio.added import AddedToken
from tests.published import JSONS, RANKS
from tests.published import ours as model

MODELS = (*RANKS, *JSONS)
CORPORA = ("english", "code", "multilingual", "sentences82")
CRITERIA = ("window", "chain", "maximal")
DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
BYTES = tuple(bytes((b,)) for b in range(256))


@pytest.fixture(scope="module")
def shipped():
    return BPE.from_file(default_tokenizer_path())


def tokenizer(tokens, pattern="gpt2", **options):
    """A rank table of all bytes and these tokens."""
    return BPE(Config(Model((*BYTES, *tokens), None, whole_piece=True), "tiktoken", pattern, **options))


def cuts(text, rng, longest):
    """A text in parts of random lengths."""
    i = 0
    while i < len(text):
        k = rng.randint(1, longest)
        yield text[i:i + k]
        i += k


def streamed(stream, parts, wanted):
    """What comes before the text is finished; all of it is right, at any time."""
    early = 0
    for part in parts:
        more = list(stream.feed(part))
        if early % 16 == 0:
            stream.check()
        assert wanted[early:early + len(more)] == more
        early += len(more)
    assert list(stream.finish()) == wanted[early:]
    return early


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("name", MODELS)
def test_texts_in_random_parts(data, name, corpus):
    """Characters, bytes that cut characters, and blocks. All but the last few tokens come before the end."""
    bpe, rng = model(data, name), random.Random(f"{name} {corpus}")
    whole = (data / "corpora" / f"{corpus}.txt").read_bytes().decode()
    begin = 0 if DEEP else rng.randrange(max(1, len(whole) - 2_000))
    text = whole if DEEP else whole[begin:begin + 2_000]
    special = next((token.content for token in bpe.config.added_tokens if token.special), "")
    text = special.join((text[:900], text[900:901], "", text[901:]))
    wanted = list(bpe.encode(text, "all"))
    spelt_out = text.encode()
    for criterion, source, longest in (("chain", text, 9), ("maximal", spelt_out, 5), ("window", spelt_out, 9000)):
        early = streamed(bpe.stream("all", criterion), cuts(source, rng, longest), wanted)
        assert len(wanted) - early < 20


@st.composite
def worlds(draw, letters, **options):
    """A tokenizer with some tokens over the letters, also such that merging does not make, and a text in parts."""
    word = st.lists(st.sampled_from(letters), min_size=2, max_size=3).map("".join)
    tokens = [token.encode() for token in draw(st.lists(word, max_size=6, unique=True))]
    added = [AddedToken(content, 300 + i) for i, content in enumerate(draw(st.lists(word, max_size=2, unique=True)))]
    part = st.lists(st.sampled_from(letters), min_size=1, max_size=3).map("".join)
    parts = draw(st.lists(part, min_size=1, max_size=4))
    return tokenizer(tokens, added_tokens=tuple(added) if draw(st.booleans()) else (), **options), parts


LETTERS = {"gpt2": "a \n's", "cl100k": "a \n\r7", "llama3": "a \n.7", "qwen": "a \n's", "o200k": "aA \n7",
           "none": "ab "}


@pytest.mark.parametrize("name", LETTERS)
@given(data=st.data())
def test_maximal_is_what_every_continuation_agrees_on(name, data):
    """Neither more nor less is out after each part, where merging makes every token and none is added: else now and
    then less. The other criteria give no more than that."""
    letters = LETTERS[name]
    bpe, parts = data.draw(worlds(letters, pattern=name))
    N = bpe.normalized()
    odd = N.n < len(N.dictionary) or bpe.added is not None
    follow = ["".join(u) for length in range(4) for u in product(letters, repeat=length)]
    streams = {criterion: bpe.stream(criterion=criterion) for criterion in CRITERIA}
    out = {criterion: [] for criterion in CRITERIA}
    text = ""
    for part in parts:
        text += part
        agreed = common_prefix([list(bpe.encode(text + u)) for u in follow])
        for criterion, stream in streams.items():
            out[criterion] += stream.feed(part)
            stream.check()
            assert agreed[:len(out[criterion])] == out[criterion], (text, criterion)
        assert odd or out["maximal"] == agreed, text
        assert len(out["window"]) <= len(out["chain"]) <= len(out["maximal"])
    for criterion, stream in streams.items():
        assert out[criterion] + list(stream.finish()) == list(bpe.encode(text))


def characters(draw_bytes, unk, fuse, whole):
    """A model of characters: a, b, é and some of their merges; other characters are unknown."""
    tokens = ["a", "b", "é", "ab", "ba", "aé", "bab", "<unk>", "abba"]
    byte_ids = None
    if draw_bytes:
        byte_ids = tuple(len(tokens) + k if k < 0xE0 else -1 for k in range(256))
        tokens += [f"<0x{k:02X}>" for k in range(0xE0)]
    merges = (("a", "b"), ("b", "a"), ("a", "é"), ("b", "ab"))
    return Model(tuple(tokens), merges, whole, byte_ids, 7 if unk else None, fuse)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(("fallback", "unk", "fuse"), list(product([False, True], repeat=3)))
def test_unknown_symbols(fallback, unk, fuse, whole):
    """Bytes, the unknown token, fused across calls, or nothing: every text of up to three characters (five in the deep
    form), one at a time."""
    for options in ({}, {"pattern": "gpt2"}, {"add_prefix_space": True}):
        bpe = BPE(Config(characters(fallback, unk, fuse, whole), "tokenizers", **options))
        streams = [bpe.stream(criterion=criterion) for criterion in CRITERIA]
        for length in range(6 if DEEP else 4):
            for text in product("abéx日"[:5 if length < 5 else 4], repeat=length):
                wanted = list(bpe.encode("".join(text)))
                for stream in streams:
                    streamed(stream, text, wanted)


def test_unknown_bytes():
    model = Model((b"a", b"b", b"ab"), ((b"a", b"b"),))         # others vanish before merging
    bpe = BPE(Config(model, "tokenizers"))
    stream = bpe.stream()
    assert [list(stream.feed(c)) for c in "ax"] == [[], []]
    assert list(stream.feed("b")) + list(stream.finish()) == list(bpe.encode("axb")) == [2]
    for pattern in ("none", "gpt2"):
        bpe = BPE(Config(Model((b"a", b"ab"), None, whole_piece=True), "tiktoken", pattern))
        stream = bpe.stream()
        for text in ("ab!", "b"):
            with pytest.raises(ValueError, match="the vocabulary has no token for b'[!b]'"):
                [*stream.feed(text), *stream.finish()]
            with pytest.raises(ValueError, match="the stream has failed before"):
                stream.feed("a")
            stream.reset()
            assert [*stream.feed("ab"), *stream.finish()] == [1]


def test_whole_tokens_are_waited_for():
    """abc is a token that merging does not make: while the piece may become it, nothing of the piece comes."""
    model = Model((*BYTES, b"ab", b"abc"), ((b"a", b"b"),), whole_piece=True)
    for pattern in ("gpt2", "none"):
        stream = BPE(Config(model, "tokenizers", pattern)).stream(criterion="maximal")
        assert [list(stream.feed(c)) for c in "abc"] == [[], [], []]
        assert list(stream.finish()) == [257]
        assert [list(stream.feed(c)) for c in "abcz"] == [[], [], [], [256, 99, 122]]
        assert [list(stream.feed(c)) for c in ("abx", "y")] == [[256, 120], [121]]


STEPS = [(), (Prepend("▁"), Replace(" ", "▁")), (Replace("ab", "b"),), (Form("NFC"),),
         (Replace("aab", " "), Prepend("a"), Replace("aba", "<"))]
FLAGS = ("special", "single_word", "lstrip", "rstrip", "normalized")


@st.composite
def with_added(draw):
    contents = draw(st.lists(st.text("ab <é", min_size=1, max_size=4), min_size=1, max_size=4, unique=True))
    flags = st.sets(st.sampled_from(FLAGS))
    added = [AddedToken(content, 300 + i, **dict.fromkeys(draw(flags), True)) for i, content in enumerate(contents)]
    return added, draw(st.sampled_from(STEPS)), draw(st.sampled_from(["gpt2", "none", "cl100k"])), draw(st.booleans())


@given(config=with_added(), seed=st.integers(0, 2**32))
def test_added_tokens_with_flags_and_rewriting(config, seed):
    added, steps, pattern, space = config
    bpe = tokenizer([b"ab", b" a", b"  ", b"aa", b"aab"], pattern, normalizer=steps, added_tokens=tuple(added),
                    add_prefix_space=space)
    rng = random.Random(seed)
    for allowed in ((), "all"):
        stream = bpe.stream(allowed, rng.choice(CRITERIA))
        for _ in range(20):
            text = "".join(rng.choices("ab <é  e\u0301", k=rng.randint(0, 14)))
            streamed(stream, cuts(text, rng, 4), list(bpe.encode(text, allowed)))


def test_added_tokens_wait_for_what_they_need():
    def outs(text, *added, **options):
        stream = tokenizer([], added_tokens=added, **options).stream(criterion="maximal")
        return [list(stream.feed(c)) for c in text] + [list(stream.finish())]
    x, space, y = b"x"[0], b" "[0], b"y"[0]
    assert outs("x<ay", AddedToken("<a>", 300)) == [[x], [], [], [60, 97, y], []]
    assert outs("<a>y", AddedToken("<a>", 300)) == [[], [], [300], [y], []]
    assert outs("<a>", AddedToken("<a>", 300), AddedToken("<a>>", 301)) == [[], [], [], [300]]
    assert outs("<<a>", AddedToken("<a>", 300)) == [[], [60], [], [300], []]
    assert outs("<a>!", AddedToken("<a>", 300, single_word=True)) == [[], [], [], [300, 33], []]
    assert outs("<a>y", AddedToken("<a>", 300, single_word=True)) == [[], [], [], [60, 97, 62, y], []]
    assert outs("x <y", AddedToken("<", 300, lstrip=True)) == [[x], [], [300], [y], []]
    assert outs("<  y", AddedToken("<", 300, rstrip=True)) == [[300], [], [], [y], []]
    assert outs("x y", AddedToken("<", 300, lstrip=True)) == [[x], [], [space, y], []]
    assert outs("<x", AddedToken("<", 300, special=True)) == [[60], [x], []]


CHARACTERS = "ea1<\u0301\u0327\u0344\u0f73é\u1ec1\u1100\u1161\u11a8가각\ufb01日 \u0958\u2126"


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_forms(form):
    """Every text of up to three of these characters, and random longer ones, a character at a time and in parts."""
    bpe, rng = tokenizer([b"ea", "é".encode()], "none", normalizer=(Form(form),)), random.Random(form)
    stream = bpe.stream()
    texts = ["".join(text) for length in range(4) for text in product(CHARACTERS, repeat=length)]
    texts = texts[::1 if DEEP else 7] + ["".join(rng.choices(CHARACTERS, k=12)) for _ in range(300)]
    for text in texts:
        wanted = list(bpe.encode_bytes(unicodedata.normalize(form, text).encode()))
        assert list(bpe.encode(text)) == wanted
        streamed(stream, text, wanted)
        streamed(stream, cuts(text, rng, 3), wanted)


def test_open_sequences_are_all_that_a_form_holds():
    stream = tokenizer([], "none", normalizer=(Form("NFC"),)).stream()
    assert [spelt(stream.feed(c)) for c in "xe\u03011 日가\u11a8e"] == [
        "", "x", "", "é1", " ", "日", "", "", "각"]
    assert spelt(stream.finish()) == "e"


def test_composites_are_all_there_are():
    """Against the whole of Unicode, Hangul's syllables apart; and the cuts that they allow."""
    first, second = set(), set()
    for c in map(chr, range(0x110000)):
        parts = unicodedata.decomposition(c).split()
        if len(parts) == 2 and parts[0][0] != "<":
            pair = [chr(int(part, 16)) for part in parts]
            if unicodedata.normalize("NFC", "".join(pair)) == c:
                first.add(pair[0])
                second.add(pair[1])
    jamo = {chr(c) for c in range(0x1100, 0x1200)}
    assert first == composites()[0] - jamo and second == composites()[1] - jamo
    before = ["e", "가", "\u1100", "a\u0327", "1", "\u1ec1", "\u0928"]
    after = ["\u0301", "\u0327a", "\u11a8", "\u1161", "\u093c"]
    for form in ("NFC", "NFD", "NFKC", "NFKD"):
        for c in map(chr, range(0, 0x110000) if DEEP else range(0, 0x30000, 7)):
            if "\ud800" <= c <= "\udfff":
                continue
            if begins_segment(form, c):
                assert all(norm(form, x + c) == norm(form, x) + norm(form, c) for x in before), c
            if stands_alone(form, c):
                assert all(norm(form, c + x) == norm(form, c) + norm(form, x) for x in after), c


def norm(form, text):
    return unicodedata.normalize(form, text)


def spelt(*ids):
    """The text of ids that are bytes."""
    return bytes([id for some in ids for id in some]).decode()


def test_chunks():
    stream = tokenizer([]).stream()
    assert spelt(stream.feed("a\ud83d")) == "a" and stream.position == 1
    assert spelt(stream.feed(""), stream.feed(b"")) == ""
    assert spelt(stream.feed("\ude00b"), stream.feed(b" ")) == "😀b "
    assert spelt(stream.feed("\ud83d"), stream.feed(b"\xc3")) == "\ufffd"       # a lone one
    assert spelt(stream.feed(b"\xa9"), stream.feed("\ud83d"), stream.finish()) == "é\ufffd"
    assert stream.position == 0


def test_a_feed_that_fails_changes_nothing():
    bpe = tokenizer([b"ab"])
    stream, got = bpe.stream(), []
    for chunk in ("é", b"a\xe6\x97", b"\xa5b", "a"):
        got += stream.feed(chunk)
        bad = {TypeError: [120], ValueError: b"x\xffy"}
        for error, what in bad.items():
            with pytest.raises(error):
                stream.feed(what)
    assert got + list(stream.finish()) == list(bpe.encode("éa日ba"))
    stream.feed("é")
    stream.feed(b"a\xe6")
    with pytest.raises(ValueError, match="ill-formed UTF-8 at byte 3: invalid continuation byte"):
        stream.feed(b"a")
    with pytest.raises(ValueError, match="ill-formed UTF-8 at byte 6: invalid start byte"):
        stream.feed(b"\x97\xa5\xff")
    with pytest.raises(ValueError, match="chunk: a str, while the character at byte 3 has only its bytes b'.xe6'"):
        stream.feed("a")
    with pytest.raises(ValueError, match="ill-formed UTF-8 at byte 3: unexpected end of data"):
        stream.finish()
    stream.feed(b"\x97\xa5")
    with pytest.raises(TypeError, match="chunk: expected a str or bytes-like object, got int"):
        stream.feed(5)
    with pytest.raises(ValueError, match="criterion: expected window, chain, maximal, got 'all'"):
        bpe.stream(criterion="all")
    with pytest.raises(ValueError, match="the tokenizer has no added tokens"):
        bpe.stream({"<x>"})


def test_a_pattern_of_the_callers_is_held_until_the_end():
    pytest.importorskip("regex")
    for options in ({"pattern": r"\d|\D+"}, {"splits": (Split("-", literal=True, behavior="removed"),)}):
        bpe = tokenizer([b"ab"], options.pop("pattern", None), added_tokens=(AddedToken("<a>", 300),), **options)
        stream = bpe.stream()
        assert [list(stream.feed(c)) for c in ("a-b", "1<")] == [[], []]
        assert list(stream.feed("a>")) == list(bpe.encode("a-b1<a>"))
        assert list(stream.feed("ab")) == [] and list(stream.finish()) == [256]


@pytest.mark.parametrize("name", ["shipped", "llama2"])
def test_memory_is_that_of_what_is_held(data, shipped, name):
    bpe = shipped if name == "shipped" else model(data, name)
    text = (data / "corpora" / "english.txt").read_bytes()[:100_000]
    stream, most = bpe.stream(), 0
    for _ in range(100 if DEEP else 8):
        for i in range(0, len(text), 4096):
            stream.feed(text[i:i + 4096])
            most = max(most, stream.nbytes)
    assert most < 400_000
    stream.reset()
    stream.feed("a" * 100)
    assert stream.nbytes < 400_000


def test_one_tokenizer_has_many_streams(shipped):
    texts = ["Hello, world!", "naïve façade", "\n\n  x = 1"]
    streams = [shipped.stream() for _ in texts]
    got = [[] for _ in texts]
    for i in range(max(map(len, texts))):
        for text, stream, ids in zip(texts, streams, got, strict=True):
            ids += stream.feed(text[i:i + 1])
    for text, stream, ids in zip(texts, streams, got, strict=True):
        assert ids + list(stream.finish()) == list(shipped.encode(text))
        assert repr(stream) == "<Stream: 0 bytes read>"


def test_what_streams_share_is_made_once_and_counted():
    """By threads that ask at the same time too; and a stream of another tokenizer between does not make it again."""
    made = []
    machine = import_module("incbpe.theta").Machine
    first, second = tokenizer([b"ab"]), tokenizer([b"abc", b"bc"])
    assert first.inspect()["stream_bytes"] == 0
    with ThreadPoolExecutor(8) as pool:
        started = list(pool.map(lambda _: first.stream(), range(16)))
    first.stream().feed("ab")
    size = first.inspect()["stream_bytes"]
    assert 256 * 4 * 8 < size < 10**6 and len(started) == 16
    second.stream(criterion="maximal")
    gc.collect()
    before = sum(isinstance(found, machine) for found in gc.get_objects())
    for _ in range(3):
        made += [first.stream(criterion="maximal"), second.stream()]
    gc.collect()
    assert before == sum(isinstance(found, machine) for found in gc.get_objects())
    assert first.inspect()["stream_bytes"] == size
