"""A finished corpus, read again: every file, its checksum, its form, and all that the manifest counts.

Memory  one index file, and 4 MB of its ids at a time.
"""
import os
import zlib
from collections.abc import Iterator
from typing import Any

from subwordio.corpus.journal import COUNTED, read_manifest
from subwordio.corpus.rows import arrow_modules
from subwordio.corpus.shards import CODES, HEADER, MAGIC, VERSION
from subwordio.packing import largest, numbers, places

PIECE = 1 << 22         # bytes read at once


def faults_of(folder: str) -> Iterator[str]:
    """What is wrong with a finished corpus; nothing where all is well. FormatError where there is none."""
    manifest = read_manifest(folder)
    try:
        shards, totals = manifest["shards"], manifest["totals"]
        for key in COUNTED:
            if totals[key] != (found := sum(shard[key] for shard in shards)):
                yield f"{folder}: the manifest counts {totals[key]} {key}, its shards {found}"
        named = {file["name"] for shard in shards for file in shard["files"]}
        for name in sorted(os.listdir(folder)):
            if name.startswith("shard-") and name not in named:
                yield f"{os.path.join(folder, name)}: is not in the manifest"
        for shard in shards:
            broken = False
            for file in shard["files"]:
                for fault in file_faults(folder, file):
                    broken = True
                    yield fault
            if not broken:
                yield from shard_faults(folder, shard, manifest)
    except (KeyError, TypeError, AttributeError) as error:
        yield f"{folder}: the manifest is damaged: {type(error).__name__}: {error}"


def file_faults(folder: str, file: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the bytes of a file."""
    path = os.path.join(folder, file["name"])
    checksum = size = 0
    try:
        with open(path, "rb", buffering=0) as opened:
            while data := opened.read(PIECE):
                checksum = zlib.crc32(data, checksum)
                size += len(data)
    except OSError as error:
        yield f"{path}: {error.strerror}"
        return
    if size != file["size"]:
        yield f"{path}: has {size} bytes, not {file['size']}"
    elif f"{checksum:08x}" != file["crc32"]:
        yield f"{path}: its CRC-32 is not that of the manifest"


def shard_faults(folder: str, shard: dict[str, Any], manifest: dict[str, Any]) -> Iterator[str]:
    """What is wrong with the ids of a shard, whose bytes are those of the manifest."""
    path = os.path.join(folder, shard["files"][0]["name"])
    if path.endswith(".bin"):
        found = flat_counts(path, os.path.join(folder, shard["files"][1]["name"]))
    else:
        found = table_counts(path)
    if isinstance(found, str):
        yield found
        return
    sequences, tokens, most = found
    cut = manifest["options"]["sequence_length"] is not None
    for key, count in (("sequences", sequences), ("tokens", tokens), *([] if cut else [("documents", sequences)])):
        if shard[key] != count:
            yield f"{path}: has {count} {key}, not {shard[key]}"
    if most >= manifest["tokenizer"]["vocab_size"]:
        yield f"{path}: has the id {most}, of a vocabulary of {manifest['tokenizer']['vocab_size']}"


def flat_counts(path: str, index_path: str) -> tuple[int, int, int] | str:
    """Sequences, ids and the largest id of a flat shard; or what is wrong with it."""
    with open(index_path, "rb") as file:
        index = file.read()
    if len(index) < HEADER.size:
        return f"{index_path}: is no index"
    magic, version, code, n, documents = HEADER.unpack_from(index)
    widths = {code: width for width, code in CODES.items()}
    if magic != MAGIC or version != VERSION or code not in widths or documents != n + 1:
        return f"{index_path}: is no index"
    if len(index) != HEADER.size + 4 * n + 8 * n + 8 * documents:
        return f"{index_path}: has {len(index)} bytes, which {n} sequences do not fill"
    body, width = memoryview(index)[HEADER.size:], widths[code]
    sizes, starts, firsts = (bytes(body[:4 * n]), bytes(body[4 * n:12 * n]), bytes(body[12 * n:]))
    four = memoryview(sizes).cast("i")
    if starts != places(four, 0, width) or firsts != numbers(0, n + 1):
        return f"{index_path}: its sequences are not where they should be"
    tokens = 0 if not n else (int.from_bytes(starts[-8:], "little") // width + four[n - 1])
    if (size := os.path.getsize(path)) != tokens * width:
        return f"{path}: has {size} bytes, where its index has {tokens} ids of {width}"
    most = -1
    with open(path, "rb") as file:
        while data := file.read(PIECE):
            most = max(most, largest(memoryview(data).cast("H" if width == 2 else "I")))
    return n, tokens, most


def table_counts(path: str) -> tuple[int, int, int] | str:
    """The same of an Arrow or Parquet file."""
    arrow, parquet, compute = arrow_modules()
    rows, tokens, most = 0, 0, -1
    try:
        if path.endswith(".parquet"):
            batches = parquet.ParquetFile(path).iter_batches()
        else:
            reader = arrow.ipc.open_file(path)
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
        for batch in batches:
            ids = batch.column("ids").flatten()
            rows += batch.num_rows
            tokens += len(ids)
            most = max(most, compute.max(ids).as_py() if len(ids) else -1)
    except (arrow.ArrowException, OSError, KeyError) as error:
        return f"{path}: cannot be read: {error}"
    return rows, tokens, most
