"""Every prefix of a text, as the tokenizer encodes it, with pieces and added tokens; and what is cut by that."""
import itertools
import os
import random
from functools import partial

import pytest

from incbpe import BPE
from incbpe.model import Config, Form, Model, Prepend, Replace, Split
from incbpe.textprefixes import tangled
from subwordio.added import AddedToken
from tests.published import JSONS, RANKS, ours, text_of

CORPORA = ("english", "code", "multilingual", "sentences82")
DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


BYTES = tuple(bytes((b,)) for b in range(256))
MERGED = BYTES + (b"ab", b"bb", b" a", b"abb", b"  ", b"\xc3\xa9", b"\xe6\x97", b" ab", b"'l", b"bab")


def small(pattern="gpt2", *, tokens=MERGED, whole=True, **options) -> BPE:
    return BPE(Config(Model(tokens, None, whole_piece=whole), "tokenizers", pattern, **options))


def characters(*, fuse=True, fallback=False, **options) -> BPE:
    """Of characters, as Llama 2 has it: unknown ones become <unk> or their bytes."""
    spelt = ["<unk>", *(f"<0x{b:02X}>" for b in range(256)), "▁", "a", "b", "é", "ab", "▁a", "▁ab"]
    return BPE(Config(Model(tuple(spelt), (("a", "b"), ("▁", "a"), ("▁", "ab")), whole_piece=False, unk_id=0,
                            fuse_unk=fuse, byte_ids=tuple(range(1, 257)) if fallback else None),
                      "tokenizers", "none", **options))


def holds_for_all(bpe: BPE, text, allowed=()) -> None:
    """Every answer of a text's prefixes, by encoding each prefix; and where a text is cut, no longer one would do."""
    prefixes = bpe.prefixes(text, allowed_special=allowed)
    data = prefixes.data
    counts = []
    for i in range(len(data) + 1):
        wanted = bpe.encode_bytes(data[:i], allowed_special=allowed)
        assert prefixes.tokens(i) == wanted, (data, i)
        assert prefixes.count(i) == len(wanted), (data, i)
        assert prefixes.theta(i) == (wanted[-1] if wanted else None), (data, i)
        counts.append(len(wanted))
    places = [i for i in range(len(data) + 1) if i == len(data) or data[i] & 0xC0 != 0x80]
    assert [prefixes.at_char(k) for k in range(len(places))] == places
    for most in range(max(counts) + 2):
        longest = max(i for i in places if counts[i] <= most)
        assert prefixes.longest_within(most) == longest, (data, most)
        assert bpe.truncate(data, most, allowed_special=allowed) == data[:longest], (data, most)


def texts_over(alphabet: str, longest: int, seed: str):
    """Every text up to a length, in `make deep`; else a part of them."""
    chosen = random.Random(seed)
    for n in range(longest + 1):
        for text in itertools.product(alphabet, repeat=n):
            if DEEP or chosen.random() < 250 / len(alphabet) ** n:
                yield "".join(text)


TOKENS = (AddedToken("<x>", 1000), AddedToken("<xy>", 1001), AddedToken("<x><", 1002),
          AddedToken("x", 1003, single_word=True), AddedToken("yy", 1004, lstrip=True),
          AddedToken("y>", 1005, rstrip=True), AddedToken("  ", 1006))
WORLDS = {
    **{pattern: (partial(small, pattern), "ab1 \n'lé")
       for pattern in ("gpt2", "cl100k", "o200k", "llama3", "qwen", "none")},
    "merges of pieces": (partial(small, whole=False), "ab1 \n'lé"),
    "gaps in the bytes": (partial(small, tokens=(b"a", b"b", b"ab", b"abb", b" ", b"bb")), "ab "),
    "unknown bytes vanish": (lambda: BPE(Config(Model((b"a", b"b", b"ab", b"abb", b" "), ((b"a", b"b"), (b"ab", b"b")),
                                                      whole_piece=False), "tokenizers", "gpt2")), "abxé "),
    "unknown characters vanish": (lambda: BPE(Config(Model(("a", "b", "ab", "é", "éa"), (("a", "b"), ("é", "a")),
                                                           whole_piece=False), "tokenizers", "gpt2")), "abxé日"),
    "added": (partial(small, added_tokens=TOKENS[:3]), "<xy> a"),
    "flags": (partial(small, added_tokens=TOKENS), "<xy> a"),
    "single word": (partial(small, added_tokens=TOKENS[3:4]), "xaé \u3000"),
    "white space": (partial(small, added_tokens=TOKENS[4:]), "y> \u3000a"),
    "white space before": (partial(small, added_tokens=(AddedToken("yy", 1004, lstrip=True),)), "ay \u3000"),
    "normalized": (partial(small, added_tokens=(*TOKENS[:1], AddedToken("xy", 1001, normalized=True))), "<xy>a"),
    "space before": (partial(small, add_prefix_space=True, added_tokens=TOKENS[:1]), "<x> aé"),
    "NFC": (partial(small, normalizer=(Form("NFC"),)), "aeé\u0301\u0323 "),
    "NFC and space": (partial(small, normalizer=(Form("NFKC"),), add_prefix_space=True), "ae\u0301\xa0\xa8 "),
    "Hangul": (partial(small, normalizer=(Form("NFC"),)), "\u1100\u1161\u11a8가각a"),
    "marks of one class and others": (partial(small, normalizer=(Form("NFC"),)), "e\u0301\u0300\u0323a"),
    "marks decomposed": (partial(small, normalizer=(Form("NFKD"),)), "e\u0344\u0301\u0323\u0300"),
    "NFD": (partial(small, normalizer=(Form("NFD"),), added_tokens=TOKENS[:1]), "aé\u0323<x>"),
    "NFC and added letters": (partial(small, normalizer=(Form("NFC"),),
                                      added_tokens=(AddedToken("é", 1000), AddedToken("aéb", 1001))), "aébe\u0301"),
    "space before added letters": (partial(small, add_prefix_space=True, added_tokens=(AddedToken("é日", 1000),)),
                                   "é日 a"),
    "unknown": (characters, "abé ▁日"),
    "unknown, not fused": (partial(characters, fuse=False), "abé ▁日"),
    "Llama 2": (partial(characters, fallback=True, normalizer=(Prepend("▁"), Replace(" ", "▁"))), "abé ▁日"),
    "replaced": (partial(small, normalizer=(Replace("é", "日"), Prepend("日"))), "abé日 "),
    "replaced strings": (partial(small, normalizer=(Replace("ab", "b"),)), "ab "),
    "a pattern of one's own": (lambda: BPE(Config(Model(MERGED, None, whole_piece=True), "tokenizers", None,
                                                  splits=(Split("b", literal=True),))), "ab "),
    "U+FFFD": (partial(small, added_tokens=(AddedToken("a\ufffd", 1000),)), "aé\ufffd"),
}


@pytest.mark.parametrize("world", WORLDS)
def test_small_worlds(world):
    make, alphabet = WORLDS[world]
    bpe = make()
    for text in texts_over(alphabet, 6 if len(alphabet) > 4 else 7, world):
        holds_for_all(bpe, text)


@pytest.mark.parametrize("world", WORLDS)
def test_no_text_that_goes_on_has_fewer_tokens_than_the_least(world):
    make, alphabet = WORLDS[world]
    bpe, chosen, known = make(), random.Random(world), 0
    for _ in range(400 if DEEP else 60):
        weights = [chosen.random() ** 3 for _ in alphabet]
        text = "".join(c * chosen.choice((1, 1, 2, 25)) for c in chosen.choices(alphabet, weights, k=20))[:60]
        prefixes = bpe.prefixes(text)
        places = [prefixes.at_char(k) for k in range(len(text) + 1)]
        fewest = prefixes.count()
        for k in range(len(text), -1, -1):
            fewest = min(fewest, prefixes.count(places[k]))
            least = bpe.prefixes(text[:k]).least()
            assert least <= fewest, (text, k)
            known += least
    nothing = {"replaced strings", "a pattern of one's own", "U+FFFD", "unknown", "unknown characters vanish"}
    assert (known > 0) == (world not in nothing)


def test_marks_in_a_row():
    """Of one class, as many as there may be; with more than a thousand turns each prefix is encoded by itself."""
    bpe = small(normalizer=(Form("NFC"),))
    for text, nine in (("e" + "\u0301" * 100_000, 11), ("e\u0323" + "\u0301\u0300" * 50_000, 9)):
        prefixes = bpe.prefixes(text)
        assert not tangled(bpe.pipeline.rewriter, prefixes.data) and prefixes.longest_within(9) == nine
        for i in (1, 2, 3, 4, 5, 6, 9999, 10_000, 10_001, len(prefixes) - 1):
            assert prefixes.tokens(i) == bpe.encode_bytes(prefixes.data[:i])
            assert prefixes.count(i) == len(prefixes.tokens(i))
    for text in ("e" + "\u0301\u0323" * 400, "e" + "\u0301\u0323" * 50_000):
        prefixes = bpe.prefixes(text)
        for i in (1, 2, 3, 4, 5, 6, 555, len(prefixes) - 1):
            assert prefixes.tokens(i) == bpe.encode_bytes(prefixes.data[:i])
        assert tangled(bpe.pipeline.rewriter, prefixes.data) == (prefixes.n > 10_000)


def test_special_tokens_that_count():
    bpe = small(added_tokens=(AddedToken("<x>", 1000, special=True), AddedToken("x>", 1001)))
    for allowed in ((), "all", {"<x>"}):
        holds_for_all(bpe, "a<x>b x>", allowed)
    with pytest.raises(ValueError, match="no special token"):
        bpe.prefixes("a", allowed_special={"<y>"})


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("name", [*RANKS, *JSONS])
def test_real_text(data, name, corpus):
    bpe, text, chosen = ours(data, name), text_of(data, corpus), random.Random(name + corpus)
    for _ in range(40 if DEEP else 4):
        at = chosen.randrange(len(text) - 400)
        holds_for_all(bpe, text[at:at + 200])
        for most in (5, 40):
            whole = text[at:at + 400]
            parts = bpe.prefixes(whole).split(most)
            assert "".join(parts) == whole
            rest = whole
            for part in parts:
                assert bpe.truncate(rest, most) == part and bpe.count(part) <= most
                rest = rest[len(part):]


def test_counts_are_not_monotone(data):
    prefixes = ours(data, "cl100k").prefixes("international unbelie")
    assert (prefixes.count(12), prefixes.count(13)) == (3, 1)
    assert prefixes.longest_within(1) == 13
    prefixes = ours(data, "cl100k").prefixes(" unbelie")
    assert (prefixes.count(7), prefixes.count(8)) == (3, 1)


@pytest.mark.parametrize("name", ("gpt2", "llama2", "qwen"))
def test_windows_find_what_the_whole_text_knows(data, name):
    bpe = ours(data, name)
    for text in ("a" * 3000, " " * 3000, "日本語" * 700, "\n \n" * 900, "e\u0301" * 1500, text_of(data, "code")[:4000]):
        prefixes = bpe.prefixes(text)
        for most in (0, 1, 2, 17, 60, 300, 5000):
            assert bpe.truncate(text, most).encode() == prefixes.data[:prefixes.longest_within(most)], (text[:3], most)


def test_cut_texts_are_what_was_given(data):
    bpe = ours(data, "gpt2")
    for text in ("a\ud83d\ude00b", "x\ud800y", "é\U0001f600\ud800"):
        parts = bpe.prefixes(text).split(3)
        assert "".join(parts) == text and bpe.prefixes(text).at_char(1) == len(text[0].encode())
    assert bpe.prefixes("é a".encode()).split(1) == ["é".encode(), b" a"]
    with pytest.raises(ValueError, match="the character at byte 1 is more tokens by itself"):
        small().prefixes("a日").split(1)


def test_what_is_no_text_no_place_and_no_number():
    bpe = small()
    prefixes = bpe.prefixes("aé")
    assert len(prefixes) == 4 and repr(prefixes) == "<TextPrefixes of 3 bytes>"
    prefixes.check()
    for call in (prefixes.tokens, prefixes.count, prefixes.theta, prefixes.at_char):
        for bad in (-1, 4):
            with pytest.raises(IndexError, match="expected 0 to"):
                call(bad)
        with pytest.raises(TypeError):
            call("1")
    for call in (prefixes.longest_within, partial(bpe.truncate, "a")):
        with pytest.raises(ValueError, match="expected 0 or more"):
            call(-1)
        with pytest.raises(TypeError):
            call(True)
    with pytest.raises(ValueError, match="expected 1 or more"):
        prefixes.split(0)
    with pytest.raises(TypeError):
        bpe.prefixes(3)
    with pytest.raises(ValueError, match="1"):
        bpe.prefixes(b"a\xff")


def test_a_byte_without_a_token_is_the_error_of_encoding():
    bpe = small(tokens=(b"a", b"b", b"abc", b"<"), added_tokens=(AddedToken("<x>", 1000),))
    prefixes = bpe.prefixes("abcab")
    assert (prefixes.count(3), prefixes.theta(3), prefixes.longest_within(9)) == (1, 2, 3)
    assert bpe.truncate("abc c", 1) == "abc"
    prefixes = bpe.prefixes("c<x>a")
    for call in (prefixes.count, prefixes.theta, prefixes.tokens, lambda i: bpe.encode_bytes(b"c<x>a"[:i])):
        for i in range(1, 6):
            with pytest.raises(ValueError, match="no token for b'c'"):
                call(i)
    prefixes.check()
