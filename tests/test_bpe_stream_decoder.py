"""Text of ids that come in parts: whole characters only, and in all what `decode` says."""
import random
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import BPE, Config, Model
from incbpe.model import ByteFallback, ByteLevel, Fuse, Replace, Strip
from subwordio.added import AddedToken
from subwordio.errors import TokenIdError

BYTES = tuple(bytes((b,)) for b in range(256))
TOKENS = ("▁", "a", "▁a", "aab", "b", *(f"<0x{b:02X}>" for b in range(256)))
LLAMA = (Replace("▁", " "), ByteFallback(), Fuse(), Strip(" ", 1, 0))


def plain(**options):
    model = Model((*BYTES, "é日".encode(), "😀".encode()[:2]), None, whole_piece=True)
    return BPE(Config(model, "tiktoken", "gpt2", **options))


def characters(decoder):
    model = Model(TOKENS, (("▁", "a"),), False, tuple(range(5, 261)))
    return BPE(Config(model, "tokenizers", decoder=decoder))


def streamed(bpe, ids, cuts=None, **options):
    """The text, in parts of these lengths, or id by id; every part is whole characters, for good."""
    decoder, text, at = bpe.stream_decoder(**options), "", 0
    for length in cuts or [1] * len(ids):
        text += decoder.feed(ids[at:at + length])
        at += length
    text += decoder.feed(ids[at:]) + decoder.finish()
    assert text == bpe.decode(ids, **({"skip_special_tokens": True} if options else {}))
    return text


@given(ids=st.lists(st.sampled_from([97, 0xC3, 0xA9, 0xE6, 0x97, 0xA5, 0xF0, 0x9F, 0x98, 0x80, 0xFF, 0xED, 256, 257])),
       cuts=st.lists(st.integers(0, 3)))
def test_bytes_as_they_come(ids, cuts):
    streamed(plain(), ids)
    streamed(plain(), ids, cuts)


def test_b53_never_half_a_character():
    """Bytes 1 and 2 of 👍, x, bytes 2 and 3, y: one U+FFFD for each maximal part, and nothing raised."""
    decoder = plain().stream_decoder()
    assert [decoder.feed([b]) for b in "👍".encode()] == ["", "", "", "👍"]
    thumb = "👍".encode()
    assert [decoder.feed([b]) for b in (*thumb[:2], 120, *thumb[1:3], 121)] == ["", "", "�x", "�", "�", "y"]
    assert [decoder.feed([0xC3]), decoder.finish(), decoder.finish()] == ["", "�", ""]
    rng = random.Random(53)
    for _ in range(500):
        streamed(plain(), [rng.randrange(258) for _ in range(rng.randrange(20))])


STEPS = [
    LLAMA, None, (ByteLevel(),), (ByteFallback(), Fuse()), (Strip("a", 1, 0),), (),
    (Strip("▁", 1, 1), Fuse(), Replace("aab", "b"), Strip("b", 1, 2)),
    (Fuse(), Replace("aa", "a"), Replace("ab", "x")), (Fuse(), ByteFallback(), Strip("a", 2, 1)),
    (ByteFallback(), Fuse(), Strip("a", 3, 2), Replace("▁a", "")),
]


@pytest.mark.parametrize("steps", STEPS, ids=repr)
def test_decoders_of_files(steps):
    """Every list of up to four ids of these, and random longer ones."""
    some = [0, 1, 2, 3, 4, 5 + 0xC3, 5 + 0xA9]
    bpe, rng = characters(steps), random.Random(repr(steps))
    for length in range(5):
        for ids in product(some, repeat=length):
            streamed(bpe, list(ids))
    for _ in range(300):
        streamed(bpe, rng.choices([*some, 5 + 0xE6, 5 + 0x97, 5 + 0xA5], k=rng.randrange(20)), [rng.randrange(4)] * 5)


def test_llama_2(data):
    """The space at the beginning goes, once; byte tokens wait for the run's end; what is out is early."""
    bpe = BPE.from_file(data / "vocabs" / "llama2-tokenizer.json")
    text = "  Hello   wörld 🦙🦙 x\n\n 日本\u2a6f. end "
    ids = list(bpe.encode(text))
    assert streamed(bpe, ids) == text
    decoder = bpe.stream_decoder()
    outs = [decoder.feed([id]) for id in bpe.encode("Hello w 🦙.")]
    assert outs == ["Hello", " w", " ", "", "", "", "", "🦙."][:len(outs)] and decoder.finish() == ""
    rng = random.Random(2)
    for _ in range(300):
        limits = rng.choices([259, bpe.vocab_size], k=rng.randrange(9))
        streamed(bpe, [rng.randrange(3, limit) for limit in limits])


def test_added_tokens():
    added = (AddedToken("<|é|>", 300, special=True), AddedToken("▁", 301))
    bpe = plain(added_tokens=added)
    assert streamed(bpe, [0xC3, 300, 97, 301]) == "�<|é|>a▁"
    assert streamed(bpe, [0xC3, 300, 0xA9, 301], skip_special_tokens=True) == "é▁"


def test_an_id_that_names_no_token_changes_nothing():
    for bpe, first in ((plain(), [0xC3]), (characters(LLAMA), [5 + 0xC3])):
        decoder = bpe.stream_decoder()
        assert decoder.feed(first) == ""
        for bad in ([97, 5000], [-1], [2**40]):
            with pytest.raises(TokenIdError):
                decoder.feed(bad)
        with pytest.raises(TypeError):
            decoder.feed(["a"])
        assert decoder.feed([first[0] - 0xC3 + 0xA9]) + decoder.finish() == "é"
        assert decoder.feed(iter([first[0] - 0xC3 + 97])) + decoder.finish() == "a"     # it is new
