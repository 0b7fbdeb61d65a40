"""Reading a vocabulary-like file: every way in which it can be the wrong file has a message of its own.

Nothing here opens a socket: a file that is not there is a `FileNotFoundError`, never a download.

Cost  one pass over the bytes for each of: reading, hashing (only with `sha256=`), decoding.
"""
from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from subwordio.container import kind_of
from subwordio.errors import FormatError
from subwordio.text import is_utf8

__all__ = ["JsonFile", "StrPath", "TextFile", "Utf8File", "is_saved", "json_value", "name_of", "read_bytes_file",
           "read_json_file", "read_text_file", "read_utf8_file"]

StrPath = str | os.PathLike[str]

BOM = "\ufeff".encode()
BOM_NOTE = "a byte order mark was removed from the beginning of the file"

# What is often found under the name of a vocabulary, by its first bytes.
MISTAKEN = (
    (re.compile(rb"\s*(<!doctype\s|<html[\s>]|<\?xml\s)", re.IGNORECASE),
     "is an HTML or XML page, not {what} (was a download refused?)"),
    (re.compile(rb"version https://git-lfs\.github\.com/spec/"),
     "is a Git LFS pointer, not {what} itself (`git lfs pull` fetches what it points to)"),
    (re.compile(rb"/annex/objects/"), "is a git-annex pointer, not {what} itself"),
    (re.compile(rb"\x1f\x8b"), "is gzip-compressed; {what} is read uncompressed"),
    (re.compile(rb"PK\x03\x04"), "is a zip archive, not {what}"),
    (re.compile(rb"\xff\xfe|\xfe\xff"), "begins as UTF-16; {what} is read as UTF-8"),
)
LONE_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Utf8File(NamedTuple):
    """The bytes of a file, which are UTF-8, where its text begins in them, and what was changed on the way."""

    data: bytes
    start: int
    notes: tuple[str, ...]


class TextFile(NamedTuple):
    """The text of a file and what was changed on the way."""

    text: str
    notes: tuple[str, ...]


class JsonFile(NamedTuple):
    """The value of a JSON file and what was changed on the way."""

    value: Any
    notes: tuple[str, ...]


class Repeated(dict[str, Any]):
    """A JSON object that spelt one of its keys twice."""

    key: str


def name_of(path: StrPath) -> str:
    """The path as messages show it.

    >>> name_of("vocab.txt")
    'vocab.txt'
    """
    return os.fspath(path)


def read_bytes_file(path: StrPath, *, what: str, limit: int, sha256: str | None = None) -> bytes:
    """The bytes of the file at `path`; `what` says in messages what it ought to be, `limit` its largest size in bytes.

    A file over the limit, an empty one, a folder, a web page, a pointer of Git LFS, an archive, a saved tokenizer, or
    one whose SHA-256 is not the `sha256` asked for, is a `FormatError` that says so. O(size); never reads more than
    `limit` + 1 bytes.
    """
    name = name_of(path)
    if sha256 is not None and not re.fullmatch("[0-9a-fA-F]{64}", sha256):
        raise ValueError(f"sha256={sha256!r}: expected 64 hexadecimal digits")
    if os.path.isdir(path):
        raise FormatError(f"{name}: is a folder, not {what}")
    with open(path, "rb") as file:
        data = file.read(limit + 1)
    if not data:
        raise FormatError(f"{name}: is empty; expected {what}")
    if len(data) > limit:
        raise FormatError(f"{name}: is larger than the limit of {limit} bytes for {what}")
    for pattern, message in MISTAKEN:
        if pattern.match(data):
            raise FormatError(f"{name}: {message.format(what=what)}")
    kind = kind_of(data)
    if kind is not None:
        raise FormatError(f"{name}: is a saved tokenizer, which {kind}.load reads, not {what}")
    if sha256 is not None:
        # Only here: importing it costs more than reading a small vocabulary.
        import hashlib

        found = hashlib.sha256(data).hexdigest()
        if found != sha256.lower():
            raise FormatError(f"{name}: SHA-256 is {found}, expected {sha256.lower()}")
    return data


def is_saved(path: StrPath) -> bool:
    """Whether a file, by how it begins, is a tokenizer that `save` wrote. Only ordinary files are looked into."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        return kind_of(file.read(64)) is not None


def read_utf8_file(path: StrPath, *, what: str, limit: int, sha256: str | None = None) -> Utf8File:
    """The file at `path`, as `read_text_file` reads it, without making a str of it."""
    data = read_bytes_file(path, what=what, limit=limit, sha256=sha256)
    if not is_utf8(data):
        try:
            data.decode()
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
            raise FormatError(f"{name_of(path)}:{line}: byte {column} of the line (0x{data[error.start]:02x}, offset "
                              f"{error.start} of the file) is not UTF-8: {error.reason}") from None
    start = len(BOM) if data.startswith(BOM) else 0
    return Utf8File(data, start, (BOM_NOTE,) if start else ())


def read_text_file(path: StrPath, *, what: str, limit: int, sha256: str | None = None) -> TextFile:
    """The file at `path` as text: UTF-8 whatever the platform's code page, line ends as they are, no byte order mark.

    Bytes that are not UTF-8 are a `FormatError` naming line and byte. NUL is a character like any other.
    """
    data, start, notes = read_utf8_file(path, what=what, limit=limit, sha256=sha256)
    return TextFile(data[start:].decode(), notes)


def read_json_file(path: StrPath, *, what: str, limit: int, sha256: str | None = None) -> JsonFile:
    """The file at `path` as one JSON value, strictly: a key given twice, NaN and lone surrogates are errors too.

    Syntax errors name line and column; the others name the place in the value, as `model.vocab["the"]`.
    """
    text, notes = read_text_file(path, what=what, limit=limit, sha256=sha256)
    return JsonFile(json_value(text, name_of(path)), notes)


def json_value(text: str, name: str) -> Any:
    """The same of the text of a file, which messages call `name`."""
    repeated: list[str] = []

    def build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        value = dict(pairs)
        if len(value) == len(pairs):
            return value
        marked = Repeated(value)
        seen: set[str] = set()
        marked.key = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        repeated.append(marked.key)
        return marked

    def refuse(constant: str) -> Any:
        raise FormatError(f"{name}: {constant} is no JSON value")

    try:
        value = json.loads(text, object_pairs_hook=build, parse_constant=refuse)
    except json.JSONDecodeError as error:
        raise FormatError(f"{name}:{error.lineno}: column {error.colno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise FormatError(f"{name}: JSON nested too deeply") from None
    except FormatError:
        raise
    except ValueError as error:  # an integer of thousands of digits
        raise FormatError(f"{name}: {error}") from None
    if repeated or LONE_SURROGATE.search(text):
        for place, part in places(value):
            if isinstance(part, Repeated):
                raise FormatError(f"{name}: {place or 'the top level'}: key {part.key!r} is given twice")
            strings = part if isinstance(part, dict) else (part,) if isinstance(part, str) else ()
            for string in strings:
                if any("\ud800" <= c <= "\udfff" for c in string):
                    raise FormatError(f"{name}: {place or 'the top level'}: {string!r} holds a lone surrogate")
    return value


def places(value: object) -> Iterator[tuple[str, object]]:
    """Every value inside a JSON value with its place, without recursion.

    >>> list(places({"a": [1]}))
    [('', {'a': [1]}), ('a', [1]), ('a[0]', 1)]
    """
    stack: list[tuple[str, object]] = [("", value)]
    while stack:
        place, part = stack.pop()
        yield place, part
        if isinstance(part, dict):
            stack.extend((member(place, key), part[key]) for key in reversed(part))
        elif isinstance(part, list):
            stack.extend((f"{place}[{i}]", part[i]) for i in reversed(range(len(part))))


def member(place: str, key: str) -> str:
    """The place of a key of an object, quoted where the key is no plain name.

    >>> member("model.vocab", "##a"), member("", "model")
    ('model.vocab["##a"]', 'model')
    """
    if re.fullmatch("[A-Za-z_][A-Za-z_0-9]*", key):
        return f"{place}.{key}" if place else key
    return f"{place}[{json.dumps(key, ensure_ascii=False)}]"
