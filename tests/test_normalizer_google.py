"""Profile `google` against the original code's rules, written out here in Python's own terms.

Those rules speak of `unicodedata` and `str.lower`, so under a Python whose Unicode is not 14.0.0 only the recorded
digests are compared (CPython 3.11 prints them: `PYTHONPATH=. python tests/test_normalizer_google.py`).
"""
import hashlib
import json
import random
import sys
import unicodedata
from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linmaxmatch.normalizer import Normalizer

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
CHINESE = [(0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F),
           (0x2B820, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F)]
UNICODE_14 = pytest.mark.skipif(unicodedata.unidata_version != "14.0.0", reason="the rules are those of Unicode 14.0.0")
CASES = [{"lowercase": True}, {"lowercase": False}]
RECORDED = {
    "{'lowercase': True}": "28b8d4f5353bdcbc71bea9755de721d866bf08f42ecc14783eaa1c12360ed1b3",
    "{'lowercase': False}": "2609aaf283cbd034663b45a92ba3911d89d87ebf91f7f7ad9a066f38fa06f162",
}
category = unicodedata.category


def cleaned(char: str, chinese: bool) -> str:
    if char in "\t\n\r" or category(char) == "Zs":
        return " "
    if char in "\0\ufffd" or category(char) in ("Cc", "Cf"):
        return ""
    return f" {char} " if chinese and any(a <= ord(char) <= b for a, b in CHINESE) else char


def is_mark(char: str) -> bool:
    """Punctuation: every printing ASCII character that is no letter or digit, and category P."""
    return ("!" <= char <= "~" and not char.isalnum()) or category(char).startswith("P")


def reference(text: str, lowercase: bool, strip_accents: bool | None = None, handle_chinese_chars: bool = True,
              nfc: bool = False) -> list[str]:
    text = "".join(cleaned(char, handle_chinese_chars) for char in text)
    if nfc:
        text = unicodedata.normalize("NFC", text)
    words = []
    for chunk in text.split():
        if lowercase:
            chunk = chunk.lower()
        if lowercase if strip_accents is None else strip_accents:
            chunk = "".join(char for char in unicodedata.normalize("NFD", chunk) if category(char) != "Mn")
        words.append("".join(f" {char} " if is_mark(char) else char for char in chunk))
    return " ".join(words).split()


def contexts(c: int) -> list[str]:
    return [chr(c), f"x{chr(c)}y", chr(c) * 2, f"Α{chr(c)}Σ", f"Σ{chr(c)}Σ"]


def digest(words: Callable[[str], list[str]]) -> str:
    lines = (" ".join(words(" ".join(contexts(c)))) for c in SCALARS)
    return hashlib.sha256("\n".join(lines).encode("utf-8")).hexdigest()


@pytest.mark.parametrize("options", CASES, ids=str)
def test_every_code_point_gives_the_recorded_digest(options):
    assert digest(Normalizer("google", **options).words) == RECORDED[str(options)]


@UNICODE_14
def test_every_code_point_follows_the_rules(deep):
    points = SCALARS if deep else sorted({*random.Random(4).sample(SCALARS, 4000), *range(0x600), 0x345, 0x3A3, 0x1E9E})
    for lowercase, strip, chinese, nfc in product((True, False), (None, True, False), (True, False), (False, True)):
        ours = Normalizer("google", lowercase, strip, True, chinese, nfc).words
        some = points if (strip, chinese, nfc) == (None, True, False) else points[::7]
        for text in (text for c in some for text in contexts(c)):
            assert ours(text) == reference(text, lowercase, strip, chinese, nfc), ascii(text)


COMBINING = [c for c in SCALARS if unicodedata.combining(chr(c))]
HARD = st.one_of(
    st.sampled_from("ΣΣΣασΑ'.:·’\u00ad\u200b\u0345\u0301ªʰ\u0130 1漢\uf900\u2028\x1c"),
    st.sampled_from(COMBINING).map(chr),
    st.sampled_from([c for c in COMBINING if category(chr(c)) != "Mn"]).map(chr), st.sampled_from(SCALARS).map(chr),
    st.integers(0xAC00, 0xD7A3).map(chr),
    st.sampled_from([c for c in SCALARS if unicodedata.decomposition(chr(c))[:1] not in ("", "<")]).map(chr))


@UNICODE_14
def test_every_mark_beside_a_kept_one_of_each_class():
    """Only marks that stay show where the others were sorted."""
    kept = {unicodedata.combining(chr(c)): chr(c) for c in COMBINING if category(chr(c)) != "Mn"}
    assert len(kept) > 4
    for mark in kept.values():
        text = " ".join(f"a{chr(c)}{mark} a{mark}{chr(c)}" for c in COMBINING)
        assert Normalizer("google").words(text) == reference(text, True)


@UNICODE_14
@given(st.lists(HARD, max_size=30).map("".join), st.booleans(), st.sampled_from([None, True, False]), st.booleans(),
       st.booleans())
def test_mixed_texts_follow_the_rules(text, lowercase, strip_accents, chinese, nfc):
    ours = Normalizer("google", lowercase, strip_accents, True, chinese, nfc)
    assert ours.words(text) == reference(text, lowercase, strip_accents, chinese, nfc)
    if not nfc:
        assert [word for word, _, _ in ours.words_with_offsets(text)] == ours.words(text)


@UNICODE_14
@pytest.mark.parametrize("name", ["english", "multilingual", "code", "sentences82"])
def test_lines_of_real_text_follow_the_rules(data, deep, name):
    lines = (data / "corpora" / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    for options in [*CASES, {"lowercase": True, "nfc": True}]:
        ours = Normalizer("google", **options).words
        for line in lines if deep else random.Random(5).sample(lines, min(len(lines), 250)):
            assert ours(line) == reference(line, **options)


def test_what_unicode_14_leaves_unassigned_is_not_composed():
    """U+105C9 composes from U+105D2 and U+0307 in Unicode 16; here U+105D2 stays as it is, in every Python."""
    ours = Normalizer("google", lowercase=False, nfc=True)
    assert ours.words("\U000105d2\u0307") == ["\U000105d2\u0307"]
    assert ours.words("e\u0301\U000105d2\u0307e\u0301") == ["\u00e9\U000105d2\u0307\u00e9"]


if __name__ == "__main__":
    if unicodedata.unidata_version != "14.0.0":
        sys.exit("needs a Python with Unicode 14.0.0: CPython 3.11")
    print(json.dumps({str(options): digest(lambda text, options=options: reference(text, **options))
                      for options in CASES}, indent=1))
