"""`TokenIds` behaves as the tuple of its ints, over memory that it shares and never lets change."""
import copy
import ctypes
import os
import pickle
import resource
import subprocess
import sys
from array import array
from collections import deque
from collections.abc import Hashable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subwordio import TokenIds

ids_strategy = st.lists(st.integers(0, 2**32 - 1), max_size=30)
slices = st.slices(30)


def address(ids: TokenIds) -> int:
    return np.asarray(ids).__array_interface__["data"][0]


@given(ids_strategy)
def test_as_a_sequence(values):
    ids = TokenIds(values)
    ids.check()
    assert isinstance(ids, Sequence) and isinstance(ids, Hashable)
    assert len(ids) == len(values)
    assert list(ids) == ids.tolist() == [*ids] == values
    assert list(reversed(ids)) == values[::-1]
    for i in range(-len(values), len(values)):
        assert ids[i] == values[i] and type(ids[i]) is int
    for value in [*values, 0, -1, 2**32, 2**64, 1.5, "1", None]:
        assert (value in ids) == (value in values)
        assert ids.count(value) == values.count(value)
        if value in values:
            assert ids.index(value) == values.index(value)


@given(ids_strategy, slices)
def test_slices(values, cut):
    ids = TokenIds(values)
    part = ids[cut]
    part.check()
    assert type(part) is TokenIds and part.tolist() == values[cut]
    part[1:].check()
    assert part[1:].tolist() == values[cut][1:]
    assert part[::-2].tolist() == values[cut][::-2]


def test_a_slice_of_step_1_is_a_view_and_keeps_the_memory():
    ids = TokenIds(range(1000))
    at = address(ids)
    before = sys.getrefcount(ids)
    between = ids[100:900]
    part = between[50:100]
    assert sys.getrefcount(ids) == before + 2       # both hold the owner itself
    assert address(part) == at + 4 * 150
    del ids
    junk = [TokenIds(range(1000)) for _ in range(10)]
    assert part == range(150, 200) and junk
    assert address(part[::2]) != address(part)


def test_iterators_are_independent_and_end():
    ids = TokenIds([5, 6])
    first, second = iter(ids), iter(ids)
    assert iter(first) is first
    assert (next(first), next(second), next(first)) == (5, 5, 6)
    assert first.__length_hint__() == 0 and second.__length_hint__() == 1
    for _ in range(2):
        with pytest.raises(StopIteration):
            next(first)


@pytest.mark.parametrize("key", [3, -4, 2**70, -2**70])
def test_an_index_out_of_range(key):
    with pytest.raises(IndexError):
        TokenIds([1, 2, 3])[key]


@pytest.mark.parametrize("key", [1.0, "1", None, (0,)])
def test_no_index_at_all(key):
    with pytest.raises(TypeError):
        TokenIds([1, 2, 3])[key]


def test_index_in_a_range():
    ids = TokenIds([1, 2, 1, 3])
    assert ids.index(1, 1) == 2 and ids.index(3, -1) == 3 and ids.index(1, -100, 100) == 0
    for arguments in [(3, 0, 3), (1, 3), (7,), (-1,), (2**32 + 1,)]:
        with pytest.raises(ValueError, match="not among the ids"):
            ids.index(*arguments)


class Odd:
    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None


EQUAL = [
    [1, 2, 300], (1, 2, 300), TokenIds([1, 2, 300]), TokenIds([0, 1, 2, 300])[1:], array("H", [1, 2, 300]),
    deque([1, 2, 300]),
    np.array([1, 2, 300]), np.array([1, 2, 300], dtype=">u2"), np.array([1, 9, 2, 9, 300])[::2],
    np.array([1, 2, 300], dtype=object), memoryview(array("q", [1, 2, 300])), [1.0, 2, 300], [True, 2, 300],
    [np.uint8(1), np.int64(2), 300],
]
UNEQUAL = [
    [], [1, 2], [1, 2, 300, 4], [1, 2, 301], [1, 2, 300 + 2**32], [1, 2, 300 - 2**32], [1, 2, -2**63], [1, 2, None],
    [1, 2, "300"], [1, 2, [300]], [Odd(), 2, 300], [1, 2, 300 + 2**64], [1, 2, 2**64], "abc", b"abc", bytearray(b"abc"),
    None, 1, {1, 2, 300}, {1: 1, 2: 2, 300: 300}, iter([1, 2, 300]), object(), Odd,
    np.array([[1], [2], [300]]), np.array([[1, 2, 300]]), np.array(1), np.array(["1", "2", "3"]),
    np.array([1, 2, 3], dtype="M8[s]"), [np.array([1, 1]), 2, 300], [1, 2, float("nan")], memoryview(b"abc"),
]


@pytest.mark.parametrize("other", EQUAL, ids=lambda other: f"{type(other).__name__}")
def test_equal(other):
    ids = TokenIds([1, 2, 300])
    assert (ids == other) is True
    assert (ids != other) is False


@pytest.mark.parametrize("other", UNEQUAL, ids=lambda other: f"{type(other).__name__}")
def test_unequal(other):
    ids = TokenIds([1, 2, 300])
    assert (ids == other) is False
    assert (ids != other) is True


def test_text_is_never_equal():
    ids = TokenIds([97, 98])
    for text in (b"ab", bytearray(b"ab"), "ab"):
        assert (ids == text) is False and (TokenIds() == text[:0]) is False
    assert ids == memoryview(b"ab")     # of which equality compares the ints


def test_an_interrupt_in_a_comparison_is_not_swallowed():
    class Stop:
        def __eq__(self, other):
            raise KeyboardInterrupt

        __hash__ = None
    with pytest.raises(KeyboardInterrupt):
        _ = TokenIds([1]) == [Stop()]


@given(ids_strategy)
def test_hash_is_that_of_the_tuple(values):
    assert hash(TokenIds(values)) == hash(tuple(values))
    assert {TokenIds(values): 1}[tuple(values)] == 1


@pytest.mark.parametrize(("values", "error", "message"), [
    ([1, -1], ValueError, r"ids\[1\]: expected an id from 0 to 4294967295, got -1"),
    ([1, 2, 2**32], ValueError, r"ids\[2\]: expected an id from 0 to 4294967295, got 4294967296"),
    ([-2**100], ValueError, r"ids\[0\]: expected an id"),
    ([2**64], ValueError, r"ids\[0\]: expected an id"),
    ([1, 2.0], TypeError, r"ids\[1\]: expected int, got float"),
    ([None], TypeError, r"ids\[0\]: expected int, got NoneType"),
    ([[1]], TypeError, r"ids\[0\]: expected int, got list"),
    ("12", TypeError, "expected an iterable of ints, got str"),
    (b"12", TypeError, "expected an iterable of ints, got bytes"),
    (7, TypeError, "expected an iterable of ints, got int"),
])
def test_the_constructor_names_what_is_wrong(values, error, message):
    with pytest.raises(error, match=message):
        TokenIds(values)


def test_the_constructor_takes_any_iterable():
    for values in [range(5), iter(range(5)), np.arange(5), TokenIds(range(5)), dict.fromkeys(range(5)),
                   array("H", range(5))]:
        assert TokenIds(values) == [0, 1, 2, 3, 4]
    assert TokenIds() == TokenIds([]) == TokenIds(None) == []
    assert TokenIds(TokenIds([])) == []
    assert TokenIds([2**32 - 1, 0]).tolist() == [2**32 - 1, 0]


def test_it_does_not_change():
    ids = TokenIds([1, 2])
    for attempt in (lambda: ids.__setitem__(0, 5), lambda: setattr(ids, "length", 0), lambda: ids.append(1),
                    lambda: ids.__delitem__(0)):
        with pytest.raises((TypeError, AttributeError)):
            attempt()
    ids.__init__([7, 7, 7])         # the memory was filled by __new__, once
    assert ids == [1, 2]


def test_buffer():
    ids = TokenIds([1, 2, 2**32 - 1])
    view = memoryview(ids)
    assert (view.format, view.itemsize, view.ndim, view.shape, view.strides, view.nbytes) == ("I", 4, 1, (3,), (4,), 12)
    assert view.readonly and view.contiguous and view.tolist() == ids
    with pytest.raises(TypeError):
        view[0] = 1
    with pytest.raises((BufferError, TypeError)):
        (ctypes.c_uint32 * 3).from_buffer(ids)      # asks for writable memory
    assert bytes(ids) == b"".join(i.to_bytes(4, sys.byteorder) for i in ids)
    assert memoryview(TokenIds()).nbytes == 0 and memoryview(TokenIds()).tolist() == []
    del ids
    assert view.tolist() == [1, 2, 2**32 - 1]       # the view keeps the memory


def test_numpy_shares_the_memory():
    ids = TokenIds(range(10))
    whole, part = np.asarray(ids), np.asarray(ids[3:])
    assert whole.dtype == np.uint32 and not whole.flags.writeable and not whole.flags.owndata
    assert np.shares_memory(whole, part) and part.tolist() == list(range(3, 10))
    assert np.asarray(TokenIds()).shape == (0,)
    assert np.array(ids, dtype=np.int64).tolist() == list(range(10))


def test_to_numpy():
    ids = TokenIds(range(10))
    copied = ids.to_numpy()
    assert copied.dtype == np.uint32 and copied.flags.writeable and not np.shares_memory(copied, np.asarray(ids))
    copied[0] = 7
    assert ids == range(10)
    assert ids.to_numpy("int16").dtype == np.int16 and ids.to_numpy(dtype=np.float32).tolist() == list(range(10))
    fixed = ids.to_numpy(writable=False)
    assert np.shares_memory(fixed, np.asarray(ids)) and not fixed.flags.writeable
    assert not ids.to_numpy("int64", writable=False).flags.writeable


def test_without_numpy_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match=r"NumPy.*\[numpy\]"):
        TokenIds([1]).to_numpy()


@given(ids_strategy)
def test_pickle_and_copy(values):
    ids = TokenIds(values)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(ids, protocol))
        again.check()
        assert type(again) is TokenIds and again == ids
    assert pickle.dumps(TokenIds([9, *values])[1:]) == pickle.dumps(ids)
    assert len(pickle.dumps(ids)) <= 4 * len(values) + 80
    assert copy.copy(ids) is ids and copy.deepcopy([ids]) == [ids]


def test_pickles_are_the_same_bytes_in_every_run():
    program = "import pickle, subwordio; print(pickle.dumps(subwordio.TokenIds([1, 2**31]), 5).hex())"
    runs = set()
    for seed in "12":
        environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        run = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True,
                             text=True)
        runs.add(run.stdout)
    assert len(runs) == 1
    assert (1).to_bytes(4, "little").hex() + (2**31).to_bytes(4, "little").hex() in runs.pop()


def test_a_damaged_pickle_is_refused():
    rebuild, _ = TokenIds([1]).__reduce__()
    with pytest.raises(ValueError, match="no whole number of ids"):
        rebuild(b"12345")
    with pytest.raises(TypeError):
        rebuild("1234")


def test_repr():
    assert repr(TokenIds()) == "TokenIds([])"
    assert repr(TokenIds(range(8))) == "TokenIds([0, 1, 2, 3, 4, 5, 6, 7])"
    assert repr(TokenIds(range(512))) == "TokenIds([0, 1, 2, 3, 4, 5, 6, 7, …], length 512)"


def resident() -> int:
    """KiB of memory in use (where the system does not tell: the most so far)."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize() // 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def test_memory_is_given_back():
    values = TokenIds(range(1_000_000))
    broken = [*range(1_000_000), -1]
    before = resident()
    for i in range(50):
        ids = TokenIds(values)
        assert (len(ids[1:]), len(ids[::2]), len(pickle.loads(pickle.dumps(ids)))) == (999_999, 500_000, 1_000_000)
        memoryview(ids).release()
        if i % 5 == 0:
            with pytest.raises(ValueError, match="1000000"):
                TokenIds(broken)
    assert resident() - before < 30_000
