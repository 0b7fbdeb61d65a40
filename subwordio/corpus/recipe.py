"""What a corpus is made of and how: everything that decides about the output, and nothing that does not."""
import re
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from subwordio.errors import FormatError

InputKind = Literal["auto", "text", "jsonl", "parquet"]
OutputForm = Literal["bin", "arrow", "parquet"]
KINDS: tuple[InputKind, ...] = ("auto", "text", "jsonl", "parquet")
FORMS: tuple[OutputForm, ...] = ("bin", "arrow", "parquet")

BLOCK = 1 << 20                 # bytes that a thread takes at once
SHARD = 256_000_000             # bytes of input that make a shard
MOST_DOCUMENT = 16_000_000      # bytes of one document
MOST_SIZE = 1 << 31             # for a document: its ids are counted in 32 bits
FLAGS = {"kind": "--input", "field": "--field", "whole_files": "--document", "form": "--format", "end": "--end-token",
         "sequence_length": "--sequence-length", "shard_size": "--shard-size", "most_document": "--max-document"}
UNITS = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How documents become shards. Two runs with equal recipes, tokenizers and inputs write the same bytes.

    >>> Recipe().form, Recipe(shard_size=1000).block
    ('bin', 1000)
    """

    kind: InputKind = "auto"            # what the inputs are; auto: by their names
    field: str = "text"                 # of JSON lines and Parquet: where the document is
    whole_files: bool = False           # of text: a document is a file, not a line
    form: OutputForm = "bin"
    end: int | None = None              # the id after each document
    sequence_length: int | None = None  # documents are joined and cut to so many ids
    shard_size: int = SHARD             # most bytes of input of a shard, unless one document has more
    most_document: int = MOST_DOCUMENT  # bytes; a longer document is bad input

    def __post_init__(self) -> None:
        if self.sequence_length is not None and not 1 <= self.sequence_length < 1 << 31:
            raise FormatError(f"--sequence-length: expected 1 to 2^31 - 1, got {self.sequence_length}")
        if self.shard_size < 1:
            raise FormatError(f"--shard-size: expected at least 1, got {self.shard_size}")
        if not 1 <= self.most_document <= MOST_SIZE:
            raise FormatError(f"--max-document: expected 1 to {MOST_SIZE}, got {self.most_document}")

    @property
    def block(self) -> int:
        """Bytes of a block, unless one document has more."""
        return min(BLOCK, self.shard_size)

    def to_json(self) -> dict[str, Any]:
        """For the manifest."""
        return asdict(self) | {"block": self.block}

    @classmethod
    def difference(cls, old: dict[str, Any], new: dict[str, Any]) -> str | None:
        """The first option in which two manifests differ, as the command line calls it; None: in no option."""
        for field in fields(cls):
            one, other = (options.get(field.name) for options in (old, new))
            if one != other:
                return f"{FLAGS[field.name]} was {one}, is {other}"
        return None


def bytes_in(text: str) -> int:
    """A size as people write it.

    >>> bytes_in("64MB"), bytes_in("1 GiB"), bytes_in("1000"), bytes_in("2KB")
    (64000000, 1073741824, 1000, 2000)
    """
    found = re.fullmatch(r"(\d+) ?(k|K|M|G|Ki|Mi|Gi|)B?", text)
    if found is None:
        raise FormatError(f"{text!r}: expected a size such as 64MB or 1GiB")
    return int(found[1]) * UNITS[found[2]]
