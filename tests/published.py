"""The published vocabularies and texts of $TOKENIZER_DATA, as this project and as the libraries load them."""
import base64
from functools import cache
from pathlib import Path

import tiktoken
import tokenizers

from incbpe import BPE
from incbpe.patterns import PUBLISHED

RANKS = {"gpt2": "gpt2.tiktoken", "cl100k": "cl100k_base.tiktoken", "o200k": "o200k_base.tiktoken",
         "qwen": "qwen.tiktoken"}
JSONS = ("llama2", "llama3")


@cache
def text_of(data: Path, name: str) -> str:
    return (data / "corpora" / f"{name}.txt").read_bytes().decode()


@cache
def ours(data: Path, name: str) -> BPE:
    if name in RANKS:
        return BPE.from_file(data / "vocabs" / RANKS[name], pattern=name, special_tokens=name)
    return BPE.from_file(data / "vocabs" / f"{name}-tokenizer.json")


@cache
def theirs(data: Path, name: str):
    if name in JSONS:
        return tokenizers.Tokenizer.from_file(str(data / "vocabs" / f"{name}-tokenizer.json"))
    lines = (data / "vocabs" / RANKS[name]).read_bytes().splitlines()
    ranks = {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, lines)}
    return tiktoken.Encoding(name, pat_str=PUBLISHED[name][0], mergeable_ranks=ranks, special_tokens={})
