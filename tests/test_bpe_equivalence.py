"""Ids equal to those of tiktoken and the tokenizers library, on every line of the texts and on whole documents."""
import os

import pytest

from tests.published import JSONS, RANKS, ours, text_of, theirs

CORPORA = ("english", "code", "multilingual", "sentences82")
DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"


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
