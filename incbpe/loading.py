"""From a file to a `Config`, whatever its format; nothing is ever downloaded."""
from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from incbpe.model import Config, Duplicates, Model, Unicode
from incbpe.patterns import NAMES
from incbpe.special import RANKS, special_tokens_of
from incbpe.spelt import Spelt
from incbpe.tekken import read_tekken
from incbpe.tiktoken_file import RankTable, load_tiktoken
from incbpe.tokenizer_json import TOKENIZER_JSON_LIMIT, read_plain, read_tokenizer_json
from incbpe.vocab_merges import load_vocab_merges
from subwordio.added import AddedToken
from subwordio.errors import FormatError
from subwordio.files import StrPath, json_value, name_of, read_utf8_file

__all__ = ["load", "load_pair"]


def load(path: StrPath, *, pattern: str | None = None, special_tokens: str | Mapping[str, int] | None = None,
         unicode: Unicode | None = None, duplicates: Duplicates = "error", sha256: str | None = None) -> Config:
    """The tokenizer in a .tiktoken file, a tokenizer.json or a tekken.json, by what the file holds.

    Errors: `FormatError` for what is wrong in the file, ValueError or TypeError for an option, OSError for no file.

    A rank table needs a pattern, by name (`incbpe.patterns`) or as a regex, and takes special tokens, by the name of a
    model or as a mapping from contents to ids; a JSON file says both itself. Without `unicode`, a tokenizer.json has
    the classes of characters of the tokenizers library, the others tiktoken's.
    """
    check_options(pattern, unicode, duplicates)
    name = name_of(path)
    if not is_json(path):
        if duplicates != "error":
            raise TypeError(f"duplicates: {name} is read as a rank table, which has no merges")
        added = special_tokens_of(special_tokens)
        table = load_tiktoken(path, sha256=sha256)
        if pattern is None:
            raise ValueError(f"{name}: a rank table does not say how texts are split; give pattern={patterns()}")
        if isinstance(special_tokens, str):
            check_ranks(special_tokens, given(table.tokens), name)
        return of_ranks(table, name, pattern, added, unicode or "tiktoken")
    if pattern is not None or special_tokens is not None:
        raise TypeError(f"{'special_tokens' if pattern is None else 'pattern'}: {name} says it all, no option goes "
                        "beside it")
    file = read_utf8_file(path, what="a tokenizer.json or tekken.json", limit=TOKENIZER_JSON_LIMIT, sha256=sha256)
    found = read_plain(file, name, unicode or "tokenizers", duplicates)
    if found is not None:
        return found
    value, notes = json_value(file.data[file.start:].decode(), name), file.notes
    if isinstance(value, dict) and "model" not in value:
        if "config" in value and "vocab" in value:
            return read_tekken(value, name, notes, unicode or "tiktoken")
        if value and set(map(type, value.values())) == {int}:
            raise FormatError(f"{name}: is a vocab.json, whose merges.txt is another file; both are needed, vocab=... "
                              "with merges=... (BPE.from_files)")
    return read_tokenizer_json(value, name, notes, unicode or "tokenizers", duplicates)


def load_pair(vocab: StrPath, merges: StrPath, *, pattern: str | None = None,
              special_tokens: str | Mapping[str, int] | None = None, unicode: Unicode | None = None,
              duplicates: Duplicates = "error", vocab_sha256: str | None = None,
              merges_sha256: str | None = None) -> Config:
    """The tokenizer in a vocab.json and a merges.txt. Without `pattern`, texts are split by GPT-2's."""
    check_options(pattern, unicode, duplicates)
    added = special_tokens_of(special_tokens)
    config = load_vocab_merges(vocab, merges, pattern=pattern or "gpt2", unicode=unicode or "tokenizers",
                               special_tokens=added, duplicates=duplicates, vocab_sha256=vocab_sha256,
                               merges_sha256=merges_sha256)
    check_special_tokens(config.model, added, name_of(vocab))
    return config


def of_ranks(table: RankTable, name: str, pattern: str, added: tuple[AddedToken, ...], unicode: Unicode) -> Config:
    """The tokenizer of a rank table, as tiktoken runs it."""
    model = Model(table.tokens, None, whole_piece=True)
    check_special_tokens(model, added, name)
    return Config(model, unicode, pattern, added_tokens=added, notes=table.notes)


def check_special_tokens(model: Model, added: tuple[AddedToken, ...], name: str) -> None:
    """No special token may have the id of another token."""
    tokens: Sequence[Any] = model.tokens
    for token in added:
        there = tokens[token.id] if token.id < len(tokens) else b""
        if there and there != token.content.encode():
            raise ValueError(f"special_tokens: {token.content!r} has the id {token.id}, which {name} gives to "
                             f"{there!r}")


def given(tokens: tuple[bytes, ...] | Spelt) -> int:
    """How many ranks have a token."""
    return tokens.given if isinstance(tokens, Spelt) else sum(map(bool, tokens))


def check_ranks(special_tokens: str, ranks: int, name: str) -> None:
    """Special tokens by the name of a model go with that model's table."""
    expected = RANKS.get(special_tokens, ranks)
    if ranks != expected:
        raise ValueError(f"special_tokens={special_tokens!r}: they go with a table of {expected} ranks, {name} has "
                         f"{ranks}; a mapping from contents to ids goes with any")


def check_options(pattern: str | None, unicode: str | None, duplicates: str) -> None:
    if pattern is not None:
        if not isinstance(pattern, str):
            raise TypeError(f"pattern: expected a name or a regex, got {type(pattern).__name__}")
        if pattern not in NAMES and re.fullmatch(r"\w*", pattern):
            raise ValueError(f"pattern={pattern!r}: expected {patterns()}")
    if unicode is not None and unicode not in get_args(Unicode):
        raise ValueError(f"unicode={unicode!r}: expected {' or '.join(map(repr, get_args(Unicode)))}")
    if duplicates not in get_args(Duplicates):
        raise ValueError(f"duplicates={duplicates!r}: expected {' or '.join(map(repr, get_args(Duplicates)))}")


def patterns() -> str:
    return f"{', '.join(map(repr, NAMES))} or a regex"


def is_json(path: StrPath) -> bool:
    """Whether a file is to be read as JSON: by its suffix, and where that is neither, by how it begins."""
    suffix = Path(path).suffix
    if suffix in {".json", ".tiktoken"} or not Path(path).is_file():
        return suffix == ".json"
    with open(path, "rb") as file:
        return file.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")
