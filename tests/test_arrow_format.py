"""`--format arrow` of the command line: written and read, against the tokenizer's own ids; by pyarrow."""
import io
import sys
from functools import partial

import pytest

import incbpe.cli
import linmaxmatch.cli
from subwordio import arrowfile
from subwordio.arrowfile import ArrowSink, read_arrow
from subwordio.errors import FormatError
from subwordio.records import Rows

pa = pytest.importorskip("pyarrow")
ipc = pytest.importorskip("pyarrow.ipc")

TEXT = "Hello, world! naïve\n\nunaffable \\n\n"
LINES = TEXT.split("\n")[:-1]


@pytest.fixture
def run(run_main):
    return partial(run_main, linmaxmatch.cli.main)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8", newline="\n")
    return path


def table_of(path):
    with pa.memory_map(str(path)) as source:
        return ipc.open_file(source).read_all()


def test_a_line_is_a_row(run, file, shipped, tmp_path):
    out = tmp_path / "ids.arrow"
    assert run("encode", "--format", "arrow", "-o", out, file).code == 0
    table = table_of(out)
    assert table.schema == pa.schema([pa.field("ids", pa.large_list(pa.uint32()), nullable=False)])
    assert table["ids"].to_pylist() == [list(shipped.encode(line)) for line in LINES]
    assert run("decode", "--format", "arrow", out).lines == [shipped.decode(shipped.encode(line)) for line in LINES]


def test_tokens_and_offsets_are_columns(run, file, shipped, tmp_path):
    out = tmp_path / "ids.arrow"
    assert run("encode", "--format", "arrow", "--tokens", "--offsets", "-o", out, file).code == 0
    table = table_of(out)
    assert table.column_names == ["ids", "tokens", "starts", "ends"]
    for line, row in zip(LINES, table.to_pylist(), strict=True):
        assert row["tokens"] == shipped.tokenize(line)
        assert list(zip(row["starts"], row["ends"], strict=True)) == shipped.spans(line)


def test_a_document_is_a_row_whatever_its_parts(run, file, shipped, tmp_path, monkeypatch):
    monkeypatch.setattr("subwordio.transfer.PART", 1)
    out = tmp_path / "ids.arrow"
    assert run("encode", "--format", "arrow", "--document", "-o", out, file, file).code == 0
    assert table_of(out)["ids"].to_pylist() == 2 * [list(shipped.encode(TEXT))]


@pytest.mark.parametrize("batch", [1, 3, 1000])
def test_batches(batch, monkeypatch):
    monkeypatch.setattr(arrowfile, "BATCH", batch)
    records = [[1, 2], [], [2**32 - 1], [4, 5, 6, 7], []]
    file = io.BytesIO()
    with ArrowSink(file) as sink:
        for ids in records:
            sink.part(Rows(ids[:1]))
            sink.part(Rows(ids[1:]))
            sink.end()
    reader = ipc.open_file(file.getvalue())
    assert reader.num_record_batches == {1: 4, 3: 3, 1000: 1}[batch]
    reader.read_all().validate(full=True)
    assert list(read_arrow(io.BytesIO(file.getvalue()), "a")) == records


def test_no_records_are_a_file_of_no_rows():
    file = io.BytesIO()
    with ArrowSink(file, ["a"]):
        pass
    assert ipc.open_file(file.getvalue()).read_all().num_rows == 0
    assert list(read_arrow(io.BytesIO(file.getvalue()), "a")) == []


def test_bpe_and_a_stream_from_standard_input(run_main, tmp_path):
    bpe = incbpe.cli.main
    out = tmp_path / "ids.arrow"
    assert run_main(bpe, "encode", "--format", "arrow", "-o", out, stdin="one\ntwo\n").code == 0
    assert run_main(bpe, "decode", "--format", "arrow", out).out == "one\ntwo\n"


def written(column, values, kind):
    file = io.BytesIO()
    table = pa.table({column: pa.array(values, kind)})
    with ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
    return file.getvalue()


def test_what_others_write():
    assert list(read_arrow(io.BytesIO(written("ids", [[1], [2, 3]], pa.list_(pa.int64()))), "a")) == [[1], [2, 3]]


@pytest.mark.parametrize(("data", "fault"), [
    (b"", "a.arrow: expected an Arrow IPC file or stream"), (b"ARROW1 and no more", "expected an Arrow IPC file"),
    (written("ids", ["a"], pa.string()), 'expected lists of integers in "ids", found string'),
    (written("ids", [[1.5]], pa.list_(pa.float64())), 'expected lists of integers in "ids"'),
    (written("other", [[1]], pa.list_(pa.uint32())), 'expected one column "ids", found other'),
    (written("ids", [[1], None], pa.list_(pa.uint32())), 'a.arrow, row 2: "ids" is null'),
    (written("ids", [[1], [None]], pa.list_(pa.uint32())), 'a.arrow, row 2: "ids" is null, or has a null'),
])
def test_what_is_no_such_file(data, fault):
    with pytest.raises(FormatError, match=fault):
        list(read_arrow(io.BytesIO(data), "a.arrow"))


def test_a_file_that_is_cut_short(run, file, tmp_path):
    out = tmp_path / "ids.arrow"
    run("encode", "--format", "arrow", "-o", out, file)
    data = out.read_bytes()
    for length in range(0, len(data), 7):
        with pytest.raises(FormatError, match=r"a\.arrow"):
            list(read_arrow(io.BytesIO(data[:length]), "a.arrow"))


def test_an_id_of_no_token_is_named_by_its_row(run, tmp_path):
    path = tmp_path / "a.arrow"
    path.write_bytes(written("ids", [[1], [999999]], pa.list_(pa.uint32())))
    found = run("decode", "--format", "arrow", path)
    assert found.code == 1
    assert "a.arrow, row 2: " in found.err


def test_without_pyarrow(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    found = run("encode", "--format", "arrow", stdin="a\n")
    assert (found.code, found.out) == (1, "")
    assert "the Arrow format needs pyarrow, the extra [arrow]" in found.err
