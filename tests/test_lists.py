"""`TokenLists` behaves as a tuple of `TokenIds` and None."""
import copy
import pickle
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subwordio import TokenIds, TokenLists

one = st.lists(st.integers(0, 2**32 - 1), max_size=5)
lists_strategy = st.lists(one | st.none(), max_size=30)


def parts_agree(lists: TokenLists, values: list) -> None:
    lists.check()
    assert len(lists) == len(values)
    assert lists.tolist() == values
    assert (lists == values, lists != values) == (True, False)
    assert list(lists) == values and [lists[i] for i in range(len(values))] == values
    for i in range(-len(values), len(values)):
        item = lists[i]
        assert item is None if values[i] is None else type(item) is TokenIds and item == values[i]
    flat, bounds = lists.ids, lists.offsets
    assert flat == [i for ids in values if ids is not None for i in ids]
    assert (bounds.format, bounds.readonly, len(bounds)) == ("q", True, len(values) + 1)
    assert bounds[0] == 0 and bounds[-1] == len(flat)
    assert [flat[bounds[i]:bounds[i + 1]] for i in range(len(values))] == [ids or [] for ids in values]


@given(lists_strategy)
def test_as_a_sequence(values):
    lists = TokenLists(values)
    parts_agree(lists, values)
    assert not isinstance(lists, Sequence)      # polars looks there first
    assert hash(lists) == hash(tuple(None if ids is None else tuple(ids) for ids in values))


@given(lists_strategy, st.slices(30), st.slices(10))
def test_slices(values, first, second):
    part = TokenLists(values)[first]
    parts_agree(part, values[first])
    parts_agree(part[second], values[first][second])


@given(lists_strategy, st.slices(30))
def test_pickle_and_copy(values, cut):
    part = TokenLists(values)[cut]
    again = pickle.loads(pickle.dumps(part))
    parts_agree(again, values[cut])
    assert pickle.dumps(TokenLists(values[cut])) == pickle.dumps(part)
    assert copy.copy(part) is part and copy.deepcopy([part]) == [part]


def test_views_keep_the_memory():
    lists = TokenLists([[i] * 5 for i in range(100)])
    before = sys.getrefcount(lists)
    part = lists[10:50][5:20]
    item, flat, bounds = part[0], part.ids, lists.offsets
    assert sys.getrefcount(lists) == before + 4         # none of them by way of the slice
    assert np.shares_memory(np.asarray(item), np.asarray(lists.ids))
    del lists, part
    junk = [TokenLists([[i] * 5 for i in range(100)]) for _ in range(5)]
    assert item == [15] * 5 and flat[-1] == 29 and bounds[100] == 500 and junk


EQUAL = [
    [[1], None, [2, 3]], ((1,), None, (2, 3)), [TokenIds([1]), None, TokenIds([2, 3])],
    TokenLists([[9], [1], None, [2, 3]])[1:],
]
UNEQUAL = [
    [[1], None], [[1], [], [2, 3]], [[1], None, [2, 4]], [[1], None, None], [[1], None, [2], [3]], [1, None, [2, 3]],
    "abc", b"abc", None, 3, [b"\1", None, [2, 3]], TokenLists([[1], [], [2, 3]]), TokenLists([[1], None]), object(),
]


@pytest.mark.parametrize("other", EQUAL, ids=lambda other: type(other).__name__)
def test_equal(other):
    lists = TokenLists([[1], None, [2, 3]])
    assert (lists == other) is True and (lists != other) is False


@pytest.mark.parametrize("other", UNEQUAL, ids=lambda other: type(other).__name__)
def test_unequal(other):
    lists = TokenLists([[1], None, [2, 3]])
    assert (lists == other) is False and (lists != other) is True


def test_equal_to_a_matrix():
    assert TokenLists([[1, 2], [3, 4]]) == np.array([[1, 2], [3, 4]])
    assert TokenLists([[1, 2], [3, 4]]) != np.array([[1, 2], [3, 5]])
    assert TokenLists([[1], [2]]) != np.array([1, 2])


@pytest.mark.parametrize(("values", "error", "message"), [
    ([[1], [2, -1]], ValueError, r"lists\[1\]: ids\[1\]: expected an id from 0 to 4294967295, got -1"),
    ([[1], ["2"]], TypeError, r"lists\[1\]: ids\[0\]: expected int, got str"),
    ([[1], 2], TypeError, r"lists\[1\]: expected an iterable of ints, got int"),
    ([[1], "2"], TypeError, r"lists\[1\]: expected an iterable of ints, got str"),
    ("12", TypeError, "expected an iterable of iterables of ints, got str"),
    (7, TypeError, "not iterable"),
])
def test_the_constructor_names_what_is_wrong(values, error, message):
    with pytest.raises(error, match=message):
        TokenLists(values)


@pytest.mark.parametrize("key", [2, -3, 2**70])
def test_an_index_out_of_range(key):
    with pytest.raises(IndexError):
        TokenLists([[1], [2]])[key]


def test_repr():
    assert repr(TokenLists([[1, 2], None])) == "TokenLists([[1, 2], None])"
    assert repr(TokenLists([[1]] * 9)) == "TokenLists([[1], [1], [1], [1], …], length 9)"
    assert repr(TokenLists([range(9)])) == "TokenLists([TokenIds([0, 1, 2, 3, 4, 5, 6, 7, …], length 9)])"
    assert repr(TokenLists()) == "TokenLists([])"


def int64(*values: int) -> bytes:
    return b"".join(value.to_bytes(8, "little", signed=True) for value in values)


@pytest.mark.parametrize(("ids", "bounds", "validity"), [
    (b"1234", int64(0, 2), None), (b"1234", int64(0, 1, 0), None), (b"1234", int64(1, 1), None), (b"1234", b"", None),
    (b"1234", int64(0, 1)[:-1], None), (b"123", int64(0, 1), None), (b"1234", int64(0, 1), b""),
    (b"1234", int64(0, 1), b"\0"), (b"", int64(0, -1, 0), None), (b"12345678", int64(0, 1), None),
    (b"", int64(0, 2**62), None),
])
def test_a_damaged_pickle_is_refused(ids, bounds, validity):
    rebuild, _ = TokenLists([[1]]).__reduce__()
    with pytest.raises(ValueError, match="list"):
        rebuild(ids, bounds, validity)
