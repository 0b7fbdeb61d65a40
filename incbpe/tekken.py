"""`tekken.json`: a rank table with its pattern and special tokens in one file, for tiktoken's merging.

`vocab` lists tokens by rank, base64 and, where it is one, as text. The special tokens come first: an id is a rank plus
`default_num_special_tokens`, and of the ranks only the first `default_vocab_size − default_num_special_tokens` count.
Where special tokens are listed they have the ids of their ranks, and those without a name are <SPECIAL_i>.

Cost  linear in the size of the file.
"""
from __future__ import annotations

from collections.abc import Sequence

from incbpe.model import Config, Model, Unicode
from incbpe.tiktoken_file import TOKEN_BYTES_LIMIT, TOKEN_LIMIT, strict_base64
from subwordio.added import AddedToken
from subwordio.fields import Fields, shown
from subwordio.files import StrPath, name_of, read_json_file

__all__ = ["load_tekken", "read_tekken"]

TEKKEN_LIMIT = 2**29            # bytes of a tekken.json
LAST_WITHOUT_SPECIAL_TOKENS = 7     # the last version whose files do not list their special tokens
# What the files of such versions mean by the first ids.
EARLY = ("<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
         "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]",
         "[SUFFIX]", "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]")
NOT_OF_TEXT = ("image", "multimodal", "audio")      # sections that describe other input than text


def load_tekken(path: StrPath, *, unicode: Unicode = "tiktoken", sha256: str | None = None,
                limit: int = TEKKEN_LIMIT) -> Config:
    """The whole of a tekken.json.

    Ranks out of order, base64 that is not exactly what encoding the token gives, a token given twice, sizes that do
    not go together: a `FormatError` that names the field.
    """
    value, notes = read_json_file(path, what="a tekken.json", limit=limit, sha256=sha256)
    return read_tekken(value, name_of(path), notes, unicode)


def read_tekken(value: object, name: str, notes: tuple[str, ...] = (), unicode: Unicode = "tiktoken") -> Config:
    """The same of the value of a JSON file, which messages call `name`."""
    top = Fields(value, "", name)
    config = top.fields("config")
    pattern = config.string("pattern")
    if not pattern:
        raise config.error("pattern", "expected a pattern that is not empty")
    size = config.integer("default_vocab_size", TOKEN_LIMIT)
    special = config.integer("default_num_special_tokens", TOKEN_LIMIT)
    listed = config.integer("num_vocab_tokens") if config.has("num_vocab_tokens") else None
    version = read_version(config)
    config.finish()
    if "version" in top.value:
        top.take("version")
    if top.has("type"):
        top.one_of("type", "Tekken", "tekken")
    entries = top.array("vocab")
    if listed is not None and listed != len(entries):
        raise config.error("num_vocab_tokens", f"{listed}, but the vocab lists {len(entries)} tokens")
    if not special <= size <= special + len(entries):
        raise config.error("default_vocab_size", f"{size}: expected {special} special tokens and up to {len(entries)} "
                                                 "others")
    tokens = read_tokens(top, entries[:size - special])
    added = read_special_tokens(top, special, version)
    for key in NOT_OF_TEXT:
        if top.has(key):
            top.take(key)
            notes = (*notes, f"{key} is not about text, and not used")
    if len(entries) > len(tokens):
        notes = (*notes, f"{len(entries) - len(tokens)} tokens of the vocab are beyond default_vocab_size")
    top.finish()
    return Config(Model((*[b""] * special, *tokens), None, whole_piece=True), unicode, pattern, added_tokens=added,
                  notes=notes)


def read_version(config: Fields) -> int:
    """The number in a version such as "v7"."""
    version = config.string("version")
    if version[:1] != "v" or not version[1:].isdecimal() or not version.isascii() or len(version) > 6:
        raise config.error("version", f"expected a version such as \"v3\", got {shown(version)}")
    return int(version[1:])


def read_tokens(top: Fields, entries: Sequence[object]) -> list[bytes]:
    """The tokens of the vocabulary by rank."""
    tokens: list[bytes] = []
    for rank, entry in enumerate(entries):
        place = f"vocab[{rank}]"
        item = Fields(entry, place, top.file)
        if item.integer("rank") != rank:
            raise item.error("rank", f"{shown(item.value['rank'])}: expected {rank}, as ranks are listed in order")
        spelt = item.string("token_bytes")
        try:
            token = strict_base64(spelt.encode())
        except ValueError as error:
            raise item.error("token_bytes", str(error)) from None
        if len(token) > TOKEN_BYTES_LIMIT:
            raise item.error("token_bytes", f"a token of {len(token)} bytes, more than the limit of "
                                            f"{TOKEN_BYTES_LIMIT}")
        if item.has("token_str"):
            text = item.string("token_str")
            if text.encode() != token and "\ufffd" not in text:     # some files show what is no UTF-8 by U+FFFD
                raise item.error("token_str", f"{shown(text)} is not what token_bytes says, {token!r}")
        item.finish()
        tokens.append(token)
    if len(set(tokens)) < len(tokens):
        first: dict[bytes, int] = {}
        for rank, token in enumerate(tokens):
            if first.setdefault(token, rank) != rank:
                raise top.error("vocab", f"{token!r} has the ranks {first[token]} and {rank}")
    return tokens


def read_special_tokens(top: Fields, size: int, version: int) -> tuple[AddedToken, ...]:
    """The special tokens, ids 0 to `size` − 1."""
    names: dict[int, str] = {}
    if top.has("special_tokens"):
        for item in top.objects("special_tokens"):
            rank, text = item.integer("rank"), item.string("token_str")
            if item.has("is_control"):
                item.boolean("is_control")
            if rank >= size:
                raise item.error("rank", f"{rank}: expected less than default_num_special_tokens, {size}")
            if rank in names:
                raise item.error("rank", f"{rank} is the rank of {shown(names[rank])} already")
            if not text:
                raise item.error("token_str", "expected a token that is not empty")
            names[rank] = text
            item.finish()
    elif version > LAST_WITHOUT_SPECIAL_TOKENS:
        raise top.error("special_tokens", f"the field is missing, in a file of version v{version}")
    else:
        names = dict(enumerate(EARLY[:size]))
    for rank in range(size):
        names.setdefault(rank, f"<SPECIAL_{rank}>")
    if len(set(names.values())) < size:
        twice = next(text for text in names.values() if list(names.values()).count(text) > 1)
        raise top.error("special_tokens", f"{shown(twice)} is there twice")
    return tuple(AddedToken(names[rank], rank, special=True) for rank in range(size))
