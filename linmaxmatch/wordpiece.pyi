import os
from collections.abc import Iterable, Sequence
from typing import Any, Literal, overload

from typing_extensions import disjoint_base

from linmaxmatch.layout import Layout
from linmaxmatch.normalizer import Normalizer
from linmaxmatch.trace import Trace
from linmaxmatch.vocabulary import Vocabulary
from subwordio.added import AddedToken, AddedTokens
from subwordio.defaults import FILE as FILE
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

PROFILE: Default
SUFFIX: Default

@disjoint_base
class WordPiece:
    def __new__(
        cls,
        tokens: Iterable[str],
        suffix_indicator: str = "##",
        unk_token: str = "[UNK]",
        normalizer: Literal["hf", "google", "tf"] | None = "hf",
        lowercase: bool = True,
        strip_accents: bool | None = None,
        clean_text: bool = True,
        handle_chinese_chars: bool = True,
        max_chars_per_word: int | Default | None = ...,
        split_unknown: bool = False,
        nfc: bool = False,
        *,
        duplicates: Literal["error", "last"] = "error",
        added_tokens: Iterable[AddedToken] = (),
        template: Template | None = None,
        truncation: Truncation | None = None,
        padding: Padding | None = None,
        cleanup: bool = False,
        decoder_prefix: str | Default | None = ...,
        cache: int = ...,
    ) -> WordPiece: ...
    @classmethod
    def from_file(cls, path: str | os.PathLike[str], *, sha256: str | None = None, **options: Any) -> WordPiece: ...
    def save(self, path: str | os.PathLike[str]) -> None: ...
    @classmethod
    def load(cls, path: str | os.PathLike[str], *, verify: bool = True, cache: int = ...) -> WordPiece: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    @property
    def normalizer(self) -> Normalizer: ...
    @property
    def layout(self) -> Layout: ...
    @property
    def tokens(self) -> tuple[str, ...]: ...
    @property
    def options(self) -> dict[str, Any]: ...
    @property
    def template(self) -> Template | None: ...
    @property
    def added(self) -> AddedTokens | None: ...
    @property
    def origin(self) -> tuple[str, dict[str, Any]] | None: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    @overload
    def encode(
        self, text: _Text, pair: _Text | None = None, *, special_tokens: bool = False, offsets: Literal[False] = False,
        allowed_special: _Allowed = (),
    ) -> TokenIds: ...
    @overload
    def encode(
        self, text: _Text, pair: _Text | None = None, *, special_tokens: bool = False, offsets: Literal[True],
        allowed_special: _Allowed = (),
    ) -> Encoding: ...
    def encode_batch(
        self, texts: _Texts, *, threads: int | None = None, allowed_special: _Allowed = ()
    ) -> TokenLists: ...
    @overload
    def encode_padded(
        self, texts: _Texts, pairs: _Texts | None = None, *, max_length: int | Default | None = ...,
        stride: int | Default = ..., return_overflow: Literal[False] = False,
        truncation: Truncation | Default | None = ..., padding: Padding | Default | None = ...,
        special_tokens: bool | Default = ..., allowed_special: _Allowed = (),
        dtype: Literal["int64", "int32"] = "int64", threads: int | None = None,
    ) -> tuple[Matrix, Matrix, Matrix]: ...
    @overload
    def encode_padded(
        self, texts: _Texts, pairs: _Texts | None = None, *, max_length: int | Default | None = ...,
        stride: int | Default = ..., return_overflow: Literal[True], truncation: Truncation | Default | None = ...,
        padding: Padding | Default | None = ..., special_tokens: bool | Default = ..., allowed_special: _Allowed = (),
        dtype: Literal["int64", "int32"] = "int64", threads: int | None = None,
    ) -> Padded: ...
    def encode_word(self, word: _Text) -> TokenIds: ...
    def steps(self, word: _Text) -> tuple[int, int]: ...
    def count(self, text: _Text, limit: int | None = None, *, allowed_special: _Allowed = ()) -> int: ...
    def tokenize(self, text: _Text, *, allowed_special: _Allowed = ()) -> list[str]: ...
    def trace(self, text: str | bytes) -> list[Trace]: ...
    def spans(self, text: _Text, *, allowed_special: _Allowed = ()) -> list[tuple[int, int]]: ...
    def decode(self, ids: Sequence[int] | TokenIds, *, skip_special_tokens: bool = False,
               cleanup: bool | None = None) -> str: ...
    def decode_batch(self, lists: Iterable[Sequence[int]] | TokenLists, *, skip_special_tokens: bool = False,
                     cleanup: bool | None = None) -> list[str]: ...
    @property
    def vocab_size(self) -> int: ...
    def id(self, token: str) -> int: ...
    def token(self, id: int) -> str: ...
    def template_for(self, special_tokens: bool) -> Template: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def fingerprint(self) -> str: ...
    def by_path(self) -> ByPath: ...
    def inspect(self) -> dict[str, object]: ...
    def check(self) -> None: ...

def rebuild(source: bytes) -> WordPiece: ...
