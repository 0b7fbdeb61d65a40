"""What a tokenizer file says, whatever its format: the merge core, and what stands around it, as typed plain data.

The loaders make a `Config`; the engine is built from one. Nothing here knows a file, and nothing computes.

Notation   an *id* is a number of the file · a *name* is a token as a JSON file spells it, bytes mapped to characters ·
           a *pattern* is a regex whose matches are the pieces that BPE runs on
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from incbpe.mergelist import MergeList
from incbpe.spelt import Spelt
from subwordio.added import AddedToken
from subwordio.padding import Padding, Truncation
from subwordio.template import Template

__all__ = ["Behavior", "ByteFallback", "ByteLevel", "Config", "DecodeStep", "Duplicates", "Form", "Fuse", "Model",
           "Prepend", "Replace", "Split", "Step", "Strip", "Trim", "Unicode", "checked"]

BYTES = 256
Unicode = Literal["tiktoken", "tokenizers"]
Duplicates = Literal["error", "last"]
Behavior = Literal["removed", "isolated", "merged_with_previous", "merged_with_next", "contiguous"]


@dataclass(frozen=True)
class Model:
    """The merge core.

    >>> model = Model((b"a", b"b", b"ab"), ((b"a", b"b"),))
    >>> model.binary, model.size
    (True, 3)
    """

    tokens: tuple[bytes, ...] | tuple[str, ...] | Spelt
    """by id, raw: all `bytes` (atoms are bytes), or all `str` (atoms are characters); an empty one: the model has no
    token of that id"""
    merges: tuple[tuple[bytes, bytes], ...] | tuple[tuple[str, str], ...] | MergeList | None
    """the rules in order of rank; None: the tokens are a rank table, and a smaller id merges earlier (Proposition 2)"""
    whole_piece: bool = False
    """a piece that is a token is that token, whatever the rules say (Proposition 3)"""
    byte_ids: tuple[int, ...] | None = None
    """byte fallback: by byte the id of its token <0x00> … <0xFF>, -1 where there is none; None: no byte fallback"""
    unk_id: int | None = None
    """the unknown token; None: a symbol that is no token vanishes, as in the tokenizers library"""
    fuse_unk: bool = False
    """neighbouring unknown symbols are one unknown token"""
    duplicates: Duplicates = "error"
    """what is done about a pair that is twice in `merges`; "last": its last place is its rank"""

    @property
    def binary(self) -> bool:
        """Whether the atoms are bytes."""
        return not self.tokens or isinstance(self.tokens[0], bytes)

    @property
    def size(self) -> int:
        """How many ids, from 0 on, the model's own tokens span."""
        return len(self.tokens)


# What is done to a text before it is split

@dataclass(frozen=True)
class Form:
    """Unicode normalization: NFC, NFD, NFKC or NFKD."""

    form: Literal["NFC", "NFD", "NFKC", "NFKD"]


@dataclass(frozen=True)
class Prepend:
    """`text` is put before whatever is not empty."""

    text: str


@dataclass(frozen=True)
class Replace:
    """Every `old`, a literal string, becomes `new`; also a step of decoding."""

    old: str
    new: str


Step = Form | Prepend | Replace


@dataclass(frozen=True)
class Split:
    """A `Split` pre-tokenizer: what becomes of the matches of `pattern`, a regex or a literal string.

    removed, isolated: a piece of its own · merged_with_previous, merged_with_next: part of the piece beside it ·
    contiguous: neighbouring matches are one piece · invert: what is said of matches holds of what is between them
    """

    pattern: str
    literal: bool = False
    behavior: Behavior = "isolated"
    invert: bool = False


# From tokens back to text

@dataclass(frozen=True)
class ByteLevel:
    """The bytes of the tokens, one after another, as UTF-8."""


@dataclass(frozen=True)
class ByteFallback:
    """A run of tokens <0x..> becomes its bytes as UTF-8; each byte of a run that is not UTF-8 becomes U+FFFD."""


@dataclass(frozen=True)
class Fuse:
    """All tokens become one."""


@dataclass(frozen=True)
class Strip:
    """Up to `start` times `content`, one character, goes from a token's beginning, up to `stop` times from its end."""

    content: str
    start: int
    stop: int


DecodeStep = ByteLevel | Replace | ByteFallback | Fuse | Strip


@dataclass(frozen=True)
class Trim:
    """Offsets leave out the spaces at both ends of a token; with `prefix_space` all but one at a text's beginning."""

    prefix_space: bool


@dataclass(frozen=True)
class Config:
    """A whole tokenizer, as plain data."""

    model: Model
    unicode: Unicode
    """whose classes of characters the patterns use"""
    pattern: str | None = None
    """a pattern by name or a regex, given by the caller or by a tekken.json; "none": no split; None: see `splits`"""
    normalizer: tuple[Step, ...] = ()
    splits: tuple[Split, ...] = ()
    """a tokenizer.json's, one after the other; before `byte_level_regex`"""
    add_prefix_space: bool = False
    """a text between added tokens that does not begin with a space gets one"""
    byte_level_regex: bool = False
    """GPT-2's pattern, as the ByteLevel pre-tokenizer of the tokenizers library has it, is the last split"""
    added_tokens: tuple[AddedToken, ...] = ()
    """their ids may be the model's own, where they are spelt alike"""
    template: Template | None = None
    truncation: Truncation | None = None
    padding: Padding | None = None
    trim: Trim | None = None
    """None: offsets as they are"""
    decoder: tuple[DecodeStep, ...] | None = (ByteLevel(),)
    """None: the tokens with a space between, as in the tokenizers library"""
    unmatched: tuple[tuple[int, str], ...] = ()
    """tokens of a byte-level model that no text has, since their names hold characters that stand for no byte; they
    are empty in `model.tokens`, and decoded as they are spelt here"""
    notes: tuple[str, ...] = ()
    """what was changed or left out on reading, a sentence each"""


def checked(config: Config) -> Config:
    """The config, if what it says of its tokens can be so: TypeError and ValueError name the field. O(tokens)."""
    model = config.model
    if not isinstance(model, Model):
        raise TypeError(f"model: expected a Model, got {type(model).__name__}")
    if config.unicode not in ("tiktoken", "tokenizers"):
        raise ValueError(f"unicode={config.unicode!r}: expected 'tiktoken' or 'tokenizers'")
    kinds = {kind.__name__ for kind in set(map(type, () if isinstance(model.tokens, Spelt) else model.tokens))}
    if kinds not in (set(), {"bytes"}, {"str"}):
        raise TypeError(f"tokens: expected all bytes or all str, got {' and '.join(sorted(kinds))}")
    if model.unk_id is not None and not 0 <= model.unk_id < model.size:
        raise ValueError(f"unk_id={model.unk_id}: expected 0 to {model.size - 1}")
    if model.byte_ids is not None and len(model.byte_ids) != BYTES:
        raise ValueError(f"byte_ids: expected {BYTES} ids, got {len(model.byte_ids)}")
    for byte, id in enumerate(model.byte_ids or ()):
        if not -1 <= id < model.size:
            raise ValueError(f"byte_ids[{byte}]={id}: expected -1 to {model.size - 1}")
    return config
