"""Lists from ready ints: equal to lists of fresh ones, shared between the results of one tokenizer, and counted."""
import sys

import pytest

from linmaxmatch import WordPiece
from subwordio import TokenIds
from subwordio.ints import ReadyInts

TOKENS = ["[UNK]", *(f"w{i}" for i in range(2000))]


@pytest.fixture
def tokenizer() -> WordPiece:
    return WordPiece(TOKENS, normalizer=None)


def test_each_int_is_made_once():
    ints = ReadyInts(1000)
    drawn = [5, 999, 5, 1000, 2**32 - 1, 0, 256, 257, 999]
    first, second = ints.list_of(drawn), ints.list_of(drawn)
    ints.check()
    assert first == second == drawn and ints.made == 5
    assert [a is b for a, b in zip(first, second, strict=True) if 257 <= a < 1000] == [True] * 3
    assert ints.nbytes == 1000 * 8 + 5 * 32


def test_ids_beyond_the_table_and_tables_of_no_entries():
    assert ReadyInts(0).list_of([0, 1, 2**32 - 1]) == [0, 1, 2**32 - 1]
    ReadyInts(0).check()


def test_results_share_their_tokenizers_ints(tokenizer):
    text = "w1999 w300 w300 w1 no"
    lists = tokenizer.encode_batch([text, "", text])
    rows = [tokenizer.encode(text).tolist(), tokenizer.encode(text)[:].tolist(), lists[0].tolist(), lists.tolist()[2],
            lists.ids.tolist()[:5], lists[1:].tolist()[1]]
    assert all(row == [2000, 301, 301, 2, 0] for row in rows)
    assert all(row[0] is rows[0][0] and row[1] is row[2] is rows[0][1] for row in rows)
    assert lists.tolist()[1] == []
    assert TokenIds(rows[0]).tolist()[0] is not rows[0][0]
    assert tokenizer.inspect()["ints_bytes"] == 2001 * 8 + 4 * 32


def test_nothing_is_made_before_a_list_is_asked_for(tokenizer):
    assert list(tokenizer.encode("w1999 w1998")) == [2000, 1999]
    assert tokenizer.inspect()["ints_bytes"] == 0


def test_the_list_owns_its_references(tokenizer):
    row = tokenizer.encode("w1999 " * 50).tolist()
    held = sys.getrefcount(row[0])
    del row[1:]
    kept = sys.getrefcount(row[0])
    assert held - kept == 49
    del tokenizer
    assert row == [2000]
