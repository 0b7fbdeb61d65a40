"""Truncation, overflow and padding against the tokenizers library, and the errors where it would panic."""
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from subwordio.errors import TokenIdError
from subwordio.ids import TokenIds
from subwordio.lists import TokenLists
from subwordio.padding import Padding, Truncation, pad_and_truncate
from subwordio.template import PLAIN, Special, Template, Text

CLS, SEP, WORDS = 1, 2, 60
BERT = Template.bert(CLS, SEP)
FANCY = Template((Text(0, 3), Special((5, 6, 7), 2)),
                 (Special((CLS,), 4), Text(1, 6), Special((5, 6, 7), 2), Text(0, 8), Special((SEP,), 9)))


def library(template: str | None) -> Tokenizer:
    """A tokenizer of the library for which the text "9 8 9" has the ids 9, 8, 9."""
    tokenizer = Tokenizer(models.WordLevel({str(i): i for i in range(WORDS)}, unk_token="0"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if template == "bert":
        tokenizer.post_processor = processors.BertProcessing(("2", SEP), ("1", CLS))
    elif template == "bert template":
        tokenizer.post_processor = processors.TemplateProcessing(
            "1 $A 2", "1 $A 2 $B:1 2:1", [("1", CLS), ("2", SEP)])
    elif template == "fancy":
        tokenizer.post_processor = processors.TemplateProcessing(
            "$A:3 long:2", "1:4 $B:6 long:2 $A:8 2:9",
            [("1", CLS), ("2", SEP), {"id": "long", "ids": [5, 6, 7], "tokens": ["5", "6", "7"]}])
    return tokenizer


LIBRARY = {name: library(name) for name in (None, "bert", "bert template", "fancy")}
OURS = {None: PLAIN, "bert": BERT, "bert template": BERT, "fancy": FANCY}


def spelt(ids: list[int]) -> str:
    return " ".join(map(str, ids))


texts = st.lists(st.integers(10, WORDS - 1), max_size=14)
samples = st.tuples(texts, texts)


@st.composite
def options(draw: st.DrawFn) -> tuple[Truncation | None, Padding]:
    truncation = draw(st.none() | st.builds(
        Truncation, st.integers(0, 20), st.sampled_from(["longest_first", "only_first", "only_second"]),
        st.integers(0, 6), st.sampled_from(["left", "right"])))
    padding = Padding(draw(st.none() | st.integers(20, 48)), draw(st.sampled_from(["left", "right"])),
                      draw(st.integers(0, 9)), draw(st.integers(0, 3)), draw(st.none() | st.integers(0, 9)))
    return truncation, padding


@given(st.lists(samples, min_size=1, max_size=5), st.sampled_from(list(LIBRARY)),
       st.tuples(st.booleans(), st.booleans(), st.booleans()), options())
def test_rows_equal_the_librarys(batch, template, switches, chosen):
    pair, special_tokens, overflow = switches
    truncation, padding = chosen
    state = json.loads(LIBRARY[template].to_str())
    first, second = [a for a, _ in batch], [b for _, b in batch] if pair else None

    def ours():
        return pad_and_truncate(first, second, template=OURS[template], special_tokens=special_tokens,
                                truncation=truncation, padding=padding, return_overflow=overflow)

    added = OURS[template].num_added(pair) if special_tokens else 0
    if truncation is not None:
        room = truncation.max_length - added
        if room < 0 or truncation.stride >= max(room, 1) or (room == 0 and overflow):
            with pytest.raises(ValueError, match="max_length="):
                ours()
            return
        state["truncation"] = {"direction": truncation.direction.capitalize(), "max_length": truncation.max_length,
                               "strategy": "".join(map(str.capitalize, truncation.strategy.split("_"))),
                               "stride": truncation.stride if overflow else 0}
    state["padding"] = {"strategy": "BatchLongest" if padding.length is None else {"Fixed": padding.length},
                        "direction": padding.direction.capitalize(), "pad_to_multiple_of": padding.multiple_of,
                        "pad_id": padding.pad_id, "pad_type_id": padding.pad_type_id, "pad_token": "0"}
    peer = Tokenizer.from_str(json.dumps(state))
    inputs = [(spelt(a), spelt(b)) if pair else spelt(a) for a, b in batch]
    try:
        encodings = peer.encode_batch(inputs, add_special_tokens=special_tokens)
    except BaseException as error:
        assert "Truncation error" in str(error) or "stride" in str(error)  # no other reason has been seen
        with pytest.raises(ValueError, match=r"^texts\[\d+\]: "):
            ours()
        return
    rows = [(encoding, i) for i, main in enumerate(encodings)
            for encoding in ([main, *main.overflowing] if overflow else [main])]
    target = (padding.length or 0) + -(padding.length or 0) % (padding.multiple_of or 1)
    if padding.length is not None and max(sum(main.attention_mask) for main in encodings) > target:
        with pytest.raises(ValueError, match="more than the"):
            ours()
        return
    if overflow and truncation and pair and any(len(encoding.ids) > max(map(len, (e.ids for e in encodings)))
                                                for encoding, _ in rows):
        with pytest.raises(ValueError, match=r"room for 0 ids"):   # a text cut to nothing overflows without end
            ours()
        return
    got = ours()
    assert got.ids.tolist() == [encoding.ids for encoding, _ in rows]
    assert got.attention_mask.tolist() == [encoding.attention_mask for encoding, _ in rows]
    assert got.type_ids.tolist() == [encoding.type_ids for encoding, _ in rows]
    assert got.samples.tolist() == [i for _, i in rows]
    padding = replace(padding, pad_id=None)
    if all(map(all, got.attention_mask)):       # nothing is filled up
        assert ours().ids == got.ids
    else:
        with pytest.raises(ValueError, match=r"^texts\[\d+\]: a row of \d+ ids is to be filled up to"):
            ours()


@pytest.mark.parametrize("name", list(LIBRARY))
@pytest.mark.parametrize("direction", ["left", "right"])
def test_every_small_pair_is_cut_as_in_the_library(name, direction):
    """All pairs of up to 5 ids, all rooms of 2 to 8 ids, all strides that fit: rows, overflow, type ids."""
    state, template, compared = json.loads(LIBRARY[name].to_str()), OURS[name], 0
    lengths = [(a, b) for a in range(6) for b in range(6)]
    for room in range(2, 9):
        for stride in range(room // 2):     # the least that a text which is cut keeps
            truncation = Truncation(room + template.num_added(True), stride=stride, direction=direction)
            state["truncation"] = {"direction": direction.capitalize(), "max_length": truncation.max_length,
                                   "strategy": "LongestFirst", "stride": stride}
            peer = Tokenizer.from_str(json.dumps(state))
            for a, b in lengths:
                first, second = list(range(10, 10 + a)), list(range(30, 30 + b))
                main = peer.encode(spelt(first), spelt(second))
                got = pad_and_truncate([first], [second], template=template, truncation=truncation,
                                       return_overflow=True)
                for row, encoding in enumerate([main, *main.overflowing]):
                    width = len(encoding.ids)
                    assert got.ids[row][:width] == encoding.ids, (room, stride, a, b)
                    assert got.type_ids[row][:width] == encoding.type_ids, (room, stride, a, b)
                assert len(got.ids) == 1 + len(main.overflowing)
                compared += 1
    assert compared > 300


# The cases from the field, and what is refused.

def test_w28_stride_zero_and_stride_of_the_whole_length():
    row = [[1, 2, 3, 4]]
    got = pad_and_truncate(row, truncation=Truncation(4, stride=0), return_overflow=True)
    assert got.ids.tolist() == row
    assert got.attention_mask.tolist() == [[1, 1, 1, 1]]
    for texts in (row, [[1, 2, 3, 4, 5]]):
        with pytest.raises(ValueError, match=r"stride=4: must be less than 4, which is max_length=4 without 0 special"):
            pad_and_truncate(texts, truncation=Truncation(4, stride=4), return_overflow=True)
    with pytest.raises(ValueError, match=r"stride=2: must be less than 2, which is max_length=4 without 2 special"):
        pad_and_truncate(row, template=BERT, truncation=Truncation(4, stride=2))


@pytest.mark.parametrize("max_length", [0, 1])
def test_w28_no_underflow_where_special_tokens_do_not_fit(max_length):
    with pytest.raises(ValueError, match=f"max_length={max_length}: too short for the 2 special tokens of a row"):
        pad_and_truncate([[9]], template=BERT, truncation=Truncation(max_length))
    with pytest.raises(ValueError, match="too short for the 3 special tokens"):
        pad_and_truncate([[9]], [[8]], template=BERT, truncation=Truncation(2))


def test_room_for_nothing_but_special_tokens():
    assert pad_and_truncate([[9, 8], []], template=BERT, truncation=Truncation(2)).ids.tolist() == [[1, 2], [1, 2]]
    with pytest.raises(ValueError, match="no room for text beside the 2 special tokens, so overflow would not end"):
        pad_and_truncate([[9, 8]], template=BERT, truncation=Truncation(2), return_overflow=True)
    with pytest.raises(ValueError, match=r"texts\[0\]: overflow with stride=0 needs .* room for 0 ids of this text"):
        pad_and_truncate([[9, 8]], [[7, 6, 5]], truncation=Truncation(1), return_overflow=True)


@pytest.mark.parametrize("strategy, pairs, message", [
    ("only_second", None, r"texts\[1\]: 4 ids are too long, and strategy='only_second' has no second text"),
    ("only_second", [[], [7]], r"texts\[1\]: 3 ids too many, and the text that strategy='only_second' truncates has 1"),
])
def test_a_strategy_that_cannot_make_room_names_the_text(strategy, pairs, message):
    with pytest.raises(ValueError, match=message):
        pad_and_truncate([[9], [9, 8, 7, 6]], pairs, truncation=Truncation(2, strategy))


def test_only_first_with_too_long_a_second_text():
    with pytest.raises(ValueError, match=r"texts\[0\]: 2 ids too many, and the text that strategy='only_first'"):
        pad_and_truncate([[9]], [[8, 7]], truncation=Truncation(1, "only_first"))


def test_a_row_longer_than_the_fixed_length_is_an_error():
    with pytest.raises(ValueError, match=r"texts\[1\]: a row of 3 ids, more than the 2 that rows are padded to"):
        pad_and_truncate([[1], [1, 2, 3]], padding=Padding(2))


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 5000])
def test_any_number_of_rows(n):
    rows = [[i % 7] * (i % 5) for i in range(n)]
    got = pad_and_truncate(rows)
    assert got.ids.shape == (n, max(map(len, rows), default=0))
    assert [row[:len(original)] for row, original in zip(got.ids.tolist(), rows, strict=True)] == rows
    assert [sum(row) for row in got.attention_mask.tolist()] == [len(row) for row in rows]


def test_every_kind_of_list():
    import numpy
    rows = [[5, 6], [], [7]]
    expected = [[5, 6], [0, 0], [7, 0]]
    for given_rows in (rows, tuple(map(tuple, rows)), (iter(row) for row in rows), TokenLists(rows),
                       TokenLists([[9], *rows, [8]])[1:4], [TokenIds(row) for row in rows],
                       [numpy.array(row, dtype="int64") for row in rows],
                       [numpy.array(row, dtype="uint32") for row in rows]):
        assert pad_and_truncate(given_rows).ids.tolist() == expected
    with pytest.raises(TypeError, match=r"texts\[1\]: expected ids, got NoneType"):
        pad_and_truncate(TokenLists([[1], None]))


@pytest.mark.parametrize("bad, error, message", [
    ("abc", TypeError, "texts: expected lists of ids, got str"),
    ([[1], None], TypeError, r"texts\[1\]: expected ids, got NoneType"),
    ([[1], "2"], TypeError, r"texts\[1\]: expected ids, got str"),
    ([[1], 2], TypeError, r"texts\[1\]: expected ids: 'int' object is not iterable"),
    ([[1], [2, 0.5]], TypeError, r"texts\[1\]: expected ids: 'float' object"),
    ([[1], [2, -3]], TokenIdError, r"texts\[1\]\[1\]: -3 is no id"),
    ([[1], [2**32]], TokenIdError, r"texts\[1\]\[0\]: 4294967296 is no id"),
])
def test_what_is_no_list_of_ids_is_named(bad, error, message):
    with pytest.raises(error, match=message):
        pad_and_truncate(bad)
    with pytest.raises(error, match=message.replace("texts", "pairs")):
        pad_and_truncate([[1], [1]], bad)


def test_no_rows_need_no_pad_token():
    assert pad_and_truncate([], padding=Padding(5)).ids.tolist() == []


def test_pairs_must_be_as_many():
    with pytest.raises(ValueError, match="pairs: 1 for 2 texts"):
        pad_and_truncate([[1], [2]], [[3]])


@pytest.mark.parametrize("make, error, message", [
    (lambda: Truncation(-1), ValueError, "max_length=-1"),
    (lambda: Truncation(2**31), ValueError, "max_length=2147483648"),
    (lambda: Truncation(True), TypeError, "max_length: expected an int, got bool"),
    (lambda: Truncation("5"), TypeError, "max_length: expected an int, got str"),
    (lambda: Truncation(5, "longest"), ValueError, "strategy='longest': expected longest_first, only_first, only_sec"),
    (lambda: Truncation(5, stride=-1), ValueError, "stride=-1"),
    (lambda: Truncation(5, direction="Right"), ValueError, "direction='Right': expected left, right"),
    (lambda: Padding(-1), ValueError, "length=-1"),
    (lambda: Padding(pad_id=2**32), ValueError, "pad_id=4294967296: expected 0 to 4294967295"),
    (lambda: Padding(multiple_of=0.5), TypeError, "multiple_of: expected an int, got float"),
    (lambda: pad_and_truncate([[1], [2, 3]], padding=Padding()), ValueError, r"texts\[0\]: a row of 1 ids"),
    (lambda: pad_and_truncate([[1]], padding=Padding(2)), ValueError, r"filled up to 2, and no pad token is known"),
    (lambda: pad_and_truncate([[1]], dtype="int16"), ValueError, "int16"),
])
def test_bad_options_are_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_int32_holds_what_fits_and_refuses_what_does_not():
    fits = 2**31 - 1
    assert pad_and_truncate([[fits], []], padding=Padding(pad_id=fits), dtype="int32").ids.tolist() == [[fits], [fits]]
    wide = pad_and_truncate([[fits + 1], []], padding=Padding(pad_id=2**32 - 1))
    assert wide.ids.tolist() == [[fits + 1], [2**32 - 1]]
    for texts, padding, template in (([[fits + 1]], Padding(), PLAIN), ([[1]], Padding(pad_id=fits + 1), PLAIN),
                                     ([[1]], Padding(), Template((Text(0), Special((fits + 1,)))))):
        with pytest.raises(ValueError, match="dtype='int32' does not hold"):
            pad_and_truncate(texts, padding=padding, template=template, dtype="int32")


def test_a_template_of_too_many_ids():
    with pytest.raises(ValueError, match="a template of more than 256 ids"):
        pad_and_truncate([[1]], template=Template((Text(0), Special((1,) * 256))))


def test_docstrings():
    import doctest

    import subwordio.padding
    import subwordio.rows
    assert doctest.testmod(subwordio.padding).failed == 0
    assert doctest.testmod(subwordio.padding).attempted > 0
