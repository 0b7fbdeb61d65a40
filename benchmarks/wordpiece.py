"""WordPiece against its peers: {text} x {call} x {setting} x {state}; benchmarks/README.md defines each.

    python -m benchmarks.wordpiece --slice 1MB     the cells that are quoted, a few minutes
    python -m benchmarks.wordpiece                 every cell on the whole texts; goes on where a stopped run was
"""
import functools
from collections.abc import Sequence

from benchmarks import suite
from benchmarks.harness import Call, Cell, Setting
from benchmarks.peers import OTHERS, OURS, REFERENCE
from benchmarks.suite import Suite, data

CORPORA = ("english", "multilingual", "code", "sentences82")
SETTINGS = ("uncased", "cased", "none")
CALLS: tuple[Call, ...] = ("line", "batch", "document")
HEADLINE = (
    *(Cell(corpus, "uncased", call, "warm") for corpus in CORPORA for call in CALLS),
    *(Cell(corpus, "uncased", "document", state)
      for corpus in ("english", "multilingual") for state in ("other", "cold", "off")),
    *(Cell(corpus, "cased", "document", "warm") for corpus in ("english", "multilingual")),
    *(Cell("sentences82", "none", call, "warm") for call in CALLS),
    Cell("sentences82", "none", "document", "cold"),
    *(Cell(corpus, "none", "document", "warm") for corpus in ("english", "multilingual")),
)


def setting(name: str) -> Setting:
    vocabularies = data() / "vocabs"
    uncased, cased = vocabularies / "bert-base-uncased-vocab.txt", vocabularies / "multilingual-cased-wordpiece.txt"
    return {"uncased": Setting("uncased", uncased, clean=True, lowercase=True),
            "cased": Setting("cased", cased, clean=True, lowercase=False),
            "none": Setting("none", cased, clean=False, lowercase=False)}[name]


@functools.cache
def texts(corpus: str, limit: int | None, setting: str) -> list[str]:
    """The lines; for the setting without clean-up, as the reference's own clean-up leaves them."""
    if setting != "none":
        return suite.lines(corpus, limit)
    from tokenizers.normalizers import BertNormalizer

    clean = BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=False)
    return [clean.normalize_str(text) for text in suite.lines(corpus, limit)]


SUITE = Suite("wordpiece", CORPORA, SETTINGS, HEADLINE, OURS, setting, lambda name: REFERENCE, lambda name: OTHERS,
              texts, lambda name, texts: {}, CALLS)


def main(argv: Sequence[str] | None = None) -> None:
    suite.run(SUITE, argv, (__doc__ or "").split("\n")[0])


if __name__ == "__main__":
    main()
