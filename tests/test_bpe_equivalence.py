"""Ids equal to those of tiktoken and the tokenizers library, on every line of the texts and on whole documents."""
import base64
import os
from functools import cache
from pathlib import Path

import pytest
import tiktoken
import tokenizers

from incbpe import BPE
from incbpe.patterns import PUBLISHED

RANKS = {"gpt2": "gpt2.tiktoken", "cl100k": "cl100k_base.tiktoken", "o200k": "o200k_base.tiktoken",
         "qwen": "qwen.tiktoken"}
JSONS = ("llama2", "llama3")
CORPORA = ("english", "code", "multilingual", "sentences82")
DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


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


def sample(lines: list[str]) -> list[str]:
    """Every line in `make deep`, else a part of them that changes from vocabulary to vocabulary with its size."""
    return lines if DEEP else lines[::7]


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("name", RANKS)
def test_ids_are_those_of_tiktoken(data, name, corpus):
    text = text_of(data, corpus)
    for lines in (sample(text.splitlines(keepends=True)), sample(text.split("\n"))):
        found = ours(data, name).encode_batch(lines)
        wanted = theirs(data, name).encode_ordinary_batch(lines)
        assert [line for line, a, b in zip(lines, found, wanted, strict=True) if a != b] == []
    part = text if DEEP else text[:300_000]
    ids = ours(data, name).encode(part)
    assert ids == theirs(data, name).encode_ordinary(part)
    assert ours(data, name).decode(ids) == part


@pytest.mark.parametrize("corpus", CORPORA)
@pytest.mark.parametrize("name", JSONS)
def test_ids_and_offsets_are_those_of_the_tokenizers_library(data, name, corpus):
    lines = sample(text_of(data, corpus).split("\n"))
    found = ours(data, name).encode_batch(lines)
    wanted = theirs(data, name).encode_batch(lines, add_special_tokens=False)
    assert [line for line, a, b in zip(lines, found, wanted, strict=True) if a != b.ids] == []
    for line, encoding in zip(lines[::5], wanted[::5], strict=True):
        mine = ours(data, name).encode(line, offsets=True)
        assert mine.ids == encoding.ids
        assert list(zip(mine.starts, mine.ends, strict=True)) == encoding.offsets, line
        assert list(mine.words) == encoding.word_ids, line
        assert ours(data, name).decode(mine.ids) == theirs(data, name).decode(encoding.ids, skip_special_tokens=False)
