"""BPE against its peers: {text} x {call} x {model} x {state}; benchmarks/README.md defines each.

    python -m benchmarks.bpe --slice 1MB     the cells that are quoted, some minutes
    python -m benchmarks.bpe                 every cell on the whole texts; goes on where a stopped run was
"""
from collections.abc import Sequence
from typing import get_args

from benchmarks import newlines, suite
from benchmarks.bpe_peers import ANY, OURS, Quicktok, Tiktoken, TiktokenArray, Tokenizers
from benchmarks.harness import Call, Cell, Peer, Setting
from benchmarks.suite import Beside, Suite, data

CORPORA = ("english", "multilingual", "code")
RANKS = {"gpt2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base", "qwen": "qwen"}
NONE = "cl100k without pre-tokenizer"
SETTINGS = (*RANKS, "llama3", "llama2", NONE)
HEADLINE = (
    *(Cell(corpus, "cl100k", call, "warm") for call in get_args(Call) for corpus in CORPORA),
    *(Cell(corpus, "cl100k", "document", "cold") for corpus in CORPORA),
    *(Cell(corpus, NONE, call, "warm") for call in ("batch", "document") for corpus in CORPORA),
    *(Cell(corpus, name, "document", "warm") for name in ("gpt2", "o200k", "qwen", "llama3", "llama2")
      for corpus in CORPORA),
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
    own = (Quicktok,) if name in Quicktok.NAMES else ()
    return (*((TiktokenArray,) if name in RANKS else ()), *ANY, *own)


def beside(name: str, texts: list[str]) -> Beside:
    """For what no pre-tokenizer slows down, reading the text at all."""
    count = newlines.counter() if name == NONE else None
    if count is None:
        return {}
    text = "\n".join(texts).encode()
    return {"memchr": lambda: count(text)}


SUITE = Suite("bpe", CORPORA, SETTINGS, HEADLINE, OURS, setting, reference, others,
              lambda corpus, limit, name: suite.lines(corpus, limit), beside)


def main(argv: Sequence[str] | None = None) -> None:
    suite.run(SUITE, argv, (__doc__ or "").split("\n")[0])


if __name__ == "__main__":
    main()
