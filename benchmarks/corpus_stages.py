"""What surrounds encoding in the command `corpus`, each stage alone: reading, line ends, JSON, checksums, the disk."""
import gzip
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

IN_MEMORY = Path("/dev/shm")


def rate(work: Callable[[], int], rounds: int = 3) -> float:
    """MB/s of CPU time, the best of some rounds; `work` says how many bytes it has done."""
    best = 0.0
    for _ in range(rounds):
        start = time.process_time()
        size = work()
        best = max(best, size / 1e6 / (time.process_time() - start))
    return best


def wall_rate(work: Callable[[], int], times: int = 4) -> float:
    """MB/s of wall time over a few times in a row."""
    start = time.perf_counter()
    size = sum(work() for _ in range(times))
    return size / 1e6 / (time.perf_counter() - start)


def written(path: Path, data: bytes) -> int:
    """Write the bytes, and wait until the disk has them."""
    with open(path, "wb", buffering=0) as file:
        size = file.write(data)
        os.fsync(file.fileno())
    return size


def read_again(path: Path) -> int:
    """Read a file of which nothing is held in memory, where the system lets go of it."""
    with open(path, "rb", buffering=0) as file:
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return sum(map(len, iter(lambda: file.read(1 << 20), b"")))


def stages(path: Path, folder: Path) -> dict[str, float]:
    """MB/s of what surrounds encoding, each alone on one core; of input text, but for checksums and writing."""
    from subwordio.corpus.blocks import Block, LineCutter, Position
    from subwordio.corpus.documents import json_documents
    from subwordio.corpus.recipe import BLOCK, Recipe
    from subwordio.corpus.sinks import Sink
    from subwordio.corpus.streams import open_stream
    from subwordio.textlines import TextLines

    text = path.read_bytes()[:50_000_000]
    text = text[:text.rfind(b"\n") + 1]
    packed = {"plain": text, "gzip": gzip.compress(text, 6)}
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
        packed["zstandard"] = zstd.compress(text)
    except ImportError:
        pass
    found: dict[str, float] = {}
    work = Path(tempfile.mkdtemp(dir=IN_MEMORY))
    try:
        for name, content in packed.items():
            (work / name).write_bytes(content)

            def reading(source: Path = work / name) -> int:
                stream, size = open_stream(str(source)), 0
                cutter = LineCutter(stream, BLOCK, 1 << 24)
                while (piece := cutter.next()).size:
                    size += piece.size
                stream.close()
                return size

            found[f"read, {name}"] = rate(reading)
        found["line ends"] = rate(lambda: len(TextLines(text)) and len(text))
        lines = text.decode().split("\n")
        for joined in (1, 40):
            objects = "".join(json.dumps({"id": i, "text": "\n".join(lines[i:i + joined])}, ensure_ascii=False) + "\n"
                              for i in range(0, len(lines), joined)).encode()
            block = Block("jsonl", Position(), Position(), len(objects), data=objects)
            found[f"JSON lines of {joined * len(objects) // len(lines)} bytes"] = rate(
                lambda block=block: json_documents(block, Recipe()).units and block.size)  # type: ignore[misc]

        def writing(where: Path, forced: bool) -> int:
            sink = Sink(str(where), "written")
            for i in range(0, len(text), BLOCK):
                sink.write(text[i:i + BLOCK])
            if forced:
                sink.finish()
                (where / "written").unlink()
            else:
                sink.discard()
            return len(text)

        found["checksum and write, in memory"] = rate(lambda: writing(work, False))
        found["checksum and write, to the disk (wall time)"] = wall_rate(lambda: writing(folder, True))
        plain = folder / "plain"
        found["plain writing, to the disk (wall time)"] = wall_rate(lambda: written(plain, text))
        found["plain reading, from the disk (wall time)"] = wall_rate(lambda: read_again(plain))
    finally:
        shutil.rmtree(work)
    return found
