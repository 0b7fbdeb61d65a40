"""The strings of a field of JSON lines, read without Python objects: they are those of `json`, or nothing is said."""
import itertools
import json
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from subwordio.corpus import Recipe, documents
from subwordio.corpus.blocks import Block, Position
from subwordio.jsonfields import json_fields


def by_json(data: bytes, name: str):
    """What `json` makes of the lines: (texts, places, lines); None where a line is a fault, or no text in UTF-8."""
    texts, places, lines = [], [], data.removesuffix(b"\n").split(b"\n") if data else []
    for i, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            texts.append(json.loads(line.decode())[name].encode())
            places.append(i)
        except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
            return None
    return texts, places, len(lines)


def agree(data: bytes, name: str = "a") -> bool:
    """Whether it was read; then it is as `json` reads it."""
    found = json_fields(data + b"behind", len(data), name)
    if found is None:
        return False
    texts, places, lines = found
    assert (list(texts), list(places), lines) == by_json(data, name), data
    return True


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2),
                                                                                           inner, max_size=3))
OBJECTS = st.builds(lambda one, text, other: {**one, "a": text, **other},
                    st.dictionaries(st.sampled_from(["b", "é", "aa", ""]), VALUES, max_size=2), st.text(),
                    st.dictionaries(st.sampled_from(["c", "日"]), VALUES, max_size=2))
WAYS = st.fixed_dictionaries({"ensure_ascii": st.booleans(), "separators": st.sampled_from([(",", ":"), (", ", ": "),
                                                                                          (" ,\t", " :  ")])})


@given(st.lists(st.tuples(OBJECTS, WAYS, st.sampled_from(["", " ", "\r", "\t \r"])), max_size=5), st.booleans())
def test_what_json_writes_is_read(rows, ended):
    data = "\n".join(space + json.dumps(value, **way) + space for value, way, space in rows) + "\n" * ended
    escaped = any(way["ensure_ascii"] and not all(map(str.isascii, value)) for value, way, _ in rows)
    assert agree(data.encode()) != escaped


@given(st.lists(OBJECTS, min_size=1, max_size=3), st.integers(0), st.binary(max_size=2), st.integers(0, 3))
def test_whatever_is_changed_it_is_as_json_reads_it(rows, at, instead, gone):
    data = "\n".join(map(json.dumps, rows)).encode()
    at %= len(data) + 1
    agree(data[:at] + instead + data[at + gone:])


PARTS = ['"', "\\", "{", "}", "[", "]", ":", ",", "a", "1", "0", "-", ".", "e", " ", "\n", '"a"', "null", '\\"',
         "\\u0061", "\\ud83d", "\\ude00", "true", '"a":"', "1E+2", "\r", "\x0b", "\x1f", "é"]


@pytest.mark.parametrize("shape", ["{}", '{{"a":{}}}', '{{"a":"b","c":{}}}', '{{"c":{},"a":"b"}}', '{{"a":"{}"}}'])
def test_short_lines(shape, deep):
    """Every way to put four of the parts of JSON together; a part of them unless `make deep`."""
    chosen, read = random.Random(shape), 0
    for n in range(5):
        for parts in itertools.product(PARTS, repeat=n):
            if deep or n < 3 or chosen.random() < 2000 / len(PARTS) ** n:
                read += agree(shape.format("".join(parts)).encode())
    assert read > 0


@pytest.mark.parametrize(("line", "read"), [
    ('{"a": "\\ud83d\\ude00"}', True), ('{"a": "\\uD83D\\uDE00\\u00e9\\u65e5\\b\\f\\n\\r\\t\\/\\\\"}', True),
    ('{"a": "\\ud83d"}', False), ('{"a": "\\ude00\\ud83d"}', False), ('{"a": "\\ud83dx\\ude00"}', False),
    ('{"b": "\\ud83d", "a": ""}', True), ('{"\\u0061": "b", "a": "c"}', False), ('{"a": 1, "a": "b"}', False),
    ('{"a": "b", "a": "c"}', True), ('{"a": "b", "a": null}', False), ('{"b": {"a": 1}, "a": "b"}', True),
    ('{"a": "b", "c": NaN}', False), ('{"a": "b", "c": ' + "1" * 1000 + "}", True), ('["a"]', False),
    ("\ufeff{}", False), ('{"a": "b", "c": ' + "1" * 5000 + "}", False), ("{}", False), ('{"a": "b"} {}', False),
    ('{"a": "b", "c": ' + "[" * 60 + "1" + "]" * 60 + "}", True),
    ('{"a": "b", "c": ' + "[" * 99_999 + "1" + "]" * 99_999 + "}", False),
    ('{"a": "b"}\n\n \r\n{"a": "c"}', True), ("", True), ("\n", True), ('{"a":"\x00"}', False), ("\x0c", False),
])
def test_lines_that_tell(line, read):
    assert agree(line.encode()) == read


def test_names_and_sizes():
    assert agree('{"é\u65e5": "b"}'.encode(), "é\u65e5") and not agree(b'{"a": "b"}', "\ud800")
    assert json_fields(b'{"a":"\xff"}', 9, "a") is None
    for size in (-1, 10):
        with pytest.raises(ValueError, match="expected 0 to 9"):
            json_fields(b'{"a":"b"}', size, "a")


@given(st.lists(st.sampled_from(['{"text": "a"}', '{"text": "\\ud83d"}', "", '{"text": 1}', "{", '{"text": "é"}']),
                max_size=6))
@example(['{"text": "a"}', '{"text": "é"}'])
def test_a_block_has_the_documents_and_the_faults_that_json_gives(lines):
    data = "\n".join(lines).encode()
    block = Block("jsonl", Position(), Position(), len(data), data=data)
    found = documents.json_documents(block, Recipe())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(documents, "json_fields", lambda *arguments: None)
        wanted = documents.json_documents(block, Recipe())
    texts = [text if isinstance(text, str) else text.decode() for text in found.texts]
    assert (texts, list(found.places), found.units, found.faults) == (
        wanted.texts, wanted.places, wanted.units, wanted.faults)
