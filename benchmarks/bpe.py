"""BPE against its peers: {text} x {call} x {model} x {state}; benchmarks/README.md defines each.

    python -m benchmarks.bpe --slice 1MB     the cells that are quoted, some minutes
    python -m benchmarks.bpe                 every cell on the whole texts; goes on where a stopped run was
"""
import functools
from collections.abc import Sequence

from benchmarks import newlines, suite
from benchmarks.bpe_linear import is_han
from benchmarks.bpe_peers import ANY, OURS, OWN, Tiktoken, TiktokenArray, Tokenizers
from benchmarks.harness import Call, Cell, Peer, Setting
from benchmarks.suite import Beside, Suite, data

CORPORA = ("english", "multilingual", "code", "Chinese")
CHINESE_BYTES = 4_000_000
CALLS: tuple[Call, ...] = ("line", "batch", "document", "count", "chunks", "bytes")
RANKS = {"gpt2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base", "qwen": "qwen"}
NONE = "cl100k without pre-tokenizer"
SETTINGS = (*RANKS, "llama3", "llama2", NONE)
HEADLINE = (                # what is quoted most stands first
    *(Cell(corpus, "cl100k", call, "warm") for call in ("line", "batch", "document") for corpus in CORPORA[:3]),
    *(Cell(corpus, NONE, call, "warm") for call in ("batch", "document") for corpus in CORPORA[:3]),
    *(Cell(corpus, "cl100k", "document", "cold") for corpus in CORPORA[:3]),
    *(Cell(corpus, name, "document", "warm") for name in ("o200k", "llama3", "gpt2", "qwen", "llama2")
      for corpus in CORPORA[:3]),
    *(Cell(corpus, "cl100k", "document", state) for state in ("other", "off") for corpus in CORPORA[:3]),
    *(Cell(corpus, "cl100k", call, "warm") for call in ("count", "chunks", "bytes") for corpus in CORPORA[:3]),
    *(Cell("Chinese", name, "document", "off") for name in ("cl100k", "o200k", "qwen")),
)


def setting(name: str) -> Setting:
    vocabularies = data() / "vocabs"
    if name == NONE:
        return Setting(name, vocabularies / "cl100k_base.tiktoken", pattern="none")
    if name in RANKS:
        return Setting(name, vocabularies / f"{RANKS[name]}.tiktoken", pattern=name)
    return Setting(name, vocabularies / f"{name}-tokenizer.json")


def reference(name: str) -> type[Peer]:
    return Tiktoken if name in RANKS else Tokenizers


def others(name: str) -> tuple[type[Peer], ...]:
    """Those that can do this model; without a pre-tokenizer also tiktoken, whose pattern takes the text as it is."""
    if name == NONE:
        return Tiktoken, TiktokenArray
    own = [peer for peer in OWN if name in peer.NAMES]
    return (*((TiktokenArray,) if name in RANKS else ()), *ANY, *own)


def beside(name: str, texts: list[str]) -> Beside:
    """For what no pre-tokenizer slows down, reading the text at all."""
    count = newlines.counter() if name == NONE else None
    if count is None:
        return {}
    text = "\n".join(texts).encode()
    return {"memchr": lambda: count(text)}


@functools.cache
def texts(corpus: str, limit: int | None, setting: str) -> list[str]:
    """The lines; "Chinese": those of the multilingual text that are mostly Han, over and over."""
    if corpus != "Chinese":
        return suite.lines(corpus, limit)
    han = [line for line in suite.lines("multilingual", None) if 2 * sum(map(is_han, line)) > len(line)]
    size = len("\n".join(han).encode()) + 1
    return han * max(1, min(limit or CHINESE_BYTES, CHINESE_BYTES) // size)


SUITE = Suite("bpe", CORPORA, SETTINGS, HEADLINE, OURS, setting, reference, others,
              texts, beside, CALLS, ("Chinese",))


def main(argv: Sequence[str] | None = None) -> None:
    suite.run(SUITE, argv, (__doc__ or "").split("\n")[0])


if __name__ == "__main__":
    main()
