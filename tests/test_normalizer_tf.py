"""Profile `tf` against what scripts/probe_tensorflow.py recorded of tensorflow-text 2.21.1, over every code point."""
import hashlib
import json
from pathlib import Path

import pytest

from linmaxmatch.normalizer import Normalizer

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
DIGESTS = Path(__file__).parent / "normalizer_digests.json"
CONTEXTS = {"alone": "{0}", "between letters": "x{0}y", "twice": "{0}{0}"}


@pytest.mark.parametrize("lowercase", [True, False])
@pytest.mark.parametrize("context", CONTEXTS)
def test_every_code_point_gives_the_recorded_digest(context, lowercase):
    words = Normalizer("tf", lowercase=lowercase).words
    seen = "\n".join(" ".join(words(CONTEXTS[context].format(chr(c)))) for c in SCALARS)
    recorded = json.loads(DIGESTS.read_text(encoding="utf-8"))["tf"]
    assert hashlib.sha256(seen.encode("utf-8")).hexdigest() == recorded[f"{context}, lowercase={lowercase}"]


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
