"""The BPE tokenizers that are measured, one small class each.

A rank table is given to every library as it is, with the pattern that its models use; where a library reads only a
tokenizer.json, the same model is written as one. The two tokenizer.json are read by every library themselves.
"""
import base64
import functools
import itertools
import json
from pathlib import Path
from typing import Any, ClassVar, Literal

from benchmarks.harness import Peer, Setting
from benchmarks.peers import folder, own_version
from incbpe.bytemap import byte_name
from incbpe.patterns import PUBLISHED

# How tiktoken 0.14 spells its patterns, and for others how their models publish them.
SPELLINGS = {"gpt2": PUBLISHED["gpt2"][-1], **{name: PUBLISHED[name][0] for name in ("cl100k", "o200k", "qwen")},
             "none": r"(?s:.+)"}


@functools.cache
def ranks(path: Path) -> dict[bytes, int]:
    return {base64.b64decode(token): int(rank) for token, rank in map(bytes.split, path.read_bytes().splitlines())}


def parts(token: bytes, table: dict[bytes, int]) -> list[bytes]:
    """What tiktoken merges a token from: the parts left when only tokens of lower ranks are made."""
    pieces = [token[i:i + 1] for i in range(len(token))]
    while len(pieces) > 2:
        rank, i = min((table.get(a + b, len(table)), i) for i, (a, b) in enumerate(itertools.pairwise(pieces)))
        if rank >= table[token]:
            break
        pieces[i:i + 2] = [pieces[i] + pieces[i + 1]]
    return pieces


def write_ranks(path: Path, table: dict[bytes, int]) -> Path:
    path.write_bytes(b"".join(b"%s %d\n" % (base64.b64encode(token), rank) for token, rank in table.items()))
    return path


def model_json(path: Path, vocabulary: dict[str, int], merges: list[list[str]]) -> Path:
    """A tokenizer.json of this model, which merges whole texts."""
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    content: dict[str, Any] = {
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": level, "post_processor": None, "decoder": level,
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": True,
                  "vocab": vocabulary, "merges": merges}}
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


@functools.cache
def ranks_json(path: Path) -> Path:
    """A rank table as a tokenizer.json without splitting: a merge for each token, by rank."""
    table = ranks(path)
    name = {token: byte_name(token) for token in table}
    merges = [[name[part] for part in pieces] for token in sorted(table, key=table.__getitem__)
              if len(pieces := parts(token, table)) == 2]
    written = Path(folder().name) / f"{path.stem}-ranks.json"
    return model_json(written, {name[token]: rank for token, rank in table.items()}, merges)


def json_of(setting: Setting) -> Path:
    return setting.vocabulary if setting.pattern is None else ranks_json(setting.vocabulary)


class Tiktoken(Peer):
    """tiktoken, the reference for rank tables. Its batch call starts threads, so lines are called one by one."""

    name = "tiktoken"
    package = "tiktoken"
    kind: ClassVar[Literal["array", "list"]] = "list"

    def encoding(self, setting: Setting) -> Any:
        from tiktoken import Encoding

        assert setting.pattern is not None
        return Encoding(setting.name, pat_str=SPELLINGS[setting.pattern], mergeable_ranks=ranks(setting.vocabulary),
                        special_tokens={})

    def load(self, setting: Setting) -> None:
        encode = self.encode_line = self.encode_document = self.encoding(setting).encode_ordinary
        self.encode_batch = lambda texts: [encode(text) for text in texts]


class TiktokenArray(Tiktoken):
    name = "tiktoken array"
    kind = "array"

    def load(self, setting: Setting) -> None:
        encode = functools.partial(self.encoding(setting).encode_to_numpy, disallowed_special=())
        self.encode_line = self.encode_document = encode
        self.encode_batch = lambda texts: [encode(text) for text in texts]


class Tokenizers(Peer):
    """The tokenizers library, the reference for tokenizer.json and without a pre-tokenizer; in its fast form."""

    name = "tokenizers"
    package = "tokenizers"
    kind = "list"

    def load(self, setting: Setting) -> None:
        from tokenizers import Tokenizer

        encode = Tokenizer.from_file(str(json_of(setting))).encode_batch_fast
        self.encode_line = lambda text: encode([text], add_special_tokens=False)[0].ids
        self.encode_batch = lambda texts: [e.ids for e in encode(texts, add_special_tokens=False)]
        self.encode_document = self.encode_line


class GigatokenList(Peer):
    """gigatoken takes pre-tokenizers by names of its own."""

    name = "gigatoken list"
    package = "gigatoken"
    kind: ClassVar[Literal["array", "list"]] = "list"
    NAMES: ClassVar = {"qwen": "qwen2"}

    def tokenizer(self, setting: Setting) -> Any:
        from gigatoken import Tokenizer

        if setting.pattern is None:
            return Tokenizer.from_json(setting.vocabulary.read_bytes())
        return Tokenizer.from_tiktoken(setting.vocabulary, self.NAMES.get(setting.pattern, setting.pattern))

    def load(self, setting: Setting) -> None:
        batch = functools.partial(self.tokenizer(setting).encode_batch_list, parallel=False)
        self.encode_line = lambda text: batch([text])[0]
        self.encode_batch, self.encode_document = batch, self.encode_line


class GigatokenArray(GigatokenList):
    name = "gigatoken array"
    kind = "array"

    def load(self, setting: Setting) -> None:
        tokenizer = self.tokenizer(setting)
        self.encode_line = self.encode_document = tokenizer.encode
        self.encode_batch = functools.partial(tokenizer.encode_batch, parallel=False)


class Fastokens(Peer):
    name = "fastokens"
    package = "fastokens"
    kind = "list"

    def load(self, setting: Setting) -> None:
        from fastokens._native import Tokenizer

        if setting.pattern is None:
            tokenizer = Tokenizer.from_file(str(setting.vocabulary))
        else:
            tokenizer = Tokenizer.from_tiktoken(str(setting.vocabulary), pattern=PUBLISHED[setting.pattern][0])
        encode, encode_batch = tokenizer.encode, tokenizer.encode_batch
        self.encode_line = lambda text: encode(text).ids
        self.encode_batch = lambda texts: [e.ids for e in encode_batch(texts)]
        self.encode_document = self.encode_line


class Own(Peer):
    """Brings the published vocabularies with it, and reads no file."""

    NAMES: ClassVar[dict[str, str]] = {}


class Quicktok(Own):
    """quicktok has vocabularies of its own, the published ones, and keeps no piece that it has seen."""

    name = "quicktok"
    package = "quicktok-v1"
    kind = "list"
    NAMES: ClassVar[dict[str, str]] = {"cl100k": "cl100k_base", "o200k": "o200k_base", "llama3": "llama3"}

    def load(self, setting: Setting) -> None:
        from quicktok import Tokenizer

        encode = self.encode_line = self.encode_document = Tokenizer(self.NAMES[setting.name], "").encode_ordinary
        self.encode_batch = lambda texts: [encode(text) for text in texts]


class ToktokList(Own):
    """toktok counts without making ids; its other calls are those of the class below its public functions."""

    name = "toktok list"
    package = "toktok-rs"
    kind: ClassVar[Literal["array", "list"]] = "list"
    NAMES: ClassVar[dict[str, str]] = {"cl100k": "cl100k_base", "o200k": "o200k_base"}

    def tokenizer(self, setting: Setting) -> Any:
        from toktok._toktok import Tokenizer

        tokenizer = Tokenizer(self.NAMES[setting.name], "")
        self.count = tokenizer.count
        return tokenizer

    def load(self, setting: Setting) -> None:
        encode = self.encode_line = self.encode_document = self.tokenizer(setting).encode_ordinary
        self.encode_batch = lambda texts: [encode(text) for text in texts]


class ToktokArray(ToktokList):
    """Its batch is the ids in one array and the places where texts end, as ours is."""

    name = "toktok array"
    kind = "array"

    def load(self, setting: Setting) -> None:
        tokenizer = self.tokenizer(setting)
        self.encode_line = self.encode_document = functools.partial(tokenizer.encode_to_numpy, disallowed_special=())
        self.encode_batch = functools.partial(tokenizer.encode_batch_to_numpy, threads=1)

    def rows(self, batch: Any) -> list[list[int]]:
        ids, ends = batch
        return [ids[begin:end].tolist() for begin, end in itertools.pairwise(ends)]


class IreeList(Own):
    """iree reads rank tables for the models that it knows. It streams, text only."""

    name = "iree list"
    package = "iree-tokenizer"
    kind: ClassVar[Literal["array", "list"]] = "list"
    NAMES: ClassVar[dict[str, str]] = {"gpt2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base", "llama2": "",
                                       "llama3": ""}

    def tokenizer(self, setting: Setting) -> Any:
        from iree.tokenizer import Tokenizer

        if setting.pattern is None:
            return Tokenizer.from_file(str(setting.vocabulary))
        return Tokenizer.from_tiktoken(str(setting.vocabulary), self.NAMES[setting.name])

    def load(self, setting: Setting) -> None:
        tokenizer = self.tokenizer(setting)
        encode = self.encode_line = self.encode_document = tokenizer.encode
        self.encode_batch = lambda texts: [encode(text) for text in texts]
        self.make_stream = tokenizer.encode_stream
        self.encode_chunks = lambda chunks: streamed(tokenizer.encode_stream(), "finalize", chunks)


class IreeArray(IreeList):
    name = "iree array"
    kind = "array"

    def load(self, setting: Setting) -> None:
        tokenizer = self.tokenizer(setting)
        self.encode_line = self.encode_document = tokenizer.encode_to_array
        self.encode_batch = tokenizer.encode_batch_to_array

    def rows(self, batch: Any) -> list[list[int]]:
        ids, lengths = batch
        ends = [0, *itertools.accumulate(lengths.tolist())]
        return [ids[begin:end].tolist() for begin, end in itertools.pairwise(ends)]


def streamed(stream: Any, finish: str, chunks: list[Any]) -> list[int]:
    """All that a stream gives for the chunks, in one list."""
    ids: list[int] = []
    feed, extend = stream.feed, ids.extend
    for chunk in chunks:
        extend(feed(chunk))
    extend(getattr(stream, finish)())
    return ids


class Ours(Peer):
    """This project's BPE; its result is a typed array."""

    name = "incbpe array"
    package = "linmaxmatch-incbpe"
    kind: ClassVar[Literal["array", "list"]] = "array"

    def load(self, setting: Setting) -> None:
        from incbpe import BPE

        options: dict[str, Any] = {} if setting.cache else {"cache": 0}
        bpe = BPE.from_file(setting.vocabulary, pattern=setting.pattern, **options)
        self.encode_line = self.encode_document = bpe.encode
        self.encode_batch = functools.partial(bpe.encode_batch, threads=1)
        self.count = bpe.count
        self.encode_chunks = lambda chunks: streamed(bpe.stream(), "finish", chunks)
        self.encode_bytes = lambda chunks: streamed(bpe.stream(), "finish", chunks)

    @classmethod
    def version(cls) -> str:
        import incbpe
        import subwordio

        return own_version(cls.package, incbpe, subwordio)


class OursList(Ours):
    """The same ids as Python lists."""

    name = "incbpe list"
    kind = "list"

    def load(self, setting: Setting) -> None:
        super().load(setting)
        encode, encode_batch = self.encode_line, self.encode_batch
        self.encode_line = self.encode_document = lambda text: encode(text).tolist()
        self.encode_batch = lambda texts: encode_batch(texts).tolist()


OURS: tuple[type[Peer], ...] = (Ours, OursList)
ANY: tuple[type[Peer], ...] = (GigatokenArray, GigatokenList, Fastokens)
OWN: tuple[type[Own], ...] = (Quicktok, ToktokArray, ToktokList, IreeArray, IreeList)
