"""The recipes of docs/data.md on the real systems, in local mode: each gives the ids that plain Python gives.

A recipe runs as a script of its own, in a folder with texts.parquet and tokenizer.json, and leaves ids.parquet or a
folder `ids` of such files.
"""
import random
import re
import shutil
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[1]
TEXT = (DOCS / "data.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^### (.*?)\n.*?^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL))
MODULES = {"Ray Data": "ray", "Apache Spark": "pyspark", "Dask": "dask", "Hugging Face datasets": "datasets",
           "polars": "polars", "DuckDB": "duckdb", "Nothing else": "pyarrow"}
BEFORE = {          # what makes it local; the recipes themselves are as on a cluster
    "Ray Data": "import ray\nray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)\n",
}


@pytest.fixture(scope="module")
def texts() -> list[str | None]:
    draw = random.Random(1)
    words = ["the", "thing", "naïve", "日本語", "😀", "unaffable", "\n", "x" * 40, "  "]
    some = [" ".join(draw.choices(words, k=draw.randrange(12))) for _ in range(3000)]
    return [None if draw.random() < 0.1 else text for text in some]


@pytest.fixture
def folder(tmp_path, texts):
    """Where a recipe runs."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from incbpe.default import default_tokenizer_path
    pq.write_table(pa.table({"n": range(len(texts)), "text": texts}), tmp_path / "texts.parquet", row_group_size=700)
    shutil.copy(default_tokenizer_path(), tmp_path / "tokenizer.json")
    return tmp_path


def test_the_recipes_are_there():
    assert set(RECIPES) == set(MODULES)
    assert all(recipe.strip().count("\n") < 12 for recipe in RECIPES.values())


@pytest.mark.parametrize("name", MODULES)
def test_a_recipe_gives_the_ids_of_plain_python(name, folder, texts, need, run):
    need(MODULES[name])
    import pyarrow.parquet as pq

    from incbpe import BPE
    run(BEFORE.get(name, "") + RECIPES[name], folder)
    found = pq.read_table(folder / ("ids" if (folder / "ids").exists() else "ids.parquet")).sort_by("n")
    tokenizer = BPE.from_file(folder / "tokenizer.json")
    assert found["text"].to_pylist() == texts
    assert found["ids"].to_pylist() == [None if text is None else list(tokenizer.encode(text)) for text in texts]
