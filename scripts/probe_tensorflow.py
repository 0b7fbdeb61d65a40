"""Record what tensorflow-text 2.21.1 makes of every code point, and a digest of its words in context.

    python scripts/probe_tensorflow.py observations.json

Runs in an environment of its own (`pip install tensorflow-text==2.21.1`); nothing else in the repository needs it.
scripts/make_unicode_tables.py turns the observations into linmaxmatch/tables_tf.h, and the digests that it
prints go into tests/test_normalizer_tf.py.
"""
import hashlib
import json
import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import tensorflow as tf
import tensorflow_text

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
BATCH = 1 << 16


def batches(texts: Sequence[str]) -> Iterable[Sequence[str]]:
    return (texts[i:i + BATCH] for i in range(0, len(texts), BATCH))


def normalized(texts: Sequence[str], lower: bool) -> list[str]:
    normalizer = tensorflow_text.FastBertNormalizer(lower_case_nfd_strip_accents=lower)
    return [out.decode("utf-8") for batch in batches(texts) for out in normalizer.normalize(batch).numpy()]


def ids(texts: Sequence[str], lower: bool, vocabulary: Sequence[str]) -> list[list[int]]:
    tokenizer = tensorflow_text.FastBertTokenizer(
        vocab=list(vocabulary), token_out_type=tf.int32, unknown_token="[UNK]", lower_case_nfd_strip_accents=lower)
    return [row for batch in batches(texts) for row in tokenizer.tokenize(batch).to_list()]


def observe() -> dict:
    alone = {lower: normalized([chr(c) for c in SCALARS], lower) for lower in (True, False)}
    seen = ids([f"x{chr(c)}y" for c in SCALARS], False, ["[UNK]", "x", "y", "##x", "##y"])
    blank = {c for c, image in zip(SCALARS, alone[False], strict=True) if image != chr(c)}
    assert {image for c, image in zip(SCALARS, alone[False], strict=True) if c in blank} == {" "}
    space = {c for c, row in zip(SCALARS, seen, strict=True) if row == [1, 2]}
    assert blank <= space
    isolated = {c for c, row in zip(SCALARS, seen, strict=True) if row == [1, 0, 2]}
    assert all(row in ([0], [1, 2], [1, 0, 2]) or chr(c) in "xy" for c, row in zip(SCALARS, seen, strict=True))

    def words(text: str) -> list[str]:
        """The words of a normalized text; `check` holds their number against the tokenizer's."""
        out = "".join(" " if ord(c) in space else f" {c} " if ord(c) in isolated else c for c in text)
        return out.split(" ")

    report = {"source": f"tensorflow-text {tensorflow_text.__version__}",
              "space": sorted(space), "isolated": sorted(isolated),
              "lower": {c: image for c, image in zip(SCALARS, alone[True], strict=True) if image != chr(c)},
              "digests": {}}
    rng = random.Random(2012_15524)
    busy = [c for c, image in zip(SCALARS, alone[True], strict=True) if image != chr(c)]
    mixed = ["".join(chr(rng.choice((busy, SCALARS)[rng.random() < 0.3])) for _ in range(rng.randrange(12)))
             for _ in range(50_000)]
    for lower in (True, False):
        for name, texts in (("alone", [chr(c) for c in SCALARS]), ("between letters", [f"x{chr(c)}y" for c in SCALARS]),
                            ("twice", [chr(c) * 2 for c in SCALARS]), ("mixed", mixed)):
            split = [[word for word in words(text) if word] for text in normalized(texts, lower)]
            counts = [len(row) for row in ids(texts, lower, ["[UNK]", "no such word"])]
            assert counts == [len(row) for row in split], name
            if name != "mixed":
                digest = hashlib.sha256("\n".join(" ".join(row) for row in split).encode("utf-8"))
                report["digests"][f"{name}, lowercase={lower}"] = digest.hexdigest()
            else:       # context must not matter: each text is its characters' images put together
                image = dict(zip(SCALARS, alone[lower], strict=True))
                assert normalized(texts, lower) == ["".join(image[ord(c)] for c in text) for text in texts]
    return report


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    report = observe()
    Path(sys.argv[1]).write_text(json.dumps(report), encoding="utf-8")
    print(json.dumps(report["digests"], indent=1))
