"""The tokenizers that are measured, one small class each.

Every library peer gets the same `tokenizer.json` (no added tokens, no template: text only), ours the same vocabulary
as `vocab.txt`. Where a library offers arrays and lists, it is two peers, since making a list is work of its own.
"""
import functools
import hashlib
import itertools
import json
import os
import tempfile
from array import array
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Literal

from benchmarks.harness import Peer, Setting, installed


@functools.cache
def folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="benchmarks-")


@functools.cache
def tokenizer_json(setting: Setting) -> Path:
    """The setting as a tokenizer.json, written out by hand so that it depends on no library's defaults."""
    tokens = setting.vocabulary.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    cleaning = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                "lowercase": setting.lowercase}
    content: dict[str, Any] = {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
               "normalizer": cleaning if setting.clean else None, "pre_tokenizer": {"type": "BertPreTokenizer"},
               "post_processor": None, "decoder": None,
               "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                         "max_input_chars_per_word": setting.max_chars_per_word,
                         "vocab": {token: i for i, token in enumerate(tokens)}}}
    path = Path(folder().name) / f"{len(list(Path(folder().name).iterdir()))}.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def own_version(distribution: str, *packages: ModuleType) -> str:
    """The release, and a digest of the binaries, which change between releases too. Never None: without ours there is
    nothing to compare, so what goes wrong when it is imported is raised."""
    digest = hashlib.sha256()
    for package in itertools.chain.from_iterable(package.__path__ for package in packages):
        for binary in sorted([*Path(package).glob("*.so"), *Path(package).glob("*.pyd")]):
            digest.update(binary.read_bytes())
    return f"{installed(distribution) or 'source'}+{digest.hexdigest()[:8]}"


class Tokenizers(Peer):
    """The tokenizers library, the reference. Only ids are asked for, in its fast form (no offsets), which exists
    for batches only and is the quicker one even for a batch of one."""

    name = "tokenizers"
    package = "tokenizers"
    kind = "list"

    def load(self, setting: Setting) -> None:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(tokenizer_json(setting)))
        encode = tokenizer.encode_batch_fast
        self.encode_line = lambda text: encode([text], add_special_tokens=False)[0].ids
        self.encode_batch = lambda texts: [e.ids for e in encode(texts, add_special_tokens=False)]
        self.encode_document = self.encode_line


class NanotokenArray(Peer):
    name = "nanotoken array"
    package = "nanotoken"
    kind = "array"

    def load(self, setting: Setting) -> None:
        from nanotoken import Tokenizer

        tokenizer = Tokenizer.from_json(tokenizer_json(setting).read_bytes())
        self.encode_line = functools.partial(tokenizer.backend.encode, add_special_tokens=False)
        self.encode_batch = functools.partial(tokenizer.encode_batch, add_special_tokens=False, parallel=False)
        self.encode_document = self.encode_line


class NanotokenList(Peer):
    name = "nanotoken list"
    package = "nanotoken"
    kind = "list"

    def load(self, setting: Setting) -> None:
        from nanotoken import Tokenizer

        tokenizer = Tokenizer.from_json(tokenizer_json(setting).read_bytes())
        encode = tokenizer.backend.encode
        self.encode_line = lambda text: encode(text, add_special_tokens=False).tolist()
        self.encode_batch = functools.partial(tokenizer.encode_batch_list, add_special_tokens=False, parallel=False)
        self.encode_document = self.encode_line


class SplintrArray(Peer):
    """splintr's flat form: the ids as bytes, and for a batch the offsets as bytes beside them."""

    name = "splintr array"
    package = "splintr-rs"
    kind = "array"

    def load(self, setting: Setting) -> None:
        import splintr

        tokenizer = splintr.from_json(str(tokenizer_json(setting)))
        self.encode_line = tokenizer.encode_flat
        self.encode_batch = tokenizer.encode_batch_flat
        self.encode_document = tokenizer.encode_flat

    def row(self, ids: Any) -> list[int]:
        return array("I", ids).tolist()

    def rows(self, batch: Any) -> list[list[int]]:
        ids, offsets = array("I", batch[0]), array("Q", batch[1])
        return [ids[begin:end].tolist() for begin, end in itertools.pairwise(offsets)]


class SplintrList(Peer):
    name = "splintr list"
    package = "splintr-rs"
    kind = "list"

    def load(self, setting: Setting) -> None:
        import splintr

        tokenizer = splintr.from_json(str(tokenizer_json(setting)))
        self.encode_line = tokenizer.encode_ordinary
        self.encode_batch = tokenizer.encode_batch
        self.encode_document = tokenizer.encode_ordinary


class Tokie(Peer):
    name = "tokie"
    package = "tokie"
    kind = "list"

    def load(self, setting: Setting) -> None:
        from tokie import Tokenizer

        tokenizer = Tokenizer.from_json(str(tokenizer_json(setting)))
        encode, encode_batch = tokenizer.encode, tokenizer.encode_batch
        self.encode_line = lambda text: encode(text, add_special_tokens=False).ids
        self.encode_batch = lambda texts: [e.ids for e in encode_batch(texts, add_special_tokens=False)]
        self.encode_document = self.encode_line


class TensorFlowText(Peer):
    """The paper's own implementation, on one thread. It counts the length cap in bytes where the reference counts
    characters, and its cleaning is another, so it is inexact on some texts. `pip install tensorflow-text`: half a
    gigabyte, so it is in no extra."""

    name = "tensorflow-text array"
    package = "tensorflow-text"
    kind = "array"

    def load(self, setting: Setting) -> None:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        import tensorflow as tf
        import tensorflow_text as text

        if tf.config.threading.get_intra_op_parallelism_threads() != 1:     # before anything is computed
            tf.config.threading.set_intra_op_parallelism_threads(1)
            tf.config.threading.set_inter_op_parallelism_threads(1)
        options: dict[str, Any] = {
            "vocab": setting.vocabulary.read_text(encoding="utf-8").removesuffix("\n").split("\n"),
            "max_bytes_per_word": setting.max_chars_per_word, "token_out_type": tf.int32}
        if setting.clean:
            tokenize = text.FastBertTokenizer(**options, lower_case_nfd_strip_accents=setting.lowercase).tokenize
            self.encode_line = lambda line: tokenize([line]).flat_values
        else:
            tokenize = self.encode_line = text.FastWordpieceTokenizer(**options).tokenize
        self.encode_batch = tokenize
        self.encode_document = self.encode_line

    def row(self, ids: Any) -> list[int]:
        return ids.numpy().tolist()  # type: ignore[no-any-return]

    def rows(self, batch: Any) -> list[list[int]]:
        ids, splits = self.row(batch.flat_values), self.row(batch.row_splits)
        return [ids[begin:end] for begin, end in itertools.pairwise(splits)]


class Ours(Peer):
    """This project's WordPiece; its result is a typed array."""

    name = "linmaxmatch array"
    package = "linmaxmatch-incbpe"
    kind: ClassVar[Literal["array", "list"]] = "array"

    def load(self, setting: Setting) -> None:
        from linmaxmatch.wordpiece import WordPiece

        options: dict[str, Any] = {} if setting.cache else {"cache": 0}
        engine = WordPiece.from_file(setting.vocabulary, normalizer="hf" if setting.clean else None,
                                     lowercase=setting.lowercase,
                                     max_chars_per_word=setting.max_chars_per_word, **options)
        self.encode_line = engine.encode
        self.encode_batch = functools.partial(engine.encode_batch, threads=1)
        self.encode_document = engine.encode

    @classmethod
    def version(cls) -> str:
        import linmaxmatch
        import subwordio

        return own_version(cls.package, linmaxmatch, subwordio)


class OursList(Ours):
    """The same ids as Python lists."""

    name = "linmaxmatch list"
    kind = "list"

    def load(self, setting: Setting) -> None:
        super().load(setting)
        encode, encode_batch = self.encode_line, self.encode_batch
        self.encode_line = lambda text: encode(text).tolist()
        self.encode_batch = lambda texts: encode_batch(texts).tolist()
        self.encode_document = self.encode_line


REFERENCE: type[Peer] = Tokenizers
OURS: tuple[type[Peer], ...] = (Ours, OursList)
OTHERS: tuple[type[Peer], ...] = (NanotokenArray, NanotokenList, SplintrArray, SplintrList, Tokie, TensorFlowText)
