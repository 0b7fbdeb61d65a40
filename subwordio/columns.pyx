"""A column of strings that comes through the Arrow C interfaces, as `Texts`: nothing is copied but where each text is.

Anything with `__arrow_c_array__` or, for arrays in chunks, `__arrow_c_stream__`: arrays and chunked arrays of pyarrow,
columns of its record batches, Series of polars and pandas, results of DuckDB. The types:

    string, large_string, binary, large_binary      offsets of 32 or 64 bits and the bytes
    string_view, binary_view                        16 bytes a text, which hold it if it is short
    dictionary of these                             each index stands for its text
    null                                            all are null
    struct with one field of these                  so do tables of one column come

A producer's struct is moved out of its capsule before anything else, so that it is released once whatever happens, and a
capsule that was used before is refused. What can be seen to be wrong in an array is a ValueError: lengths and offsets that
are negative, decrease or lead behind a buffer whose length is known, children and buffers that are missing. How long the
bytes behind offsets are, the interface does not say.

Cost  O(texts), in chunks as they come; the whole column is held at once.
"""
from cpython.exc cimport PyErr_CheckSignals
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_IsValid
from libc.stdint cimport INT64_MAX, int64_t, uint8_t
from libc.string cimport strcmp

from subwordio.arrow cimport ArrowArray, ArrowArrayStream, ArrowSchema, read_integer
from subwordio.text cimport TEXT_NULL
from subwordio.texts cimport Texts

cdef int64_t UNKNOWN = -1       # how many bytes there are behind offsets
cdef enum:
    VIEW = 16               # bytes of a string view
    INLINE = 12             # so many bytes of text stand in the view itself
    DEEPEST = 2             # structs and dictionaries in one another: a table's column that has a dictionary

NAMES = {               # of the types that are refused, for messages
    "b": "bool", "c": "int8", "C": "uint8", "s": "int16", "S": "uint16", "i": "int32", "I": "uint32", "l": "int64",
    "L": "uint64", "e": "float16", "f": "float32", "g": "float64", "d": "decimal", "w": "fixed-size binary",
    "tdD": "date32", "tdm": "date64", "tt": "time", "ts": "timestamp", "tD": "duration", "ti": "interval",
    "+l": "list", "+L": "large_list", "+vl": "list_view", "+vL": "large_list_view", "+w": "fixed-size list",
    "+s": "struct", "+m": "map", "+ud": "dense union", "+us": "sparse union", "+r": "run-end encoded",
}


cdef class Moved:
    """A producer's structs, ours to release."""
    cdef ArrowSchema schema
    cdef ArrowArray array
    cdef ArrowArrayStream stream

    def __dealloc__(self):
        if self.array.release != NULL:
            self.array.release(&self.array)
        if self.stream.release != NULL:
            with nogil:     # it may wait for threads of its own
                self.stream.release(&self.stream)
        if self.schema.release != NULL:
            self.schema.release(&self.schema)


cdef bint speaks_arrow(object column) except -1:
    return hasattr(column, "__arrow_c_array__") or hasattr(column, "__arrow_c_stream__")


cdef Texts texts_of_column(object column):
    cdef Texts texts = Texts()
    cdef Moved moved = Moved()
    if hasattr(column, "__arrow_c_array__"):
        pair = column.__arrow_c_array__()
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError(f"__arrow_c_array__ of {type(column).__name__}: expected two capsules")
        move(<ArrowSchema *> pointer(pair[0], "arrow_schema"), &moved.schema, "schema")
        move(<ArrowArray *> pointer(pair[1], "arrow_array"), &moved.array, "array")
        texts.held.append(moved)
        put_array(texts, &moved.schema, &moved.array)
    else:
        capsule = column.__arrow_c_stream__()       # kept, since the struct goes with it
        move(<ArrowArrayStream *> pointer(capsule, "arrow_array_stream"), &moved.stream, "stream")
        put_stream(texts, moved)
    return texts


cdef void *pointer(object capsule, const char *name) except NULL:
    if not PyCapsule_IsValid(capsule, name):
        raise TypeError(f"expected a PyCapsule named {name.decode()!r}, got {type(capsule).__name__}")
    return PyCapsule_GetPointer(capsule, name)


ctypedef fused Struct:
    ArrowSchema
    ArrowArray
    ArrowArrayStream


cdef int move(Struct *source, Struct *to, str kind) except -1:
    """Take a producer's struct over; it is left as a released one."""
    if source.release == NULL:
        raise ValueError(f"the Arrow {kind} was released, or used already")
    to[0] = source[0]
    source.release = NULL
    return 0


cdef int put_stream(Texts texts, Moved moved) except -1:
    cdef Moved chunk
    cdef int failed
    with nogil:     # a producer may run Python in threads of its own
        failed = moved.stream.get_schema(&moved.stream, &moved.schema)
    check_stream(moved, failed)
    while True:
        chunk = Moved()
        with nogil:
            failed = moved.stream.get_next(&moved.stream, &chunk.array)
        check_stream(moved, failed)
        if chunk.array.release == NULL:
            break
        texts.held.append(chunk)
        put_array(texts, &moved.schema, &chunk.array)
        PyErr_CheckSignals()
    if texts.length == 0:
        check_type(&moved.schema)
    return 0


cdef int check_stream(Moved moved, int failed) except -1:
    cdef const char *message
    if failed:
        message = moved.stream.get_last_error(&moved.stream)
        raise RuntimeError(f"the Arrow stream failed with {failed}: "
                           + ("no message" if message == NULL else message.decode("utf-8", "replace")))
    if moved.schema.release == NULL:
        raise ValueError("the Arrow stream gave no schema")
    return 0


cdef int put_array(Texts texts, const ArrowSchema *schema, const ArrowArray *array) except -1:
    """The texts of an array of any of the types."""
    check_type(schema)
    check_bounds(array)
    put_rows(texts, schema, array, 0, array.length)
    return 0


cdef int check_type(const ArrowSchema *schema, int depth=0) except -1:
    """TypeError unless it is a type that we take."""
    cdef str format, name
    if schema.format == NULL:
        raise ValueError("an Arrow schema without a type")
    format = schema.format.decode("utf-8", "replace")
    if schema.dictionary != NULL and depth < DEEPEST:
        if format not in ("c", "C", "s", "S", "i", "I", "l", "L"):
            raise ValueError(f"an Arrow dictionary with indices of type {format!r}")
        return check_type(schema.dictionary, depth + 1)
    if schema.dictionary == NULL and format in ("u", "U", "z", "Z", "vu", "vz", "n"):
        return 0
    if format == "+s" and schema.n_children == 1 and schema.children != NULL and depth < DEEPEST:
        return check_type(schema.children[0], depth + 1)
    name = next((NAMES[format[:k]] for k in (3, 2, 1) if format[:k] in NAMES), repr(format))
    if format == "+s":
        name += f" of {schema.n_children} fields (choose one)"
    raise TypeError(f"expected an Arrow column of strings or binary, got {name}")


cdef int check_bounds(const ArrowArray *array) except -1:
    if array.length < 0 or array.offset < 0 or array.offset > INT64_MAX - array.length:
        raise ValueError(f"an Arrow array of {array.length} items from {array.offset} on")
    return 0


cdef int expect(bint holds, str what) except -1:
    if not holds:
        raise ValueError(f"a malformed Arrow array: {what}")
    return 0


cdef int put_rows(Texts texts, const ArrowSchema *schema, const ArrowArray *array, int64_t first, int64_t count) except -1:
    """Rows first … first + count - 1 of an array of a type that was checked."""
    cdef int64_t at = array.offset + first      # of the first row in the buffers
    cdef Py_ssize_t begin = texts.length
    cdef const char *format = schema.format
    expect(first <= array.length - count, f"{array.length} items where {first + count} are needed")
    texts.reserve(count)
    if schema.dictionary == NULL and not strcmp(format, "n"):
        for _ in range(count):
            texts.put_null()
        return 0
    expect(array.n_buffers > 0 and array.buffers != NULL, "no buffers")
    if schema.dictionary != NULL:
        put_indices(texts, schema, array, at, count)
    elif not strcmp(format, "+s"):
        expect(array.n_children == 1 and array.children != NULL and array.children[0] != NULL, "a struct without its field")
        check_bounds(array.children[0])
        put_rows(texts, schema.children[0], array.children[0], at, count)
    elif format[0] == b"v":
        put_views(texts, array, at, count)
    else:
        expect(array.n_buffers == 3, f"{array.n_buffers} buffers where 3 are needed")
        if count:
            expect(array.buffers[1] != NULL, "no offsets")
            texts.put_slices(array.buffers[2], UNKNOWN, array.buffers[1], b"l" if format[0] in b"UZ" else b"i", at, count)
    put_nulls(texts, array, at, begin, count)
    return 0


cdef inline bint is_null(const uint8_t *validity, int64_t k) noexcept:
    return not validity[k >> 3] >> (k & 7) & 1


cdef int put_nulls(Texts texts, const ArrowArray *array, int64_t at, Py_ssize_t begin, int64_t count) except -1:
    """Make null what the array's bitmap says of the rows just put, texts[begin:]."""
    cdef const uint8_t *validity = <const uint8_t *> array.buffers[0]
    cdef int64_t k
    if array.null_count == 0 or count == 0:
        return 0
    if validity == NULL:
        return expect(array.null_count < 0, f"{array.null_count} nulls without a bitmap")
    for k in range(count):
        if is_null(validity, at + k):
            texts.set_null(begin + k)
    return 0


cdef int put_views(Texts texts, const ArrowArray *array, int64_t at, int64_t count) except -1:
    """Buffers: validity, views, those that views lead into, and the sizes of these.

    A view: its length, and then the text itself, or four bytes of it, the number of the buffer, and the offset there.
    """
    cdef int64_t buffers = array.n_buffers - 3, k, length, buffer, offset
    cdef const uint8_t *validity = <const uint8_t *> array.buffers[0] if array.null_count != 0 else NULL
    cdef const char *view
    cdef const void *sizes
    expect(buffers >= 0, f"{array.n_buffers} buffers where 3 are needed")
    sizes = array.buffers[array.n_buffers - 1]
    expect(buffers == 0 or sizes != NULL, "no sizes of its buffers")
    expect(count == 0 or array.buffers[1] != NULL, "no views")
    for k in range(at, at + count):
        # The rows before k are put.
        if validity != NULL and is_null(validity, k):
            texts.put_null()        # its view may be anything
            continue
        view = <const char *> array.buffers[1] + k * VIEW
        length = read_integer(view, b"i", 0)
        if length < 0:
            raise ValueError(f"a malformed Arrow array: the view at {k} has the length {length}")
        if length <= INLINE:
            texts.put(view + 4, length)
            continue
        buffer, offset = read_integer(view, b"i", 2), read_integer(view, b"i", 3)
        if not 0 <= buffer < buffers or array.buffers[2 + buffer] == NULL:
            raise ValueError(f"a malformed Arrow array: the view at {k} is in buffer {buffer} of {buffers}")
        if offset < 0 or offset > read_integer(sizes, b"l", buffer) - length:
            raise ValueError(f"a malformed Arrow array: the view at {k} has {length} bytes from {offset} on, in a buffer of "
                             f"{read_integer(sizes, b'l', buffer)}")
        texts.put(<const char *> array.buffers[2 + buffer] + offset, length)
    return 0


cdef int put_indices(Texts texts, const ArrowSchema *schema, const ArrowArray *array, int64_t at, int64_t count) except -1:
    """The dictionary's texts that the indices name. What a null's index is does not matter."""
    cdef Texts values = Texts()
    cdef const uint8_t *validity = <const uint8_t *> array.buffers[0] if array.null_count != 0 else NULL
    cdef int64_t k, index
    expect(array.n_buffers == 2 and array.dictionary != NULL, "indices without their dictionary")
    expect(count == 0 or array.buffers[1] != NULL, "no indices")
    put_array(values, schema.dictionary, array.dictionary)
    for k in range(at, at + count):
        if validity != NULL and is_null(validity, k):
            texts.put_null()
            continue
        index = read_integer(array.buffers[1], schema.format[0], k)
        if not 0 <= index < values.length:
            raise ValueError(f"a malformed Arrow array: index {index} in a dictionary of {values.length}")
        if values.refs[index].kind == TEXT_NULL:
            texts.put_null()
        else:
            texts.put(values.refs[index].data, values.refs[index].length)
    return 0
