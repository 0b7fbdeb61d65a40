"""Profile `tf` against what scripts/probe_tensorflow.py recorded of tensorflow-text 2.21.1, over every code point."""
import hashlib

import pytest

from linmaxmatch.normalizer import Normalizer

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
CONTEXTS = {"alone": "{0}", "between letters": "x{0}y", "twice": "{0}{0}"}
RECORDED = {
    "alone, lowercase=True":
        "e2911d180d0fee4e6b3606815ccac22188b844f9faa83601a54fe8bd76061461",
    "between letters, lowercase=True":
        "72a12687a93de065143e6ab08c937f488ace837adfd301b1a5af283279afa8e4",
    "twice, lowercase=True":
        "ee6c97908604a82a70213d0668a36b2461a2613e9502dc362c8e89cb8d9f687b",
    "alone, lowercase=False":
        "a4f5507cfe891a5484c2180e6023ede1db808c7a09aa5f3da98edbcb21570c34",
    "between letters, lowercase=False":
        "e6c33946b452a58602cbc0f498b785d25e5f9b9dc5de4b1880e6ee652295fff3",
    "twice, lowercase=False":
        "eb01daee1117f04f8c1668a6a3cfad89ce6a4112648659eb48c781a7a70145db",
}


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("context", CONTEXTS)
def test_every_code_point_gives_the_recorded_digest(context, lowercase):
    words = Normalizer("tf", lowercase=lowercase).words
    seen = "\n".join(" ".join(words(CONTEXTS[context].format(chr(c)))) for c in SCALARS)
    assert hashlib.sha256(seen.encode("utf-8")).hexdigest() == RECORDED[f"{context}, lowercase={lowercase}"]


def test_controls_split_and_ignorables_vanish_where_case_is_folded():
    folding, cased = Normalizer("tf").words, Normalizer("tf", lowercase=False).words
    assert folding("a\0b") == cased("a\0b") == ["a", "b"]
    assert (folding("a\u200bb"), cased("a\u200bb")) == (["ab"], ["a", "b"])
    assert folding("a\ufffdb") == ["a\ufffdb"]
    assert folding("a\u0011b") == ["a", "b"]


def test_marks_are_not_reordered():
    """The model treats each code point by itself, so kept marks stay in the order of the text."""
    words = Normalizer("tf").words
    assert words("\U0001d16d\U0001d165") == ["\U0001d16d\U0001d165"]
    assert words("\U0001d165\U0001d16d") == ["\U0001d165\U0001d16d"]
    assert Normalizer().words("\U0001d16d\U0001d165") == ["\U0001d165\U0001d16d"]
