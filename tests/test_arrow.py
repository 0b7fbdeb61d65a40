"""Ids as Arrow arrays: the same memory, alive for as long as anyone looks at it, given back from any thread."""
import ctypes
import gc
import sys
from threading import Thread

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subwordio import TokenIds, TokenLists

one = st.lists(st.integers(0, 2**32 - 1), max_size=4)
lists_strategy = st.lists(one | st.none(), max_size=30)
SMALL = pa.list_(pa.uint32())
LARGE = pa.large_list(pa.uint32())


class ArrowArray(ctypes.Structure):
    pass


RELEASE = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))
ArrowArray._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))), ("dictionary", ctypes.c_void_p), ("release", RELEASE),
    ("private_data", ctypes.c_void_p),
]


def struct(capsule) -> ArrowArray:
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ArrowArray.from_address(pointer(capsule, b"arrow_array"))


def address(ids: TokenIds) -> int:
    return np.asarray(ids).__array_interface__["data"][0]


@given(one, st.slices(4))
def test_ids(values, cut):
    ids = TokenIds(values)[cut]
    array = pa.array(ids)
    array.validate(full=True)
    assert array.type == pa.uint32() and array.to_pylist() == values[cut] and array.null_count == 0
    if values[cut]:
        assert array.buffers()[1].address == address(ids)
    assert array.cast(pa.int64()).to_pylist() == values[cut]


@given(lists_strategy, st.slices(30))
def test_lists(values, cut):
    lists = TokenLists(values)[cut]
    array = pa.array(lists)
    array.validate(full=True)
    assert array.type == LARGE and array.to_pylist() == values[cut]
    assert array.null_count == values[cut].count(None)
    small = pa.array(lists, type=SMALL)
    small.validate(full=True)
    assert small.type == SMALL and small.to_pylist() == values[cut]
    if len(lists.ids):
        at = address(lists.ids)
        assert array.values.buffers()[1].address <= at
        assert address_of_first(array) == address_of_first(small) == at
    assert TokenLists(array.to_pylist()) == lists


def address_of_first(array) -> int:
    """Where the first id of an array of lists stands."""
    return array.values.buffers()[1].address + 4 * (array.values.offset + array.offsets[0].as_py())


def test_schemas():
    assert pa.DataType._import_from_c_capsule(TokenIds().__arrow_c_schema__()) == pa.uint32()
    assert pa.DataType._import_from_c_capsule(TokenLists().__arrow_c_schema__()) == LARGE


@pytest.mark.parametrize(("asked", "given"), [
    (None, LARGE), (LARGE, LARGE), (SMALL, SMALL),
    (pa.list_(pa.int64()), LARGE), (pa.uint32(), LARGE), (pa.list_(SMALL), LARGE),
])
def test_a_requested_schema_is_honoured_where_we_can(asked, given):
    lists = TokenLists([[1, 2], None, [3]])
    schema, array = lists.__arrow_c_array__(asked and asked.__arrow_c_schema__())
    assert pa.Array._import_from_c_capsule(schema, array).type == given


def test_what_is_no_schema_is_refused():
    for wrong in ("list<uint32>", SMALL, TokenLists().__arrow_c_array__()[1]):
        with pytest.raises((ValueError, TypeError)):
            TokenLists().__arrow_c_array__(wrong)


@pytest.mark.parametrize("source", [TokenIds([1, 2]), TokenLists([[1], None, [2]]), TokenIds(), TokenLists()])
def test_an_unused_capsule_gives_back_its_references(source):
    before = sys.getrefcount(source)
    capsules = source.__arrow_c_array__()
    assert sys.getrefcount(source) > before
    del capsules
    assert sys.getrefcount(source) == before
    for _ in range(100):
        source.__arrow_c_schema__()
    assert sys.getrefcount(source) == before


def test_an_array_keeps_the_memory_and_gives_it_back():
    for source in (TokenIds(range(1000)), TokenLists([range(500), range(500)])):
        before = sys.getrefcount(source)
        array = pa.array(source)
        assert sys.getrefcount(source) > before
        part = array[1:]
        del array
        gc.collect()
        assert sys.getrefcount(source) > before
        del part
        gc.collect()
        assert sys.getrefcount(source) == before


def test_an_array_outlives_its_source():
    array = pa.array(TokenIds(range(1000)))
    lists = pa.array(TokenLists([range(500), None, range(500, 1000)])[1:])
    junk = [TokenIds(range(1000)) for _ in range(20)]
    array.validate(full=True)
    assert array.to_pylist() == list(range(1000)) and lists.to_pylist() == [None, list(range(500, 1000))] and junk


def test_a_child_outlives_its_parent():
    """The interface lets a consumer move a child out, release the parent, and keep the child."""
    lists = TokenLists([[1, 2], [3]])
    before = sys.getrefcount(lists)
    _, capsule = lists.__arrow_c_array__()
    parent = struct(capsule)
    child = parent.children[0].contents
    moved = ArrowArray.from_buffer_copy(child)
    ctypes.memset(ctypes.byref(child, ArrowArray.release.offset), 0, ctypes.sizeof(RELEASE))
    parent.release(ctypes.byref(parent))
    assert not parent.release and sys.getrefcount(lists) == before + 1
    ids = (ctypes.c_uint32 * moved.length).from_address(moved.buffers[1])
    assert list(ids) == [1, 2, 3]
    moved.release(ctypes.byref(moved))
    assert not moved.release and sys.getrefcount(lists) == before
    del capsule
    assert sys.getrefcount(lists) == before


@pytest.mark.parametrize("source", [TokenIds(range(10)), TokenLists([[1], None])])
def test_release_from_threads_that_do_not_hold_the_gil(source):
    before = sys.getrefcount(source)
    capsules = [source.__arrow_c_array__()[1] for _ in range(400)]

    def release(some):
        for capsule in some:
            array = struct(capsule)
            array.release(ctypes.byref(array))      # ctypes lets the GIL go for the call
    threads = [Thread(target=release, args=(capsules[i::4],)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.getrefcount(source) == before
    assert not any(struct(capsule).release for capsule in capsules)
    del capsules
    assert sys.getrefcount(source) == before


def test_struct_fields():
    lists = TokenLists([[1]] * 11 + [None] + [[2, 3]] * 2)[10:]
    for asked, bounds in ((None, [10, 11, 11, 13, 15]), (SMALL, [2, 3, 3, 5, 7])):
        _, capsule = lists.__arrow_c_array__(asked and asked.__arrow_c_schema__())
        array = struct(capsule)
        assert (array.length, array.offset, array.n_buffers, array.n_children) == (4, 2, 2, 1)
        assert array.null_count == -1       # not counted
        bits = ctypes.c_uint8.from_address(array.buffers[0]).value
        assert [bits >> array.offset + i & 1 for i in range(4)] == [1, 0, 1, 1]
        kind = ctypes.c_int32 if asked else ctypes.c_int64
        assert list((kind * 7).from_address(array.buffers[1]))[2:] == bounds
        child = array.children[0].contents
        assert (child.length, child.null_count, child.n_buffers, child.buffers[0]) == (bounds[-1], 0, 2, None)


def test_to_a_table_and_back():
    table = pa.table({"ids": TokenLists([[1, 2], None, []]), "id": TokenIds([4, 5, 6])})
    assert table.to_pydict() == {"ids": [[1, 2], None, []], "id": [4, 5, 6]}
