"""Which entries of a BPE vocabulary no text is given, and why; and for each other entry a text that reaches it.

An entry that merging does not leave whole is never among the tokens of a text (every token of every T(s) is canonical,
Section 3.3), unless the file has whole pieces looked up before merging (Proposition 3). What else is never given
depends on how texts are split, and there is no short argument about a pattern: so each other entry is looked for, in
texts that spell it, alone and among neighbours, and, where it is a part of a character's bytes, in characters that
have it; an entry found in none of them is *not found*, and how its text is tokenized is shown.
"""
import sys
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

BEFORE = ("", " ", "a", "\n", "1", ".", "'", "\t", "A", "é", "中", "  ", " a", "_")
AFTER = ("", "a", " ", "\n", "1", ".", "  ", "A", "é", "中", " a", "s", "'s", "=")
LEADS = (b"", b"\xc3", b"\xe1", b"\xe1\x80", b"\xe0", b"\xed", b"\xf1", b"\xf1\x80", b"\xf1\x80\x80", b"\xf0", b"\xf4",
         b"\xf0\x90", b"\xf4\x80")
TAILS = (b"", b"\x80", b"\x80\x80", b"\x80\x80\x80", b"\xa0\x80", b"\x90\x80\x80", b"\x90", b"\xa0")
"""What completes every part of a character's bytes that can be completed."""
COMPLETIONS = (3, 64)
"""characters tried for a broken end, first few, then at most one for each byte that can come next"""
REASONS = {
    "special": "a special token: only where special tokens are allowed in the text",
    "bytes": "a name with characters that stand for no byte",
    "no utf-8": "bytes that no UTF-8 has: text is not given them, only `encode_bytes` of other data",
    "fallback": "byte fallback that nothing needs: the characters of that byte are entries themselves",
    "no rule": "no rule makes it, and it is no single symbol",
    "not canonical": "merging its text gives other tokens",
    "cut": "its text is cut by the splitter, and it came out of no neighbourhood that was tried",
    "not found": "its bytes grow into other entries in every neighbourhood that was tried",
}


class Search:
    """Texts that reach entries, found one kind of text after another."""

    def __init__(self, bpe: Any) -> None:
        self.bpe = bpe
        self.lacks = lacking(bpe.model)
        self.texts: dict[int, str] = {}
        self.tried = 0

    def encode(self, texts: Iterable[str]) -> None:
        """Keep the first text that has an id among its own."""
        some = [text for text in texts if not self.lacks or self.lacks.isdisjoint(text.encode())]
        self.tried += len(some)
        for text, ids in zip(some, self.bpe.encode_batch(some, threads=1), strict=True):
            for i in ids:
                if i not in self.texts:
                    self.texts[i] = text


def lacking(model: Any) -> frozenset[int]:
    """The bytes that a rank table has no entry for: texts that hold one are refused."""
    return frozenset() if model.merges is not None else (
        frozenset(range(256)) - {token[0] for token in model.tokens if len(token) == 1})


def spelling(bpe: Any, i: int) -> Any:
    """What an entry stands for in a text: its text, or its bytes where they are no UTF-8."""
    data = bpe.decode_bytes([i])
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def search(bpe: Any, ids: Iterable[int]) -> Search:
    """Look for a text for each of these entries."""
    found = Search(bpe)
    spelled = {i: spelling(bpe, i) for i in ids}
    whole = {i: text for i, text in spelled.items() if isinstance(text, str)}
    for before in BEFORE:
        for after in AFTER:
            left = [text for i, text in whole.items() if i not in found.texts]
            found.encode(before + text + after for text in left)
    broken = {i: data for i, data in spelled.items() if not isinstance(data, str) and i not in found.texts}
    if any(i not in found.texts for i in broken):
        ends = Ends()
        for most, before in [(most, before) for most in COMPLETIONS for before in ("", " ", "a")]:
            some = [data for i, data in broken.items() if i not in found.texts]
            found.encode(before + text for data in some for text in ends.completed(data, most))
        if any(i not in found.texts for i in broken):
            found.encode(chr(c) for c in range(0x80, sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF)
    return found


class Ends:
    """The characters of Unicode by how their UTF-8 begins and ends."""

    def __init__(self) -> None:
        self.characters = [chr(c) for c in range(0x80, sys.maxunicode + 1)
                           if unicodedata.category(chr(c)) not in ("Cs", "Cn", "Co")]
        self.begins: dict[bytes, list[bytes]] = defaultdict(list)
        self.ends: dict[bytes, list[bytes]] = defaultdict(list)
        seen: set[tuple[bytes, bytes]] = set()
        for c in self.characters:
            data = c.encode()
            for k in range(1, len(data)):
                if (data[:k], data[k:k + 1]) not in seen:
                    seen.add((data[:k], data[k:k + 1]))
                    self.begins[data[:k]].append(data[k:])
                if (data[k - 1:k], data[k:]) not in seen:
                    seen.add((data[k - 1:k], data[k:]))
                    self.ends[data[k:]].append(data[:k])

    def completed(self, data: bytes, most: int) -> Iterator[str]:
        """Texts that have these bytes inside, whose ends are parts of characters: at most so many for each end."""
        start = next((k for k, byte in enumerate(data) if byte & 0xC0 != 0x80), len(data))
        stop = len(data)
        while stop > start and not is_utf8(data[start:stop]):
            stop -= 1
        firsts = self.ends[data[:start]][:most] if start else [b""]
        lasts = self.begins[data[stop:]][:most] if stop < len(data) else [b""]
        for first in firsts:
            for last in lasts:
                text = first + data + last
                if is_utf8(text):
                    yield text.decode()


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def reason(bpe: Any, model: Any, one: Any, i: int) -> str:
    """Why no text was found for an entry of a tokenizer's model; a key of REASONS."""
    token = model.tokens[i] if i < len(model.tokens) else None
    if any(added.id == i for added in bpe.config.added_tokens):
        return "special"
    if any(i == unmatched for unmatched, _ in bpe.config.unmatched):
        return "bytes"
    data = bpe.decode_bytes([i])
    if not any(is_utf8(first + data + last) for first in LEADS for last in TAILS):
        return "no utf-8"
    if model.byte_ids is not None and i in model.byte_ids:
        return "fallback"
    if not one.N.is_canonical(token) and not model.whole_piece:
        return "not canonical" if any(x + y == token for x, y in splits(token, one.rank)) else "no rule"
    text = spelling(bpe, i)
    return "cut" if isinstance(text, str) and len(bpe.pieces_of(text)) > 1 else "not found"


def splits(token: Any, rank: dict[Any, int]) -> list[Any]:
    """The rules that make a token."""
    pairs = [(token[:k], token[k:]) for k in range(1, len(token))]
    return [pair for pair in pairs if pair in rank]
