"""What is known of a corpus in the making, and at its end: DIR/journal.jsonl, then DIR/manifest.json.

A run begins with a line that says what is made, from which inputs, by which tokenizer and versions. Then each finished
shard is a line, written when its files are on the disk under their names. Nothing that was written is written again.
A killed run leaves a line cut off at most, which counts for nothing: a run with --resume goes on where the last whole
line ends. At the end the manifest takes over all of it.
"""
import contextlib
import json
import os
import sys
import unicodedata
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

from subwordio.corpus.blocks import Position
from subwordio.corpus.recipe import Recipe
from subwordio.errors import FormatError
from subwordio.output import output_file

FORMAT, VERSION = "subwordio corpus", 1
JOURNAL, MANIFEST = "journal.jsonl", "manifest.json"
COUNTED = ("documents", "sequences", "tokens", "bytes")
MOST_LISTED = 100_000           # faults that are listed; all are counted


class Place(NamedTuple):
    """Where a shard ends: the next block's position, and how many lines or rows of that file are before it."""

    position: Position = Position()
    line: int = 0


def header_of(tokenizer: Any, inputs: Sequence[str], recipe: Recipe, version: str) -> dict[str, Any]:
    """What is made, of what, and by what."""
    versions = {"linmaxmatch-incbpe": version, "python": sys.version.split()[0], "unicode": unicodedata.unidata_version}
    if recipe.form != "bin" or recipe.kind == "parquet" or any(path.endswith(".parquet") for path in inputs):
        from subwordio.corpus.rows import arrow_modules
        versions["pyarrow"] = arrow_modules()[0].__version__
    allowed = getattr(tokenizer, "allowed", ())
    return {"format": FORMAT, "version": VERSION,
            "tokenizer": {"fingerprint": tokenizer.fingerprint, "vocab_size": tokenizer.vocab_size,
                          "allowed_special": allowed if isinstance(allowed, str) else sorted(allowed)},
            "versions": versions, "options": recipe.to_json(),
            "inputs": [{"path": path, "size": os.path.getsize(path) if os.path.isfile(path) else None}
                       for path in inputs]}


class Journal:
    """The journal of a folder, held open and locked while a run writes to it."""

    def __init__(self, folder: str, header: dict[str, Any], resume: bool) -> None:
        self.folder, self.header = folder, header
        self.path = os.path.join(folder, JOURNAL)
        self.shards: list[dict[str, Any]] = []
        self.tail: list[dict[str, Any]] = []    # faults after the last shard
        self.complete = False           # the manifest is there already
        self.whole = 0                  # bytes of the journal's whole lines
        if resume:
            self.read()
        elif os.path.exists(self.path) or os.path.exists(os.path.join(folder, MANIFEST)):
            raise FormatError(f"{folder}: holds a corpus, finished or not: go on with --resume, or name another folder")
        if self.complete:
            with contextlib.suppress(FileNotFoundError):        # of a run that was killed just before
                os.unlink(self.path)
            return
        self.file = open(self.path, "r+b" if os.path.exists(self.path) else "w+b")  # noqa: SIM115
        try:
            lock(self.file.fileno(), folder)
            self.file.truncate(self.whole)
            self.file.seek(self.whole)
            self.write(header)
        except BaseException:
            self.file.close()
            raise

    def read(self) -> None:
        """What an earlier run has done. FormatError where it did something else."""
        manifest = os.path.join(self.folder, MANIFEST)
        if os.path.exists(manifest):
            found = read_manifest(self.folder)
            self.refuse_other(found, len(self.header["inputs"]), manifest)
            self.shards, self.complete = found["shards"], True
            counted = sum(shard["faults"] for shard in self.shards)
            self.tail = found["skipped"][counted:]
        elif os.path.exists(self.path):
            with open(self.path, "rb") as file:
                data = file.read()
            header: dict[str, Any] | None = None
            for line in data.splitlines(keepends=True):
                if not line.endswith(b"\n"):                # it was cut off
                    break
                try:
                    record = json.loads(line)
                except ValueError as error:
                    raise FormatError(f"{self.path}: is damaged: {error}") from None
                if "format" in record:
                    header = record
                elif self.is_there(record):
                    self.shards.append(record)
                else:                                       # it and all that follows is made again
                    break
                self.whole += len(line)
            if header is not None:
                self.refuse_other(header, self.place.position.file, self.path)

    def is_there(self, shard: dict[str, Any]) -> bool:
        """Whether the shard's files are, and have their sizes."""
        paths = [(os.path.join(self.folder, file["name"]), file["size"]) for file in shard["files"]]
        return all(os.path.isfile(path) and os.path.getsize(path) == size for path, size in paths)

    def refuse_other(self, found: dict[str, Any], inputs: int, path: str) -> None:
        """FormatError unless the header says the same, and of the inputs that were read to their ends the sizes too."""
        for part in ("format", "version", "tokenizer", "options", "versions"):
            old, new = found.get(part), self.header[part]
            if part == "versions":
                old, new = ({key: value for key, value in dict(those or {}).items() if key != "python"}
                            for those in (old, new))
            if old != new:
                how = (part == "options" and Recipe.difference(dict(old or {}), dict(new))) or different(old, new)
                raise FormatError(f"{path}: was begun with other {part}: {how}")
        names = [[entry["path"] for entry in those["inputs"]] for those in (found, self.header)]
        if names[0] != names[1]:
            raise FormatError(f"{path}: was begun with other inputs: {different(names[0], names[1])}")
        for old, new in list(zip(found["inputs"], self.header["inputs"], strict=True))[:inputs]:
            if old["size"] != new["size"]:
                raise FormatError(f"{old['path']}: had {old['size']} bytes when it was read, now {new['size']}")

    @property
    def place(self) -> Place:
        """Where the last finished shard ends."""
        if not self.shards:
            return Place()
        end = self.shards[-1]["end"]
        return Place(Position(end["file"], end["offset"]), end["line"])

    def add(self, shard: dict[str, Any]) -> None:
        """A shard is done."""
        self.shards.append(shard)
        self.write(shard)

    def write(self, record: dict[str, Any]) -> None:
        """A line more, on the disk."""
        try:
            self.file.write(json.dumps(record).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.path) from None

    def finish(self, tail: list[dict[str, Any]]) -> None:
        """The manifest, in place of the journal; `tail` are the faults after the last shard."""
        self.tail = tail
        faults = [fault for shard in self.shards for fault in shard.get("skipped", ())] + tail
        counted = sum(shard["faults"] for shard in self.shards) + len(tail)
        totals = {key: sum(shard[key] for shard in self.shards) for key in COUNTED}
        shards = [{key: value for key, value in shard.items() if key != "skipped"} for shard in self.shards]
        manifest = self.header | {"totals": totals | {"skipped": counted}, "shards": shards,
                                  "skipped": faults[:MOST_LISTED]}
        with output_file(os.path.join(self.folder, MANIFEST)) as file:
            file.write(json.dumps(manifest, indent=1).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())             # the journal goes only after the manifest is on the disk
        self.close()
        os.unlink(self.path)

    def close(self) -> None:
        if not self.complete:
            with contextlib.suppress(OSError):          # a full disk, of which we know
                self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *rest: object) -> None:
        self.close()


def different(old: Any, new: Any) -> str:
    """The first difference of two values.

    >>> different({"a": 1, "b": 2}, {"a": 1, "b": 3})
    'b was 2, is 3'
    >>> different(1, 2)
    'was 1, is 2'
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted({*old, *new}):
            if old.get(key) != new.get(key):
                return f"{key} was {old.get(key)}, is {new.get(key)}"
    return f"was {old}, is {new}"


def lock(handle: int, folder: str) -> None:
    """Refuse a folder that another process writes to, where the system can tell."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise FormatError(f"{folder}: another process is writing to it") from None


def read_manifest(folder: str) -> dict[str, Any]:
    """The manifest of a finished corpus. FormatError where there is none, or it is none of ours."""
    path = os.path.join(folder, MANIFEST)
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read())
    except FileNotFoundError:
        if os.path.exists(os.path.join(folder, JOURNAL)):
            raise FormatError(f"{folder}: is not finished: run the same command again with --resume") from None
        raise FormatError(f"{folder}: holds no corpus: there is no {MANIFEST}") from None
    except ValueError as error:
        raise FormatError(f"{path}: is damaged: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise FormatError(f"{path}: is no manifest of a corpus")
    if found.get("version") != VERSION:
        raise FormatError(f"{path}: version {found.get('version')}, of which only {VERSION} is known")
    return found
