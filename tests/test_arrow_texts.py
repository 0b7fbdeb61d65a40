"""Columns of texts through the Arrow C interfaces: every layout, nulls, and arrays that a hostile hand made."""
import ctypes
import gc
import random
import sys
import tracemalloc
from array import array
from threading import Barrier, Thread

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import BPE
from incbpe.default import default_tokenizer_path
from incbpe.model import Config, Model
from linmaxmatch import WordPiece
from linmaxmatch.default import default_vocabulary_path
from subwordio import Texts, TokenLists

WORDPIECE = WordPiece.from_file(default_vocabulary_path())
TOKENIZERS = [WORDPIECE, BPE.from_file(default_tokenizer_path())]
# Without added tokens: short texts go together.
BYTES = tuple(bytes((b,)) for b in range(256))
RANKED = BPE(Config(Model((*BYTES, b"th", b"the"), None, whole_piece=True), "tiktoken", "gpt2"))
LAYOUTS = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.large_binary(), pa.binary_view()]
words = st.sampled_from(["", "a", "the thing", "twelve bytes", "thirteen bytes", "naïve 日本語 😀", "going " * 40])
some_texts = st.lists(words | st.none(), max_size=40)
both = pytest.mark.parametrize("tokenizer", [*TOKENIZERS, RANKED], ids=["WordPiece", "BPE", "BPE, together"])


def plain(tokenizer, texts):
    return [None if text is None else tokenizer.encode(text) for text in texts]


def checked(tokenizer, column, **options) -> TokenLists:
    lists = tokenizer.encode_batch(column, **options)
    lists.check()
    return lists


@both
@given(kind=st.sampled_from(LAYOUTS), texts=some_texts, cut=st.slices(40), extra=st.integers(0, 3))
def test_every_layout(tokenizer, kind, texts, cut, extra):
    """Sliced, in chunks some of which are empty, as a dictionary, and as the only column of a table."""
    step = 1 if cut.step is None else abs(cut.step)
    cut = slice(*sorted(cut.indices(len(texts))[:2]))
    whole = pa.array(texts, pa.string())
    column = whole.cast(kind)[cut.start:cut.stop]
    expected = plain(tokenizer, texts[cut])
    assert checked(tokenizer, column) == expected
    chunks = pa.chunked_array([column[:extra], column[extra:extra], column[extra:]], kind)
    assert checked(tokenizer, chunks) == expected
    assert checked(tokenizer, pa.table({"text": chunks})) == expected
    assert checked(tokenizer, pa.table({"text": chunks})["text"][:step]) == expected[:step]
    batch = pa.record_batch({"text": column})
    assert checked(tokenizer, batch) == checked(tokenizer, batch.column(0)) == expected
    assert checked(tokenizer, pa.chunked_array([], kind)) == []
    if kind not in (pa.string_view(), pa.binary_view()):
        assert checked(tokenizer, column.dictionary_encode()) == expected


@both
def test_a_struct_with_nulls_of_its_own(tokenizer):
    texts = pa.array(["a", "b", None, "d"])
    column = pa.StructArray.from_arrays([texts], ["text"], mask=pa.array([False, True, False, False]))
    assert checked(tokenizer, column) == plain(tokenizer, ["a", None, None, "d"])
    assert checked(tokenizer, column[1:]) == plain(tokenizer, [None, None, "d"])
    assert checked(tokenizer, column[1:].field(0)) == plain(tokenizer, ["b", None, "d"])


@both
@pytest.mark.parametrize("kind", LAYOUTS, ids=str)
def test_empty_and_null(tokenizer, kind):
    assert checked(tokenizer, pa.array([], kind)) == []
    assert checked(tokenizer, pa.nulls(3, kind)) == [None] * 3
    assert checked(tokenizer, pa.array(["", None, ""], pa.string()).cast(kind)) == [[], None, []]
    assert checked(tokenizer, pa.nulls(3)) == [None] * 3
    assert pa.array(checked(tokenizer, pa.nulls(9, kind))).null_count == 9


@both
def test_a_million_rows_with_nulls(tokenizer):
    draw = random.Random(1)
    known = {text: list(tokenizer.encode(text)) for text in ("a", "", "the thing", "naïve", "x" * 30)}
    known[None] = None
    texts = draw.choices(list(known), k=1_000_000)
    whole = pa.array(texts)
    column = pa.chunked_array([whole[:400_000], whole[400_000:].cast(pa.string_view()).cast(pa.string())])
    lists = checked(tokenizer, column, threads=2)
    expected = pa.array([known[text] for text in texts], pa.large_list(pa.uint32()))
    assert pa.array(lists).equals(expected)


def test_no_object_is_made_for_a_text():
    texts = ["the thing", None, "a longer text than twelve bytes"] * 20_000
    columns = [pa.array(texts), pa.array(texts, pa.string_view()), pa.chunked_array([texts]),
               Texts(b"the thing" * 60_000, array("q", range(0, 540_001, 9)))]
    for some, least, most in ((texts[::3], 8 * 20_000, 1 << 30), *((column, 0, 100_000) for column in columns)):
        tracemalloc.start()
        lists = WORDPIECE.encode_batch(some, threads=1)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert len(lists) == len(some) and least <= peak <= most


@both
def test_sixteen_threads_share_a_column(tokenizer):
    texts = [None if i % 7 == 0 else f"the thing {i}" * (i % 5) for i in range(3000)]
    column = pa.chunked_array([pa.array(texts[:1000]), pa.array(texts[1000:])])
    expected, wrong, start = plain(tokenizer, texts), [], Barrier(16)

    def use():
        start.wait()
        if tokenizer.encode_batch(column, threads=2) != expected:
            wrong.append(1)
    users = [Thread(target=use) for _ in range(16)]
    for user in users:
        user.start()
    for user in users:
        user.join()
    assert not wrong


def test_bytes_that_are_not_utf8():
    """As encode_bytes does, and where there is none, the text is named; also among short texts that go together."""
    raw = [b"ab", b"c\xff\xfe", None, b"\xe2\x82", b"", "é".encode(), b"\xff" * 5000, b"the" * 3000]
    binary = pa.array(raw, pa.binary())
    string = pa.Array.from_buffers(pa.string(), len(raw), binary.buffers(), 1)
    for column in (binary, string, binary.cast(pa.large_binary()), binary.cast(pa.binary_view())):
        for bpe in (TOKENIZERS[1], RANKED):
            expected = [None if text is None else bpe.encode_bytes(text) for text in raw]
            assert checked(bpe, column) == expected
            assert checked(bpe, pa.chunked_array([column] * 40), threads=2) == expected * 40
            assert [ids if ids is None else bpe.decode_bytes(ids) for ids in expected] == raw
        with pytest.raises(ValueError, match=r"^texts\[1\]: ill-formed UTF-8 at byte 1: "):
            WORDPIECE.encode_batch(column)


def test_composed_first():
    wordpiece = WordPiece.from_file(default_vocabulary_path(), normalizer="google", nfc=True)
    texts = ["e\N{COMBINING ACUTE ACCENT}", None, "", "a"]
    expected = plain(wordpiece, texts)
    assert checked(wordpiece, pa.array(texts)) == checked(wordpiece, pa.chunked_array([texts])) == expected
    with pytest.raises(ValueError, match=r"^texts\[1\]: .*byte 0"):
        wordpiece.encode_batch(Texts(b"a\xff", array("i", [0, 1, 2])))
    for wrong in ("a", 7):
        with pytest.raises(TypeError, match="texts: expected an iterable"):
            wordpiece.encode_batch(wrong)


def test_a_padded_batch_names_a_null():
    ids, mask, _ = WORDPIECE.encode_padded(pa.array(["the thing", "a"]), special_tokens=False)
    expected = WORDPIECE.encode_padded(["the thing", "a"], special_tokens=False)
    assert (ids, mask) == expected[:2]
    with pytest.raises(TypeError, match=r"texts\[1\]: expected ids, got NoneType"):
        WORDPIECE.encode_padded(pa.array(["the thing", None]))


@both
@pytest.mark.parametrize(("column", "name"), [
    (pa.array([1]), "int64"), (pa.array([1.0]), "float64"), (pa.array([True]), "bool"), (pa.array([["a"]]), "list"),
    (pa.array([1], pa.uint8()).dictionary_encode(), "uint8"), (pa.array([0], pa.timestamp("s", "UTC")), "timestamp"),
    (pa.array([b"ab"], pa.binary(2)), "fixed-size binary"), (pa.array([0], pa.date32()), "date32"),
    (pa.table({"a": ["x"], "b": ["y"]}), r"struct of 2 fields \(choose one\)"), (pa.table({"a": [1]}), "int64"),
    (pa.chunked_array([], pa.int32()), "int32"), (TokenLists([[1]]), "large_list"), (TokenLists().ids, "uint32"),
    (pa.array([{"a": {"b": {"c": "x"}}}]), "struct of 1 fields"), (pa.array([{}], pa.struct([])), "struct of 0 fields"),
])
def test_another_type_is_named(tokenizer, column, name):
    with pytest.raises(TypeError, match=f"^texts: expected an Arrow column of strings or binary, got {name}"):
        tokenizer.encode_batch(column)


# -- offsets and bytes

@both
@pytest.mark.parametrize("code", ["i", "I", "l", "L", "q", "Q"])
def test_offsets_and_bytes(tokenizer, code):
    data = "the thing é".encode()
    offsets = array(code, [0, 3, 3, 9, len(data)])
    for form in (data, bytearray(data), memoryview(data), np.frombuffer(data, np.uint8)):
        texts = Texts(form, offsets)
        texts.check()
        assert len(texts) == 4 and list(texts) == [b"the", b"", b" thing", " é".encode()] and texts[-1] == texts[3]
        assert checked(tokenizer, texts) == plain(tokenizer, list(texts))
    assert checked(tokenizer, Texts(data, np.array([3, 9], np.int64))) == [tokenizer.encode(" thing")]
    assert checked(tokenizer, Texts(data, offsets[:1])) == checked(tokenizer, Texts()) == []
    assert repr(Texts(data, offsets)) == "<Texts: 4 texts>"


@pytest.mark.parametrize(("data", "offsets", "error", "message"), [
    (b"abc", array("i", [0, 2, 1]), ValueError, r"offsets\[2\]: 1 after 2"),
    (b"abc", array("i", [0, 4]), ValueError, r"offsets\[1\]: 4, where the text has 3 bytes"),
    (b"abc", array("i", [-1, 2]), ValueError, r"offsets\[0\]: -1 is not in the text"),
    (b"abc", array("q", [9, 9]), ValueError, r"offsets\[0\]: 9 is not in the text"),
    (b"abc", array("Q", [0, 2**64 - 1]), ValueError, r"offsets\[1\]: -1 after 0"),
    (b"", array("q", [0, 1]), ValueError, r"offsets\[1\]: 1, where the text has 0 bytes"),
    (b"abc", array("q"), ValueError, "offsets: expected one more than there are texts, got none"),
    (b"abc", array("h", [0, 1]), TypeError, "offsets: expected 32-bit or 64-bit integers in one dimension, got 1 dim"),
    (b"abc", array("d", [0, 1]), TypeError, "of format 'd'"), (b"abc", np.zeros((2, 2), int), TypeError, "got 2 dim"),
    (b"abc", np.zeros(4, int)[::2], TypeError, "offsets: expected a contiguous buffer"),
    (b"abc", [0, 1], TypeError, "offsets: expected a buffer, got list"),
    ("abc", array("q", [0, 1]), TypeError, "data: expected a buffer, got str"),
    (array("i", [1]), array("q", [0, 1]), TypeError, "data: expected bytes, got items of 4 bytes"),
])
def test_offsets_that_lead_nowhere(data, offsets, error, message):
    with pytest.raises(error, match=message):
        Texts(data, offsets)


def test_indices_of_texts():
    texts = Texts(b"ab", array("i", [0, 1, 2]))
    for index in (2, -3, 10**30):
        with pytest.raises(IndexError):
            texts[index]


def test_the_bytes_stay_as_long_as_the_texts():
    data = bytearray(b"the thing")
    texts = Texts(data, array("i", [0, 3]))
    with pytest.raises(BufferError):
        data.extend(b"x" * 1000)
    del texts
    data.extend(b"x")


# -- structs of our own making

class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


pointer, function = ctypes.POINTER, ctypes.CFUNCTYPE
Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p), ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64), ("children", pointer(pointer(Schema))), ("dictionary", pointer(Schema)),
    ("release", function(None, pointer(Schema))), ("private_data", ctypes.c_void_p)]
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", pointer(ctypes.c_void_p)),
    ("children", pointer(pointer(Array))), ("dictionary", pointer(Array)),
    ("release", function(None, pointer(Array))), ("private_data", ctypes.c_void_p)]
Stream._fields_ = [
    ("get_schema", function(ctypes.c_int, pointer(Stream), pointer(Schema))),
    ("get_next", function(ctypes.c_int, pointer(Stream), pointer(Array))),
    ("get_last_error", function(ctypes.c_void_p, pointer(Stream))),
    ("release", function(None, pointer(Stream))), ("private_data", ctypes.c_void_p)]


class Producer:
    """A column of texts by hand, which counts its releases, and whose bytes are gone once it is released."""

    def __init__(self, texts=(b"the", b"thing"), format=b"u", **fields):
        self.released = {"schema": 0, "array": 0, "stream": 0}
        self.kept = []
        offsets = [0]
        for text in texts:
            offsets.append(offsets[-1] + len(text))
        self.schema = self.filled(Schema(), "schema", {"format": format})
        self.array = self.filled(Array(), "array", {
            "length": len(texts), "n_buffers": 3, "buffers": [None, array("i", offsets), b"".join(texts)], **fields})

    def filled(self, struct, kind, fields):
        def release(address):
            self.released[kind] += 1
            for memory in self.kept if kind == "array" else ():
                if isinstance(memory, ctypes.Array) and memory._type_ is ctypes.c_char:
                    ctypes.memset(memory, 0xFF, len(memory))
            address[0].release = type(address[0].release)()
        if "buffers" in fields:
            fields["buffers"] = self.addresses(fields["buffers"])
        for name, value in fields.items():
            setattr(struct, name, value)
        struct.release = type(struct.release)(release)
        self.kept += [struct, struct.release]
        return struct

    def addresses(self, buffers):
        if buffers is None:
            return None
        held = [None if some is None else (ctypes.c_char * max(1, len(memoryview(some).cast("B")))).from_buffer_copy(
            bytes(some) or b"\0") for some in buffers]
        self.kept += held
        found = (ctypes.c_void_p * len(held))(*(some and ctypes.addressof(some) for some in held))
        self.kept.append(found)
        return ctypes.cast(found, pointer(ctypes.c_void_p))

    def capsule(self, struct, name):
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(struct), name, None)

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsule(self.schema, b"arrow_schema"), self.capsule(self.array, b"arrow_array")


class Streaming:
    """A stream of chunks; `failing` is the number of the call of get_next that fails, -1: of get_schema."""

    def __init__(self, chunks, failing=None, schema=True, message=b"no more"):
        self.chunks, self.calls, self.kept, self.released = chunks, 0, message and ctypes.c_char_p(message), 0
        self.failing, self.with_schema = failing, schema
        self.stream = Stream()
        self.stream.get_schema = Stream._fields_[0][1](self.get_schema)
        self.stream.get_next = Stream._fields_[1][1](self.get_next)
        self.stream.get_last_error = Stream._fields_[2][1](
            lambda _: self.kept and ctypes.cast(self.kept, ctypes.c_void_p).value)
        self.stream.release = Stream._fields_[3][1](self.release)
        self.callbacks = [getattr(self.stream, name) for name, _ in Stream._fields_[:4]]

    def release(self, stream):
        self.released += 1
        stream[0].release = type(stream[0].release)()

    def get_schema(self, stream, out):
        if self.failing == -1:
            return 22
        if self.with_schema:
            ctypes.memmove(out, ctypes.byref(self.chunks[0].schema), ctypes.sizeof(Schema))
        return 0

    def get_next(self, stream, out):
        if self.calls == self.failing:
            return 5
        ctypes.memset(out, 0, ctypes.sizeof(Array))
        if self.calls < len(self.chunks):
            ctypes.memmove(out, ctypes.byref(self.chunks[self.calls].array), ctypes.sizeof(Array))
        self.calls += 1
        return 0

    def __arrow_c_stream__(self, requested_schema=None):
        return Producer.capsule(self, self.stream, b"arrow_array_stream")


VALID = {"schema": 1, "array": 1, "stream": 0}


@both
def test_what_is_taken_is_released_once(tokenizer):
    producer = Producer()
    assert checked(tokenizer, producer) == plain(tokenizer, ["the", "thing"])
    assert producer.released == VALID
    chunks = [Producer(), Producer((b"a",)), Producer(())]
    streaming = Streaming(chunks)
    assert checked(tokenizer, streaming) == plain(tokenizer, ["the", "thing", "a"])
    assert streaming.released == 1 and [chunk.released["array"] for chunk in chunks] == [1, 1, 1]
    assert chunks[0].released["schema"] == 1


def test_a_capsule_that_was_used_is_refused():
    producer, streaming = Producer(), Streaming([Producer()])
    for source, kind in ((producer, "schema"), (streaming, "stream")):
        WORDPIECE.encode_batch(source)
        with pytest.raises(ValueError, match=f"^texts: the Arrow {kind} was released, or used already"):
            WORDPIECE.encode_batch(source)
    assert producer.released == VALID and streaming.released == 1
    again = Producer()
    again.array.release = type(again.array.release)()
    with pytest.raises(ValueError, match="the Arrow array was released"):
        WORDPIECE.encode_batch(again)
    assert again.released == {"schema": 1, "array": 0, "stream": 0}


def views(*items):
    """(length, prefix or text, buffer, offset) as 16 bytes each."""
    return b"".join(np.array([length], np.int32).tobytes() + (
        some if len(some) == 12 else some + np.array(place, np.int32).tobytes()) for length, some, *place in items)


HOSTILE = [
    ({"length": -1}, "items from 0 on"), ({"offset": -1}, "items from -1 on"),
    ({"offset": 2**63 - 1}, "items from 9223372036854775807 on"),
    ({"buffers": [None, array("i", [0, 5, 3]), b"the thing"]}, r"offsets\[2\]: 3 after 5"),
    ({"buffers": [None, array("i", [-4, 0, 3]), b"the thing"]}, r"offsets\[0\]: -4 is not in the text"),
    ({"buffers": [None, array("i", [0, 3, 9]), None]}, r"offsets\[1\]: 3, where there are no bytes"),
    ({"buffers": [None, None, b"the"]}, "no offsets"), ({"buffers": None}, "no buffers"),
    ({"n_buffers": 2}, "2 buffers where 3 are needed"), ({"n_buffers": 0}, "no buffers"),
    ({"n_buffers": -5}, "no buffers"), ({"null_count": 2}, "2 nulls without a bitmap"),
]
BAD_VIEWS = [
    ([views((-1, b"abcd", 0, 0))], "the view at 0 has the length -1"),
    ([views((13, b"abcd", 1, 0))], "the view at 0 is in buffer 1 of 1"),
    ([views((13, b"abcd", -1, 0))], "the view at 0 is in buffer -1 of 1"),
    ([views((13, b"abcd", 0, 8))], "the view at 0 has 13 bytes from 8 on, in a buffer of 20"),
    ([views((13, b"abcd", 0, -1))], "the view at 0 has 13 bytes from -1 on"),
    ([views((21, b"abcd", 0, 0))], "the view at 0 has 21 bytes from 0 on"),
    ([views((2**31 - 1, b"abcd", 0, 2**31 - 1))], "the view at 0 has 2147483647 bytes"),
    ([None], "no views"),
]


@both
@pytest.mark.parametrize(("fields", "message"), HOSTILE, ids=[message for _, message in HOSTILE])
def test_hostile_arrays(tokenizer, fields, message):
    producer = Producer(**fields)
    with pytest.raises(ValueError, match=f"^texts: .*{message}"):
        tokenizer.encode_batch(producer)
    assert producer.released == VALID
    chunk = Producer(**fields)
    streaming = Streaming([Producer(), chunk])
    with pytest.raises(ValueError, match=f"^texts: .*{message}"):
        tokenizer.encode_batch(streaming)
    assert chunk.released["array"] == streaming.chunks[0].released["array"] == streaming.released == 1


@pytest.mark.parametrize(("buffers", "message"), BAD_VIEWS, ids=[message for _, message in BAD_VIEWS])
def test_hostile_views(buffers, message):
    def made(buffers):
        return Producer((b"",), b"vu", n_buffers=4, buffers=[None, *buffers, b"twenty bytes of text", array("q", [20])])
    with pytest.raises(ValueError, match=f"^texts: .*{message}"):
        WORDPIECE.encode_batch(made(buffers))
    good = made([views((13, b"twen", 0, 7))])
    assert checked(WORDPIECE, good) == plain(WORDPIECE, ["bytes of text"])
    null = made(buffers)
    if buffers[0]:          # what is null may be anything
        null.array.buffers = null.addresses([b"\0", *buffers, b"twenty bytes of text", array("q", [20])])
        null.array.null_count = 1
        assert checked(WORDPIECE, null) == [None]


def test_hostile_views_without_what_they_lead_into():
    long = views((13, b"abcd", 0, 0))
    for n_buffers, buffers, message in ((2, [None, long], "2 buffers where 3"),
                                        (3, [None, long, None], "buffer 0 of 0"),
                                        (4, [None, long, None, array("q", [20])], "is in buffer 0 of 1"),
                                        (4, [None, long, b"x" * 20, None], "no sizes")):
        with pytest.raises(ValueError, match=f"^texts: .*{message}"):
            WORDPIECE.encode_batch(Producer((b"",), b"vu", n_buffers=n_buffers, buffers=buffers))
    several = [None, views((13, b"abcd", 1, 2), (2, b"ab" + bytes(10)), (14, b"efgh", 0, 0)), b"first of buffers",
               b"..second buffer", array("q", [16, 15])]
    column = Producer((b"",) * 3, b"vz", n_buffers=5, buffers=several)
    assert checked(WORDPIECE, column) == plain(WORDPIECE, ["second buffer", "ab", "first of buffe"])


def test_hostile_dictionaries_and_structs():
    def of_indices(indices, **fields):
        producer = Producer((b"",) * len(indices), b"i", n_buffers=2, buffers=[None, array("i", indices)], **fields)
        values = Producer((b"the", b"thing"))
        producer.kept.append(values)
        producer.schema.dictionary = pointer(Schema)(values.schema)
        producer.array.dictionary = pointer(Array)(values.array)
        return producer
    assert checked(WORDPIECE, of_indices([1, 0, 1])) == plain(WORDPIECE, ["thing", "the", "thing"])
    for indices in ([0, 2], [-1], [0, 2**31 - 1]):
        with pytest.raises(ValueError, match=r"^texts: .*in a dictionary of 2"):
            WORDPIECE.encode_batch(of_indices(indices))
    missing = of_indices([0])
    missing.array.dictionary = None
    odd = of_indices([0])
    odd.schema.format = b"f"
    for column, error, message in ((missing, ValueError, "indices without their dictionary"),
                                   (odd, ValueError, "an Arrow dictionary with indices of type 'f'"),
                                   (Producer((b"",), b"i", n_buffers=1), TypeError, "got int32"),
                                   (Producer(format=None), ValueError, "an Arrow schema without a type"),
                                   (Producer(format=b"+s"), TypeError, "got struct of 0 fields"),
                                   (Producer(format=b"??"), TypeError, r"got '\?\?'")):
        with pytest.raises(error, match=f"^texts: .*{message}"):
            WORDPIECE.encode_batch(column)
    child = Producer()
    for length, offset, good in ((2, 0, True), (1, 1, True), (2, 1, False), (3, 0, False), (0, 2**62, False)):
        struct = Producer((b"",), b"+s", n_buffers=1, length=length, offset=offset)
        struct.schema.n_children = struct.array.n_children = 1
        struct.schema.children = pointer(pointer(Schema))(pointer(Schema)(child.schema))
        struct.array.children = pointer(pointer(Array))(pointer(Array)(child.array))
        if good:
            assert checked(WORDPIECE, struct) == plain(WORDPIECE, ["the", "thing"][offset:])
        else:
            with pytest.raises(ValueError, match=r"^texts: .*2 items where \d+ are needed"):
                WORDPIECE.encode_batch(struct)
    struct = Producer((b"",), b"+s", n_buffers=1)
    struct.schema.n_children, struct.schema.children = 1, pointer(pointer(Schema))(pointer(Schema)(child.schema))
    with pytest.raises(ValueError, match="a struct without its field"):
        WORDPIECE.encode_batch(struct)


@pytest.mark.parametrize("failing", [-1, 0, 1, 2])
@pytest.mark.parametrize(("message", "shown"), [(b"no more", "no more"), (None, "no message"), (b"\xff", "\ufffd")])
def test_a_stream_that_fails(failing, message, shown):
    chunks = [Producer(), Producer()]
    streaming = Streaming(chunks, failing, message=message)
    with pytest.raises(RuntimeError, match=rf"^the Arrow stream failed with {22 if failing < 0 else 5}: {shown}$"):
        WORDPIECE.encode_batch(streaming)
    assert streaming.released == 1
    assert [chunk.released["array"] for chunk in chunks] == [int(i < failing) for i in range(2)]


def test_a_stream_without_a_schema():
    with pytest.raises(ValueError, match="the Arrow stream gave no schema"):
        WORDPIECE.encode_batch(Streaming([Producer()], schema=False))


def test_what_is_no_capsule_is_refused():
    class Strange:
        def __init__(self, given):
            self.given = given

        def __arrow_c_array__(self, requested_schema=None):
            if isinstance(self.given, Exception):
                raise self.given
            return self.given
    good = Producer()
    schema, column = good.__arrow_c_array__()
    for pair, message in ((None, "expected two capsules"), ((schema,), "expected two capsules"),
                          ((None, column), "a PyCapsule named 'arrow_schema', got NoneType"),
                          ((column, schema), "a PyCapsule named 'arrow_schema', got PyCapsule")):
        with pytest.raises(TypeError, match=f"^texts: .*{message}"):
            WORDPIECE.encode_batch(Strange(pair))
    for error in (ZeroDivisionError("mine"), UnicodeDecodeError("utf-8", b"", 0, 1, "mine"), pa.ArrowInvalid("mine")):
        with pytest.raises(type(error)) as raised:
            WORDPIECE.encode_batch(Strange(error))
        assert raised.value is error


def test_a_python_generator_behind_a_stream_that_raises():
    schema = pa.schema({"text": pa.string()})

    def batches():
        yield pa.record_batch({"text": ["a"]})
        raise KeyError("mine")
    with pytest.raises(RuntimeError, match=r"(?s)the Arrow stream failed.*mine"):
        WORDPIECE.encode_batch(pa.RecordBatchReader.from_batches(schema, batches()))


def test_references_are_given_back():
    """Also where a text is refused; the result does not keep the column."""
    column, bad = pa.array(["the thing"] * 1000), pa.array([b"\xff"] * 3)
    before = pa.total_allocated_bytes(), sys.getrefcount(column)
    for _ in range(20):
        kept = WORDPIECE.encode_batch(column)
        with pytest.raises(ValueError, match=r"texts\[0\]"):
            WORDPIECE.encode_batch(bad)
    gc.collect()
    assert (pa.total_allocated_bytes(), sys.getrefcount(column)) == before and len(kept) == 1000
