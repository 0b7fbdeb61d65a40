"""The edges that both papers' packages share: texts in, ids out, batches over threads, files. Knows neither paper."""
from subwordio.errors import FormatError, TokenIdError
from subwordio.ids import TokenIds
from subwordio.lists import TokenLists
from subwordio.matrix import Matrix
from subwordio.texts import Texts

__all__ = ["FormatError", "Matrix", "TokenIdError", "TokenIds", "TokenLists", "Texts"]
