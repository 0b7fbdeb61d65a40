"""Write the examples of the interactive page, and what the packages say to each:

    python scripts/make_gallery.py [--check]

The page opens from a disk, where a browser lets it read no file: so the examples are a script that it loads.
"""
import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from incbpe import normalize
from incbpe.trace import Tracer, dictionary_of
from linmaxmatch import Trie, Vocabulary, precompute
from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.trace import trace
from linmaxmatch.wordpiece import WordPiece

FILE = Path(__file__).parents[1] / "docs" / "play" / "gallery.js"
UNK = "<unk>"
WORDS = (
    ("The paper's example: abcz", "a abcd ##b ##bc ##z", "##", "abcz"),
    ("The paper's example: abcdz", "a abcd ##b ##bc ##z", "##", "abcdz"),
    ("An unknown word", "a abcd ##b ##bc ##z", "##", "abcx"),
    ("Both bounds met: aⁿ", "a ##a", "##", "aaaaaaaa"),
    ("Where reading again costs", "a ##a aaaaab ##aaaaab", "##", "aaaaaaaaaaaa"),
    ("A word that starts with ♯", "# ###b", "##", "##b"),
    ("No suffix indicator", "a ab abcd b bc c", "", "abcabcd"),
)
NEIGHBOURS = ("unaffable", "tokenization")
TEXTS = (
    ("Three rules: abbb", "a b, b b, ab b", "abbb"),
    ("Three rules: abbbab", "a b, b b, ab b", "abbbab"),
    ("Repeated letters", "a a, aa aa, aa a, b a, ba a", "baaaaaaa"),
    ("No token shorter is final", "c d, b c, a b", "abcdabc"),
    ("An unknown symbol", "a b, b b", "abb?bab"),
    ("Maximal before chain", "b b", "bbbb"),
)


def neighbourhood(word: str) -> str:
    """The tokens of the shipped vocabulary that lie on the way of a word: its own infixes."""
    tokens = WordPiece.from_file(default_vocabulary_path()).vocabulary.tokens
    pieces = {word[i:j] for i in range(len(word)) for j in range(i + 1, len(word) + 1)}
    found = [token for token in tokens if token in pieces or token.removeprefix("##") in pieces]
    return " ".join(token for token in found if token.startswith("##") or word.startswith(token))


def wordpiece(name: str, vocabulary: str, sharp: str, word: str) -> dict[str, Any]:
    strings = Vocabulary([*vocabulary.split(), UNK], suffix_indicator=sharp, unk_token=UNK)
    tables = precompute(Trie(strings, keep=lambda token, body: token != UNK))
    return {"name": name, "vocabulary": vocabulary, "sharp": sharp, "word": word,
            "steps": [asdict(step) for step in trace(tables, word)]}


def bpe(name: str, rules: str, text: str) -> dict[str, Any]:
    tracer = Tracer(normalize(dictionary_of(rules.split(", ")), "equation"))
    return {"name": name, "rules": rules, "text": text, "steps": [bpe_step(step) for step in tracer.trace(text)]}


def bpe_step(step: Any) -> dict[str, Any]:
    """A step as the page's own program has it."""
    held = asdict(step)
    held["tests"] = [{key: test[key] for key in ("token", "why", "w", "c")} for test in held["tests"]]
    return held


def gallery() -> str:
    words = [*WORDS, *((f"The shipped vocabulary around {word}", neighbourhood(word), "##", word)
                       for word in NEIGHBOURS)]
    content = {"lin": [wordpiece(*example) for example in words], "bpe": [bpe(*example) for example in TEXTS]}
    lines = json.dumps(content, ensure_ascii=False, sort_keys=True, indent=0).replace("\n", "")
    return f"/* Written by scripts/make_gallery.py: the steps are those of the packages. */\nvar GALLERY = {lines};\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the examples of the interactive page.")
    parser.add_argument("--check", action="store_true", help="only say whether the file is up to date")
    check = parser.parse_args().check
    if not check:
        FILE.write_text(gallery(), encoding="utf-8")
    elif FILE.read_text(encoding="utf-8") != gallery():
        raise SystemExit(f"{FILE.name} is stale; run python scripts/make_gallery.py")


if __name__ == "__main__":
    main()
