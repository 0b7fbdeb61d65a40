"""Published vocabularies on drawn text: pieces against the notation layer, texts against the libraries.

`make deep` draws 10^7 pieces and 100 MB of text.
"""
import itertools
import random
from collections.abc import Iterator

import pytest

from incbpe import BPE, Dictionary, loading, rank_bpe
from incbpe.model import Config, Model
from tests.published import JSONS, RANKS, ours, text_of, theirs

CORPORA = ("english", "code", "multilingual")


def pieces(tokens: tuple[bytes, ...], text: bytes, n: int, draw: random.Random) -> Iterator[bytes]:
    """Tokens side by side, tokens cut anywhere, bits of text, and bytes."""
    for _ in range(n):
        parts = []
        for _ in range(draw.randrange(1, 5)):
            kind = draw.random()
            if kind < 0.7:
                token = tokens[int(draw.random() * len(tokens))]
                parts.append(token if kind < 0.4 else token[int(draw.random() * len(token)):])
            elif kind < 0.95:
                at = int(draw.random() * len(text))
                parts.append(text[at:at + int(draw.random() * 12)])
            else:
                parts.append(draw.randbytes(draw.randrange(4)))
        yield b"".join(parts)


def reference(model: Model):
    """PQ of the notation layer as ids, and the token that a piece is where the model takes it whole."""
    tokens = model.tokens
    number = {token: id for id, token in enumerate(tokens) if token}
    if model.merges is None:
        D = Dictionary.from_ranks({token: id for token, id in number.items()})
    else:
        D = Dictionary(tokens, model.merges)

    def ids(piece: bytes) -> list[int]:
        if model.whole_piece and piece in number:
            return [number[piece]]
        return [number[token] for token in rank_bpe(D, piece)]
    return ids


@pytest.mark.parametrize("name", [*RANKS, "llama3"])
def test_drawn_pieces_against_the_notation_layer(data, name, deep):
    file = RANKS.get(name, "llama3-tokenizer.json")
    model = loading.load(data / "vocabs" / file, pattern=None if name == "llama3" else name).model
    tokens = tuple(token for token in model.tokens if token)
    wanted = reference(model)
    engines = [BPE(Config(model, "tiktoken", "none"), cache=size) for size in (0, 100_000)]
    text = "".join(text_of(data, corpus)[:300_000] for corpus in CORPORA).encode()
    draw = random.Random(name)
    drawn = pieces(tokens, text, 2_000_000 if deep else 3_000, draw)
    for group in iter(lambda: list(itertools.islice(drawn, 1_000)), []):
        for piece in group:
            right = wanted(piece)
            for engine in engines:
                assert engine.encode_bytes(piece).tolist() == right, piece


def mixed(texts: list[str], size: int, draw: random.Random) -> str:
    """About so many characters: bits of the texts with their ends and beginnings joined, some in another case."""
    parts, length = [], 0
    while length < size:
        text = draw.choice(texts)
        at = draw.randrange(len(text))
        part = text[at:at + int(draw.expovariate(1 / 200)) + 1]
        case = draw.random()
        parts.append(part.upper() if case < 0.1 else part.lower() if case < 0.2 else part.title() if case < 0.25
                     else part.swapcase() if case < 0.3 else part)
        length += len(part)
    return "".join(parts)


@pytest.mark.parametrize("name", [*RANKS, *JSONS])
def test_drawn_texts_against_the_libraries(data, name, deep):
    texts, draw = [text_of(data, corpus) for corpus in CORPORA], random.Random(f"texts {name}")
    bpe, library = ours(data, name), theirs(data, name)
    in_json = name in JSONS
    left = (2_000_000 if in_json else 24_500_000) if deep else 100_000         # bytes
    encode = (lambda text: library.encode(text, add_special_tokens=False).ids) if in_json else library.encode_ordinary
    while left > 0:
        text = mixed(texts, min(left, 2_000 if in_json else 50_000), draw)
        right = encode(text)
        assert bpe.encode(text).tolist() == right and bpe.count(text) == len(right), text
        at, fed = 0, []
        stream = bpe.stream()
        while at < len(text):
            step = int(draw.expovariate(1 / 900)) + 1
            fed += stream.feed(text[at:at + step])
            at += step
        assert [*fed, *stream.finish()] == right, text
        left -= len(text.encode())
