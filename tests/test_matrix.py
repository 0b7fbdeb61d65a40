"""`Matrix` is a rectangle of zeros that one fills, item by item or through its buffer."""
import pickle
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from subwordio import Matrix

DTYPES = ("int64", "int32")


@given(st.integers(0, 9), st.integers(0, 9), st.sampled_from(DTYPES), st.data())
def test_as_a_rectangle(rows, columns, dtype, data):
    m = Matrix(rows, columns, dtype)
    model = [[0] * columns for _ in range(rows)]
    bits = 64 if dtype == "int64" else 32
    assert m == model
    for _ in range(data.draw(st.integers(0, 10)) if rows and columns else 0):
        i, j = data.draw(st.integers(-rows, rows - 1)), data.draw(st.integers(-columns, columns - 1))
        m[i, j] = model[i][j] = data.draw(st.integers(-2**(bits - 1), 2**(bits - 1) - 1))
        assert m[i, j] == model[i][j]
    assert m.tolist() == list(m) == [m[i] for i in range(rows)] == model
    assert m == model and m == [tuple(row) for row in model]
    assert (len(m), m.shape, m.dtype) == (rows, (rows, columns), dtype)
    shared = np.asarray(m)
    assert shared.dtype == dtype and shared.shape == (rows, columns) and shared.tolist() == model
    again = pickle.loads(pickle.dumps(m))
    assert again == m and again.dtype == dtype and again.shape == m.shape


def test_the_buffer_is_shared_and_writable():
    m = Matrix(2, 3)
    array, view = np.asarray(m), memoryview(m)
    assert array.dtype == np.int64 and array.flags.writeable and array.flags.c_contiguous and not array.flags.owndata
    array[1, 2] = 7
    view[0, 1] = 5
    assert m == [[0, 5, 0], [0, 0, 7]] and view[1, 2] == 7
    assert (view.shape, view.strides, view.itemsize, view.nbytes, view.readonly) == ((2, 3), (24, 8), 8, 48, False)
    assert Matrix(2, 3, "int32").__len__() == 2 and memoryview(Matrix(2, 3, "int32")).format == "i"
    del m
    assert view.tolist() == [[0, 5, 0], [0, 0, 7]]
    assert bytes(Matrix(0, 5)) == b"" and np.asarray(Matrix(5, 0)).shape == (5, 0)
    assert np.asfortranarray(Matrix(2, 3)).shape == (2, 3)


def test_to_numpy_is_a_copy(monkeypatch):
    m = Matrix(1, 2)
    copied = m.to_numpy()
    copied[0, 0] = 3
    assert m == [[0, 0]] and m.to_numpy("int8").dtype == np.int8
    monkeypatch.setitem(sys.modules, "numpy", None)
    with pytest.raises(ImportError, match=r"NumPy.*\[numpy\]"):
        m.to_numpy()


@pytest.mark.parametrize(("arguments", "error", "message"), [
    ((-1, 2), ValueError, "got -1 and 2"), ((2, -1), ValueError, "got 2 and -1"),
    ((1, 1, "uint8"), ValueError, "expected 'int64' or 'int32', got 'uint8'"), ((1, 1, None), TypeError, "dtype"),
    ((1.5, 1), TypeError, "float"), ((2**40, 2**40), MemoryError, "items"), ((2**62, 2), MemoryError, "items"),
    ((1,), TypeError, "argument"),
])
def test_the_constructor_names_what_is_wrong(arguments, error, message):
    with pytest.raises(error, match=message):
        Matrix(*arguments)


def test_indices_and_values_out_of_range():
    m = Matrix(2, 3, "int32")
    for key in [(2, 0), (0, 3), (-3, 0), (0, -4), 2, -3, (1,), (1, 1, 1), (2**70, 0)]:
        with pytest.raises(IndexError):
            m[key]
    for key in [(2, 0), (0, 3), (1,)]:
        with pytest.raises(IndexError):
            m[key] = 1
    for value in (2**31, -2**31 - 1, 2**63, 2**70):
        with pytest.raises(OverflowError):
            m[0, 0] = value
    for key, value in ((0, 1), ((0, 0), "1"), ((0, "1"), 1), ((0, 0), 1.5)):
        with pytest.raises(TypeError):
            m[key] = value
    assert m == [[0, 0, 0], [0, 0, 0]]


def test_equality():
    m = Matrix(1, 2)
    assert m == Matrix(1, 2, "int32")
    for other in (Matrix(2, 1), [[0, 1]], [[0]], [0, 0], "00", None, [[0, 0], [0, 0]]):
        assert (m == other) is False and (m != other) is True
    assert Matrix(0, 2) != Matrix(0, 3) and Matrix(0, 2) == []
    with pytest.raises(TypeError, match="unhashable"):
        hash(m)


def test_repr():
    assert repr(Matrix(1, 2)) == "<Matrix of 1 × 2 int64: [[0, 0]]>"
    assert repr(Matrix(100, 512, "int32")) == "<Matrix of 100 × 512 int32>"


def test_a_damaged_pickle_is_refused():
    rebuild, arguments = Matrix(1, 2).__reduce__()
    with pytest.raises(ValueError, match="15 bytes for 1 × 2 items of int64"):
        rebuild(*arguments[:3], arguments[3][1:])
