"""Where this Python's Unicode normalization differs from the tokenizers library's, against the library itself."""
import json
import os
import random
import unicodedata

import pytest
from tokenizers import normalizers

from incbpe import BPE
from incbpe.formdifferences import HANGUL, SCALARS, differing, form_facts, points, spelt
from incbpe.formtable import LIBRARY, MARKS
from incbpe.model import Config, Form, Model, Prepend

FORMS = ("NFC", "NFD", "NFKC", "NFKD")
MARKS_OF_BOTH = ("\u0301", "\u0334", "\u0345")          # of classes 230, 1 and 240
DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


def library(form):
    return getattr(normalizers, form)().normalize_str


def alike(form, text):
    return library(form)(text) == unicodedata.normalize(form, text)


@pytest.mark.parametrize("form", FORMS)
def test_a_text_without_the_listed_code_points_is_normalized_alike(form):
    """Those that are marks or decompose, and a part of the others, in `make deep` all; in random company."""
    listed, chosen = set(differing(form)), random.Random(form)
    others = [chr(c) for part in SCALARS for c in part if c not in listed]
    marks = [chr(c) for c in points(MARKS) if c not in listed]
    changed = [c for c in others if unicodedata.normalize("NFKD", c) != c and ord(c) not in HANGUL]
    pairs = [parts for c in changed if listed.isdisjoint(map(ord, parts := unicodedata.normalize("NFD", c)))]
    drawn = others if DEEP else marks + changed + chosen.sample(others, 40_000)
    chosen.shuffle(drawn)
    for i in range(0, len(drawn), 100):
        few = drawn[i:i + 100] + chosen.choices(marks, k=60) + chosen.choices(changed, k=40)
        chosen.shuffle(few)
        text = "".join([*few, *chosen.choices(pairs, k=20)])
        assert alike(form, text), [hex(ord(c)) for c in text]


@pytest.mark.parametrize("form", FORMS)
def test_each_listed_code_point_makes_a_difference(form):
    """Alone, beside a mark that both have, or as a part of what is put together of two that are no marks."""
    listed = [chr(c) for c in differing(form)]
    parts = [c for c in listed if not unicodedata.combining(c) and alike(form, c)]
    for c in listed:
        texts = [c, *(f"a{c}{mark}" for mark in MARKS_OF_BOTH), *(f"a{mark}{c}" for mark in MARKS_OF_BOTH)]
        if c in parts:
            texts += [text for d in parts for text in (c + d, d + c)]
        assert not all(alike(form, text) for text in texts), hex(ord(c))


def test_what_inspect_lists():
    model = Model((b"a",), None)
    bpe = BPE(Config(model, "tokenizers", "none", normalizer=(Form("NFKC"), Prepend("_"), Form("NFD"))))
    facts = bpe.inspect()["forms"]
    assert set(facts) == {"NFKC", "NFD"} and facts == form_facts(bpe.config.normalizer)
    assert facts["NFD"] == {"tokenizers": LIBRARY, "unicodedata": unicodedata.unidata_version,
                            "differ": spelt(differing("NFD"))}
    assert "U+A7F2..U+A7F4" in facts["NFKC"]["differ"] and "U+11938" in facts["NFD"]["differ"]
    json.dumps(facts)
    assert BPE(Config(model, "tokenizers", "none")).inspect()["forms"] == {}
