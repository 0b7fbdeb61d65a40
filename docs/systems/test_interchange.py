"""What docs/data.md says of copies and of caches, on the real libraries."""
import os
import re
from pathlib import Path

import numpy as np
import pytest

from incbpe import BPE
from incbpe.default import default_tokenizer_path
from subwordio import Padding, TokenLists
from subwordio.adapters import Encoder

pytestmark = pytest.mark.filterwarnings("default")
PAGE = (Path(__file__).parents[1] / "data.md").read_text(encoding="utf-8")
SHOWN = re.search(r"^```python\n(import numpy as np\nimport torch\n.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
TEXTS = ["the thing", None, "", "a longer text than twelve bytes é", "x"] * 50


@pytest.fixture(scope="module")
def tokenizer() -> BPE:
    return BPE.from_file(default_tokenizer_path())


@pytest.fixture(scope="module")
def expected(tokenizer):
    return [None if text is None else list(tokenizer.encode(text)) for text in TEXTS]


def address(lists: TokenLists) -> int:
    return np.asarray(lists.ids).__array_interface__["data"][0]


def test_polars_reads_the_same_memory(tokenizer, expected, need):
    need("polars")
    import polars as pl
    import pyarrow as pa
    lists = tokenizer.encode_batch(TEXTS[:1] * 9 + ["x"])       # without nulls
    for series in (pl.Series("ids", lists), Encoder(tokenizer).series(pl.Series([*TEXTS[:1] * 9, "x"]))):
        assert series.dtype == pl.List(pl.UInt32) and series.to_list() == lists.tolist()
    assert pa.chunked_array(pl.Series("ids", lists)).chunk(0).values.buffers()[1].address == address(lists)
    nulls = tokenizer.encode_batch(pl.Series(TEXTS))
    assert pl.Series(nulls).to_list() == expected
    assert pa.chunked_array(pl.Series(nulls)).chunk(0).values.buffers()[1].address == address(nulls)


def test_columns_of_every_library(tokenizer, expected, need):
    columns = {
        "polars": lambda pl: (
            pl.Series(TEXTS), pl.Series(TEXTS, dtype=pl.Categorical), pl.DataFrame({"a": TEXTS}),
            pl.concat([pl.Series(TEXTS[:7]), pl.Series(TEXTS[7:])], rechunk=False)),
        "pandas": lambda pd: (
            pd.Series(TEXTS), pd.Series(TEXTS, dtype="category"), pd.Series(TEXTS, dtype=object)),
        "duckdb": lambda duckdb: (
            duckdb.sql("SELECT unnest(?) AS text", params=[TEXTS]),
            duckdb.sql("SELECT unnest(?) AS text", params=[TEXTS]).to_arrow_table()),
    }
    for module, made in columns.items():
        need(module)
        for column in made(__import__(module)):
            lists = tokenizer.encode_batch(column, threads=2)
            lists.check()
            assert lists == expected


def test_duckdb_scans_the_lists(tokenizer, expected, need):
    need("duckdb")
    import duckdb
    import pyarrow as pa
    encoded = pa.table({"ids": tokenizer.encode_batch(pa.array(TEXTS))})
    assert encoded["ids"].null_count == 50
    rows = duckdb.sql("SELECT count(*), count(ids), sum(len(ids)), sum(list_sum(ids)) FROM encoded").fetchall()
    flat = [ids for ids in expected if ids is not None]
    assert rows == [(250, 200, sum(map(len, flat)), sum(map(sum, flat)))]


def test_pandas_keeps_the_index(tokenizer, expected, need):
    need("pandas")
    import pandas as pd
    frame = pd.DataFrame({"text": TEXTS}, index=range(5, 255))
    found = Encoder(tokenizer)(frame)
    assert list(frame.columns) == ["text"] and list(found.columns) == ["text", "ids"]
    assert (found.index == frame.index).all() and found["ids"].isna().sum() == 50
    assert [None if text is None else list(ids) for text, ids in zip(TEXTS, found["ids"], strict=True)] == expected


def test_dask_over_processes(tokenizer, expected, need):
    need("dask")
    import dask.dataframe as dd
    import pandas as pd
    frame = dd.from_pandas(pd.DataFrame({"text": TEXTS}), npartitions=3).map_partitions(Encoder(tokenizer))
    found = frame.compute(scheduler="processes", num_workers=2)
    assert found["ids"].dtype == frame["ids"].dtype
    assert [None if text is None else list(ids) for text, ids in zip(TEXTS, found["ids"], strict=True)] == expected


def test_torch_reads_the_same_memory(tokenizer, need):
    """What the page shows, with the numbers that NumPy gives."""
    need("torch")
    import torch
    texts = ["the thing", "", "a"]
    shown = {"tokenizer": tokenizer, "texts": texts, "table": torch.rand(tokenizer.vocab_size, 3)}
    exec(SHOWN[1], shown)
    lists, flat, offsets = shown["lists"], shown["flat"], shown["offsets"]
    assert (flat.dtype, flat.data_ptr(), flat.tolist()) == (torch.uint32, address(lists), list(lists.ids))
    assert offsets.data_ptr() == np.asarray(lists.offsets).__array_interface__["data"][0]
    table = shown["table"].numpy()
    assert np.allclose(shown["vectors"].numpy(), [table[list(ids)].mean(0) if ids else [0] * 3 for ids in lists])
    padded = tokenizer.encode_padded(texts, padding=Padding(pad_id=0))
    assert [shown[name].tolist() for name in ("ids", "mask", "types")] == [matrix.tolist() for matrix in padded]
    matrix = torch.from_numpy(np.asarray(padded[0]))
    matrix[0, 0] = 7
    assert padded[0][0, 0] == 7 and matrix.dtype == torch.int64
    copied = torch.from_numpy(lists.ids.to_numpy("int64", writable=True))
    copied += 1
    assert copied.dtype == torch.int64 and (copied - 1).tolist() == list(lists.ids)


MAP = """
import sys
from datasets import Dataset
from incbpe import BPE
from incbpe.default import default_tokenizer_path
from subwordio.adapters import Encoder
encoder = Encoder(BPE.from_file(default_tokenizer_path()), to=sys.argv[1])
dataset = Dataset.from_parquet("texts.parquet")
if sys.argv[2] == "arrow":
    dataset = dataset.with_format("arrow")
dataset = dataset.map(encoder, batched=True, num_proc=2 if sys.argv[2] == "processes" else None)
print(*(file["filename"] for file in dataset.cache_files), sep="\\n")
"""


@pytest.mark.parametrize("form", ["arrow", "processes"])
def test_datasets_finds_in_its_cache_what_another_process_mapped(form, tmp_path, need, run):
    need("datasets")
    import pyarrow as pa
    import pyarrow.parquet as pq
    pq.write_table(pa.table({"text": TEXTS}), tmp_path / "texts.parquet")

    def mapped(to):
        return {file: os.stat(file).st_mtime_ns for file in run(MAP, tmp_path, to, form).split()}
    first = mapped("ids")
    assert first and mapped("ids") == first         # the same files, not written again
    assert not mapped("others").keys() & first.keys()
