"""The documents of a block, as ids; what is damaged is left out and told.

Cost  of text lines and of JSON lines: no Python object a document, and no GIL; of JSON lines that are out of the common
(`jsonfields`), one parse a line of its block, under the GIL.
"""
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from subwordio.corpus.blocks import Block, too_long
from subwordio.corpus.recipe import Recipe
from subwordio.jsonfields import json_fields
from subwordio.packing import pack
from subwordio.text import is_utf8
from subwordio.textlines import TextLines

scan = json.JSONDecoder().scan_once  # type: ignore[attr-defined]  # it is there since Python 3.0
JSON_NAMES = {dict: "an object", list: "an array", str: "a string", bool: "a boolean", type(None): "null"}


class Fault(NamedTuple):
    """Something that is no document."""

    place: int          # of the block's lines, rows or files
    reason: str


@dataclass(slots=True)
class Documents:
    """The texts of a block: text k stands at places[k] of its `units` lines, rows or files."""

    texts: Sequence[Any]
    places: Sequence[int]
    units: int
    faults: list[Fault] = field(default_factory=list)

    def leave_out(self, fault_of: Callable[[Any], str]) -> bool:
        """Leave out the texts that have a fault; whether there were any."""
        found = {k: reason for k, text in enumerate(self.texts) if (reason := fault_of(text))}
        if found:
            self.faults = sorted([*self.faults, *(Fault(self.places[k], found[k]) for k in found)])
            self.places = [place for k, place in enumerate(self.places) if k not in found]
            self.texts = [text for k, text in enumerate(self.texts) if k not in found]
        return bool(found)


class Encoded(NamedTuple):
    """What became of a block."""

    ids: bytes | memoryview     # of all documents end to end, with the end id after each where one is asked for
    sizes: bytes                # int32: how many ids each document has
    documents: int
    faults: list[Fault]
    units: int


def encode_block(tokenizer: Any, block: Block, recipe: Recipe, width: int) -> Encoded:
    """The ids of a block's documents, `width` bytes each."""
    if block.kind == "damage":
        return Encoded(b"", b"", 0, [Fault(0, block.fault)], block.units)
    documents = DOCUMENTS[block.kind](block, recipe)
    if block.size > recipe.most_document:           # otherwise none can be too long
        documents.leave_out(lambda text: too_long(recipe) if len(text) > recipe.most_document else "")
    try:
        lists = tokenizer.encode_batch(documents.texts, threads=1)
    except ValueError:
        if hasattr(documents.texts, "to_pylist"):       # an Arrow column
            documents.texts = documents.texts.to_pylist()
        if not documents.leave_out(utf8_fault):
            raise
        lists = tokenizer.encode_batch(documents.texts, threads=1)
    ids, sizes = pack(lists, width, recipe.end)
    return Encoded(ids, sizes, len(lists), documents.faults, documents.units)


def utf8_fault(text: str | bytes) -> str:
    """Why the text is not UTF-8; nothing where it is.

    >>> utf8_fault(b"ab"), utf8_fault(b"a\\xff")
    ('', 'not UTF-8: invalid start byte (0xff, byte 2 of it)')
    """
    if isinstance(text, str) or is_utf8(text):
        return ""
    try:
        text.decode()
    except UnicodeDecodeError as error:
        return f"not UTF-8: {error.reason} (0x{text[error.start]:02x}, byte {error.start + 1} of it)"
    return ""


def line_documents(block: Block, recipe: Recipe) -> Documents:
    """A document a line, the empty ones too."""
    lines: Any = TextLines(block.data, block.size)
    return Documents(lines, range(len(lines)), len(lines))


def file_documents(block: Block, recipe: Recipe) -> Documents:
    """A document a file."""
    return Documents(block.texts, range(len(block.texts)), len(block.texts))


def json_documents(block: Block, recipe: Recipe) -> Documents:
    """The field of each line's object. A line of white space is no document, and no fault.

    Where every line is as lines mostly are, no Python object is made for any; else by `json`, which also says what is
    wrong with those that are wrong.
    """
    plain: Any = json_fields(block.data, block.size, recipe.field)
    if plain is not None:
        return Documents(*plain)
    texts: list[str] = []
    places: list[int] = []
    faults: list[Fault] = []
    lines = TextLines(block.data, block.size)
    name = recipe.field
    for i, line in enumerate(lines):
        try:
            text = json_value(line.decode())[name]
        except (ValueError, TypeError, LookupError, RecursionError) as error:
            if line.strip():
                faults.append(Fault(i, json_fault(line, name, error)))
            continue
        if type(text) is str:
            texts.append(text)
            places.append(i)
        else:
            faults.append(Fault(i, f"field {name!r}: expected a string, found {kind_of_value(text)}"))
    return Documents(texts, places, len(lines), faults)


def json_value(text: str) -> Any:
    """As json.loads, whose checks and regular expressions cost as much as a short line itself.

    >>> json_value('{"text": "a"}'), json_value(' {"text": "a"} ')
    ({'text': 'a'}, {'text': 'a'})
    """
    try:
        value, end = scan(text, 0)
    except StopIteration:
        return json.loads(text)
    return value if end == len(text) else json.loads(text)


def json_fault(line: bytes, name: str, error: Exception) -> str:
    """Why a line has no such field."""
    if isinstance(error, UnicodeDecodeError):
        return utf8_fault(line)
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} (column {error.colno})"
    if isinstance(error, RecursionError):
        return "nested too deep"
    if isinstance(error, ValueError):           # an integer of thousands of digits
        return f"not JSON that can be read: {error}"
    value = json.loads(line)
    return f"no field {name!r}" if isinstance(value, dict) else f"expected an object, found {kind_of_value(value)}"


def kind_of_value(value: Any) -> str:
    """What a JSON value is.

    >>> kind_of_value([]), kind_of_value(None), kind_of_value(1.5)
    ('an array', 'null', 'a number')
    """
    return JSON_NAMES.get(type(value), "a number")


def row_documents(block: Block, recipe: Recipe) -> Documents:
    """The strings of the rows: where they stand, if there are no nulls and none can be too long."""
    documents = Documents(block.rows, range(len(block.rows)), len(block.rows))
    if not block.rows.null_count and block.size <= recipe.most_document:
        return documents
    documents.texts = block.rows.to_pylist()
    documents.leave_out(lambda text: f"field {recipe.field!r}: expected a string, found null" if text is None else "")
    return documents


DOCUMENTS: dict[str, Callable[[Block, Recipe], Documents]] = {
    "text": line_documents, "files": file_documents, "jsonl": json_documents, "parquet": row_documents}
