"""The tokenizer in a file of any format that the packages load, told by its name and by what it holds.

What a file does not say is guessed, and the guess is said: whether the text of a vocab.txt is lower-cased, and how a
.tiktoken file's texts are split.
"""
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from incbpe import BPE
from incbpe.patterns import NAMES
from linmaxmatch import WordPiece
from linmaxmatch.vocab_txt import load_vocab_txt

CAPITALS = 0.01
"""The share of entries with capitals from which on a vocab.txt is taken for one of text that keeps its case."""


@dataclass
class Loaded:
    """A tokenizer, and what was guessed or changed on the way, a sentence each."""

    tokenizer: Any
    format: str
    notes: list[str]

    @property
    def wordpiece(self) -> bool:
        return isinstance(self.tokenizer, WordPiece)


def load(path: str) -> Loaded:
    """The tokenizer; OSError, ValueError or TypeError, in one line, for what is no vocabulary."""
    start = beginning(path)
    if path.endswith(".json") or start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        return of_json(path)
    if path.endswith(".txt") and start.startswith(b"#version"):
        return of_pair(Path(path).with_name("vocab.json"), Path(path))
    if path.endswith(".tiktoken") or (not path.endswith(".txt") and is_rank_line(start.partition(b"\n")[0])):
        return of_ranks(path)
    return of_vocab_txt(path)


def beginning(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(200)


def is_rank_line(line: bytes) -> bool:
    """Whether a line is a base64 token and a rank."""
    words = line.split()
    return len(words) == 2 and words[1].isdigit() and words[0].isascii()


def of_json(path: str) -> Loaded:
    """A tokenizer.json of either model, a tekken.json, or a vocab.json with the merges.txt beside it."""
    try:
        value = json.loads(Path(path).read_bytes())
    except ValueError as error:
        raise ValueError(f"{path}: is no JSON: {error}") from None
    model = value.get("model") if isinstance(value, dict) else None
    if isinstance(model, dict) and model.get("type") == "WordPiece":
        wordpiece = WordPiece.from_file(path)
        return Loaded(wordpiece, "tokenizer.json, WordPiece", list(wordpiece.notes))
    if isinstance(value, dict) and value and set(map(type, value.values())) == {int}:
        return of_pair(Path(path), Path(path).with_name("merges.txt"))
    bpe = BPE.from_file(path)
    return Loaded(bpe, "tokenizer.json, BPE" if model else "tekken.json", list(bpe.config.notes))


def of_pair(vocab: Path, merges: Path) -> Loaded:
    for file, other in ((vocab, merges), (merges, vocab)):
        if not file.is_file():
            raise ValueError(f"{other}: needs {file.name} beside it, which is not there")
    bpe = BPE.from_files(vocab=vocab, merges=merges)
    return Loaded(bpe, "vocab.json and merges.txt", ["texts are split by GPT-2's pattern", *bpe.config.notes])


def of_ranks(path: str) -> Loaded:
    stem = Path(path).stem.lower()
    pattern = next((name for name in NAMES if name != "none" and name in stem), "none")
    bpe = BPE.from_file(path, pattern=pattern)
    guess = f"texts are split as {pattern} does, by the file's name" if pattern != "none" else (
        "texts are taken as not split: the file's name is none of " + ", ".join(NAMES[:-1]))
    return Loaded(bpe, ".tiktoken rank table", [guess, *bpe.config.notes])


def of_vocab_txt(path: str) -> Loaded:
    """A vocab.txt: the unknown token is [UNK] or <unk>, whichever it has."""
    tokens = load_vocab_txt(path, duplicates="last").tokens
    unk = "<unk>" if "<unk>" in tokens and "[UNK]" not in tokens else "[UNK]"
    words = [token for token in tokens if not token.startswith(("[", "<"))]
    capitals = sum(token != token.lower() for token in words)
    cased = capitals > CAPITALS * len(words)
    wordpiece = WordPiece.from_file(path, duplicates="last", unk_token=unk, lowercase=not cased)
    guess = (f"text keeps its case: {capitals:,} entries have capitals" if cased else
             f"text is lower-cased and loses its accents: {capitals or 'no'} entries have capitals")
    return Loaded(wordpiece, "vocab.txt", [guess, *wordpiece.notes])
