import os
from collections.abc import Iterable, Mapping
from typing import Any, Literal, overload

from typing_extensions import Buffer, disjoint_base

from incbpe.cutting import Cutter
from incbpe.model import Config, Duplicates, Model, Unicode
from incbpe.normalize import Normalized
from incbpe.piece import Pieces
from incbpe.pipeline import Pipeline
from incbpe.pretokenize import Splitter
from incbpe.stream import Stream
from incbpe.streamdecoder import StreamDecoder
from incbpe.streamtables import StreamTables
from incbpe.textprefixes import TextPrefixes
from incbpe.tokens import TokenTable
from incbpe.trace import Trace
from subwordio.added import AddedTokens
from subwordio.defaults import Default
from subwordio.encoding import Encoding
from subwordio.ids import TokenIds
from subwordio.lists import TokenLists
from subwordio.matrix import Matrix
from subwordio.padding import Padded, Padding, Truncation
from subwordio.paths import ByPath
from subwordio.template import Template
from subwordio.texts import ArrowArray, ArrowStream, Texts

_Text = str | bytes
_Texts = Iterable[_Text] | ArrowArray | ArrowStream | Texts
_Allowed = Iterable[str] | Literal["all"]
_Path = str | os.PathLike[str]

@disjoint_base
class BPE:
    def __new__(cls, config: Config, *, cache: int = ...) -> BPE: ...
    @classmethod
    def from_file(
        cls,
        path: _Path,
        *,
        pattern: str | None = None,
        special_tokens: str | Mapping[str, int] | None = None,
        unicode: Unicode | None = None,
        duplicates: Duplicates = "error",
        sha256: str | None = None,
        cache: int = ...,
    ) -> BPE: ...
    @classmethod
    def from_files(
        cls,
        *,
        vocab: _Path,
        merges: _Path,
        pattern: str | None = None,
        special_tokens: str | Mapping[str, int] | None = None,
        unicode: Unicode | None = None,
        duplicates: Duplicates = "error",
        cache: int = ...,
    ) -> BPE: ...
    def save(self, path: _Path) -> None: ...
    @classmethod
    def load(cls, path: _Path, *, verify: bool = True, cache: int = ...) -> BPE: ...
    @property
    def config(self) -> Config: ...
    @property
    def tokens(self) -> TokenTable: ...
    @property
    def pieces(self) -> Pieces: ...
    @property
    def pipeline(self) -> Pipeline: ...
    @property
    def added(self) -> AddedTokens | None: ...
    @property
    def vocab_size(self) -> int: ...
    @property
    def facts(self) -> dict[str, object]: ...
    @property
    def origin(self) -> tuple[str, dict[str, Any]] | None: ...
    @property
    def binary(self) -> bool: ...
    @property
    def model(self) -> Model: ...
    @property
    def fingerprint(self) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def rewritten(self, text: str) -> str: ...
    @overload
    def encode(
        self,
        text: _Text,
        allowed_special: _Allowed = (),
        *,
        pair: _Text | None = None,
        special_tokens: bool = False,
        offsets: Literal[False] = False,
    ) -> TokenIds: ...
    @overload
    def encode(
        self,
        text: _Text,
        allowed_special: _Allowed = (),
        *,
        pair: _Text | None = None,
        special_tokens: bool = False,
        offsets: Literal[True],
    ) -> Encoding: ...
    def encode_batch(
        self, texts: _Texts, *, threads: int | None = None, allowed_special: _Allowed = ()
    ) -> TokenLists: ...
    def encode_bytes(self, data: Buffer, *, allowed_special: _Allowed = ()) -> TokenIds: ...
    @overload
    def encode_padded(
        self,
        texts: _Texts,
        pairs: _Texts | None = None,
        *,
        max_length: int | Default | None = ...,
        stride: int | Default = ...,
        return_overflow: Literal[False] = False,
        truncation: Truncation | Default | None = ...,
        padding: Padding | Default | None = ...,
        special_tokens: bool | Default = ...,
        allowed_special: _Allowed = (),
        dtype: Literal["int64", "int32"] = "int64",
        threads: int | None = None,
    ) -> tuple[Matrix, Matrix, Matrix]: ...
    @overload
    def encode_padded(
        self,
        texts: _Texts,
        pairs: _Texts | None = None,
        *,
        max_length: int | Default | None = ...,
        stride: int | Default = ...,
        return_overflow: Literal[True],
        truncation: Truncation | Default | None = ...,
        padding: Padding | Default | None = ...,
        special_tokens: bool | Default = ...,
        allowed_special: _Allowed = (),
        dtype: Literal["int64", "int32"] = "int64",
        threads: int | None = None,
    ) -> Padded: ...
    def count(self, text: _Text, limit: int | None = None, *, allowed_special: _Allowed = ()) -> int: ...
    def prefixes(self, text: _Text, *, allowed_special: _Allowed = ()) -> TextPrefixes: ...
    @overload
    def truncate(self, text: str, max_tokens: int, *, allowed_special: _Allowed = ()) -> str: ...
    @overload
    def truncate(self, text: bytes, max_tokens: int, *, allowed_special: _Allowed = ()) -> bytes: ...
    def stream(
        self, allowed_special: _Allowed = (), criterion: Literal["window", "chain", "maximal"] = "chain"
    ) -> Stream: ...
    def tables_of_streams(self) -> StreamTables: ...
    def stream_decoder(self, *, skip_special_tokens: bool = False) -> StreamDecoder: ...
    def pieces_of(self, text: _Text) -> list[bytes]: ...
    def trace(self, text: _Text) -> list[Trace]: ...
    def spans(self, text: _Text, *, allowed_special: _Allowed = ()) -> list[tuple[int, int]]: ...
    def decode(self, ids: Iterable[int], errors: str = "replace", *, skip_special_tokens: bool = False) -> str: ...
    def decode_batch(
        self, lists: Iterable[Iterable[int]] | TokenLists, errors: str = "replace", *, skip_special_tokens: bool = False
    ) -> list[str]: ...
    def decode_bytes(self, ids: Iterable[int]) -> bytes: ...
    def id(self, token: _Text) -> int: ...
    def token(self, id: int) -> bytes | str: ...
    def token_bytes(self, id: int) -> bytes: ...
    def template_for(self, special_tokens: bool) -> Template: ...
    def normalized(self) -> Normalized: ...
    def by_path(self) -> ByPath: ...
    def inspect(self) -> dict[str, object]: ...
    def check(self) -> None: ...

def splitting(config: Config) -> tuple[Splitter | None, Cutter | None]: ...
def rebuild(source: bytes) -> BPE: ...
