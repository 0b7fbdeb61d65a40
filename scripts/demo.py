"""What the packages do, on one page:  python scripts/demo.py [FILE]

For each paper its example step by step, a text file by the shipped vocabulary with its speed, and the same text by the
paper's own algorithm; then what the checks of the papers' statements said.
"""
import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from incbpe import BPE, Dictionary, Incremental, normalize
from incbpe.default import default_tokenizer_path
from incbpe.trace import Tracer
from linmaxmatch import Trie, Vocabulary, lin_max_match, precompute
from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.trace import trace
from linmaxmatch.wordpiece import WordPiece

sys.path.append(str(Path(__file__).parents[1]))         # where `proofs` lies; it is not installed

UNK = "<unk>"
RULES = [("a", "b"), ("b", "b"), ("ab", "b")]
SHOWN = 12             # tokens
LONG = 8_000_000       # bytes of text to time
ROUNDS = 5


def wordpiece_example() -> None:
    print("1. LinMaxMatch: V = {a, abcd, ##b, ##bc, ##z}\n")
    vocabulary = Vocabulary(["a", "abcd", "##b", "##bc", "##z", UNK])
    tables = precompute(Trie(vocabulary, keep=lambda token, body: token != UNK))
    print(trace(tables, "abcdz"), trace(tables, "abcz"), sep="\n\n")


def bpe_example() -> None:
    print("\n2. Incremental BPE: rules (a, b), (b, b), (ab, b)\n")
    print(Tracer(normalize(Dictionary(["a", "b", "ab", "bb", "abb"], RULES))).trace("abbb"))


def tokenize_file(name: str, encode: Callable[[str], Sequence[int]], token: Callable[[int], object], path: Path,
                  text: str) -> None:
    ids = encode(text)
    size = len(text.encode())
    print(f"\n{name}, {path.name}: {size:,} bytes, {len(ids):,} tokens of the shipped vocabulary\n")
    print("tokens ", *map(token, ids[:SHOWN]), *["…"] * (len(ids) > SHOWN))
    print("ids    ", *ids[:SHOWN], *["…"] * (len(ids) > SHOWN))
    if size:
        print(f"speed   {speed(encode, text, size):.0f} MB/s, best of {ROUNDS}, one thread, "
              f"the text repeated to {LONG / 1e6:.0f} MB")


def speed(encode: Callable[[str], Sequence[int]], text: str, size: int) -> float:
    document = text * -(-LONG // size)
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        encode(document)
        seconds.append(time.perf_counter() - begin)
    return size * (len(document) // len(text)) / min(seconds) / 1e6


def said(what: str, same: bool) -> bool:
    print(f"the paper's algorithm on the same {what}: {'the same ids' if same else 'OTHER IDS'}")
    return same


def compare_words(wordpiece: WordPiece, text: str) -> bool:
    """Whether the engine's tokens of the text are those of Algorithm 1, word by word."""
    tables = precompute(Trie(wordpiece.vocabulary))
    words = wordpiece.normalizer.words(text)
    by_paper = [wordpiece.id(token) for word in words for token in lin_max_match(tables, word)]
    return said(f"{len(words):,} words", by_paper == list(wordpiece.encode(text)))


def compare_pieces(bpe: BPE, text: str) -> bool:
    """Whether the engine's tokens of the text are those that θ of every prefix spells, piece by piece."""
    pieces = bpe.pieces_of(text)
    incremental = Incremental(bpe.normalized())
    by_paper = []
    for piece in pieces:
        incremental.extend(piece)
        by_paper += [bpe.id(token) for token in incremental.tokens()]
        incremental.pop(len(piece))
    return said(f"{len(pieces):,} pieces", by_paper == list(bpe.encode(text)))


def check_statements() -> bool:
    from proofs import summary

    print("\n3. The papers' statements, on a sample of the small worlds (make proofs: on all)\n")
    said = summary()
    print(said)
    return said.endswith("all hold")


def main() -> int:
    parser = argparse.ArgumentParser(description="What the packages do, on one page.")
    parser.add_argument("file", nargs="?", type=Path, default=Path("README.md"), help="the text to tokenize")
    path = parser.parse_args().file
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        parser.error(f"{path}: {error}")
    wordpiece, bpe = WordPiece.from_file(default_vocabulary_path()), BPE.from_file(default_tokenizer_path())
    wordpiece_example()
    tokenize_file("WordPiece", wordpiece.encode, wordpiece.token, path, text)
    right = compare_words(wordpiece, text)
    bpe_example()
    tokenize_file("BPE", bpe.encode, bpe.token, path, text)
    right &= compare_pieces(bpe, text)
    return 0 if right and check_statements() else 1


if __name__ == "__main__":
    sys.exit(main())
